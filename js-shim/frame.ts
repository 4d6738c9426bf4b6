/**
 * Replies as text: `<length of head> \n <head> <tail>`, where a value may be as large as 30 MiB and is not wanted inside
 * JSON; and the reply of what broke.
 */

import { CoreLost } from "./core.ts";
import type { Reply } from "./wire.ts";

export function frame(reply: Reply<unknown>, tail = ""): string {
  const head = JSON.stringify(reply);
  return `${head.length}\n${head}${tail}`;
}

/** What is not of that form has an empty head, which no reader takes for one. */
export function unframe(text: string): { head: string; tail: string } {
  const newline = text.indexOf("\n");
  const length = Number(text.slice(0, Math.max(newline, 0)));
  if (newline < 1 || !Number.isInteger(length) || length < 0) return { head: "", tail: "" };
  const start = newline + 1;
  return { head: text.slice(start, start + length), tail: text.slice(start + length) };
}

/** Of what the core wrote; nobody else's text is trusted so. */
export function parse<T>(json: string): T {
  return JSON.parse(json) as T;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function failure(error: unknown): Reply<never> {
  return { ok: false, code: error instanceof CoreLost ? "interrupted" : "internal", error: messageOf(error) };
}
