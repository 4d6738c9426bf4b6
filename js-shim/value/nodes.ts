/**
 * One node of the table form per kind of object (the shapes are listed in `table.ts`), and the refusal of everything that
 * has none. Reads each property once; decides nothing about order or numbering.
 */
import { encodeBase64 } from "./base64.ts";
import { rethrowOverflow } from "./faults.ts";
import type { Place } from "./faults.ts";
import { className, isNodeBuffer, isPromise, isThenable, kindOf } from "./kinds.ts";
import type { Kind } from "./kinds.ts";
import { describeError } from "./nativeErrors.ts";
import {
  arraySort, bufferResizable, dataViewBuffer, dataViewLength, dataViewOffset, dateTime, flagGetters, getOwnPropertyDescriptor,
  getPrototypeOf, hasOwn, intrinsics, isInteger, jsonStringify, mapEach, mapGet, objectKeys, objectSymbols, objectValues,
  regExpSource, setEach, symbolText, toStringTag, typedArrayBuffer, typedArrayLength, typedArrayName, typedArrayOffset,
  Uint8ArrayOf,
} from "./primordials.ts";
import { isDense } from "./snapshot.ts";
import { MAX_SPARSE_PLACES, refuse, slot } from "./table.ts";
import type { Table } from "./table.ts";

type Keyed = Record<PropertyKey, unknown>;

export function writeNode(table: Table, value: object, place: Place): string {
  const kind = kindOf(value);
  switch (kind) {
    case "Object":
      return objectNode(table, value, place);
    case "Array":
      return arrayNode(table, value as unknown[], place);
    case "Error":
      return errorNode(table, value, place);
    case "View":
      return viewNode(table, value, place);
    case undefined:
      return refuseInstance(value, place);
    default:
      refuseExtras(value, place, kind);
      return leafNode(table, kind, value, place);
  }
}

function leafNode(table: Table, kind: "Date" | "RegExp" | "Map" | "Set" | "ArrayBuffer", value: object, place: Place): string {
  switch (kind) {
    case "Date": {
      const time = dateTime(value);
      return `["Date",${time === time ? time : "null"}]`;
    }
    case "RegExp": {
      const { lastIndex } = value as RegExp;
      if (typeof lastIndex !== "number") refuse(place, "lastIndex", "is not a number");
      return `["RegExp",${jsonStringify(regExpSource(value))},"${flagsOf(value)}",${slot(table, lastIndex, place, "lastIndex")}]`;
    }
    case "Map":
      return `["Map",[${mapSlots(table, value, place)}]]`;
    case "Set":
      return `["Set",[${setSlots(table, value, place)}]]`;
    case "ArrayBuffer":
      refuseOddBuffer(value, place);
      return `["ArrayBuffer","${encodeBase64(new Uint8ArrayOf(value as ArrayBuffer))}"]`;
  }
}

function objectNode(table: Table, value: object, place: Place): string {
  const keys = objectKeys(value);
  if (keys.length === 0 && hasOwn(value, toStringTag)) {
    return refuse(place.parent, place.step, "is a namespace of the platform, not data");
  }
  refuseSymbols(value, place);
  return propertySlots(table, value, keys, place);
}

/** `{ key: slot }` for these keys. */
function propertySlots(table: Table, value: object, keys: string[], place: Place): string {
  if (table.order === "sorted") arraySort(keys);
  let text = "{";
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    text += `${i === 0 ? "" : ","}${jsonStringify(key)}:${slot(table, read(value, key, place), place, key)}`;
  }
  return `${text}}`;
}

function arrayNode(table: Table, value: unknown[], place: Place): string {
  refuseSymbols(value, place);
  const values = valuesOf(value);
  if (values === undefined || !isDense(value, values)) return sparseNode(table, value, place);
  let text = '["Array",[';
  for (let i = 0; i < values.length; i++) text += `${i === 0 ? "" : ","}${slot(table, values[i], place, i)}`;
  return `${text}]]`;
}

function sparseNode(table: Table, value: unknown[], place: Place): string {
  const { length } = value;
  if (!isInteger(length) || length < 0) refuse(place.parent, place.step, "is not a real array (its length is no number)");
  table.sparsePlaces += length;
  if (table.sparsePlaces > MAX_SPARSE_PLACES) {
    const problem = `is an array with holes and ${length} places (the limit is ${MAX_SPARSE_PLACES}); use an object or a Map`;
    refuse(place.parent, place.step, problem);
  }
  const keys = objectKeys(value);
  let text = `["Sparse",${length},{`;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const index = +key;
    if (`${index >>> 0}` !== key || index >= length) refuse(place, key, "is an extra property of an array; use an object");
    text += `${i === 0 ? "" : ","}"${key}":${slot(table, read(value, index, place), place, index)}`;
  }
  return `${text}}]`;
}

/** `undefined` when some element throws: reading them one by one then tells which. */
function valuesOf(value: unknown[]): unknown[] | undefined {
  try {
    return objectValues(value);
  } catch (error) {
    rethrowOverflow(error);
    return undefined;
  }
}

function errorNode(table: Table, value: object, place: Place): string {
  refuseSymbols(value, place);
  const { type, name, message, keys } = describeError(value);
  const own = propertySlots(table, value, keys, place);
  return `["Error","${type}",${jsonStringify(name)},${jsonStringify(message)},${own}]`;
}

function viewNode(table: Table, value: object, place: Place): string {
  const name = typedArrayName(value);
  if (name === undefined) {
    // A DataView's getters throw when its buffer is detached; `buffer` alone always answers.
    const buffer = dataViewBuffer(value);
    refuseOddBuffer(buffer, place);
    refuseExtras(value, place, "DataView");
    return `["DataView",${slot(table, buffer, place, "buffer")},${dataViewOffset(value)},${dataViewLength(value)}]`;
  }
  // Many Buffers share one pool with the bytes of strangers, so a Buffer takes along only its own.
  const array = isNodeBuffer(value) ? new Uint8ArrayOf(value as Uint8Array) : value;
  const buffer = typedArrayBuffer(array);
  refuseOddBuffer(buffer, place);
  return `["${name}",${slot(table, buffer, place, "buffer")},${typedArrayOffset(array)},${typedArrayLength(array)}]`;
}

function mapSlots(table: Table, value: object, place: Place): string {
  let text = "";
  let index = 0;
  mapEach(value, (item, key) => {
    const named = typeof key === "string" || typeof key === "number";
    const step = named ? `.get(${typeof key === "string" ? jsonStringify(key) : key})` : `<value ${index}>`;
    text += `${index === 0 ? "" : ","}${slot(table, key, place, { label: `<key ${index}>` })},`;
    text += slot(table, item, place, { label: step });
    index++;
  });
  return text;
}

function setSlots(table: Table, value: object, place: Place): string {
  let text = "";
  let index = 0;
  setEach(value, (item) => {
    text += `${index === 0 ? "" : ","}${slot(table, item, place, { label: `<item ${index}>` })}`;
    index++;
  });
  return text;
}

export function flagsOf(value: object): string {
  let flags = "";
  for (let i = 0; i < flagGetters.length; i++) {
    const flag = flagGetters[i];
    if (flag?.has?.(value) === true) flags += flag.letter;
  }
  return flags;
}

function read(value: object, key: string | number, place: Place): unknown {
  try {
    return (value as Keyed)[key];
  } catch (error) {
    rethrowOverflow(error);
    return refuse(place, key, "cannot be read: its getter throws");
  }
}

function refuseOddBuffer(buffer: object, place: Place): void {
  if (kindOf(buffer) !== "ArrayBuffer") refuse(place.parent, place.step, "uses a SharedArrayBuffer; copy its bytes first");
  if (bufferResizable?.(buffer) === true) {
    refuse(place.parent, place.step, "uses a resizable ArrayBuffer; copy it with slice() first");
  }
  try {
    new Uint8ArrayOf(buffer as ArrayBuffer);
  } catch {
    refuse(place.parent, place.step, "uses an ArrayBuffer that is detached; its bytes are elsewhere");
  }
}

function refuseSymbols(value: object, place: Place): void {
  const symbols = objectSymbols(value);
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols[i] as symbol;
    const descriptor = getOwnPropertyDescriptor(value, symbol);
    if (descriptor === undefined || !descriptor.enumerable) continue;
    refuse(place.parent, place.step, `has a symbol as a key (${symbolText(symbol)}); use a string`);
  }
}

/** Typed arrays are not asked: their keys are their elements, and listing a million of them costs more than it tells. */
function refuseExtras(value: object, place: Place, kind: Kind | "DataView"): void {
  refuseSymbols(value, place);
  const keys = objectKeys(value);
  if (keys.length > 0) refuse(place, keys[0] as string, `is an extra property of a ${kind}; use an object beside it`);
}

function refuseInstance(value: object, place: Place): never {
  const { parent, step } = place;
  if (isPromise(value)) return refuse(parent, step, "is a Promise; await it first");
  if (isThenable(value)) return refuse(parent, step, "is a thenable; await it first");
  const name = className(value) ?? "an unnamed class";
  const prototype = getPrototypeOf(value);
  if (prototype !== null && mapGet(intrinsics, prototype) !== undefined) {
    return refuse(parent, step, `is not a real ${name} (a Proxy, or an object made from its prototype)`);
  }
  if (name === "Number" || name === "String" || name === "Boolean" || name === "BigInt" || name === "Symbol") {
    return refuse(parent, step, `is a ${name} object; use the plain value`);
  }
  if (name === "Object") return refuse(parent, step, "has a prototype of its own; convert it to a plain object first");
  return refuse(parent, step, unread(name) ?? `is an instance of ${name}; convert it to a plain object first`);
}

/** What these stand for is not in them, or not as data: how one gets it. By name, as a host's may be of another realm. */
function unread(name: string): string | undefined {
  switch (name) {
    case "Response":
    case "Request":
    case "Blob":
    case "File":
      return `is a ${name}, whose content is not read; pass what text(), json() or arrayBuffer() gives`;
    case "ReadableStream":
      return "is a stream; read it to its end and pass what came";
    case "Headers":
    case "FormData":
    case "URLSearchParams":
      return `is a ${name} object; pass Object.fromEntries() of it`;
    case "URL":
      return "is a URL object; pass its href";
    default:
      return undefined;
  }
}
