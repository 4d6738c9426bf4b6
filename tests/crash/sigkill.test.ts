/**
 * SIGKILL at a random moment of a run of fifty calls, judged by a witness outside workerd. What must hold, whatever the
 * moment was:
 *
 *  - an effect that left is on record, and so is everything the program had heard before it made that call;
 *  - what is not known is `in_doubt`, and `recover` pauses and names exactly those calls;
 *  - an effect that is not idempotent happens once at most; one that is may happen again, under the same key;
 *  - when nothing is in doubt, `recover` brings the run to the end that it would have had.
 */

import { afterAll, beforeAll, expect, test } from "vitest";

import type { ExecutionState } from "../../js-shim/client/index.ts";
import { type Runtime, startRuntime } from "../support/miniflare.ts";
import { Door } from "./door.ts";
import { type Chance, chanceOf, type Program, programOf } from "./programs.ts";
import { type Effect, Witness } from "./witness.ts";

const CALLS = 50;
/** The fourth kill of each five is followed by another one while the run recovers. */
const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

let witness: Witness;
let runtime: Runtime;
const table: Record<string, unknown>[] = [];

beforeAll(async () => {
  witness = await Witness.start();
  runtime = await startRuntime({ worker: "tests/crash/agent.ts", agents: { AGENT: "CrashAgent" }, bindings: { WITNESS: witness.url } });
});

afterAll(async () => {
  console.table(table);
  await runtime?.stop();
  await witness?.[Symbol.asyncDispose]();
});

test.each(SEEDS)("a workerd killed at a random moment loses nothing and repeats nothing (seed %i)", async (seed) => {
  const chance = chanceOf(seed);
  const program = programOf(chance, CALLS);
  const door = new Door(() => runtime.url, `seed-${seed}`);

  const killedAt = await killDuring(chance, () => door.execute(program.code));
  const [found] = await door.executions();
  if (found === undefined) {
    // Killed before it began: then nothing may have left either. The file has no execution of ours to find.
    expect(killedAt).toBe(0);
    table.push({ seed, killed: killedAt, end: "never began" });
    return;
  }
  let record = found;
  await isFaithful(record, program);
  if (seed % 5 === 4 && mayGoOn(record)) {
    await killDuring(chance, () => door.recover(record.id));
    record = await door.execution(record.id);
    await isFaithful(record, program);
  }

  const doubtful = record.log.filter((entry) => entry.state === "executing" && entry.method === "send");
  const end = record.status === "running" ? await door.recover(record.id) : undefined;
  const after = await door.execution(record.id);
  await isFaithful(after, program);
  if (end?.status === "paused") {
    expect(end.pending).toEqual([]);
    expect(end.inDoubt).toEqual(doubtful.map(({ seq, connector, method, args }) => ({ executionId: record.id, seq, connector, method, args })));
    expect(after.log.filter((entry) => entry.state === "in_doubt").map(({ seq }) => seq)).toEqual(doubtful.map(({ seq }) => seq));
    // In doubt alone is a reason to pause.
    expect(doubtful).not.toEqual([]);
  } else {
    expect(doubtful).toEqual([]);
    expect(after).toMatchObject({ status: "completed", result: program.result });
    expect(after.log.map(({ state }) => state)).toEqual(Array.from({ length: CALLS }, () => "applied"));
    if (end !== undefined) expect(end).toMatchObject({ status: "completed", result: program.result });
    await allHappened(after, program);
  }
  const effects = await witness.effects(record.id);
  table.push({ seed, killed: killedAt, recorded: found.log.length, doubt: doubtful.length, effects: effects.length, end: after.status });
}, 20_000);

/** Starts `act` and kills workerd some time after a random number of effects. Tells how many of them were seen. */
async function killDuring(chance: Chance, act: () => Promise<unknown>): Promise<number> {
  const before = witness.count;
  // Killed or not: what came of it is asked of the record.
  const acted = act().catch(() => undefined);
  await Promise.race([witness.reaches(before + Math.floor(chance(CALLS))), acted]);
  // Not to wait for anything: the moment of the kill is what varies.
  await new Promise((resolve) => setTimeout(resolve, chance(8)));
  const seen = witness.count - before;
  await runtime.crash();
  await acted;
  return seen;
}

/** What may be asked of the record at any time. */
async function isFaithful(record: ExecutionState, program: Program): Promise<void> {
  expect(record.log.map(({ seq }) => seq)).toEqual(record.log.map((_, index) => index));
  const byNumber = new Map(record.log.map((entry) => [numberOf(entry.args), entry]));

  // What is recorded of a call implies the outcome of all that the program had heard of before it.
  for (const planned of program.calls) {
    const entry = byNumber.get(planned.n);
    if (entry === undefined) continue;
    expect(entry).toMatchObject({ connector: "service", method: planned.method, args: { n: planned.n } });
    for (const earlier of planned.after) {
      expect(byNumber.get(earlier), `call ${earlier}, heard before call ${planned.n}`).toMatchObject({ state: "applied", result: program.result[earlier] });
    }
  }

  // Only a read may leave before its intent is durable. Then it may also have another number in the pass that recovers: what
  // the killed pass had heard last, of calls at once, was on record nowhere.
  const isLasting = ({ method, args, seq }: Effect): boolean => method !== "list" || byNumber.get(args.n)?.seq === seq;
  const effects = (await witness.effects(record.id)).filter(isLasting);
  for (const effect of effects) {
    expect(byNumber.get(effect.args.n), `the intent of ${effect.method} ${effect.args.n}`).toMatchObject({ seq: effect.seq, method: effect.method });
  }
  for (const [key, attempts] of groups(effects)) {
    const [first] = attempts;
    expect(key).toBe(`${record.id}:${first?.seq}`);
    expect(new Set(attempts.map(({ seq, method, args }) => JSON.stringify([seq, method, args]))).size).toBe(1);
    const numbers = attempts.map(({ attempt }) => attempt);
    if (first?.method === "send") expect(numbers, key).toEqual([1]);
    // Each attempt is recorded before it leaves, so no number stands twice; one may be missing that was killed on its way.
    if (first?.method === "put") expect(numbers, key).toEqual([...new Set(numbers)].toSorted());
  }
}

async function allHappened(record: ExecutionState, program: Program): Promise<void> {
  const happened = new Set((await witness.effects(record.id)).map(({ args }) => args.n));
  expect(happened).toEqual(new Set(program.calls.map(({ n }) => n)));
}

function mayGoOn(record: ExecutionState): boolean {
  return record.status === "running" && !record.log.some((entry) => entry.state === "executing" && entry.method === "send");
}

function groups(effects: readonly Effect[]): Map<string, Effect[]> {
  return Map.groupBy(effects, ({ idempotencyKey }) => idempotencyKey);
}

function numberOf(args: unknown): number {
  return (args as { n: number }).n;
}
