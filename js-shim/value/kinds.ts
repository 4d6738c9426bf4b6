/**
 * Says what an object *is* by its internal slots and its prototype, without running code of the value (a Proxy's traps
 * excepted: nothing can look at a Proxy unseen). Reads no contents and refuses nothing.
 */
import {
  arrayPrototype, bufferLength, dateTime, domExceptionPrototype, errorPrototype, getPrototypeOf, hasOwn, intrinsics,
  isArray, isErrorBrand, isView, mapGet, mapSize, objectPrototype, promisePrototype, regExpSource, setSize, typedArrayName,
  uint8ArrayPrototype,
} from "./primordials.ts";
import { ownData } from "./own.ts";

export type Kind = "Object" | "Array" | "Error" | "Date" | "RegExp" | "Map" | "Set" | "ArrayBuffer" | "View";

/** Prototype chains are as long as their maker likes, and a Proxy's never has to end. */
export const MAX_CHAIN = 100;

/**
 * The kind of a value that can cross, `undefined` for an instance of anything else. Intrinsics of another realm count, as
 * hosts hand them out; subclasses do not, as their behaviour would be lost, except those of Error.
 * Throws what a revoked or hostile Proxy throws.
 */
export function kindOf(value: object): Kind | undefined {
  const prototype = getPrototypeOf(value);
  if (prototype === objectPrototype || prototype === null) return isArray(value) ? undefined : "Object";
  if (isArray(value)) return prototype === arrayPrototype || isForeignArrayPrototype(prototype) ? "Array" : undefined;
  if (isNativeError(value) || isDomException(prototype)) return "Error";
  const name = mapGet(intrinsics, prototype)?.name ?? foreignName(prototype);
  if (isView(value)) {
    return (typedArrayName(value) ?? "DataView") === name || isNodeBuffer(value) ? "View" : undefined;
  }
  switch (name) {
    case "Object":
      return "Object";
    case "Date":
      return answers(dateTime, value) ? name : undefined;
    case "RegExp":
      // The getter `source` answers for `RegExp.prototype` too, which is no RegExp.
      return answers(regExpSource, value) && hasOwn(value, "lastIndex") ? name : undefined;
    case "Map":
      return answers(mapSize, value) ? name : undefined;
    case "Set":
      return answers(setSize, value) ? name : undefined;
    case "ArrayBuffer":
      return answers(bufferLength, value) ? name : undefined;
    default:
      return undefined;
  }
}

/** By the brand that the engine gives. Looks at no prototype where it can, so it may be asked about anything. */
export function isNativeError(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return isErrorBrand === undefined ? safely(() => inherits(value, errorPrototype)) : isErrorBrand(value);
}

/** Whether a thrown or nested thing is an Error. Some platforms build their DOMException by hand, without the brand. */
export function isErrorValue(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return isNativeError(value) || safely(() => isDomException(getPrototypeOf(value)));
}

/** Node's Buffer is how many libraries hand out bytes. It crosses as the Uint8Array that it is, with its own bytes only. */
export function isNodeBuffer(value: object): boolean {
  const prototype = getPrototypeOf(value);
  return prototype !== null && getPrototypeOf(prototype) === uint8ArrayPrototype && constructorName(prototype) === "Buffer";
}

export function isPromise(value: object): boolean {
  return inherits(value, promisePrototype);
}

/** Whether `await` would call the value. No getter runs for the answer, so one that hides its `then` there is not found. */
export function isThenable(value: object): boolean {
  let at: object | null = value;
  for (let i = 0; at !== null && at !== objectPrototype && i < MAX_CHAIN; i++) {
    if (typeof ownData(at, "then") === "function") return true;
    at = getPrototypeOf(at);
  }
  return false;
}

export function inherits(value: object, ancestor: object): boolean {
  let at: object | null = value;
  for (let i = 0; at !== null && i < MAX_CHAIN; i++) {
    at = getPrototypeOf(at);
    if (at === ancestor) return true;
  }
  return false;
}

/** The name of the class that an object was made by, as far as data properties tell. */
export function className(value: object): string | undefined {
  let at = getPrototypeOf(value);
  for (let i = 0; at !== null && i < MAX_CHAIN; i++) {
    const name = constructorName(at);
    if (name !== undefined) return name;
    at = getPrototypeOf(at);
  }
  return undefined;
}

export function constructorName(prototype: object): string | undefined {
  const constructor = ownData(prototype, "constructor");
  if (typeof constructor !== "function") return undefined;
  const name = ownData(constructor, "name");
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** The class that a prototype of another realm belongs to. A subclass stands one step further from the root, so has none. */
function foreignName(prototype: object): string | undefined {
  const name = constructorName(prototype);
  if (name === undefined) return undefined;
  const parent = getPrototypeOf(prototype);
  if (parent === null) return name === "Object" && hasOwn(prototype, "isPrototypeOf") ? name : undefined;
  const grandparent = getPrototypeOf(parent);
  if (grandparent === null) return name === "Object" ? undefined : name;
  return constructorName(parent) === "TypedArray" && getPrototypeOf(grandparent) === null ? name : undefined;
}

/** `Array.prototype` is itself an array, in every realm; the prototype of a subclass is not. */
function isForeignArrayPrototype(prototype: object): boolean {
  return isArray(prototype) && constructorName(prototype) === "Array";
}

function isDomException(prototype: object | null): boolean {
  return domExceptionPrototype !== undefined && prototype === domExceptionPrototype;
}

function answers(slot: (self: unknown) => unknown, value: object): boolean {
  return safely(() => {
    slot(value);
    return true;
  });
}

/** `false` where the question throws: a getter of another class's slot, a Proxy that refuses. Runs no code of the value else. */
function safely(question: () => boolean): boolean {
  try {
    return question();
  } catch {
    return false;
  }
}
