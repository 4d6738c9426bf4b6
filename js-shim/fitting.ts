/**
 * A reply with a long result, made to fit the 32 MiB that one message of the platform holds. The result is what was asked
 * for; the calls beside it are on record, so they are what stays behind, with a warning that says so.
 */

import type { Reply, WireOutput } from "./wire.ts";

/** What the platform carries, less room for its own envelope. */
const MAX_BYTES = 32 * 1024 * 1024 - 64 * 1024;
const WIDE = /[^\x00-\xff]/;
const EACH_WIDE = /[^\x00-\xff]/g;

/** `<length of JSON> \n <JSON> <result>`. */
export function fitting(json: string, result: string): string {
  const wide = WIDE.test(result);
  // Two bytes for each unit of a text with one wide character; JSON can do without.
  const head = wide ? json : json.replace(EACH_WIDE, escaped);
  if ((head.length + result.length) * (wide ? 2 : 1) <= MAX_BYTES) return `${head.length}\n${head}${result}`;
  const reply = JSON.parse(json) as Reply<WireOutput>;
  if (!reply.ok || reply.value.status !== "completed" || reply.value.calls.length === 0) return `${head.length}\n${head}${result}`;
  const warnings = [`the result leaves no room for the list of calls in this reply; execution("${reply.value.executionId}") has it`];
  return fitting(JSON.stringify({ ok: true, value: { ...reply.value, calls: [], warnings } }), result);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
