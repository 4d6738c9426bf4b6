/**
 * A value as readable text, for the console and for thrown values that are no Errors.
 *
 * Never throws, invokes no getter, and ends: depth, items and length are bounded. What a Proxy's traps do is the program's
 * own affair; what they throw becomes `[unreadable]`.
 */

import { isErrorValue, isPromise } from "../value/kinds.ts";
import { flagsOf } from "../value/nodes.ts";
import {
  apply,
  arrayBufferLength,
  dataViewLength,
  dateToISOString,
  dateValue,
  functionToString,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isError,
  isFiniteNumber,
  list,
  mapForEach,
  mapGet,
  mapSet,
  mapSize,
  NativeMap,
  NativeWeakMap,
  ObjectPrototype,
  ownData,
  ownKeys,
  regExpSource,
  setForEach,
  setSize,
  slice,
  stringify,
  symbolToString,
  toStringTag,
  toWellFormed,
  typedArrayLength,
  searchText,
  typedArrayName,
  urlText,
  weakGet,
  weakSet,
  charCodeAt,
} from "./primordials.ts";
import { framesOf, headOf } from "./stacks.ts";

const MAX_DEPTH = 4;
const MAX_ITEMS = 100;
const titles = new NativeWeakMap<object, string>();

/** Gives an object of the harness the text it is shown as. */
export function showAs(target: object, title: string): void {
  weakSet(titles, target, title);
}

/** At most about `budget` characters. */
export function inspect(value: unknown, budget: number): string {
  const writer = new Writer(budget);
  writer.value(value, 0);
  return writer.text;
}

/** What an Error carries beside its usual parts, as `{ status: 404 }`, or "". A `code` that is told elsewhere is left out. */
export function fieldsOf(error: object, budget: number, code: string): string {
  const writer = new Writer(budget);
  writer.fields(error, 0, code);
  return writer.text;
}

/** What is shown otherwise, or by nobody. */
const USUAL = new NativeMap<unknown, true>();
for (const name of ["name", "message", "stack", "cause", "errors"]) mapSet(USUAL, name, true);

class Writer {
  text = "";
  readonly #budget: number;
  /** The objects around the present one: a value that is among them is a cycle. */
  readonly #around = list<object>();

  constructor(budget: number) {
    this.#budget = budget;
  }

  value(value: unknown, depth: number): void {
    switch (typeof value) {
      case "string":
        this.text += stringify(value.length > this.#budget ? slice(value, 0, this.#budget) : value);
        return;
      case "bigint":
        this.text += `${value}n`;
        return;
      case "symbol":
        this.text += symbolToString(value);
        return;
      case "number":
        this.text += value === 0 && 1 / value < 0 ? "-0" : `${value}`;
        return;
      case "object":
      case "function":
        if (value !== null) {
          this.#guarded(value, depth);
          return;
        }
    }
    this.text += `${value as null | undefined | boolean}`;
  }

  #guarded(value: object, depth: number): void {
    const title = weakGet(titles, value);
    if (title !== undefined) {
      this.text += title;
      return;
    }
    for (let i = 0; i < this.#around.length; i++) {
      if (this.#around[i] === value) {
        this.text += "[circular]";
        return;
      }
    }
    const level = this.#around.length;
    this.#around[level] = value;
    try {
      this.#object(value, depth);
    } catch {
      this.text += "[unreadable]";
    }
    this.#around.length = level;
  }

  #object(value: object, depth: number): void {
    if (typeof value === "function") {
      this.#named(functionTitle(value), value, depth);
    } else if (looksLikeError(value)) {
      this.#error(value, depth);
    } else if (isArray(value)) {
      this.#items(className(value, "Array"), value, value.length, depth);
    } else {
      const proto = getPrototypeOf(value);
      if (proto === ObjectPrototype) this.#properties("", value, depth);
      else if (!this.#builtIn(value, depth)) this.#properties(className(value, "Object"), value, depth);
    }
  }

  #error(error: object, depth: number): void {
    this.text += depth === 0 ? headOf(error) + framesOf(error) : `[${headOf(error)}]`;
    const before = this.text;
    this.text += depth === 0 ? "\n  " : " ";
    const start = this.text;
    this.fields(error, depth, "");
    if (this.text === start) this.text = before;
    this.#part(error, "errors", depth);
    this.#part(error, "cause", depth);
  }

  #part(error: object, name: string, depth: number): void {
    const part = ownData(error, name);
    if (part === undefined || depth >= MAX_DEPTH) return;
    this.text += depth === 0 ? `\n  ${name}: ` : ` ${name}: `;
    this.value(part, depth + 1);
  }

  /** An Error's own properties that are no usual part of one; nothing where there is none. */
  fields(error: object, depth: number, code: string): void {
    try {
      const keys = ownKeys(error);
      let shown = 0;
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i] as string | symbol;
        if (mapGet(USUAL, key) === true || getOwnPropertyDescriptor(error, key)?.enumerable !== true) continue;
        // A DOMException's code is a number that its name tells better.
        if (key === "code" && (!isError(error) || ownData(error, key) === code)) continue;
        this.text += shown++ === 0 ? "{ " : ", ";
        if (!this.#room(shown - 1, keys.length)) break;
        this.#key(key);
        this.#slot(error, key, depth);
      }
      if (shown > 0) this.text += " }";
    } catch {
      this.text += "[unreadable]";
    }
  }

  /** The built-ins that hide what they hold; each getter tells its own kind by throwing on all others. */
  #builtIn(value: object, depth: number): boolean {
    const size = brand(mapSize, value);
    if (size !== undefined) {
      this.#collection(`${className(value, "Map")}(${size}) {`, size, depth, (entry) =>
        mapForEach(value as Map<unknown, unknown>, (item, key) =>
          entry(() => {
            this.value(key, depth + 1);
            this.text += " => ";
            this.value(item, depth + 1);
          }),
        ),
      );
      return true;
    }
    const members = brand(setSize, value);
    if (members !== undefined) {
      this.#collection(`${className(value, "Set")}(${members}) {`, members, depth, (entry) =>
        setForEach(value as Set<unknown>, (item) => entry(() => this.value(item, depth + 1))),
      );
      return true;
    }
    const kind = brand(typedArrayName, value);
    if (kind !== undefined) {
      this.#items(`${kind}(${typedArrayLength(value)})`, value, typedArrayLength(value), depth);
      return true;
    }
    const time = brand(dateValue, value as Date);
    const text =
      time !== undefined
        ? isFiniteNumber(time)
          ? dateToISOString(value as Date)
          : "Invalid Date"
        : (brand((it) => `/${regExpSource(it)}/${flagsOf(it)}`, value) ??
          brand((it) => `ArrayBuffer(${arrayBufferLength(it)})`, value) ??
          brand((it) => `DataView(${dataViewLength(it)})`, value) ??
          brand((it) => `URL ${urlText(it)}`, value) ??
          brand((it) => `URLSearchParams ${stringify(searchText(it))}`, value) ??
          (isPromise(value) ? "Promise { await it to see its value }" : undefined));
    if (text === undefined) return false;
    this.text += text;
    return true;
  }

  /** Whether one more item still fits; writes what stands in its place if not. */
  #room(shown: number, total: number): boolean {
    if (shown < MAX_ITEMS && this.text.length < this.#budget) return true;
    this.text += `${shown === 0 ? "" : ", "}… ${total - shown} more`;
    return false;
  }

  #collection(opening: string, total: number, depth: number, each: (entry: (write: () => void) => void) => void): void {
    this.text += opening;
    if (total > 0 && depth >= MAX_DEPTH) {
      this.text += "…}";
      return;
    }
    let shown = 0;
    let full = false;
    each((write) => {
      if (full || (full = !this.#room(shown, total))) return;
      this.text += shown++ === 0 ? " " : ", ";
      write();
    });
    this.text += shown === 0 && !full ? "}" : " }";
  }

  #items(title: string, value: object, length: number, depth: number): void {
    this.text += title === "Array" ? "[" : `${title} [`;
    if (length > 0 && depth >= MAX_DEPTH) {
      this.text += "…]";
      return;
    }
    for (let i = 0; i < length && this.#room(i, length); i++) {
      if (i > 0) this.text += ", ";
      this.#slot(value, `${i}`, depth);
    }
    this.text += "]";
  }

  #properties(title: string, value: object, depth: number): void {
    this.text += title === "" ? "{" : `${title} {`;
    const keys = ownKeys(value);
    let shown = 0;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string | symbol;
      if (getOwnPropertyDescriptor(value, key)?.enumerable !== true) continue;
      if (depth >= MAX_DEPTH) {
        this.text += "…}";
        return;
      }
      if (!this.#room(shown, keys.length)) break;
      this.text += shown++ === 0 ? " " : ", ";
      this.#key(key);
      this.#slot(value, key, depth);
    }
    this.text += shown === 0 ? "}" : " }";
  }

  #key(key: string | symbol): void {
    this.text += typeof key === "symbol" ? `[${symbolToString(key)}]: ` : `${isIdentifier(key) ? key : stringify(key)}: `;
  }

  #slot(value: object, key: string | symbol, depth: number): void {
    const slot = getOwnPropertyDescriptor(value, key);
    if (slot === undefined) this.text += "<empty>";
    else if (hasOwn(slot, "value")) this.value(slot.value, depth + 1);
    else this.text += slot.get === undefined ? "[Setter]" : "[Getter]";
  }

  /** A function, with its own properties if it has any that show. */
  #named(title: string, value: object, depth: number): void {
    const keys = ownKeys(value);
    for (let i = 0; i < keys.length; i++) {
      if (getOwnPropertyDescriptor(value, keys[i] as string)?.enumerable === true) return this.#properties(title, value, depth);
    }
    this.text += title;
  }
}

/** What a built-in's own getter says, or nothing if the value is not of its kind. */
function brand<Self, Result>(read: (self: Self) => Result, value: Self): Result | undefined {
  try {
    return apply(read, undefined, [value]) as Result;
  } catch {
    return undefined;
  }
}

/** A DOMException counts, though the engine does not brand it. */
const looksLikeError = (value: object): boolean => isErrorValue(value);

function functionTitle(value: object): string {
  const isClass = slice(functionToString(value as () => void), 0, 5) === "class";
  const name = ownData(value, "name");
  return `[${isClass ? "class" : "Function"}${typeof name === "string" && name !== "" ? ` ${toWellFormed(name)}` : ""}]`;
}

/** The name of the class a value is an instance of, as far as data properties tell it. */
function className(value: object, fallback: string): string {
  const proto = getPrototypeOf(value);
  if (proto === null) return `[${fallback}: null prototype]`;
  const owner = ownData(proto, "constructor");
  const name = typeof owner === "function" ? ownData(owner, "name") : undefined;
  if (typeof name === "string" && name !== "") return toWellFormed(name);
  const tag = ownData(proto, toStringTag);
  return typeof tag === "string" && tag !== "" ? toWellFormed(tag) : fallback;
}

/** Whether a key needs no quotes. By hand: a RegExp would leave traces in `RegExp.$1`, and asks `exec`. */
export function isIdentifier(key: string): boolean {
  for (let i = 0; i < key.length; i++) {
    const code = charCodeAt(key, i);
    const letter = (code | 32) >= 97 && (code | 32) <= 122;
    const digit = code >= 48 && code <= 57;
    if (!letter && code !== 36 && code !== 95 && !(digit && i > 0)) return false;
  }
  return key !== "";
}
