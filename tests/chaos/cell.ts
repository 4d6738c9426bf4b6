/**
 * One run of the matrix: brings a program to its kill point, and after the kill follows the ways out that the record offers.
 * Says nothing of what it finds; that is judged by `verdicts.ts` from what it has gathered.
 */

import type { CodemodeOutput, ExecutionState, RollbackReport } from "../../js-shim/client/index.ts";
import type { Ask } from "./agent.ts";
import type { Door } from "./door.ts";
import type { Plan } from "./plan.ts";
import { type At, type Stage } from "./points.ts";
import type { Called, Witness } from "./witness.ts";

/** No way out of any program is longer. */
const MAX_STEPS = 15;

/** What a person said of a call in doubt, and how often it had happened by then. */
export interface Word {
  readonly seq: number;
  readonly n: number;
  readonly seen: number;
  readonly outcome: "applied" | "rerun";
}

/** What a cell has gathered. */
export interface Findings {
  /** What was on disk right before each kill. */
  readonly journals: string[][];
  /** When the object would have woken up by itself, for each of them; `null` is never. */
  readonly alarms: (number | null)[];
  readonly words: Word[];
  readonly reports: RollbackReport[];
  readonly taken: Ask["method"][];
  /** It never stood where it was to be killed: the matrix itself is wrong. */
  missed?: string;
  /** Why it could not be brought to an end. */
  stuck?: string;
  /** As it was last seen; gone when it never began, or was deleted. */
  record?: ExecutionState | undefined;
  executionId?: string;
  /** On disk at the end. */
  journal: string[];
  owed: string[];
}

export class Cell {
  readonly plan: Plan;
  readonly findings: Findings = { journals: [], alarms: [], words: [], reports: [], taken: [], journal: [], owed: [] };
  readonly #door: Door;
  readonly #witness: Witness;

  constructor(plan: Plan, door: Door, witness: Witness) {
    this.plan = plan;
    this.#door = door;
    this.#witness = witness;
  }

  /** How often it is killed. */
  get kills(): number {
    return this.#ownKills + this.plan.again.length;
  }

  get #ownKills(): number {
    return this.plan.point.killedAfter === undefined ? 1 : 2;
  }

  get isPassing(): boolean {
    const { at } = this.plan.point;
    return at !== "rest" && "service" in at && at.passing === true;
  }

  /** Up to where what it is killed in begins. Never rejects. */
  async prepare(kill: number): Promise<void> {
    const { stage, killedAfter } = this.plan.point;
    if (kill >= this.#ownKills || stage === "execute" || (killedAfter !== undefined && kill === 0)) return;
    await this.#orMissed(async () => {
      if (killedAfter === undefined) return this.#begin(stage);
      const { id: executionId } = await this.#only();
      if (stage === "resolve") await this.#door.ask({ method: "recover", executionId });
    });
  }

  /** Resolves when it may be killed for the `kill`th time. Never rejects. */
  approach(kill: number): Promise<void> {
    const { point, nth } = this.plan;
    const { stage, at, killedAfter } = point;
    const execute = (): Promise<unknown> => this.#execute();
    return this.#orMissed(async () => {
      if (kill >= this.#ownKills) return this.#goOnUntil(this.plan.again[kill - this.#ownKills] ?? "");
      if (killedAfter !== undefined && kill === 0) return this.#stand({ service: "call" }, killedAfter, execute);
      if (stage === "execute") return this.#stand(at, nth, execute);
      const ask = await this.#askedAt(stage);
      return this.#stand(at, nth, () => this.#door.ask(ask));
    });
  }

  /** What is on disk now counts as known. */
  async lookAtDisk(): Promise<void> {
    this.findings.journals.push(await this.#door.ask({ method: "journal" }));
    // An embedded runtime has none: its Agent's alarm is the Agent's.
    if (this.plan.placement === "bound") this.findings.alarms.push(await this.#door.ask({ method: "alarm" }));
  }

  /** Goes on until the run has ended, then looks once more as any host would. Never rejects. */
  async finish(): Promise<void> {
    const { findings, plan } = this;
    try {
      // Whoever got no answer asks again, under the same key.
      if (plan.point.stage === "execute" && (plan.way === "on" || plan.way === "undo")) await this.#take({ method: "execute", code: plan.program.code });
      const ended = await this.#wayOut();
      if (!ended) findings.stuck = `after ${findings.taken.join(", ")} it is still ${findings.record?.status}`;
      if (findings.executionId !== undefined) await this.#door.ask({ method: "recover", executionId: findings.executionId });
      findings.journal = await this.#door.ask({ method: "journal" });
      findings.owed = await this.#door.ask({ method: "owed" });
    } catch (error) {
      findings.stuck = `after ${findings.taken.join(", ")}: ${String(error)}`;
    }
  }

  async #stand(at: At, nth: number, act: () => Promise<unknown>): Promise<void> {
    const first = await this.#raced(at, nth, act);
    if (first !== "standing" && !this.isPassing) this.findings.missed = `it came to an end before it stood still: ${first}`;
  }

  /** On the way out until it comes to a place; it may well end before. */
  async #goOnUntil(place: string): Promise<void> {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const next = await this.#step();
      if (next === undefined || (await this.#raced({ place }, 1, () => this.#take(next))) === "standing") return;
    }
  }

  /** `standing`, or what was answered before it stood. */
  async #raced(at: At, nth: number, act: () => Promise<unknown>): Promise<string> {
    const { cell } = this.plan;
    const answered = (): Promise<string> => act().then((answer) => JSON.stringify(answer) ?? "", String);
    // At rest it stands when it has answered.
    if (at === "rest") return answered().then(() => "standing");
    const standing = this.#witness.standing(cell).then(() => "standing");
    if ("place" in at) await this.#door.ask({ method: "arm", place: at.place, nth });
    else await this.#witness.hold({ cell, what: at.service, nth, answers: at.passing === true });
    // Killed or not: what came of it is asked of the record.
    return Promise.race([standing, answered()]);
  }

  #execute(): Promise<CodemodeOutput> {
    return this.#door.ask({ method: "execute", code: this.plan.program.code });
  }

  /** Up to a pause, or to the end. */
  async #begin(stage: Stage): Promise<void> {
    let output = await this.#execute();
    const { executionId } = output;
    if (stage !== "rollback") return;
    while (output.status === "paused") output = await this.#door.ask({ method: "approve", executionId });
  }

  async #askedAt(stage: Exclude<Stage, "execute">): Promise<Ask> {
    if (stage === "expire") return { method: stage };
    const record = await this.#only();
    return stage === "resolve" || stage === "reject" ? this.#decision(record) : { method: stage, executionId: record.id };
  }

  /** Whatever goes wrong before the kill is the matrix's own fault, or shows that a plain run fails. */
  async #orMissed(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.findings.missed = String(error);
    }
  }

  async #only(): Promise<ExecutionState> {
    const [record] = await this.#door.ask({ method: "executions" });
    if (record === undefined) throw new Error("there is no execution");
    return record;
  }

  /** Whether it has ended. */
  async #wayOut(): Promise<boolean> {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const next = await this.#step();
      if (next === undefined) return true;
      await this.#take(next);
    }
    return (await this.#step()) === undefined;
  }

  /** What the record as it is now offers next. */
  async #step(): Promise<Ask | undefined> {
    const [record] = await this.#door.ask({ method: "executions" });
    this.findings.record = record;
    if (record === undefined) return undefined;
    this.findings.executionId = record.id;
    return this.#next(record);
  }

  async #take(next: Ask): Promise<unknown> {
    this.findings.taken.push(next.method);
    const answer = await this.#door.ask(next);
    if (next.method === "rollback") this.findings.reports.push(answer as RollbackReport);
    return answer;
  }

  async #next(record: ExecutionState): Promise<Ask | undefined> {
    const { way, point } = this.plan;
    const { id: executionId, status } = record;
    const isLive = status === "running" || status === "paused";
    if (way === "delete") return { method: "delete", executionId };
    if (!isLive) return way === "undo" && this.findings.reports.length === 0 ? { method: "rollback", executionId } : undefined;
    if (way === "expire") return { method: "expire" };
    if (way === "cancel") return { method: "cancel", executionId };
    if (status === "running") return { method: "recover", executionId };
    if (way === "undo" && point.stage === "rollback") return { method: "rollback", executionId };
    return this.#decision(record);
  }

  /** What is to be decided first of a paused run. */
  async #decision({ id: executionId, log }: ExecutionState): Promise<Ask> {
    const doubtful = log.find(({ state }) => state === "in_doubt");
    if (doubtful !== undefined) return this.#resolution(executionId, doubtful.seq, (doubtful.args as { n: number }).n);
    const pending = log.find(({ state }) => state === "pending");
    if (this.plan.way === "reject" && pending !== undefined) return { method: "reject", executionId, seq: pending.seq };
    return { method: "approve", executionId };
  }

  /** Asks the witness what truly happened. */
  async #resolution(executionId: string, seq: number, n: number): Promise<Ask> {
    const lines = await this.#witness.lines();
    const seen = lines.filter((line): line is Called => line.what === "call" && line.executionId === executionId && line.n === n);
    const [first] = seen;
    const applied = first !== undefined && !this.plan.rerunsAnyway;
    this.findings.words.push({ seq, n, seen: seen.length, outcome: applied ? "applied" : "rerun" });
    if (!applied) return { method: "resolve", executionId, seq, outcome: "rerun" };
    return { method: "resolve", executionId, seq, outcome: "applied", result: `${first.method} ${first.n}` };
  }
}
