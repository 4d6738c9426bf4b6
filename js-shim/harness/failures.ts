/**
 * Failures of the program as the end frame tells them: their code, and a text that is never empty.
 *
 * A code belongs to an error *object*: kept in a WeakMap, so that no property of the program's own errors can claim one.
 * Reading an error may run getters of the program; none of it can throw here.
 */

import { isErrorValue } from "../value/kinds.ts";
import { fieldsOf, inspect } from "./inspect.ts";
import { framesOf, headOf } from "./stacks.ts";
import { hintFor } from "./unknown.ts";
import {
  defineProperty,
  grouped,
  hiddenValue,
  indexOf,
  isArray,
  isError,
  NativeError,
  NativePromise,
  NativeWeakMap,
  ownValue,
  slice,
  weakGet,
  weakSet,
} from "./primordials.ts";

const codes = new NativeWeakMap<object, string>();
/** Deep enough for every honest chain of causes, and an end to a cyclic one. */
const MAX_CAUSES = 5;
const MAX_ERRORS = 20;
const VALUE_BUDGET = 4_000;
const FIELDS_BUDGET = 2_000;
/** More than any reader wants, and little beside what a message of the platform holds. */
const MAX_TEXT = 100_000;
const OBJECT_AS_TEXT = "[object Object]";
const NO_TEXT =
  "\n([object Object] is what an object becomes where a text is made of it; name its fields in the message, or use JSON.stringify)";

/** An Error of the harness for the program, with the code that ends the run if nothing catches it: there to be read, too. */
export function failure(code: string, message: string, Type: new (message: string) => Error = NativeError): Error {
  const error = new Type(message);
  defineProperty(error, "code", ownValue(code));
  noteCode(error, code);
  return error;
}

export function noteCode(error: unknown, code: string): void {
  if (typeof error === "object" && error !== null) weakSet(codes, error, code);
}

export function codeOf(error: unknown): string {
  return (typeof error === "object" && error !== null && weakGet(codes, error)) || "exception";
}

/** Gives an error that came from outside the frames of the call it answers. */
export function withSite(error: unknown, site: object | undefined): void {
  if (site === undefined || !isError(error)) return;
  const value = headOf(error) + framesOf(site);
  defineProperty(error as object, "stack", hiddenValue(value));
}

/** What was thrown, for a reader who has only this. */
export function failureText(thrown: unknown, namespaces: readonly string[]): string {
  const told: Told = { text: "", isFull: false };
  describe(told, thrown, 0);
  if (indexOf(told.text, OBJECT_AS_TEXT) >= 0) return told.text + NO_TEXT;
  return isError(thrown) ? told.text + hintFor(headOf(thrown), namespaces) : told.text;
}

/** A text that grows to its limit: errors hold errors, and a few that hold each other would be told for ever. */
type Told = { text: string; isFull: boolean };

function add(told: Told, piece: string): void {
  if (told.isFull) return;
  const room = MAX_TEXT - told.text.length;
  told.text += piece.length <= room ? piece : `${slice(piece, 0, room)}…\n(cut here: the text of a failure has at most ${grouped(MAX_TEXT)} characters)`;
  told.isFull = piece.length > room;
}

function describe(told: Told, thrown: unknown, depth: number): void {
  if (!isErrorValue(thrown)) return add(told, typeof thrown === "string" && thrown !== "" ? thrown : inspect(thrown, VALUE_BUDGET));
  add(told, headOf(thrown));
  add(told, framesOf(thrown));
  const fields = fieldsOf(thrown, FIELDS_BUDGET, codeOf(thrown));
  if (fields !== "") add(told, `\nwith ${fields}`);
  if (depth >= MAX_CAUSES) return;
  const errors = read(thrown, "errors");
  if (isArray(errors)) {
    const shown = errors.length < MAX_ERRORS ? errors.length : MAX_ERRORS;
    for (let i = 0; i < shown && !told.isFull; i++) {
      add(told, `\n[${i}] `);
      describe(told, read(errors, i), depth + 1);
    }
    if (errors.length > shown) add(told, `\n(and ${errors.length - shown} more errors)`);
  }
  const cause = told.isFull ? undefined : read(thrown, "cause");
  if (cause === undefined) return;
  add(told, "\ncaused by: ");
  describe(told, cause, depth + 1);
}

function read(from: unknown, name: PropertyKey): unknown {
  try {
    return (from as Record<PropertyKey, unknown>)[name];
  } catch {
    return undefined;
  }
}

export function rejected(error: Error): Promise<never> {
  return new NativePromise((_, reject) => reject(error));
}

/** A refusal in the sandbox itself: a function of the arguments and the place, so it takes no number. */
export function refused(text: string, Type?: new (message: string) => Error): Promise<never> {
  return rejected(failure("invalid_input", text, Type));
}
