/** What must hold between two passes of a run, and between a run and what its connector really did. */

import type { ToolLogEntry } from "../../js-shim/client/index.ts";
import { asksFor, type Deed, REEXECUTED, textOf } from "./connector.ts";

/** A pass prints what the one before it printed, and then goes on. */
export function logProblem(before: readonly string[], now: readonly string[]): string | undefined {
  const at = before.findIndex((line, i) => line !== now[i]);
  return at < 0 ? undefined : `line ${at} of the output was ${before[at]} and is ${now[at]}`;
}

/** A pass makes the calls that the one before it made, and then others. */
export function sameCallsProblem(before: readonly ToolLogEntry[], now: readonly ToolLogEntry[]): string | undefined {
  const at = before.findIndex((call, i) => made(call) !== made(now[i]));
  return at < 0 ? undefined : `call ${at} was ${made(before[at])} and is ${made(now[at])}`;
}

function made(call: ToolLogEntry | undefined): string {
  if (call === undefined) return "none";
  const { seq, connector, method, args } = call;
  return `${seq} ${connector}.${method}(${textOf(args)})`;
}

export interface Facts {
  readonly executionId: string;
  /** Calls whose outcome was recorded before the ledger was opened. */
  readonly settled: ReadonlySet<number>;
  /** What a person agreed to, with its arguments where they are known. */
  readonly approved: ReadonlyMap<number, string | undefined>;
  /** No crash: every call is a first attempt. */
  readonly first: boolean;
}

export function ledgerProblems(deeds: readonly Deed[], { executionId, settled, approved, first }: Facts): string[] {
  const problems: string[] = [];
  const done = new Map<number, Deed>();
  for (const deed of deeds) {
    const { seq, method, args, attempt } = deed;
    const name = `call ${seq} (t.${method})`;
    if (deed.executionId !== executionId) problems.push(`${name} was made for ${deed.executionId} while ${executionId} ran`);
    const earlier = done.get(seq);
    done.set(seq, deed);
    if (earlier !== undefined && (earlier.method !== method || earlier.args !== args)) {
      problems.push(`${name} with ${args} was t.${earlier.method} with ${earlier.args} before`);
    }
    if (REEXECUTED.has(method)) continue;
    if (earlier !== undefined) problems.push(`${name} was executed twice`);
    if (settled.has(seq)) problems.push(`${name} was executed although its outcome is recorded`);
    if (first && attempt !== 1) problems.push(`${name} was executed as attempt ${attempt}`);
    if (method === "gate" || (method === "maybe" && asksFor(args) && !approved.has(seq))) problems.push(...unapproved(name, deed, approved));
  }
  return problems;
}

function unapproved(name: string, { seq, args }: Deed, approved: Facts["approved"]): string[] {
  if (!approved.has(seq)) return [`${name} was executed and nobody had agreed to it`];
  const shown = approved.get(seq);
  return shown === undefined || shown === args ? [] : [`${name} was executed with ${args}, and ${shown} was agreed to`];
}
