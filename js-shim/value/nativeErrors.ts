/**
 * What an Error is made of, on both ways: the parts that cross, read without trusting it, and an Error made from them.
 * Its stack is not among them: it tells of the place where the codec happened to run.
 */
import { rethrowOverflow } from "./faults.ts";
import { constructorName, inherits, MAX_CHAIN } from "./kinds.ts";
import { append, isHidden, setHidden, setOwn } from "./own.ts";
import {
  domExceptionPrototype, ErrorOf, errorTypes, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, mapGet,
  objectKeys, reflectApply, reflectConstruct,
} from "./primordials.ts";

/** `name` is null when it is the type's own, `message` when there is none; `keys` are the other properties that cross. */
export type ErrorParts = { type: string; name: string | null; message: string | null; keys: string[] };

export function describeError(error: object): ErrorParts {
  const type = typeOf(error);
  const name = readPart(error, "name");
  const message = readPart(error, "message");
  return {
    type,
    name: typeof name === "string" && name !== type ? name : null,
    message: typeof message === "string" && (message !== "" || hasOwn(error, "message")) ? message : null,
    keys: otherKeys(error, type, typeof name === "string", typeof message === "string"),
  };
}

/** The parts' way back. `keys` are set by `setErrorProperty`, as their values may refer to the Error itself. */
export function makeError(type: string, name: string | null, message: string | null): object | undefined {
  const known = mapGet(errorTypes, type);
  if (known === undefined) return undefined;
  // Not `new AggregateError`: that would iterate a list of errors through a prototype that a program may have patched.
  const error = reflectConstruct(ErrorOf, message === null ? [] : [message], known.constructor) as object;
  if (name !== null) setHidden(error, "name", name);
  return error;
}

export function setErrorProperty(error: object, type: string, key: string, value: unknown): void {
  if (key === "cause" || key === "name" || key === "message" || isPartOf(type, key)) setHidden(error, key, value);
  else setOwn(error, key, value);
}

/** Properties that the constructor of the type makes, and makes invisible. */
function isPartOf(type: string, key: string): boolean {
  if (type === "AggregateError") return key === "errors";
  return type === "SuppressedError" && (key === "error" || key === "suppressed");
}

/** The nearest built-in type: what `instanceof` will say on the other side. */
function typeOf(error: object): string {
  let at = getPrototypeOf(error);
  for (let i = 0; at !== null && i < MAX_CHAIN; i++) {
    const own = mapGet(errorTypes, at);
    if (own !== undefined) return own.name;
    const foreign = constructorName(at);
    if (foreign !== undefined && mapGet(errorTypes, foreign) !== undefined) return foreign;
    at = getPrototypeOf(at);
  }
  return "Error";
}

/** Names and messages that are no texts are odd but data, and travel like any other property. */
function otherKeys(error: object, type: string, hasName: boolean, hasMessage: boolean): string[] {
  const keys: string[] = [];
  const own = objectKeys(error);
  for (let i = 0; i < own.length; i++) {
    const key = own[i] as string;
    if (key === "stack" || (key === "name" && hasName) || (key === "message" && hasMessage)) continue;
    append(keys, key);
  }
  if (isHidden(error, "cause")) append(keys, "cause");
  if (!hasName && isHidden(error, "name")) append(keys, "name");
  if (!hasMessage && isHidden(error, "message")) append(keys, "message");
  if (type === "AggregateError" && isHidden(error, "errors")) append(keys, "errors");
  if (type === "SuppressedError" && isHidden(error, "error")) append(keys, "error");
  if (type === "SuppressedError" && isHidden(error, "suppressed")) append(keys, "suppressed");
  if (domExceptionPrototype !== undefined && inherits(error, domExceptionPrototype) && !hasOwn(error, "code")) append(keys, "code");
  return keys;
}

/**
 * A name or message of the error or of its own classes. What the built-in prototypes say is not asked for: a program may
 * have made that a getter, and the type tells it already.
 */
function readPart(error: object, key: string): unknown {
  let at: object | null = error;
  for (let i = 0; at !== null && i < MAX_CHAIN && mapGet(errorTypes, at) === undefined; i++) {
    const descriptor = getOwnPropertyDescriptor(at, key);
    if (descriptor !== undefined) return hasOwn(descriptor, "value") ? descriptor.value : readGetter(error, descriptor.get);
    at = getPrototypeOf(at);
  }
  return undefined;
}

function readGetter(error: object, getter: (() => unknown) | undefined): unknown {
  try {
    return getter === undefined ? undefined : reflectApply(getter, error, []);
  } catch (thrown) {
    rethrowOverflow(thrown);
    return undefined;
  }
}
