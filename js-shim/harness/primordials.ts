/**
 * The built-ins as they were before the program came, and the two shapes the harness keeps its state in.
 *
 * The program may patch every prototype it reaches. So no room of the harness calls a method through a value, iterates with
 * `for … of`, spreads or destructures an array, awaits, or writes to an index or a property that does not exist yet, once
 * the program runs: each of these asks a prototype. It calls what is captured here.
 * What the codec captures too is in its file. Only captures: nothing in this one changes the realm.
 */

import {
  arraySort,
  captured,
  getOwnPropertyDescriptor,
  hasOwn,
  mapEach,
  reflectApply as apply,
  setEach,
  stringSlice as slice,
} from "../value/primordials.ts";

export {
  bufferLength as arrayBufferLength,
  charCodeAt,
  dataViewLength,
  DateOf as NativeDate,
  dateIso as dateToISOString,
  dateTime as dateValue,
  defineProperty,
  ErrorOf as NativeError,
  freeze,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isFiniteNumber,
  jsonParse as parse,
  jsonStringify as stringify,
  mapDelete,
  mapGet,
  MapOf as NativeMap,
  mapSet,
  mapSize,
  objectPrototype as ObjectPrototype,
  ownKeys,
  promisePrototype as PromisePrototype,
  reflectApply as apply,
  reflectConstruct as construct,
  regExpSource,
  setSize,
  stringSlice as slice,
  symbolText as symbolToString,
  typedArrayBuffer,
  typedArrayBytes,
  typedArrayLength,
  typedArrayName,
  typedArrayOffset,
  Uint8ArrayOf as NativeUint8Array,
} from "../value/primordials.ts";
export const { setPrototypeOf } = Reflect;
export const { floor, max, min } = Math;

export const NativePromise = Promise;
export const NativeProxy = Proxy;
export const NativeTypeError = TypeError;
export const NativeDOMException = DOMException;
export const NativeWeakMap = WeakMap;
export const NativeUint32Array = Uint32Array;
export const realNow = Date.now;
export const realSetTimeout = setTimeout as (run: () => void, ms: number) => number;
export const realClearTimeout = clearTimeout as (id: number) => void;
export const realQueueMicrotask = queueMicrotask;
export const isError = (Error as unknown as { isError(value: unknown): boolean }).isError;
export const toStringTag: typeof Symbol.toStringTag = Symbol.toStringTag;
export const toPrimitive: typeof Symbol.toPrimitive = Symbol.toPrimitive;
export const species: typeof Symbol.species = Symbol.species;

export const mapForEach = mapEach as <K, V>(map: Map<K, V>, visit: (value: V, key: K) => void) => void;
export const setForEach = setEach as <V>(set: Set<V>, visit: (value: V) => void) => void;
export const weakGet = /* @__PURE__ */ captured(WeakMap, "get") as <K extends object, V>(map: WeakMap<K, V>, key: K) => V | undefined;
export const weakSet = /* @__PURE__ */ captured(WeakMap, "set") as <K extends object, V>(map: WeakMap<K, V>, key: K, value: V) => unknown;

export const indexOf = /* @__PURE__ */ captured<[string, number?], number>(String, "indexOf");
export const repeat = /* @__PURE__ */ captured<[number], string>(String, "repeat");
export const lower = /* @__PURE__ */ captured<[], string>(String, "toLowerCase");
export const toWellFormed = /* @__PURE__ */ captured<[], string>(String, "toWellFormed");
export const functionToString = /* @__PURE__ */ captured<[], string>(Function, "toString");
export const dateToString = /* @__PURE__ */ captured<[], string>(Date, "toString");
export const urlText = /* @__PURE__ */ captured<[], string>(URL, "href");
export const searchText = /* @__PURE__ */ captured<[], string>(URLSearchParams, "toString");
const promiseThen = Promise.prototype.then;

/** An array without prototype. Appending to it meets no index setter of `Array.prototype`, reading past its end no getter. */
export type List<T> = { [index: number]: T | undefined; length: number };

export function list<T>(): List<T> {
  const items: T[] = [];
  setPrototypeOf(items, null);
  return items as List<T>;
}

export function sort<T>(items: List<T>, compare: (a: T, b: T) => number): void {
  arraySort(items, compare);
}

/** First in, first out, with both ends in constant time. */
export class Queue<T> {
  #items: List<T> = list();
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items[this.#items.length] = item;
  }

  shift(): T | undefined {
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head >= this.#items.length) {
      this.#items.length = 0;
      this.#head = 0;
    }
    return item;
  }
}

/**
 * Waits for a promise without asking `then` of it. What `then` itself reads, `constructor` and its species, is fixed in
 * `realm.ts`. Neither callback may throw.
 */
export function whenSettled<T>(promise: Promise<T>, fulfilled: (value: T) => void, rejected: (reason: unknown) => void): void {
  apply(promiseThen, promise, [fulfilled, rejected]);
}

/** What a function of the program comes to: its value, or what its promise or thenable does. Neither callback may throw. */
export function whenReturned(work: () => unknown, fulfilled: (value: unknown) => void, rejected: (reason: unknown) => void): void {
  let result: unknown;
  try {
    result = work();
  } catch (error) {
    return rejected(error);
  }
  try {
    // A real promise is waited for as `await` does it, whatever the program made of `Promise.prototype.then`.
    return whenSettled(result as Promise<unknown>, fulfilled, rejected);
  } catch {
    whenSettled(new NativePromise((resolve) => resolve(result)), fulfilled, rejected);
  }
}

/** A descriptor of its own: a `get` on `Object.prototype` would make an ordinary one invalid. */
export function hiddenValue(value: unknown): PropertyDescriptor {
  return { __proto__: null, value, writable: true, configurable: true, enumerable: false } as PropertyDescriptor;
}

/** The same for a property like any that an assignment makes. */
export function ownValue(value: unknown): PropertyDescriptor {
  return { __proto__: null, value, writable: true, configurable: true, enumerable: true } as PropertyDescriptor;
}

/** The data property an object has itself under a name; nothing for a getter, for none, and for one that is inherited. */
export function ownData(value: object, key: PropertyKey): unknown {
  const slot = getOwnPropertyDescriptor(value, key);
  return slot !== undefined && hasOwn(slot, "value") ? slot.value : undefined;
}

/** Text of anything that is a string when asked, else `fallback`; the asking may run code of the program and never throws. */
export function textOr(read: () => unknown, fallback: string): string {
  try {
    const text = read();
    return typeof text === "string" ? toWellFormed(text) : fallback;
  } catch {
    return fallback;
  }
}

/** The first character, or "". `text[0]` of an empty text asks `String.prototype`. */
export const first = (text: string): string => slice(text, 0, 1);

/** `1234567` as `1,234,567`. */
export function grouped(count: number): string {
  let digits = "" + count;
  let text = "";
  while (digits.length > 3) {
    text = "," + slice(digits, -3) + text;
    digits = slice(digits, 0, -3);
  }
  return digits + text;
}
