/**
 * A reply with a long result, made to fit the 32 MiB that one message of the platform holds. The result is what was asked
 * for; the calls beside it are on record, so they are what stays behind: their values first, then they themselves.
 */

import type { Reply, WireLogEntry, WireOutput } from "./wire.ts";

/** What the platform carries, less room for its own envelope. */
const MAX_BYTES = 32 * 1024 * 1024 - 64 * 1024;
/** Longest value that stays in a call when room is short, UTF-16 units. */
const SHORT_VALUE = 64;
const WIDE = /[\u0100-\uffff]/;
const NOT_ASCII = /[\u0080-\uffff]/g;

/** `<length of JSON> \n <JSON> <result>`. */
export function fitting(json: string, result: string): string {
  const wide = WIDE.test(result);
  const whole = join(json, result, wide);
  if (whole !== undefined) return whole;
  const reply = JSON.parse(json) as Reply<WireOutput>;
  if (!reply.ok) return `${json.length}\n${json}`;
  const { value } = reply;
  const warnings = [`the result leaves no room in this reply for the list of calls; execution("${value.executionId}") has it`];
  const brief = join(JSON.stringify({ ok: true, value: { ...value, calls: value.calls.map(briefly) } }), result, wide);
  // What is left without the calls is the console, which a setting may have made long; it is on record as well.
  const bare = (): string | undefined => join(JSON.stringify({ ok: true, value: { ...value, calls: [], warnings } }), result, wide);
  const least = JSON.stringify({ ok: true, value: { ...value, logs: [], calls: [], warnings } });
  return brief ?? bare() ?? `${least.length}\n${least}${result}`;
}

function join(json: string, result: string, wide: boolean): string | undefined {
  // One wide character anywhere costs a second byte for each unit of the whole; JSON can do without.
  const head = wide ? json : narrow(json);
  return (head.length + result.length) * (wide ? 2 : 1) <= MAX_BYTES ? `${head.length}\n${head}${result}` : undefined;
}

/** Decoded anew, because what comes of a wide text stays wide in memory. */
function narrow(json: string): string {
  const escaped = json.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return escaped === json ? json : new TextDecoder().decode(new TextEncoder().encode(escaped));
}

function briefly(call: WireLogEntry): WireLogEntry {
  return { ...call, args: brief(call.args), ...(call.result !== undefined && { result: brief(call.result) }) };
}

function brief(value: WireLogEntry["args"]): WireLogEntry["args"] {
  return typeof value === "string" && value.length > SHORT_VALUE ? { omitted: true, length: value.length } : value;
}
