/**
 * What is wrong with a run, told from outside: the witness's lines against what was on disk before the kill, what is on disk
 * at the end, and what an undisturbed run comes to. Judges and looks nothing up, so that it can itself be tested.
 */

import type { ExecutionState, ToolLogEntry } from "../../js-shim/client/index.ts";
import { statusAfter } from "../replay/journal.ts";
import type { Findings } from "./cell.ts";
import type { Plan } from "./plan.ts";
import type { Undisturbed } from "./undisturbed.ts";
import type { Called, Line } from "./witness.ts";

/**
 * `double`: an effect happened more often than was decided. `lost`: what was on record, or told to the program, is not there
 * any more. `stuck`: it did not end, or would not have if nobody had come. `owed`: connectors did not hear of its end. `astray`: it came to another end than it
 * should, or what happened is not on record.
 */
export type Kind = "double" | "lost" | "stuck" | "owed" | "astray";

export interface Problem {
  readonly kind: Kind;
  readonly text: string;
}

export interface Evidence {
  readonly plan: Plan;
  readonly findings: Findings;
  /** Of this cell alone. */
  readonly lines: readonly Line[];
  readonly undisturbed: Undisturbed;
}

type Revert = Extract<Line, { what: "revert" }>;
type Hook = Extract<Line, { what: "pass_end" | "dispose" }>;

/** They may happen again under the same key. */
const REPEATABLE: ReadonlySet<string> = new Set(["put", "list", "load"]);
/** They may leave before their intent is on disk, and what the program had heard before may be on disk nowhere. */
const READS: ReadonlySet<string> = new Set(["list", "load"]);

export function judge(evidence: Evidence): Problem[] {
  const { findings } = evidence;
  const missed = findings.missed === undefined ? [] : [problem("astray", findings.missed)];
  if (findings.stuck !== undefined) return [...missed, ...doubles(evidence), problem("stuck", findings.stuck)];
  return [...missed, ...doubles(evidence), ...losses(evidence), ...forsaken(findings), ...debts(evidence), ...strayings(evidence)];
}

function doubles({ lines, findings }: Evidence): Problem[] {
  const effects = calls(lines).filter(({ method }) => !REPEATABLE.has(method));
  const decided = (n: number): number =>
    Math.max(1, ...findings.words.filter((word) => word.n === n && word.outcome === "rerun").map(({ seen }) => seen + 1));
  const reverts = lines.filter((line): line is Revert => line.what === "revert" && !REPEATABLE.has(line.method));
  return [
    ...grouped(effects, ({ n }) => n).flatMap(([n, same]) => more(`${same[0]?.method} ${n}`, same.length, decided(n))),
    ...grouped(effects, ({ idempotencyKey }) => idempotencyKey).flatMap(([key, same]) => more(`key ${key}`, same.length, decided(same[0]?.n ?? -1))),
    ...grouped(reverts, ({ n }) => n).flatMap(([n, same]) => more(`the revert of ${same[0]?.method} ${n}`, same.length, 1)),
    // Repeated or not, a call has one key, and a key one call.
    ...grouped(calls(lines).filter(({ method }) => !READS.has(method)), ({ n }) => n).flatMap(([n, same]) =>
      new Set(same.map(({ idempotencyKey }) => idempotencyKey)).size > 1 ? [problem("double", `call ${n} came under several keys`)] : [],
    ),
  ];
}

function losses({ lines, findings }: Evidence): Problem[] {
  const { record, journal } = findings;
  // Deleted: nothing is to be there.
  if (record === undefined) return [];
  const gone = findings.journals.flatMap((before, kill) => {
    const at = before.findIndex((line, i) => journal[i] !== line);
    return at === -1 ? [] : [problem("lost", `event ${at} of ${before.length} that were on disk before kill ${kill + 1} is not there: ${before[at]?.slice(0, 200)}`)];
  });
  // An effect leaves only when everything that the program had heard is on disk.
  const told = calls(lines).filter(({ method }) => !READS.has(method)).flatMap(({ method, n, heard }) =>
    heard.flatMap(([earlier, value]) => {
      const entry = entryOf(record, earlier);
      const method0 = entry?.method ?? "";
      // The result of a re-executed call is not kept; that it was made is.
      const kept = method0 === "load" ? entry !== undefined : entry?.result === value && (entry?.state === "applied" || entry?.state === "reverted");
      return kept ? [] : [problem("lost", `${method} ${n} left when the program had heard ${String(value)}, and of call ${earlier} is recorded ${JSON.stringify(entry)}`)];
    }),
  );
  const doubted = record.log.filter(({ seq }) => {
    const settled = journal.findIndex((line) => isOf(line, "outcome", seq));
    return settled !== -1 && journal.some((line, i) => i > settled && isOf(line, "in_doubt", seq));
  });
  const undone = record.log.filter(({ state, args }) => state === "reverted" && !lines.some((line) => line.what === "revert" && line.n === numberOf(args)));
  return [
    ...gone,
    ...told,
    ...doubted.map(({ seq }) => problem("lost", `call ${seq} was set in doubt, and its outcome was on disk`)),
    ...undone.map(({ seq }) => problem("lost", `call ${seq} is recorded as reverted and nobody undid it`)),
  ];
}

/** Had nobody come after the kill, a bound runtime's alarm would have ended the run in a day. */
function forsaken({ journals, alarms }: Findings): Problem[] {
  return alarms.flatMap((alarm, kill) => {
    const journal = journals[kill] ?? [];
    const status = journal.length === 0 ? "not begun" : statusAfter(journal);
    const waits = alarm === null && (status === "running" || status === "paused");
    return waits ? [problem("stuck", `at kill ${kill + 1} it is ${status} and no alarm is set: it would stay so if nobody came`)] : [];
  });
}

function debts({ lines, findings }: Evidence): Problem[] {
  const { executionId, record, owed } = findings;
  const problems = owed.map((one) => problem("owed", `after another contact connectors are still to hear ${one}`));
  if (executionId === undefined) return problems;
  for (const what of ["pass_end", "dispose"] as const) {
    const told = lines.findLast((line): line is Hook => line.executionId === executionId && line.what === what);
    if (told === undefined) problems.push(problem("owed", `${what} was never heard`));
    else if (record !== undefined && told.status !== record.status) {
      problems.push(problem("owed", `${what} was last heard with ${told.status}, and the run is ${record.status}`));
    }
  }
  return problems;
}

function strayings({ plan, findings, lines, undisturbed }: Evidence): Problem[] {
  const { record, executionId } = findings;
  if (executionId === undefined) return lines.length === 0 ? [] : [problem("astray", `it is on record nowhere, and ${lines.length} things happened`)];
  if (record === undefined) {
    if (plan.way !== "delete") return [problem("astray", "it is gone, and nobody deleted it")];
    return findings.journal.length === 0 ? [] : [problem("astray", `it was deleted, and ${findings.journal.length} events are left`)];
  }
  const wrong: Problem[] = [];
  for (const { seq, method, n } of calls(lines)) {
    // A read may be on record nowhere, or be numbered anew.
    if (READS.has(method)) continue;
    const entry = record.log[seq];
    if (method === "gate" && !findings.journal.some((line) => isOf(line, "approved", seq))) {
      wrong.push(problem("astray", `gate ${n} happened and nobody had approved it`));
    }
    if (entry?.method !== method || numberOf(entry.args) !== n) wrong.push(problem("astray", `${method} ${n} happened under ${seq} and is not on record`));
  }
  for (const entry of record.log) {
    if (entry.state === "applied" && entry.connector === "service" && !calls(lines).some(({ n }) => n === numberOf(entry.args))) {
      wrong.push(problem("astray", `call ${entry.seq} is recorded as applied and never happened`));
    }
  }
  const ends = endsOf(plan, record);
  if (!ends.includes(record.status)) wrong.push(problem("astray", `it ended as ${record.status} (${record.error ?? ""}), not as ${ends.join(" or ")}`));
  if (record.status !== "completed") return wrong;
  const result = JSON.stringify(record.result);
  if (result !== undisturbed.result) wrong.push(problem("astray", `its result is ${result}; undisturbed it is ${undisturbed.result}`));
  const happened = [...new Set(calls(lines).map(({ method, n }) => `${method} ${n}`))].toSorted();
  if (happened.join() !== undisturbed.happened.join()) wrong.push(problem("astray", `what happened is ${happened.join()}; undisturbed it is ${undisturbed.happened.join()}`));
  return wrong;
}

/** How it may have ended, by what was wanted of it; before the kill it may have come to its own end. */
function endsOf({ way, point }: Plan, { log }: ExecutionState): string[] {
  switch (way) {
    case "on":
      return ["completed"];
    case "undo":
      return log.some(({ state }) => state === "reverted") ? ["rolled_back"] : ["completed"];
    case "expire":
      if (point.stage !== "expire") return ["error", "rejected", "completed"];
      // What waits for a person was not decided on; what is running was not gone on with.
      return point.killedAfter === undefined ? ["rejected"] : ["error"];
    case "cancel":
      return point.stage === "cancel" ? ["error"] : ["error", "completed"];
    case "reject":
      return ["rejected"];
    case "delete":
      return [];
    default:
      return way satisfies never;
  }
}

function calls(lines: readonly Line[]): Called[] {
  return lines.filter((line): line is Called => line.what === "call");
}

function entryOf({ log }: ExecutionState, n: number): ToolLogEntry | undefined {
  return log.find(({ connector, args }) => connector === "service" && numberOf(args) === n);
}

/** Whether an event of the journal is of that kind and about that call. */
function isOf(line: string, kind: string, seq: number): boolean {
  const event = JSON.parse(line) as { kind: string; operation?: number };
  return event.kind === kind && event.operation === seq * 4;
}

function numberOf(args: unknown): number {
  return (args as { n: number }).n;
}

function more(what: string, times: number, allowed: number): Problem[] {
  return times > allowed ? [problem("double", `${what} happened ${times} times, where ${allowed} was decided`)] : [];
}

function grouped<T, K>(list: readonly T[], by: (one: T) => K): [K, T[]][] {
  return [...Map.groupBy(list, by)];
}

function problem(kind: Kind, text: string): Problem {
  return { kind, text };
}
