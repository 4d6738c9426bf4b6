/**
 * What to say of a name that is not there: why not, what is, and what may have been meant. The reader is a model that knows
 * other tools, other runtimes and other spellings.
 *
 * Looks at the texts the engine writes, at nothing of the program's.
 */

import { ALLOWED_GLOBALS } from "./globals.ts";
import { nearest } from "./likeness.ts";
import { indexOf, list, ownKeys, slice } from "./primordials.ts";

const MAX_LISTED = 40;
const UNKNOWN = " is not defined";
const NO_FUNCTION = " is not a function";

const NODE = "Node.js is not there: no modules, no files, no processes";
const BROWSER = "There is no browser";
const NETWORK = "There is no network, and no streams or events of it; a connector's method reaches out";
const UNREPEATABLE = "It would not be the same when the program is replayed";
const OUTER = "That is of the conversation and not of the program";
/** Why, and what for; each name between spaces. Texts and no Map: nothing of this costs a program that goes well. */
const REASONS: readonly { why: string; names: string }[] = [
  { why: OUTER, names: " functions tools tool default_api multi_tool_use " },
  { why: NODE, names: " require module exports process Buffer global fs path os util http https child_process setImmediate __dirname __filename Deno Bun " },
  { why: BROWSER, names: " window document self localStorage sessionStorage location alert " },
  {
    why: NETWORK,
    names:
      " Request Response Headers FormData WebSocket EventSource XMLHttpRequest AbortController AbortSignal ReadableStream WritableStream " +
      "TransformStream Blob File Event EventTarget MessageChannel HTMLRewriter caches navigator axios addEventListener ",
  },
  { why: UNREPEATABLE, names: " WeakRef FinalizationRegistry SharedArrayBuffer Atomics WebAssembly Temporal scheduler " },
];

/** Globals that a method may be looked for on. */
const owners = { __proto__: null, Array, JSON, Math, Number, Object, Promise, Reflect, String } as unknown as Record<string, object | undefined>;

/** `(there is no "githb". Nearest: github. …)` on a line of its own, or nothing. `head` is `Name: message`. */
export function hintFor(head: string, namespaces: readonly string[]): string {
  const name = between(head, "ReferenceError: ", UNKNOWN);
  if (name !== undefined) return unknownGlobal(name, namespaces);
  const path = between(head, "TypeError: ", NO_FUNCTION);
  return path === undefined ? "" : unknownMethod(path);
}

function unknownGlobal(name: string, namespaces: readonly string[]): string {
  const why = reasonFor(name);
  const known = list<string>();
  known[0] = "codemode";
  for (let i = 0; i < namespaces.length; i++) known[known.length] = namespaces[i] as string;
  let there = "";
  for (let i = 0; i < known.length && i < MAX_LISTED; i++) there += `${i === 0 ? "" : ", "}${known[i]}`;
  if (known.length > MAX_LISTED) there += ` and ${known.length - MAX_LISTED} more`;
  // What is missing for a reason is no slip of the pen.
  if (why === undefined) for (let i = 0; i < ALLOWED_GLOBALS.length; i++) known[known.length] = ALLOWED_GLOBALS[i] as string;
  const near = nearest(name, known);
  return (
    `\n(there is no ${name}. ${why === undefined ? "" : `${why}. `}${near === "" ? "" : `Nearest: ${near}. `}` +
    `Beside standard JavaScript there are: ${there}. Find methods with codemode.search("what it should do"); ` +
    "other tools of the conversation cannot be called from a program)"
  );
}

function reasonFor(name: string): string | undefined {
  for (let i = 0; i < REASONS.length; i++) {
    const reason = REASONS[i] as { why: string; names: string };
    if (indexOf(reason.names, ` ${name} `) >= 0) return reason.why;
  }
  return undefined;
}

function unknownMethod(path: string): string {
  const dot = indexOf(path, ".");
  const owner = slice(path, 0, dot < 0 ? 0 : dot);
  const method = slice(path, dot + 1);
  if (owner === "codemode") return `\n(codemode has search, describe, step and run; connectors are globals of their own)`;
  const own = owners[owner];
  if (own === undefined) return "";
  const keys = ownKeys(own);
  const known = list<string>();
  for (let i = 0; i < keys.length; i++) if (typeof keys[i] === "string") known[known.length] = keys[i] as string;
  const near = nearest(method, known);
  return near === "" ? "" : `\n(${owner} has no ${method}. Nearest: ${near})`;
}

function between(text: string, start: string, end: string): string | undefined {
  const at = indexOf(text, end);
  if (slice(text, 0, start.length) !== start || at < start.length || at + end.length !== text.length) return undefined;
  return slice(text, start.length, at);
}
