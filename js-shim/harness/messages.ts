/**
 * The shapes of `docs/design/wire.md` as the harness sees them: manifest, bridge, end frame, operation numbers and keys.
 * Strings and numbers only; it may touch no state and knows no operation's meaning.
 */

import { charCodeAt, indexOf, slice, stringify } from "./primordials.ts";

export const CALL = 0;
export const TIMER = 1;
export const LOOKUP = 2;
export const LOCAL = 3;
export type Kind = typeof CALL | typeof TIMER | typeof LOOKUP | typeof LOCAL;

/** One number for kind and id. */
export const operationOf = (kind: Kind, id: number): number => id * 4 + kind;
export const kindOf = (operation: number): Kind => (operation % 4) as Kind;
export const idOf = (operation: number): number => (operation - (operation % 4)) / 4;

/** `v` value, `e` failure, `p` pending, `r` re-execute, `n` none: must be sent again. */
export type RowState = "v" | "e" | "p" | "r" | "n";
export type Row = [operation: number, key: string, state: RowState, outcome: string];

export type Manifest = {
  protocol: number;
  startedAt: number;
  seed: string;
  order: number[];
  rows: Row[];
  pages: number;
  calls: number;
  lookups: number;
  namespaces: string[];
  inflight: number;
  logBytes: number;
  loopBudget: number;
  positions: number[];
  /** What goes along, in the order of the modules `snippet-0.js`, …. */
  snippets: { name: string; positions: number[] }[];
  snippetDepth: number;
  /** Names of the application's modules, each a global. */
  modules: string[];
  /** Steps have a way out to the network. */
  egress: boolean;
  /** By name: the value text of a plain value, or `null` for an object with methods. */
  bindings: Record<string, string | null>;
  audit: boolean;
};

/** The runtime's side; an RPC stub. Each reply is a string. */
export type Bridge = {
  call(operation: number, key: string, delivered: string, console: string): PromiseLike<string>;
  settle(operation: number, outcome: string, delivered: string, console: string): PromiseLike<string>;
  note(delivered: string, console: string): PromiseLike<string>;
  page(number: number): PromiseLike<string>;
  reach(operation: number, what: string, text: string): PromiseLike<string>;
  /** Answers when the runtime has no more use for this pass. */
  over(): PromiseLike<string>;
};

export type End = "done" | "error" | "paused" | "stuck" | "diverged";

const LONG_RESULT = 1_000_000;
const HEX = "0123456789abcdef";

/** Whether a text has a character beyond Latin-1: the platform then carries two bytes for each of its units. */
export function isWide(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (charCodeAt(text, i) > 0xff) return true;
  return false;
}

/** JSON with every wide character as an escape. Put together one by one: a part of a wide text stays wide in memory. */
function narrow(json: string): string {
  let text = "";
  for (let i = 0; i < json.length; i++) {
    const unit = charCodeAt(json, i);
    text += unit <= 0xff ? json[i] : `\\u${HEX[unit >> 12]}${HEX[(unit >> 8) & 15]}${HEX[(unit >> 4) & 15]}${HEX[unit & 15]}`;
  }
  return text;
}

/**
 * `<length of head>\n<head JSON><result>`. The head is put together from primitives: `JSON.stringify` of an object would
 * ask for a `toJSON`.
 */
export function endFrame(
  end: End,
  clock: number,
  delivered: string,
  console: string,
  failure: { code: string; text: string } | undefined,
  result: string,
): string {
  let head = `{"end":"${end}","clock":${clock},"delivered":[${delivered}],"console":${stringify(console)}`;
  if (failure !== undefined) head += `,"code":${stringify(failure.code)},"error":${stringify(failure.text)}`;
  head += "}";
  // One wide character anywhere makes the platform carry two bytes for each of the whole frame.
  if (result.length > LONG_RESULT && !isWide(result)) head = narrow(head);
  return `${head.length}\n${head}${result}`;
}

export const keyOf = (connector: string, method: string, args: string): string => `${connector}\0${method}\0${args}`;

/** What stands before the arguments of a key: connector, method and both separators. */
export function keyHead(key: string): string {
  return slice(key, 0, indexOf(key, "\0", indexOf(key, "\0") + 1) + 1);
}
export const keyArguments = (key: string): string => slice(key, keyHead(key).length);
