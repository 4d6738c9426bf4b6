/**
 * Keys compared and shown. A difference is told by what differs, not by two blobs: number, recorded, now, and where long
 * arguments part.
 */

import { canonical } from "../value/canonical.ts";
import { CALL, idOf, keyArguments, keyHead, kindOf, LOOKUP, TIMER } from "./messages.ts";
import { first, indexOf, max, slice } from "./primordials.ts";

/** Longest arguments that are shown whole. */
const SHOWN = 200;

/** Equal text, or the same arguments with the keys of objects in another order. */
export function keysAgree(recorded: string, now: string): boolean {
  if (recorded === now) return true;
  const head = keyHead(recorded);
  if (head !== keyHead(now)) return false;
  const a = slice(recorded, head.length);
  const b = slice(now, head.length);
  // Refused arguments are no value text.
  if (first(a) === "!" || first(b) === "!") return false;
  try {
    return canonical(a) === canonical(b);
  } catch {
    return false;
  }
}

/** `call 3`, as the public API numbers it. */
export function firstWord(operation: number): string {
  const kind = kindOf(operation);
  const word = kind === CALL ? "call" : kind === TIMER ? "timer" : kind === LOOKUP ? "lookup" : "platform operation";
  return `${word} ${idOf(operation)}`;
}

/** `notes.add({"text":"a"})`. */
export function shownKey(key: string): string {
  return shown(key, shorten(keyArguments(key), 0));
}

/** `notes.add("a") in the recorded run and is notes.add("b") now`. */
export function differingKeys(recorded: string, now: string): string {
  const a = keyArguments(recorded);
  const b = keyArguments(now);
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  const long = a.length > SHOWN || b.length > SHOWN;
  const from = long ? max(0, at - SHOWN / 2) : 0;
  const where = long && keyHead(recorded) === keyHead(now) ? `; the arguments differ from character ${at + 1} on` : "";
  return `${shown(recorded, shorten(a, from))} in the recorded run and is ${shown(now, shorten(b, from))} now${where}`;
}

function shorten(text: string, from: number): string {
  const part = slice(text, from, from + SHOWN);
  return `${from > 0 ? "…" : ""}${part}${from + part.length < text.length ? "…" : ""}`;
}

function shown(key: string, args: string): string {
  const head = keyHead(key);
  const dot = indexOf(head, "\0");
  return `${slice(head, 0, dot)}.${slice(head, dot + 1, -1)}(${args})`;
}
