/**
 * The built-ins as they were before the program came, and the two shapes the harness keeps its state in.
 *
 * The program may patch every prototype it reaches. So no room of the harness calls a method through a value, iterates with
 * `for … of`, spreads or destructures an array, awaits, or writes to an index or a property that does not exist yet, once
 * the program runs: each of these asks a prototype. It calls what is captured here.
 * Only captures: nothing in this file changes the realm.
 */

export const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;
export const { freeze, hasOwn } = Object;
export const { isArray } = Array;
export const { isFinite: isFiniteNumber } = Number;
export const { floor, max, min, imul } = Math;
export const { parse, stringify } = JSON;

export const ObjectPrototype: object = Object.prototype;
export const PromisePrototype: object = Promise.prototype;
export const NativePromise = Promise;
export const NativeProxy = Proxy;
export const NativeError = Error;
export const NativeTypeError = TypeError;
export const NativeRangeError = RangeError;
export const NativeAggregateError = AggregateError;
export const NativeDOMException = DOMException;
export const NativeDate = Date;
export const NativeMap = Map;
export const NativeWeakMap = WeakMap;
export const NativeUint8Array = Uint8Array;
export const NativeUint32Array = Uint32Array;
export const realNow = Date.now;
export const realSetTimeout = setTimeout as (run: () => void, ms: number) => number;
export const realClearTimeout = clearTimeout as (id: number) => void;
export const realQueueMicrotask = queueMicrotask;
export const isError = (Error as unknown as { isError(value: unknown): boolean }).isError;
export const toStringTag: typeof Symbol.toStringTag = Symbol.toStringTag;
export const toPrimitive: typeof Symbol.toPrimitive = Symbol.toPrimitive;
export const species: typeof Symbol.species = Symbol.species;

// `call` bound to a method: a function of the receiver and the arguments that asks no prototype when it is called.
const uncurry = <Self, Args extends unknown[], Result>(
  method: (this: Self, ...args: Args) => Result,
): ((self: Self, ...args: Args) => Result) => Function.prototype.call.bind(method) as (self: Self, ...args: Args) => Result;
const getter = <Result>(prototype: object, name: PropertyKey): ((self: unknown) => Result) => {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (get === undefined) throw new Error(`no getter ${String(name)}`);
  return uncurry<unknown, [], Result>(get as (this: unknown) => Result);
};

export const mapGet = uncurry(Map.prototype.get) as <K, V>(map: Map<K, V>, key: K) => V | undefined;
export const mapSet = uncurry(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => unknown;
export const mapDelete = uncurry(Map.prototype.delete) as <K, V>(map: Map<K, V>, key: K) => boolean;
export const mapForEach = uncurry(Map.prototype.forEach) as <K, V>(map: Map<K, V>, visit: (value: V, key: K) => void) => void;
export const mapSize = getter<number>(Map.prototype, "size");
export const setForEach = uncurry(Set.prototype.forEach) as <V>(set: Set<V>, visit: (value: V) => void) => void;
export const setSize = getter<number>(Set.prototype, "size");
export const weakGet = uncurry(WeakMap.prototype.get) as <K extends object, V>(map: WeakMap<K, V>, key: K) => V | undefined;
export const weakSet = uncurry(WeakMap.prototype.set) as <K extends object, V>(map: WeakMap<K, V>, key: K, value: V) => unknown;

export const slice = uncurry(String.prototype.slice);
export const charCodeAt = uncurry(String.prototype.charCodeAt);
export const indexOf = uncurry(String.prototype.indexOf);
export const repeat = uncurry(String.prototype.repeat);
export const lower = uncurry(String.prototype.toLowerCase);
export const toWellFormed = uncurry((String.prototype as unknown as { toWellFormed(this: string): string }).toWellFormed);
export const symbolToString = uncurry(Symbol.prototype.toString);
export const functionToString = uncurry(Function.prototype.toString);
export const dateToISOString = uncurry(Date.prototype.toISOString);
export const dateToString = uncurry(Date.prototype.toString);
export const dateValue = uncurry(Date.prototype.valueOf);
export const regExpSource = getter<string>(RegExp.prototype, "source");
export const urlText = getter<string>(URL.prototype, "href");
export const searchText = uncurry(URLSearchParams.prototype.toString) as (self: unknown) => string;
export const arrayBufferLength = getter<number>(ArrayBuffer.prototype, "byteLength");
export const dataViewLength = getter<number>(DataView.prototype, "byteLength");
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
export const typedArrayName = getter<string | undefined>(TypedArrayPrototype, Symbol.toStringTag);
export const typedArrayBuffer = getter<ArrayBuffer>(TypedArrayPrototype, "buffer");
export const typedArrayOffset = getter<number>(TypedArrayPrototype, "byteOffset");
export const typedArrayBytes = getter<number>(TypedArrayPrototype, "byteLength");
export const typedArrayLength = getter<number>(TypedArrayPrototype, "length");
const arraySort = uncurry(Array.prototype.sort) as (items: unknown, compare: unknown) => unknown;
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
