/**
 * Whatever was thrown, as the text of an Error value. Unlike `encode` it refuses nothing: an error that cannot be told
 * hides a failure, so what cannot cross is left out and the rest goes.
 *
 * The thrown thing is first rebuilt from fresh Errors; its properties go along one by one, each tried on its own.
 */
import { encode, MAX_VALUE_LENGTH } from "./encode.ts";
import type { ValueText } from "./encode.ts";
import { rethrowOverflow } from "./faults.ts";
import { isErrorValue } from "./kinds.ts";
import { describeError, makeError, setErrorProperty } from "./nativeErrors.ts";
import { append, ownData } from "./own.ts";
import { hasOwn, isArray, jsonStringify, mapGet, MapOf, mapSet, stringSlice } from "./primordials.ts";
import { shown } from "./shown.ts";
import { isToJsonPatched } from "./snapshot.ts";

/** Errors of one text, causes and members of an aggregate together. Chains are made by code that retries; ends say enough. */
const MAX_ERRORS = 64;
/** Units that properties may have in all: a response body that a client library hangs on its error must not displace it. */
const MAX_PROPERTIES = 500_000;
/** Units that may be tried in all, also in vain: a thousand properties may hold the same great object. */
const MAX_TRIED = 4_000_000;
/** Units of a message when the whole was too long. JSON makes six of one at worst, so the text stays below the limit. */
const MAX_MESSAGE = 100_000;
const MAX_NAME = 1000;
/** Units of the description of a thrown object that has no message. */
const MAX_DESCRIPTION = 10_000;

type Rebuilding = { rebuilt: Map<object, object>; errors: number; room: number; tries: number };

/** Never throws (but lets an overflow of the caller's own stack pass), and stays within `MAX_VALUE_LENGTH`. */
export function encodeError(error: unknown): ValueText {
  const rebuilding: Rebuilding = { rebuilt: new MapOf(), errors: 0, room: MAX_PROPERTIES, tries: MAX_TRIED };
  try {
    const text = encode(isErrorValue(error) ? rebuild(rebuilding, error) : wrap(rebuilding, error), "error");
    if (text.length <= MAX_VALUE_LENGTH) return text;
  } catch (fault) {
    rethrowOverflow(fault);
  }
  return encode(makeError("Error", bareName(error), bareMessage(error)), "error");
}

function rebuild(rebuilding: Rebuilding, error: object): object {
  const { type, name, message, keys } = describeError(error);
  const fresh = makeError(type, name, message || name || type) as object;
  mapSet(rebuilding.rebuilt, error, fresh);
  rebuilding.errors++;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    // A message or name that is no text has been replaced by one.
    if (key === "message" || key === "name") continue;
    const value = crossing(rebuilding, readQuietly(error, key));
    if (value !== undefined) setErrorProperty(fresh, type, key, value);
  }
  return fresh;
}

/** A thrown thing that is no Error becomes the cause of one, if it can cross, so that nothing of it is lost. */
function wrap(rebuilding: Rebuilding, thrown: unknown): object {
  const error = makeError("Error", null, textOf(thrown)) as object;
  const cause = crossing(rebuilding, thrown);
  if (cause !== undefined) setErrorProperty(error, "Error", "cause", cause);
  return error;
}

/** What stands for a property's value on the other side; `undefined` leaves the property out. */
function crossing(rebuilding: Rebuilding, value: unknown): unknown {
  return isErrorList(value) ? crossingList(rebuilding, value) : crossingItem(rebuilding, value);
}

/** Members of an aggregate: one that cannot cross leaves the others. A list inside the list is an item: depth ends here. */
function crossingList(rebuilding: Rebuilding, values: unknown[]): unknown[] {
  const crossed: unknown[] = [];
  for (let i = 0; i < values.length && rebuilding.errors < MAX_ERRORS; i++) {
    const value = hasOwn(values, i) ? crossingItem(rebuilding, values[i]) : undefined;
    if (value !== undefined) append(crossed, value);
  }
  return crossed;
}

function crossingItem(rebuilding: Rebuilding, value: unknown): unknown {
  if (isErrorValue(value)) {
    const known = mapGet(rebuilding.rebuilt, value);
    if (known !== undefined) return known;
    return rebuilding.errors < MAX_ERRORS ? rebuild(rebuilding, value) : undefined;
  }
  if (rebuilding.tries <= 0) return undefined;
  try {
    const { length } = encode(value, "error");
    rebuilding.tries -= length;
    if (length > rebuilding.room) return undefined;
    rebuilding.room -= length;
    return value;
  } catch (fault) {
    rethrowOverflow(fault);
    return undefined;
  }
}

function isErrorList(value: unknown): value is unknown[] {
  try {
    return isArray(value) && hasErrors(value);
  } catch (fault) {
    // A Proxy that refuses.
    rethrowOverflow(fault);
    return false;
  }
}

function hasErrors(values: unknown[]): boolean {
  for (let i = 0; i < values.length && i < MAX_ERRORS; i++) if (hasOwn(values, i) && isErrorValue(values[i])) return true;
  return false;
}

function textOf(thrown: unknown): string {
  if (thrown === "") return "an empty string was thrown";
  if (thrown === undefined) return "undefined";
  if (typeof thrown === "object" && thrown !== null) {
    const message = ownMessage(thrown);
    if (message !== undefined) return message;
  }
  const form = shown(thrown);
  if (typeof form === "string") return form;
  const text = isToJsonPatched() ? "an object was thrown" : jsonStringify(form);
  return text.length > MAX_DESCRIPTION ? `${stringSlice(text, 0, MAX_DESCRIPTION)}…` : text;
}

function bareName(error: unknown): string | null {
  if (!isErrorValue(error)) return null;
  try {
    const { type, name } = describeError(error);
    if (name !== null && name.length < MAX_NAME) return name;
    return type === "Error" ? null : type;
  } catch (fault) {
    // A Proxy among its prototypes.
    rethrowOverflow(fault);
    return null;
  }
}

function bareMessage(error: unknown): string {
  const message = typeof error === "object" && error !== null ? ownMessage(error) : error;
  if (typeof message !== "string") return "an error that cannot be read was thrown";
  if (message.length <= MAX_MESSAGE) return message;
  return `${stringSlice(message, 0, MAX_MESSAGE)}… (the message has ${message.length} units)`;
}

/** What many libraries throw is no Error but has a message. A Proxy may refuse to tell. */
function ownMessage(thrown: object): string | undefined {
  try {
    const message = ownData(thrown, "message");
    return typeof message === "string" && message !== "" ? message : undefined;
  } catch (fault) {
    rethrowOverflow(fault);
    return undefined;
  }
}

function readQuietly(object: object, key: string): unknown {
  try {
    return (object as Record<string, unknown>)[key];
  } catch (fault) {
    rethrowOverflow(fault);
    return undefined;
  }
}
