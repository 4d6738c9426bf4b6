/**
 * What a step reaches through the host (`docs/design/wire.md`), as texts: the message for the host, and its reply as the
 * sandbox hears it. Nothing of it is recorded: the step's own outcome is.
 */

import { encodeError } from "./value/index.ts";
import type { HostMessage, HostReply } from "./wire.ts";

/** What the core says of a step that may reach out. */
export type Reached = { executionId: string; seq: number; inflight: number };

/** Longest text in either direction, UTF-16 units: a body of 4 MiB as base64, and what goes with it. */
const MAX_LENGTH = 8 * 1024 * 1024;

/** The reply for a request that is not passed on. */
export function tooLong(text: string): string | undefined {
  if (text.length <= MAX_LENGTH) return undefined;
  return failed("too_large", `what the step sends is ${text.length} units long and the limit is ${MAX_LENGTH}; send less, or in parts`);
}

/** `what` is `fetch` or `env.NAME`; the core knows it. */
export function reachMessage({ executionId, seq }: Reached, what: string, text: string): string {
  if (what === "fetch") return JSON.stringify({ kind: "fetch", request: text, executionId, seq } satisfies HostMessage);
  const split = text.indexOf("\0");
  const method = text.slice(0, split);
  const args = text.slice(split + 1);
  return JSON.stringify({ kind: "binding", binding: what.slice("env.".length), method, args, executionId, seq } satisfies HostMessage);
}

/** @throws when the answer is none: then what became of it is unknown. */
export function outcomeOf(answer: unknown): string {
  if (typeof answer !== "string") throw new TypeError("the host answered with no text");
  if (answer.length > 2 * MAX_LENGTH) return failed("too_large", `the answer is ${answer.length} units long; ask for less at once`);
  const reply = JSON.parse(answer) as HostReply;
  if (reply.kind === "value" && typeof reply.value === "string") return `v${reply.value}`;
  if (reply.kind === "failure" && typeof reply.error === "string") return `e${reply.code} ${reply.error}`;
  return failed("internal", "the host answered with something else than a value or a failure");
}

function failed(code: string, text: string): string {
  return `e${code} ${encodeError(new Error(text))}`;
}
