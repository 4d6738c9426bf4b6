/**
 * One random sequence: every operation on runs in any state, machines that die between any two of them and in the middle of
 * calls. The model says beforehand what must come of each; the rest of the file is how it is done and compared.
 */

import { env } from "cloudflare:workers";
import { abortAllDurableObjects, evictAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { expect } from "vitest";

import { Core } from "../../../js-shim/core.ts";
import type { CodemodeOutput } from "../../../js-shim/client/index.ts";
import { Dice } from "../../replay/dice.ts";
import { type Agent, newAgent } from "../story.ts";
import { type Fate, type Held, inDoubtOf, Model, pendingOf, type Run, settle } from "./model.ts";
import { program, textOf } from "./programs.ts";

/** Runs that are kept after they have ended. */
const KEPT = 4;

export class Sequence {
  readonly #dice: Dice;
  readonly #model = new Model();
  readonly #agent: Agent;
  #made = 0;
  /** What was done so far, for whoever has to understand a failure. */
  readonly done: string[] = [];

  constructor(seed: number, placement: "bound" | "embedded") {
    this.#dice = new Dice(seed);
    this.#agent = newAgent({ placement, maxExecutions: KEPT });
  }

  async live(operations: number): Promise<void> {
    for (let n = 0; n < operations; n++) {
      await this.#between();
      await this.#one();
      await this.#compare();
    }
    await this.#compareWhole();
  }

  async #between(): Promise<void> {
    const { act, name } = this.#dice.weighted([
      { weight: 3, name: "evict", act: evictAllDurableObjects },
      { weight: 2, name: "abort", act: abortAllDurableObjects },
      { weight: 1, name: "panic", act: panic },
      { weight: 4, name: "", act: async () => {} },
    ]);
    if (name !== "") this.done.push(name);
    await act();
  }

  async #one(): Promise<void> {
    const { runs } = this.#model;
    if (runs.length === 0 || this.#dice.chance(0.2)) return this.#execute();
    const run = this.#dice.of(runs);
    const usual = run.status === "paused" ? 4 : 1;
    const { act, name } = this.#dice.weighted([
      { weight: 3 * usual, name: "approve", act: () => this.#approve(run) },
      { weight: usual, name: "reject", act: () => this.#reject(run) },
      { weight: usual, name: "deny", act: () => this.#deny(run) },
      { weight: run.status === "running" ? 12 : 1, name: "recover", act: () => this.#recover(run) },
      { weight: inDoubtOf(run).length > 0 ? 24 : 1, name: "resolve", act: () => this.#resolve(run) },
      { weight: 1, name: "cancel", act: () => this.#cancel(run) },
      { weight: 3, name: "rollback", act: () => this.#rollback(run) },
      { weight: 1, name: "expire", act: () => this.#expire() },
      { weight: 1, name: "delete", act: () => this.#delete(run) },
      { weight: 1, name: "prune", act: () => this.#prune() },
      { weight: run.key === undefined ? 0 : 2, name: "repeat", act: () => this.#repeat(run) },
    ]);
    this.done.push(`${name} ${run.program.label}`);
    await act();
  }

  async #execute(): Promise<void> {
    const made = program(this.#dice, `run${(this.#made += 1)}`);
    const key = this.#dice.chance(0.3) ? `key of ${made.label}` : undefined;
    const run: Run = { id: "", key, program: made, status: "running", entries: [] };
    this.done.push(`execute ${made.label}: ${made.steps.join(" ")}`);
    this.#model.runs.push(run);
    this.#model.prune(KEPT);
    const output = this.#agent.execute(textOf(made), key);
    // Its id is chance: everything else about it is known before.
    output.catch(() => undefined);
    await expect.poll(async () => (run.id = (await this.#agent.executions(1))[0]?.id ?? "") !== "" && !this.#model.runs.some((one) => one !== run && one.id === run.id), { interval: 2, timeout: 20_000 }).toBe(true);
    await this.#drive(run, output);
  }

  async #repeat(run: Run): Promise<void> {
    this.#say(run, await this.#agent.execute("async () => 'another'", run.key));
    this.#model.pay();
  }

  async #approve(run: Run): Promise<void> {
    const all = this.#dice.chance(0.5);
    const pending = pendingOf(run);
    const seq = all ? undefined : pending.length > 0 && this.#dice.chance(0.9) ? this.#dice.of(pending) : 7;
    const args = seq !== undefined && this.#dice.chance(0.4) ? { edited: seq } : undefined;
    const refusal = refused(run, seq, args === undefined);
    const output = this.#agent.approve(run.id, { ...(seq !== undefined && { seq }), ...(args !== undefined && { args }) });
    if (refusal !== undefined) return this.#refusedBy(output, refusal);
    for (const number of seq === undefined ? pending : [seq]) {
      const entry = run.entries[number];
      if (entry === undefined) continue;
      entry.state = "approved";
      if (args !== undefined) entry.editedArgs = args;
    }
    this.#model.become(run, "approve", "running");
    await this.#drive(run, output);
  }

  async #reject(run: Run): Promise<void> {
    const pending = pendingOf(run);
    const seq = pending.length > 0 ? this.#dice.of(pending) : 0;
    const ends = run.status === "paused" && pending.length > 0;
    expect(await this.#agent.reject(run.id, seq, "no")).toBe(ends);
    if (ends) {
      settle(run.entries[seq] as Run["entries"][number], "error", "");
      run.errorCode = "rejected";
      this.#model.become(run, "reject", "rejected");
    }
    this.#model.pay();
  }

  async #deny(run: Run): Promise<void> {
    const pending = pendingOf(run);
    const seq = pending.length > 0 ? this.#dice.of(pending) : 0;
    const refusal = refused(run, seq, true);
    const output = this.#agent.deny(run.id, seq, "no");
    if (refusal !== undefined) return this.#refusedBy(output, refusal);
    const entry = run.entries[seq] as Run["entries"][number];
    settle(entry, "error", `call ${seq} (${entry.call.path}) was rejected by a person: no`);
    this.#model.become(run, "reject_throw", "running");
    await this.#drive(run, output);
  }

  async #recover(run: Run): Promise<void> {
    const output = this.#agent.recover(run.id);
    if (run.status !== "running") return this.#refusedBy(output, "not_paused");
    const lost = run.entries.filter(({ state, call }) => state === "executing" && call.repeatable !== true);
    if (lost.length === 0) return this.#drive(run, output);
    for (const entry of lost) entry.state = "in_doubt";
    this.#model.become(run, "recover", "paused");
    this.#say(run, await output);
    this.#model.pay();
  }

  async #resolve(run: Run): Promise<void> {
    const [seq] = inDoubtOf(run);
    const outcome = this.#dice.of(["applied", "failed", "rerun"] as const);
    const output = this.#agent.resolve({ executionId: run.id, seq: seq ?? 0, ...(outcome === "applied" ? { outcome, result: "as a person said" } : { outcome }) });
    if (run.status !== "paused" || seq === undefined) return this.#refusedBy(output, run.status === "paused" ? "not_found" : "not_paused");
    const entry = run.entries[seq] as Run["entries"][number];
    if (outcome === "applied") settle(entry, "applied", "as a person said");
    else if (outcome === "rerun") entry.state = "approved";
    else settle(entry, "error", `call ${seq} (${entry.call.path}) failed: its outcome was lost, and a person said that it did not happen`);
    this.#model.become(run, "resolve", "running");
    await this.#drive(run, output);
  }

  async #cancel(run: Run): Promise<void> {
    const live = run.status === "running" || run.status === "paused";
    expect(await this.#agent.cancel(run.id)).toBe(live);
    if (live) {
      run.errorCode = "cancelled";
      this.#model.become(run, "cancel", "error");
    }
    this.#model.pay();
  }

  async #rollback(run: Run): Promise<void> {
    if (run.status === "running") {
      expect(await this.#agent.refusal("rollback", run.id)).toMatchObject({ code: "interrupted" });
      return this.#model.pay();
    }
    const applied = run.entries.map((entry, seq) => ({ entry, seq })).filter(({ entry }) => entry.state === "applied" && entry.call.step === undefined);
    const beyond = run.entries.flatMap(({ state, call }, seq) => {
      if (state === "applied" && call.step !== undefined) return [`${seq} step`];
      return state === "in_doubt" || state === "executing" ? [`${seq} in_doubt`] : [];
    });
    const report = applied.toReversed().map(({ entry, seq }) => {
      const { undo, path, args } = entry.call;
      if (undo !== undefined) {
        const asked = [path.slice("side.".length), entry.editedArgs ?? args, entry.value, seq, `${run.id}:${seq}:revert`];
        this.#model.hear(run.id, `side revert ${JSON.stringify(asked)}`);
      }
      if (undo === "reverted") this.#undone(run, entry);
      return `${seq} ${undo ?? "no_revert"}`;
    });
    const told = await this.#agent.rollback(run.id);
    expect(told.report.map(({ seq, outcome }) => `${seq} ${outcome}`)).toEqual(report);
    expect(told.notReverted.map(({ seq, why }) => `${seq} ${why}`)).toEqual(beyond);
    expect(told.status).toBe(run.status);
    this.#model.pay();
  }

  #undone(run: Run, entry: Run["entries"][number]): void {
    entry.state = "reverted";
    for (const other of run.entries) if (other.state === "pending") settle(other, "error", "");
    delete run.result;
    delete run.errorCode;
    if (run.status !== "rolled_back") this.#model.become(run, "reverted", "rolled_back");
  }

  async #expire(): Promise<void> {
    if (this.#dice.chance(0.5)) return expect(await this.#agent.expirePaused()).toEqual([]);
    const due = this.#model.runs.filter(({ status }) => status === "running" || status === "paused");
    expect((await this.#agent.expirePaused(0)).toSorted()).toEqual(due.map(({ id }) => id).toSorted());
    for (const run of due) {
      run.errorCode = run.status === "running" ? "expired" : "rejected";
      this.#model.become(run, "expire", run.status === "running" ? "error" : "rejected");
    }
  }

  async #delete(run: Run): Promise<void> {
    expect(await this.#agent.deleteExecution(run.id)).toBe(true);
    if (run.status === "running" || run.status === "paused") this.#model.become(run, "cancel", "error");
    this.#model.forget(run, "delete");
    expect(await this.#agent.deleteExecution(run.id)).toBe(false);
    expect(await this.#agent.refusal("execution", run.id)).toMatchObject({ code: "not_found" });
  }

  async #prune(): Promise<void> {
    const keep = this.#dice.whole(KEPT);
    expect(await this.#agent.pruneExecutions(keep)).toBe(this.#model.prune(keep));
  }

  /** A pass: what it holds open is answered, or its machine dies meanwhile, as the model has it. */
  async #drive(run: Run, output: Promise<CodemodeOutput>): Promise<void> {
    const settled = output.then((value) => ({ value }), () => undefined);
    const held = this.#model.pass(run, () => this.#fate());
    for (const one of held) {
      // Whoever is answered before has met something that the model does not know.
      const early = await Promise.race([this.#agent.holding(one.key), settled.then((told) => told ?? "broken")]);
      if (early !== undefined) throw new Error(`${one.key} was never asked for: ${JSON.stringify(early)}`);
      await this.#meet(run, one);
    }
    const told = await settled;
    const crash = held.find(({ fate }) => fate === "aborted" || fate === "panicked");
    if (crash?.fate === "aborted") return expect(told).toBeUndefined();
    if (told === undefined) throw new Error("nothing was answered");
    this.#say(run, told.value);
    this.#model.pay();
    // The connector answers a run that has ended meanwhile: nobody hears of it, and it is recorded.
    const late = held.find(({ fate }) => fate === "cancelled");
    if (late === undefined) return;
    await this.#agent.release(late.key, `released ${late.key}`);
    settle(late.entry, "applied", `released ${late.key}`);
    const seq = run.entries.indexOf(late.entry);
    await expect.poll(async () => (await this.#agent.entry(run.id, seq)).state, { timeout: 20_000 }).toBe("applied");
  }

  #fate(): Fate {
    return this.#dice.weighted([
      { weight: 5, fate: "released" as const },
      { weight: 3, fate: "aborted" as const },
      { weight: 1, fate: "panicked" as const },
      { weight: 1, fate: "cancelled" as const },
    ]).fate;
  }

  async #meet(run: Run, { key, fate, entry }: Held): Promise<void> {
    this.done.push(`${fate} ${key}`);
    switch (fate) {
      case "released":
        return this.#agent.release(key, `released ${key}`);
      case "aborted":
      case "panicked":
        // What came before it must be on record, or nobody could say what is found after it.
        await expect.poll(async () => (await this.#agent.execution(run.id)).log.map(({ state }) => state), { timeout: 20_000 }).toEqual(run.entries.map(({ state }) => state));
        if (fate === "aborted") return abortAllDurableObjects();
        await panic();
        return this.#agent.release(key, "for nobody");
      case "cancelled":
        this.#model.hear(run.id, `${entry.call.path.split(".")[0]} cancelled`);
        return expect(await this.#agent.cancel(run.id)).toBe(true);
      default: {
        const unknown: never = fate;
        return unknown;
      }
    }
  }

  async #refusedBy(output: Promise<CodemodeOutput>, code: string): Promise<void> {
    expect(await output).toMatchObject({ status: "error", code });
    this.#model.pay();
  }

  /** The answer to whoever asked, against the model. */
  #say(run: Run, output: CodemodeOutput): void {
    const expected = {
      completed: { status: "completed", result: run.result },
      paused: { status: "paused", pending: pendingOf(run).map((seq) => ({ executionId: run.id, seq })) },
      running: { status: "error", code: "interrupted" },
      error: { status: "error", code: run.errorCode },
      rejected: { status: "error", code: "rejected" },
      rolled_back: { status: "error", code: "cancelled" },
    }[run.status];
    expect(output).toMatchObject({ ...expected, executionId: run.id });
    if (output.status === "paused") expect((output.inDoubt ?? []).map(({ seq }) => seq)).toEqual(inDoubtOf(run));
  }

  /** Everything that can be asked between two operations. */
  async #compare(): Promise<void> {
    const newest = this.#model.runs.toReversed();
    const agent = this.#agent;
    const [listed, pending, ran, heard] = await Promise.all([agent.executions(), agent.pending(), agent.ran(), agent.heard()]);
    expect(listed.map(({ id, status, errorCode, log }) => ({ id, status, errorCode, log: log.map(entryText) }))).toEqual(
      newest.map((run) => ({ id: run.id, status: run.status, errorCode: run.errorCode, log: run.entries.map(modelText) })),
    );
    expect(pending.map(({ executionId, seq }) => `${executionId} ${seq}`)).toEqual(
      newest.filter(({ status }) => status === "paused").flatMap((run) => pendingOf(run).map((seq) => `${run.id} ${seq}`)),
    );
    expect(ran.map(({ executionId, seq, path, args, idempotencyKey }) => `${executionId} ${seq} ${path} ${args} ${idempotencyKey}`)).toEqual(this.#model.ran);
    const told = new Map<string, Set<string>>();
    // Told is told: an end that two contacts told of at once counts once.
    for (const { executionId, connector, what, detail } of heard) {
      told.set(executionId, (told.get(executionId) ?? new Set()).add(`${connector} ${what} ${detail}`.trim()));
    }
    expect(told).toEqual(this.#model.heard);
  }

  /** Each run by itself, and the list in pages: the same as the list. */
  async #compareWhole(): Promise<void> {
    const all = await this.#agent.executions();
    for (const run of all) expect(await this.#agent.execution(run.id)).toEqual(run);
    for (const run of this.#model.runs) {
      if (run.status === "completed") expect((await this.#agent.execution(run.id)).result).toEqual(run.result);
    }
    const paged = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page: Awaited<ReturnType<Agent["page"]>> = await this.#agent.page(cursor, 2);
      paged.push(...page.executions);
      cursor = page.cursor;
    }
    expect(paged).toEqual(all);
  }
}

function entryText({ seq, connector, method, state }: { seq: number; connector: string; method: string; state: string }): string {
  return `${seq} ${connector}.${method} ${state}`;
}

function modelText({ call, state }: Run["entries"][number], seq: number): string {
  return `${seq} ${call.path} ${state}`;
}

/** Why a decision about a call is refused, in the order in which it is looked at. */
function refused(run: Run, seq: number | undefined, doubtFirst: boolean): string | undefined {
  if (run.status !== "paused") return "not_paused";
  const unknown = seq !== undefined && !pendingOf(run).includes(seq);
  if (unknown && !doubtFirst) return "not_found";
  if (inDoubtOf(run).length > 0) return "interrupted";
  return unknown ? "not_found" : undefined;
}

/** Makes the core panic, in an object that nobody else uses. */
export async function panic(): Promise<void> {
  const somewhere = env.CODEMODE.getByName("panic/sequences");
  await runInDurableObject(somewhere, (_, state) => {
    const core = new Core(state, {});
    expect(() => core.use((inner) => Reflect.get(inner, "provokePanic").call(inner))).toThrow("rebuilt");
  });
}
