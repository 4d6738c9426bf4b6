/**
 * How a value stands in a path, a query, a header, a cookie or a form: the styles of OpenAPI 3, which are RFC 6570's and
 * three more. Pure text; where the specification leaves a combination open, what most servers read is written:
 *
 * | open | here |
 * | --- | --- |
 * | an object inside `deepObject` | `a[b][c]=1` |
 * | an array inside `deepObject`, or alone in it | texts `a[b][]=1`, objects `a[b][0][c]=1` |
 * | an array or object inside any other style | its JSON |
 * | `spaceDelimited`, `pipeDelimited` with `explode` | as `form` |
 * | an array or object in a cookie | one pair for each, or joined by commas without `explode` |
 *
 * `null` and `undefined`, also as an item, are no values and are left out, and so is an empty array or object.
 */

import { isBytes, isoOf, jsonText } from "../json-text.ts";

export type Styled = { style: string; explode: boolean };
export type Encoder = (text: string) => string;
export type Pair = readonly [name: string, value: string];

/** Levels of brackets. A server that reads more has not been seen, and a value may contain itself. */
const MAX_DEEP = 32;

/** All but the unreserved characters of RFC 3986. */
export const strict: Encoder = (text) =>
  encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`);

/** `allowReserved`: escapes and reserved characters stay, but for those that would end the value or the query. */
export const reserved: Encoder = (text) => text.replace(/%[0-9A-Fa-f]{2}|[:/?@!$'()*,;]|[^:/?@!$'()*,;%]+|%/g, (part) => (/^(?:%..|[:/?@!$'()*,;])$/.test(part) ? part : strict(part)));

/** For what is no URL: a header, a part of a form. */
export const plain: Encoder = (text) => text;

type Shape = { kind: "none" } | { kind: "text"; text: string } | { kind: "list"; items: string[] } | { kind: "map"; entries: Pair[] };

/** A path parameter (`simple`, `label`, `matrix`) or a header (`simple`); `undefined` when there is nothing to say. */
export function expanded(name: string, value: unknown, { style, explode }: Styled, encode: Encoder, where: string): string | undefined {
  const shape = shapeOf(value, where);
  if (shape.kind === "none") return undefined;
  const key = encode(name);
  switch (style) {
    case "matrix": {
      const pair = (left: string, right: string): string => (right === "" ? `;${left}` : `;${left}=${right}`);
      if (!explode || shape.kind === "text") return pair(key, flat(shape, encode, false).join(","));
      if (shape.kind === "list") return shape.items.map((item) => pair(key, encode(item))).join("");
      return shape.entries.map(([left, right]) => pair(encode(left), encode(right))).join("");
    }
    case "label":
      return `.${flat(shape, encode, explode).join(explode ? "." : ",")}`;
    default:
      return flat(shape, encode, explode).join(",");
  }
}

/** A query or cookie parameter, or a property of a form: pairs, encoded. */
export function pairsOf(name: string, value: unknown, { style, explode }: Styled, encode: Encoder, where: string): Pair[] {
  // A name is never reserved text: it ends at the first sign that says so.
  const key = encode === plain ? plain : strict;
  if (style === "deepObject" && typeof value === "object" && value !== null) return deep(name, value, key, encode, where, 0);
  const shape = shapeOf(value, where);
  if (shape.kind === "none") return [];
  if (explode && shape.kind === "list") return shape.items.map((item) => [key(name), encode(item)]);
  if (explode && shape.kind === "map") return shape.entries.map(([left, right]) => [key(left), encode(right)]);
  const between = style === "spaceDelimited" ? key(" ") : style === "pipeDelimited" ? key("|") : ",";
  return [[key(name), flat(shape, encode, false).join(between)]];
}

/** The texts of a shape one after the other; `assigned` writes `key=value`. */
function flat(shape: Exclude<Shape, { kind: "none" }>, encode: Encoder, assigned: boolean): string[] {
  switch (shape.kind) {
    case "text":
      return [encode(shape.text)];
    case "list":
      return shape.items.map(encode);
    case "map":
      return shape.entries.flatMap(([key, value]) => (assigned ? [`${encode(key)}=${encode(value)}`] : [encode(key), encode(value)]));
    default: {
      const never: never = shape;
      return never;
    }
  }
}

function deep(name: string, value: unknown, key: Encoder, encode: Encoder, where: string, depth: number): Pair[] {
  if (value === null || value === undefined) return [];
  if (!isComposite(value)) return [[key(name), encode(textOf(value, where))]];
  if (depth >= MAX_DEEP) throw new TypeError(`${where} is nested more than ${MAX_DEEP} levels deep, which no query can say`);
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => deep(`${name}[${isComposite(item) ? index : ""}]`, item, key, encode, `${where}[${index}]`, depth + 1));
  }
  return entriesOf(value, where).flatMap(([inner, item]) => deep(`${name}[${inner}]`, item, key, encode, `${where}.${inner}`, depth + 1));
}

function shapeOf(value: unknown, where: string): Shape {
  if (value === null || value === undefined) return { kind: "none" };
  if (Array.isArray(value)) {
    const items = value.flatMap((item: unknown, index) => (item === null || item === undefined ? [] : [textOf(item, `${where}[${index}]`)]));
    return items.length === 0 ? { kind: "none" } : { kind: "list", items };
  }
  if (isComposite(value)) {
    const entries = entriesOf(value, where).flatMap<Pair>(([key, item]) => (item === null || item === undefined ? [] : [[key, textOf(item, `${where}.${key}`)]]));
    return entries.length === 0 ? { kind: "none" } : { kind: "map", entries };
  }
  return { kind: "text", text: textOf(value, where) };
}

/** @throws {TypeError} naming `where`, for what has no text. */
export function textOf(value: unknown, where: string): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`${where} is ${value}, which is no number that can be sent`);
      return String(value);
    case "boolean":
    case "bigint":
      return String(value);
    default:
      if (isBytes(value)) throw new TypeError(`${where} is bytes, and a text is sent here; pass base64 or hex, as the service wants it`);
      return value instanceof Date ? isoOf(value, where) : jsonText(value, where);
  }
}

function isComposite(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Date) && !isBytes(value);
}

function entriesOf(value: object, where: string): [string, unknown][] {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A Map has no entries of its own and would vanish; `jsonText` says what to pass instead.
  if (prototype !== null && prototype !== Object.prototype) jsonText(value, where);
  return Object.entries(value);
}
