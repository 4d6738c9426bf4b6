/**
 * Arguments that a method's input schema allows, made up: the same for the same seed. Texts are as awkward as the schema lets
 * them be, because what is compared with them is how they are escaped.
 */

import { complaint } from "../../js-shim/client/schema.ts";
import { kindOf } from "../../js-shim/client/openapi/media.ts";
import type { MethodRecord } from "../../js-shim/wire.ts";

type Schema = Record<string, unknown>;

/** Levels below which only what is required is made. */
const MAX_DEPTH = 4;
const TEXTS = ["blue", "a b", "x/y", "50% & more", "é€日本", "it's (so) *good*!", "a,b;c", "q=1+1?", "[x]|{y}", "~tilde_-.", '"quoted"', "#5"];
const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-11-30",
  "date-time": "2026-11-30T12:34:56.000Z",
  time: "12:34:56Z",
  uuid: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
  email: "someone@example.com",
  uri: "https://example.com/a?b=c#d",
  url: "https://example.com/a?b=c#d",
  "uri-reference": "/a/b",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  byte: "aGVsbG8=",
  duration: "P1D",
  binary: "text of a file",
};

/** A small generator of numbers in [0, 1) (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What fits the schema, or why nothing that was made does. */
export function argumentsFor(record: MethodRecord, seed: number): { args: Record<string, unknown> } | { reason: string } {
  const schema = (record.inputSchema ?? {}) as Schema;
  let reason = "";
  // The second try leaves out what is optional: it is there that rules across properties are broken.
  for (const optional of [true, false]) {
    const chance = seeded(seed);
    const args = new Maker(schema, chance, optional).value(schema, 0);
    if (typeof args !== "object" || args === null) return { reason: "its input is no object" };
    const fault = complaint(schema, args);
    if (fault === undefined) return { args: sendable(record, args as Record<string, unknown>) };
    reason = fault;
  }
  return { reason };
}

/** What a schema allows and HTTP does not, set right: letters in a header, a body of GET, XML as anything but a text. */
function sendable({ operation }: MethodRecord, args: Record<string, unknown>): Record<string, unknown> {
  const sent = { ...args };
  for (const { key, in: place } of operation?.parameters ?? []) if (place === "header" && typeof sent[key] === "string" && /[^\x20-\x7e]/.test(sent[key])) sent[key] = "blue";
  if (operation?.verb === "GET" || operation?.verb === "HEAD") delete sent["body"];
  if (sent["body"] !== undefined && kindOf(operation?.body?.type ?? "") === "text" && typeof sent["body"] === "object") sent["body"] = "<a>é & b</a>";
  return sent;
}

class Maker {
  readonly #root: Schema;
  readonly #chance: () => number;
  readonly #optional: boolean;

  constructor(root: Schema, chance: () => number, optional: boolean) {
    this.#root = root;
    this.#chance = chance;
    this.#optional = optional;
  }

  value(given: unknown, depth: number): unknown {
    // What requires itself without an end has no value, and the validator will say so.
    if (depth > 3 * MAX_DEPTH) return {};
    const schema = this.#merged(given, 0);
    if ("const" in schema) return schema["const"];
    const values = schema["enum"];
    if (Array.isArray(values) && values.length > 0) return this.#pick(values.filter((value) => value !== null));
    for (const word of ["oneOf", "anyOf"] as const) {
      const choices = schema[word];
      if (Array.isArray(choices) && choices.length > 0) {
        const { [word]: _choices, ...rest } = schema;
        const choice = this.#merged(choices.find((one: unknown) => (one as Schema | null)?.["type"] !== "null") ?? choices[0], 0);
        return this.value({ ...rest, ...choice, properties: { ...(rest["properties"] as Schema), ...(choice["properties"] as Schema) } }, depth + 1);
      }
    }
    switch (this.#typeOf(schema)) {
      case "string":
        return this.#text(schema);
      case "integer":
        return this.#number(schema, true);
      case "number":
        return this.#number(schema, false);
      case "boolean":
        return this.#chance() < 0.5;
      case "array":
        return this.#list(schema, depth);
      case "object":
        return this.#object(schema, depth);
      case "null":
        return null;
      default:
        return this.#pick(TEXTS);
    }
  }

  /** A reference and `allOf` laid over what stands beside them. */
  #merged(given: unknown, follow: number): Schema {
    if (typeof given !== "object" || given === null || follow > 30) return {};
    const { $ref, allOf, ...rest } = given as Schema;
    const parts: unknown[] = [];
    if (typeof $ref === "string" && $ref.startsWith("#/")) {
      parts.push($ref.slice(2).split("/").reduce<unknown>((at, key) => (at as Schema | undefined)?.[decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")], this.#root));
    }
    if (Array.isArray(allOf)) parts.push(...(allOf as unknown[]));
    return parts.reduce<Schema>((whole, part) => {
      const more = this.#merged(part, follow + 1);
      const required = [...((whole["required"] as string[] | undefined) ?? []), ...((more["required"] as string[] | undefined) ?? [])];
      return { ...more, ...whole, properties: { ...(more["properties"] as Schema), ...(whole["properties"] as Schema) }, ...(required.length > 0 && { required }) };
    }, rest);
  }

  #typeOf(schema: Schema): unknown {
    const { type } = schema;
    if (Array.isArray(type)) return type.find((one) => one !== "null") ?? "null";
    if (type !== undefined) return type;
    if (schema["format"] === "binary") return "string";
    if (typeof schema["properties"] === "object" && Object.keys(schema["properties"] as Schema).length > 0) return "object";
    return schema["items"] === undefined ? undefined : "array";
  }

  #text({ format, pattern, minLength = 0, maxLength = 1000 }: Schema): string {
    const made = typeof pattern === "string" ? this.#matching(pattern) : (FORMATS[String(format)] ?? this.#pick(TEXTS));
    return made.padEnd(Number(minLength), "x").slice(0, Number(maxLength));
  }

  /** One of some usual texts that the pattern allows; else the validator says that nothing was found. */
  #matching(pattern: string): string {
    let rule: RegExp;
    try {
      rule = new RegExp(pattern, "u");
    } catch {
      return "x";
    }
    const usual = ["a", "A1", "abc", "12", "123456", "1", "a-b", "a_b", "A", "2026-11-30", "+15551234567", "https://example.com", "a@example.com", "1.2.3", "0a1b2c3d4e5f60718293a4b5", "US", "en-US", ...Object.values(FORMATS), ...TEXTS, "a".repeat(32), "0".repeat(40)];
    return usual.find((text) => rule.test(text)) ?? "x";
  }

  #number(schema: Schema, whole: boolean): number {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    const low = Math.max(Number(minimum ?? -1e9), typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : exclusiveMinimum === true ? Number(minimum) + 1 : -1e9);
    const high = Math.min(Number(maximum ?? 1e9), typeof exclusiveMaximum === "number" ? exclusiveMaximum - 1 : exclusiveMaximum === true ? Number(maximum) - 1 : 1e9);
    const from = minimum === undefined && exclusiveMinimum === undefined ? Math.min(high, Math.max(low, 0)) : low;
    const value = from + this.#chance() * Math.min(Math.max(0, high - from), 100);
    if (typeof multipleOf === "number") return Math.ceil(from / multipleOf) * multipleOf;
    return whole ? Math.ceil(from) + Math.floor(value - from) : Number(value.toFixed(2)) < from ? from : Number(value.toFixed(2));
  }

  #list({ items = {}, prefixItems, minItems = 0, maxItems = 2, uniqueItems }: Schema, depth: number): unknown[] {
    const wanted = depth >= MAX_DEPTH ? Number(minItems) : Math.max(Number(minItems), Math.min(Number(maxItems), 1 + Math.floor(this.#chance() * 2)));
    const made = Array.from({ length: Math.min(wanted, 20) }, (_none, index) => this.value(Array.isArray(prefixItems) ? (prefixItems[index] ?? items) : items, depth + 1));
    return uniqueItems === true ? [...new Map(made.map((item) => [JSON.stringify(item), item])).values()] : made;
  }

  #object({ properties = {}, required = [] }: Schema, depth: number): Record<string, unknown> {
    const needed = new Set(required as string[]);
    const made: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(properties as Schema)) {
      const { readOnly } = this.#merged(schema, 0);
      const wanted = needed.has(key) || (this.#optional && readOnly !== true && depth < MAX_DEPTH && this.#chance() < (depth === 0 ? 0.75 : 0.5));
      if (wanted) made[key] = this.value(schema, depth + 1);
    }
    return made;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#chance() * from.length)] as T;
  }
}
