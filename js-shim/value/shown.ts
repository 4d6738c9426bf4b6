/**
 * The shown form of a value: JSON for models, people and HTTP, never read back. It may lose what JSON cannot say, but says
 * that it does; it never throws, and its size stays in proportion to the value's however often parts of that are shared.
 */
import { encodeBase64 } from "./base64.ts";
import { pathOf, rethrowOverflow } from "./faults.ts";
import type { Place, Step } from "./faults.ts";
import { className, kindOf } from "./kinds.ts";
import type { Kind } from "./kinds.ts";
import { describeError } from "./nativeErrors.ts";
import { flagsOf } from "./nodes.ts";
import { append, setOwn } from "./own.ts";
import {
  bufferLength, dataViewBuffer, dataViewLength, dataViewOffset, dateIso, dateTime, hasOwn, isFiniteNumber, mapDelete, mapEach,
  mapGet, MapOf, mapSet, objectKeys, objectValues, regExpSource, setEach, symbolText, typedArrayBuffer, typedArrayBytes,
  typedArrayName, typedArrayOffset, Uint8ArrayOf,
} from "./primordials.ts";
import { isDense } from "./snapshot.ts";
import { MAX_SPARSE_PLACES } from "./table.ts";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Bytes up to here are shown as base64; of more, only the number. */
const MAX_SHOWN_BYTES = 4096;
/** Writers and readers of JSON go by recursion. */
const MAX_SHOWN_DEPTH = 200;
/** Units that showing shared parts again may cost in all. Twenty arrays that each hold the next one twice are a million. */
const MAX_REPEATED = 100_000;

type Showing = {
  /** Objects that are being shown: to meet one again is a cycle. */
  open: Map<object, Place>;
  /** Objects that have been shown once. */
  seen: Map<object, Place>;
  /** How many repeated objects the walk is inside of, and what it may still spend there. */
  repeating: number;
  room: number;
};

/** `root` is what paths in the form begin with. */
export function shown(value: unknown, root = "result"): JsonValue {
  const showing: Showing = { open: new MapOf(), seen: new MapOf(), repeating: 0, room: MAX_REPEATED };
  return show(showing, value, { parent: undefined, step: root }, 0) ?? null;
}

/** `undefined` is left out by objects and is `null` elsewhere, as in `JSON.stringify`. */
function show(showing: Showing, value: unknown, place: Place, depth: number): JsonValue | undefined {
  if (showing.repeating > 0) showing.room -= typeof value === "string" ? value.length + 8 : 8;
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return isFiniteNumber(value) ? value + 0 : `${value}`;
    case "bigint":
      return `${value}`;
    case "undefined":
      return undefined;
    case "symbol":
      return symbolText(value);
    case "function":
      return "[function]";
    case "object":
      return value === null ? null : showObject(showing, value, place, depth);
  }
}

function showObject(showing: Showing, value: object, place: Place, depth: number): JsonValue {
  const open = mapGet(showing.open, value);
  if (open !== undefined) return `[circular: ${pathOf(open)}]`;
  if (depth > MAX_SHOWN_DEPTH) return `[deeper than ${MAX_SHOWN_DEPTH} levels]`;
  const seen = mapGet(showing.seen, value);
  if (seen !== undefined && showing.room <= 0) return `[repeated: ${pathOf(seen)}]`;
  if (seen !== undefined) showing.repeating++;
  mapSet(showing.open, value, place);
  try {
    return showKind(showing, kindOf(value), value, place, depth);
  } catch (error) {
    rethrowOverflow(error);
    return "[cannot be read]";
  } finally {
    mapDelete(showing.open, value);
    if (seen !== undefined) showing.repeating--;
    else mapSet(showing.seen, value, place);
  }
}

function showKind(showing: Showing, kind: Kind | undefined, value: object, place: Place, depth: number): JsonValue {
  const child = (item: unknown, step: Step) => show(showing, item, { parent: place, step }, depth + 1);
  switch (kind) {
    case "Object":
      return showKeys({}, value, objectKeys(value), child);
    case "Array":
      return showArray(value as unknown[], child);
    case "Error":
      return showError(value, child);
    case "Map": {
      const pairs: JsonValue[] = [];
      mapEach(value, (item, key) => {
        const label = pairs.length;
        const shownKey = child(key, { label: `<key ${label}>` }) ?? null;
        append(pairs, [shownKey, child(item, { label: `<value ${label}>` }) ?? null]);
      });
      return pairs;
    }
    case "Set": {
      const items: JsonValue[] = [];
      setEach(value, (item) => append(items, child(item, { label: `<item ${items.length}>` }) ?? null));
      return items;
    }
    case "Date": {
      const time = dateTime(value);
      return time === time ? dateIso(value) : "Invalid Date";
    }
    case "RegExp":
      return `/${regExpSource(value)}/${flagsOf(value)}`;
    case "ArrayBuffer":
      return showBytes(new Uint8ArrayOf(value as ArrayBuffer), bufferLength(value));
    case "View":
      return showView(value);
    case undefined:
      return `[instance of ${className(value) ?? "an unnamed class"}]`;
  }
}

type Child = (item: unknown, step: Step) => JsonValue | undefined;
type JsonObject = { [key: string]: JsonValue };

function showKeys(into: JsonObject, value: object, keys: string[], child: Child): JsonObject {
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const form = child(read(value, key), key);
    if (form !== undefined) setOwn(into, key, form);
  }
  return into;
}

function showArray(value: unknown[], child: Child): JsonValue {
  const { length } = value;
  if (length > MAX_SPARSE_PLACES) {
    const elements = objectKeys(value).length;
    if (elements < length) return `[array with holes: ${length} places, ${elements} elements]`;
  }
  const values = objectValues(value);
  if (isDense(value, values)) {
    for (let i = 0; i < values.length; i++) values[i] = child(values[i], i) ?? null;
    return values as JsonValue[];
  }
  const items: JsonValue[] = [];
  for (let i = 0; i < length; i++) append(items, hasOwn(value, i) ? (child(read(value, i), i) ?? null) : null);
  return items;
}

function showError(value: object, child: Child): JsonValue {
  const { type, name, message, keys } = describeError(value);
  return showKeys({ name: name ?? type, message: message ?? "" }, value, keys, child);
}

function showView(value: object): JsonValue {
  const isDataView = typedArrayName(value) === undefined;
  const buffer = isDataView ? dataViewBuffer(value) : typedArrayBuffer(value);
  const offset = isDataView ? dataViewOffset(value) : typedArrayOffset(value);
  const length = isDataView ? dataViewLength(value) : typedArrayBytes(value);
  return showBytes(new Uint8ArrayOf(buffer, offset, length), length);
}

function showBytes(bytes: Uint8Array, length: number): JsonValue {
  return length <= MAX_SHOWN_BYTES ? { bytes: length, base64: encodeBase64(bytes) } : { bytes: length };
}

/** A getter that throws must not cost the rest of the object. */
function read(value: object, key: string | number): unknown {
  try {
    return (value as Record<string | number, unknown>)[key];
  } catch (error) {
    rethrowOverflow(error);
    return "[cannot be read]";
  }
}
