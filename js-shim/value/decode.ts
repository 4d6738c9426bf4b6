/**
 * Value texts into values. A text may be forged: every shape, number and reference in it is checked before it is used, work
 * and memory stay in proportion to its length, and whatever is wrong with it is a `MalformedValue`.
 *
 * Objects and arrays of a table are the very ones that `JSON.parse` made, filled in place. So their properties are own from
 * the start, and no setter of a patched prototype, `__proto__` included, can run.
 */
import { decodeBase64 } from "./base64.ts";
import type { ValueText } from "./encode.ts";
import { isDigit, MalformedValue, rethrowOverflow } from "./faults.ts";
import { makeError, setErrorProperty } from "./nativeErrors.ts";
import { setOwn } from "./own.ts";
import {
  BigIntOf, DateOf, isArray, isInteger, jsonParse, jsonStringify, mapGet, MapOf, mapSet, objectKeys, objectValues, RegExpOf,
  setAdd, SetOf, stringSlice, typedArrayBuffer, viewTypes,
} from "./primordials.ts";
import { MAX_BIGINT_DIGITS, MAX_SPARSE_PLACES } from "./table.ts";

type Keyed = Record<PropertyKey, unknown>;
/** `made[i]` is the object of node `i`, empty until every node has its object, as references may point either way. */
type Reading = { nodes: unknown[]; made: unknown[]; sparsePlaces: number };

/** Throws `MalformedValue`. */
export function decode(text: ValueText): unknown {
  if (typeof text !== "string") throw new MalformedValue("it is no string");
  if (text === "") return undefined;
  if (text[0] !== "@") return parse(text);
  const table = parse(stringSlice(text, 1));
  if (!isArray(table) || table.length !== 2 || !isArray(table[1])) throw new MalformedValue("a table is [top, nodes]");
  const nodes = table[1];
  const reading: Reading = { nodes, made: objectValues(nodes), sparsePlaces: 0 };
  for (let i = 0; i < nodes.length; i++) reading.made[i] = make(reading, nodes[i], i);
  for (let i = 0; i < nodes.length; i++) reading.made[i] ??= makeView(reading, nodes[i], i);
  for (let i = 0; i < nodes.length; i++) fill(reading, nodes[i], i);
  return valueOf(reading, table[0]);
}

function parse(json: string): unknown {
  try {
    return jsonParse(json) as unknown;
  } catch (error) {
    rethrowOverflow(error);
    throw new MalformedValue("it is no JSON");
  }
}

/** The object of a node, `undefined` for a view, which needs its buffer first. */
function make(reading: Reading, node: unknown, id: number): unknown {
  if (typeof node !== "object" || node === null) return bad(id);
  if (!isArray(node)) return node;
  switch (tagOf(node)) {
    case "Array":
      return node.length === 2 && isArray(node[1]) ? node[1] : bad(id);
    case "Sparse":
      return node.length === 3 && isInteger(node[1]) ? makeSparse(reading, node[1], id) : bad(id);
    case "Map":
      return node.length === 2 && isArray(node[1]) && node[1].length % 2 === 0 ? new MapOf() : bad(id);
    case "Set":
      return node.length === 2 && isArray(node[1]) ? new SetOf() : bad(id);
    case "Date":
      return node.length === 2 ? makeDate(node[1], id) : bad(id);
    case "RegExp":
      return node.length === 4 ? makeRegExp(node[1], node[2], id) : bad(id);
    case "Error":
      return node.length === 5 ? (makeErrorOf(node[1], node[2], node[3]) ?? bad(id)) : bad(id);
    case "ArrayBuffer":
      return node.length === 2 && typeof node[1] === "string" ? makeBuffer(node[1], id) : bad(id);
    default:
      return node.length === 4 ? undefined : bad(id);
  }
}

function makeSparse(reading: Reading, length: number, id: number): unknown[] {
  reading.sparsePlaces += length;
  if (length < 0 || reading.sparsePlaces > MAX_SPARSE_PLACES) return bad(id);
  const array: unknown[] = [];
  array.length = length;
  return array;
}

function makeDate(time: unknown, id: number): Date {
  return new DateOf(time === null ? NaN : typeof time === "number" ? time : bad(id));
}

function makeRegExp(source: unknown, flags: unknown, id: number): RegExp {
  if (typeof source !== "string" || typeof flags !== "string") return bad(id);
  try {
    return new RegExpOf(source, flags);
  } catch (error) {
    rethrowOverflow(error);
    return bad(id);
  }
}

function makeErrorOf(type: unknown, name: unknown, message: unknown): object | undefined {
  if (typeof type !== "string") return undefined;
  if (name !== null && typeof name !== "string") return undefined;
  if (message !== null && typeof message !== "string") return undefined;
  return makeError(type, name, message);
}

function makeBuffer(base64: string, id: number): ArrayBuffer {
  const bytes = decodeBase64(base64);
  return bytes === undefined ? bad(id) : typedArrayBuffer(bytes);
}

function makeView(reading: Reading, node: unknown, id: number): object {
  if (!isArray(node)) return bad(id);
  const type = mapGet(viewTypes, node[0]);
  const offset = node[2];
  const length = node[3];
  if (type === undefined || !isInteger(offset) || !isInteger(length)) return bad(id);
  const bufferId = referenceOf(reading, node[1]);
  if (bufferId === undefined || tagOf(reading.nodes[bufferId]) !== "ArrayBuffer") return bad(id);
  try {
    return new type.constructor(reading.made[bufferId] as ArrayBuffer, offset, length);
  } catch (error) {
    rethrowOverflow(error);
    return bad(id);
  }
}

/** Puts the values in place of the slots. Every object exists by now. */
function fill(reading: Reading, node: unknown, id: number): void {
  const made = reading.made[id] as object;
  if (!isArray(node)) return fillKeys(reading, made);
  switch (node[0]) {
    case "Array":
      return fillElements(reading, made as unknown[]);
    case "Sparse":
      return fillSparse(reading, made as unknown[], node[2], id);
    case "Map": {
      const slots = node[1] as unknown[];
      for (let i = 0; i < slots.length; i += 2) mapSet(made, valueOf(reading, slots[i]), valueOf(reading, slots[i + 1]));
      return;
    }
    case "Set": {
      const slots = node[1] as unknown[];
      for (let i = 0; i < slots.length; i++) setAdd(made, valueOf(reading, slots[i]));
      return;
    }
    case "RegExp": {
      const lastIndex = valueOf(reading, node[3]);
      (made as RegExp).lastIndex = typeof lastIndex === "number" ? lastIndex : bad(id);
      return;
    }
    case "Error":
      return fillError(reading, made, node[1] as string, node[4], id);
  }
}

function fillKeys(reading: Reading, object: object): void {
  const values = objectValues(object);
  let keys: string[] | undefined;
  for (let i = 0; i < values.length; i++) {
    if (!isCompound(values[i])) continue;
    keys ??= objectKeys(object);
    (object as Keyed)[keys[i] as string] = valueOf(reading, values[i]);
  }
}

function fillElements(reading: Reading, array: unknown[]): void {
  for (let i = 0; i < array.length; i++) if (isCompound(array[i])) array[i] = valueOf(reading, array[i]);
}

function fillSparse(reading: Reading, array: unknown[], elements: unknown, id: number): void {
  if (!isCompound(elements) || isArray(elements)) return bad(id);
  const keys = objectKeys(elements);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const index = +key >>> 0;
    if (`${index}` !== key || index >= array.length) return bad(id);
    setOwn(array, index, valueOf(reading, (elements as Keyed)[key]));
  }
}

function fillError(reading: Reading, error: object, type: string, properties: unknown, id: number): void {
  if (!isCompound(properties) || isArray(properties)) return bad(id);
  const keys = objectKeys(properties);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (key === "stack") return bad(id);
    setErrorProperty(error, type, key, valueOf(reading, (properties as Keyed)[key]));
  }
}

function valueOf(reading: Reading, slot: unknown): unknown {
  if (!isCompound(slot)) return slot;
  const id = referenceOf(reading, slot);
  if (id !== undefined) return reading.made[id];
  switch (tagOf(slot)) {
    case "undefined":
      return undefined;
    case "NaN":
      return NaN;
    case "Infinity":
      return Infinity;
    case "-Infinity":
      return -Infinity;
    case "-0":
      return -0;
    case "bigint":
      return bigintOf(slot);
    default:
      throw new MalformedValue(`unknown slot ${excerpt(slot)}`);
  }
}

/** The node that a slot refers to, `undefined` when it is no reference. */
function referenceOf(reading: Reading, slot: unknown): number | undefined {
  if (!isArray(slot) || slot.length !== 1 || typeof slot[0] !== "number") return undefined;
  const id = slot[0];
  if (!isInteger(id) || id < 0 || id >= reading.nodes.length) throw new MalformedValue(`there is no node ${id}`);
  return id;
}

function tagOf(compound: unknown): unknown {
  return isArray(compound) && compound.length > 0 ? compound[0] : undefined;
}

function bigintOf(slot: object): bigint {
  const digits = isArray(slot) && slot.length === 2 ? slot[1] : undefined;
  if (typeof digits !== "string" || !isDecimal(digits)) throw new MalformedValue(`a bigint is ["bigint", digits]`);
  return BigIntOf(digits);
}

/** What a bigint is printed as, and nothing more: `BigInt("")` is 0, and `BigInt(" 0x1 ")` is 1. */
function isDecimal(digits: string): boolean {
  if (digits === "" || digits === "-" || digits === "0") return digits === "0";
  if (digits.length > MAX_BIGINT_DIGITS) return false;
  const start = digits[0] === "-" ? 1 : 0;
  if (digits[start] === "0") return false;
  for (let i = start; i < digits.length; i++) if (!isDigit(digits, i)) return false;
  return true;
}

function isCompound(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function excerpt(slot: object): string {
  const tag = tagOf(slot);
  return typeof tag === "string" ? jsonStringify(stringSlice(tag, 0, 20)) : "";
}

function bad(id: number): never {
  throw new MalformedValue(`node ${id} is no node that the codec writes`);
}
