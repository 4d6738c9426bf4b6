/**
 * One program, from its seed to a verdict: run to its end through every pause, under other latencies at each pass; repeated
 * with nobody to ask; recovered from random prefixes of its journal, and each of those repeated too. Whatever differs is
 * a problem in the report. Runs inside the Agent, beside the connector.
 */

import type { CodemodeOutput, CodemodeRuntimeHandle } from "../../js-shim/client/index.ts";
import { encode } from "../../js-shim/value/index.ts";
import type { TrialConnector } from "./connector.ts";
import { Decisions } from "./decisions.ts";
import { Dice } from "./dice.ts";
import { generate } from "./generate.ts";
import { approvedIn, eventOf, randomCut, settledIn, statusAfter, type Tally, tallyOf } from "./journal.ts";
import { ledgerProblems, logProblem, sameCallsProblem } from "./verdicts.ts";

export interface Plan {
  readonly seed: number;
  /** From how many prefixes of its journal the program is recovered. */
  readonly recoveries: number;
}

export interface Report {
  readonly seed: number;
  /** Status, and the code of an error. */
  readonly end: string;
  readonly problems: readonly string[];
  readonly shapes: Readonly<Record<string, number>>;
  readonly counts: Readonly<Counts>;
}

export interface Counts extends Tally {
  passes: number;
  deeds: number;
  decisions: number;
  audits: number;
  recoveries: number;
  /** Recoveries that stopped at a call nobody knows the outcome of. */
  inDoubt: number;
}

/** The surroundings of a trial. */
export interface Stage {
  readonly handle: CodemodeRuntimeHandle;
  readonly connector: TrialConnector<unknown>;
  audit(executionId: string): Promise<{ end: string; error: string; logs: string[]; result: string }>;
  journal(executionId: string): Promise<string[]>;
  fork(from: string, to: string, count: number): Promise<void>;
}

/** No generated program needs more passes. */
const MAX_PASSES = 60;
/** No pass of a generated program takes so long, on a busy machine either. */
const SLOW_MS = 15_000;
/** Ends that a program cannot bring about. */
const IMPOSSIBLE: ReadonlySet<string> = new Set([
  "diverged", "timeout", "cpu_limit", "call_limit", "interrupted", "internal", "sandbox_unavailable", "invalid_input", "syntax", "not_paused",
]);

export async function trial(stage: Stage, plan: Plan): Promise<Report> {
  return new Trial(stage, plan).report();
}

/** A verdict that ends the trial: what comes after a problem shows nothing new. */
class Problem extends Error {}

class Trial {
  readonly #stage: Stage;
  readonly #plan: Plan;
  readonly #dice: Dice;
  readonly #counts: Counts = { calls: 0, lookups: 0, deliveries: 0, timers: 0, locals: 0, passes: 0, deeds: 0, decisions: 0, audits: 0, recoveries: 0, inDoubt: 0 };

  constructor(stage: Stage, plan: Plan) {
    this.#stage = stage;
    this.#plan = plan;
    this.#dice = new Dice(plan.seed * 31 + 7);
  }

  async report(): Promise<Report> {
    const { seed } = this.#plan;
    const { code, shapes } = generate(seed);
    const problems: string[] = [];
    let end = "none";
    try {
      const last = await this.#original(code);
      end = endOf(last);
      for (let i = 0; i < this.#plan.recoveries; i += 1) await this.#recovery(last.executionId, `trial_${seed}_${i}_${last.executionId.slice(-8)}`);
    } catch (thrown) {
      problems.push(thrown instanceof Problem ? thrown.message : `the trial itself failed: ${String(thrown)}`);
    }
    return { seed, end, problems, shapes, counts: this.#counts };
  }

  async #original(code: string): Promise<CodemodeOutput> {
    const { handle, connector, journal } = this.#stage;
    connector.deeds.length = 0;
    const decisions = new Decisions(handle, this.#dice);
    const last = await this.#toTheEnd(decisions, await this.#pass(() => handle.execute({ code })));
    const lines = await journal(last.executionId);
    this.#deny(ledgerProblems(connector.deeds, { executionId: last.executionId, settled: new Set(), approved: decisions.approved, first: true }));
    await this.#repeated(last);
    const { calls, lookups, deliveries, timers, locals } = tallyOf(lines);
    Object.assign(this.#counts, { calls, lookups, deliveries, timers, locals });
    return last;
  }

  /** From a prefix of a journal to an end, which may be another one than the first. */
  async #recovery(from: string, to: string): Promise<void> {
    const { handle, connector, journal, fork } = this.#stage;
    const whole = await journal(from);
    const cut = randomCut(whole, this.#dice);
    const prefix = whole.slice(0, cut);
    const where = `recovered from ${cut} of ${whole.length} events`;
    connector.deeds.length = 0;
    await fork(from, to, cut);
    this.#counts.recoveries += 1;
    const decisions = new Decisions(handle, this.#dice);
    for (const seq of approvedIn(prefix)) decisions.approved.set(seq, undefined);
    const first = statusAfter(prefix) === "paused" ? () => decisions.take(to) : () => handle.recover(to);
    const last = await this.#toTheEnd(decisions, await this.#pass(first), where);
    const lines = await journal(to);
    if (prefix.some((line, i) => line !== lines[i])) this.#deny([`${where}: what was recorded is not there any more`]);
    const facts = { executionId: to, settled: settledIn(prefix), approved: decisions.approved, first: false };
    this.#deny(ledgerProblems(connector.deeds, facts), where);
    if (last.status === "paused") {
      this.#counts.inDoubt += 1;
      const doubts = lines.map(eventOf).filter((event) => event.kind === "in_doubt").length;
      if (doubts === 0 || connector.deeds.length > 0) this.#deny([`${where}: in doubt, and ${connector.deeds.length} calls were made all the same`]);
      return;
    }
    await this.#repeated(last, where);
  }

  /** Takes decisions until the run has ended. A run in doubt stays paused. */
  async #toTheEnd(decisions: Decisions, first: CodemodeOutput, where = "first run"): Promise<CodemodeOutput> {
    let output = first;
    this.#possible(output, where);
    for (let passes = 1; output.status === "paused" && (output.inDoubt?.length ?? 0) === 0; passes += 1) {
      const { executionId } = output;
      if (passes > MAX_PASSES) this.#deny([`${where}: still paused after ${MAX_PASSES} passes`]);
      if (output.pending.length === 0) this.#deny([`${where}: paused with nothing pending`]);
      this.#counts.decisions += 1;
      const next = await this.#pass(() => decisions.take(executionId));
      const pass = `${where}, pass ${passes + 1}`;
      this.#possible(next, pass);
      this.#deny([logProblem(output.logs ?? [], next.logs ?? []), sameCallsProblem(output.calls ?? [], next.calls ?? [])], pass);
      output = next;
    }
    return output;
  }

  async #pass(run: () => Promise<CodemodeOutput>): Promise<CodemodeOutput> {
    this.#counts.passes += 1;
    this.#stage.connector.reseed(this.#dice.seed());
    const before = this.#stage.connector.deeds.length;
    const began = Date.now();
    const output = await run();
    const ms = Date.now() - began;
    const { status, executionId } = output;
    // A deadline that comes while calls are pending is no error: a pass that forgets to end shows in nothing else.
    if (ms > SLOW_MS) {
      const tail = (await this.#stage.journal(executionId)).slice(-3).map((line) => line.slice(0, 300));
      this.#deny([`a pass took ${ms} ms and came to ${status}, ${output.logs?.length} lines of output; last events ${tail.join(" ")}`]);
    }
    this.#counts.deeds += this.#stage.connector.deeds.length - before;
    return output;
  }

  /** The same end, the same text, the same output, with nobody to ask. */
  async #repeated(last: CodemodeOutput, where = "first run"): Promise<void> {
    this.#stage.connector.reseed(this.#dice.seed());
    this.#counts.audits += 1;
    const audit = await this.#stage.audit(last.executionId);
    const told = last.status === "completed" ? { end: "done", text: encode(last.result, "result") } : { end: endOf(last).slice("error ".length), text: errorOf(last) };
    const text = audit.end === "done" ? audit.result : audit.error;
    if (audit.end !== told.end || text !== told.text) {
      this.#deny([`${where}: its repetition ended otherwise: ${audit.end} ${differing(text, told.text)}`]);
    }
    const logs = last.logs ?? [];
    this.#deny([logProblem(logs, audit.logs), logProblem(audit.logs, logs)], `${where}, repeated`);
  }

  #possible(output: CodemodeOutput, where: string): void {
    if (output.status !== "error") return;
    // A method that there is not is what some programs die of; an execution that there is not is none of them.
    const lost = output.code === "not_found" && !output.error.includes("has no method");
    if (lost || IMPOSSIBLE.has(output.code)) this.#deny([`${where}: ${output.code}: ${output.error}`]);
  }

  #deny(problems: readonly (string | undefined)[], where?: string): void {
    const first = problems.find((problem) => problem !== undefined);
    if (first !== undefined) throw new Problem(where === undefined ? first : `${where}: ${first}`);
  }
}

function endOf(output: CodemodeOutput): string {
  return output.status === "error" ? `error ${output.code}` : output.status;
}

function errorOf(output: CodemodeOutput): string {
  return output.status === "error" ? output.error : "";
}

/** Both texts from where they differ. */
function differing(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - 40);
  return `…${one.slice(from, at + 120)} | …${other.slice(from, at + 120)}`;
}
