/**
 * Spec §5: nothing of a run is in memory. The same stories are told twice, once with every object evicted between any two
 * operations; everything that can be seen from outside has to be the same, after each of them.
 */

import { abortAllDurableObjects, evictAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import { type Agent, newAgent } from "./story.ts";

type Operation = (agent: Agent, ids: readonly string[]) => Promise<unknown>;

/** Runs a program that holds `k` at its end, and loses every machine then. */
function cutOff(method: string): Operation {
  return async (agent) => {
    const lost = agent.execute(`async () => { await side.keep("before"); return t.${method}({ key: "k" }) }`).catch(() => "lost");
    await agent.holding("k");
    await abortAllDurableObjects();
    return lost;
  };
}

/** An operation in which the call that holds `k` is made again. */
function answered(act: Operation): Operation {
  return async (agent, ids) => {
    const output = act(agent, ids);
    await agent.holding("k");
    await agent.release("k", "again");
    return output;
  };
}

const id = (ids: readonly string[], run: number): string => ids[run] ?? "";
const overview: Operation = (agent) => agent.execute(`async () => [await t.count({ key: "k" }), await codemode.search("echo"), await codemode.describe("t.typed"), await t.reexec({}), await codemode.step("s", () => ({ n: 1 }))]`);

const STORIES: Record<string, readonly Operation[]> = {
  "calls that are collected, approved one by one, edited and repeated": [
    (agent) => agent.execute(`async () => { console.log("first"); const all = await Promise.all([t.gate(1), t.read({}), t.gateTyped({ n: 2 }), t.fail({ message: "no" }).catch((e) => e.message)]); console.log("then", all); return t.gate(all) }`, "a key"),
    (agent) => agent.pending(),
    (agent, ids) => agent.approve(id(ids, 0), { seq: 2, args: { n: "not a number" } }),
    (agent, ids) => agent.approve(id(ids, 0), { seq: 2, args: { n: 21 } }),
    (agent, ids) => agent.entry(id(ids, 0), 2),
    (agent, ids) => agent.approve(id(ids, 0), { seq: 9 }),
    (agent, ids) => agent.approve(id(ids, 0)),
    (agent, ids) => agent.pending(id(ids, 0)),
    (agent) => agent.execute(`async () => "never"`, "a key"),
    (agent, ids) => agent.approve(id(ids, 0)),
    (agent) => agent.execute(`async () => "never"`, "a key"),
    (agent, ids) => agent.approve(id(ids, 0)),
    overview,
    (agent) => agent.search("waits for approval"),
    (agent) => agent.describe("t"),
  ],
  "calls that are rejected": [
    (agent) => agent.execute(`async () => [await t.gate(1).catch((e) => e.message), await t.count({ key: "k" }), await t.gate(2)]`),
    (agent, ids) => agent.deny(id(ids, 0), 0, "not now"),
    (agent, ids) => agent.deny(id(ids, 0), 0, "twice"),
    (agent, ids) => agent.reject(id(ids, 0), 0),
    (agent, ids) => agent.reject(id(ids, 0), 2, "no"),
    (agent, ids) => agent.reject(id(ids, 0), 2, "no"),
    (agent, ids) => agent.approve(id(ids, 0)),
    (agent, ids) => agent.recover(id(ids, 0)),
  ],
  "runs that are undone": [
    (agent) => agent.execute(`async () => { await side.keep(1); await side.keepBadly(2); await codemode.step("s", () => 3); return side.keepGate(4) }`),
    (agent, ids) => agent.approve(id(ids, 0), { seq: 3, args: "edited" }),
    (agent, ids) => agent.rollback(id(ids, 0)),
    (agent, ids) => agent.rollback(id(ids, 0)),
    (agent) => agent.execute(`async () => { await side.keep(1); return t.gate(2) }`),
    (agent, ids) => agent.with({ without: ["side"] }).rollback(id(ids, 1)),
    (agent, ids) => agent.with({ without: ["side"] }).approve(id(ids, 1)),
    (agent, ids) => agent.rollback(id(ids, 1)),
    (agent, ids) => agent.approve(id(ids, 1)),
    overview,
  ],
  "runs whose machine died": [
    cutOff("hold"),
    (agent, ids) => agent.approve(id(ids, 0)),
    (agent, ids) => agent.refusal("rollback", id(ids, 0)),
    (agent, ids) => agent.recover(id(ids, 0)),
    (agent, ids) => agent.approve(id(ids, 0)),
    (agent, ids) => agent.resolve({ executionId: id(ids, 0), seq: 0, outcome: "failed" }),
    answered((agent, ids) => agent.resolve({ executionId: id(ids, 0), seq: 1, outcome: "rerun" })),
    cutOff("hold"),
    (agent, ids) => agent.recover(id(ids, 1)),
    (agent, ids) => agent.resolve({ executionId: id(ids, 1), seq: 1, outcome: "applied", result: new Date(5) }),
    cutOff("hold"),
    (agent, ids) => agent.recover(id(ids, 2)),
    (agent, ids) => agent.resolve({ executionId: id(ids, 2), seq: 1, outcome: "failed" }),
    cutOff("holdPut"),
    answered((agent, ids) => agent.recover(id(ids, 3))),
    (agent, ids) => agent.rollback(id(ids, 3)),
  ],
  "runs that are ended from outside and forgotten": [
    cutOff("hold"),
    (agent, ids) => agent.cancel(id(ids, 0)),
    (agent, ids) => agent.cancel(id(ids, 0)),
    (agent) => agent.execute(`async () => t.gate(1)`),
    (agent, ids) => agent.cancel(id(ids, 1)),
    (agent) => agent.execute(`async () => t.gate(2)`),
    cutOff("hold"),
    (agent) => agent.expirePaused(),
    (agent) => agent.expirePaused(0).then((expired) => expired.length),
    (agent, ids) => agent.approve(id(ids, 2)),
    (agent) => agent.execute(`async () => { throw new TypeError("wrong") }`),
    (agent) => agent.execute(`async () => new Promise(() => {})`),
    (agent) => agent.execute(`ls -la`),
    (agent) => agent.execute(`async () => t.gate(3)`),
    (agent) => agent.page(null, 3).then(({ executions }) => executions),
    (agent, ids) => agent.deleteExecution(id(ids, 0)),
    (agent, ids) => agent.deleteExecution(id(ids, 0)),
    (agent) => agent.pruneExecutions(2),
    (agent) => agent.with({ maxExecutions: 1 }).execute(`async () => "last"`),
    (agent, ids) => agent.refusal("execution", id(ids, 1)),
  ],
};

/** Everything that can be asked of the runtime and of the host. */
async function seen(agent: Agent): Promise<unknown> {
  const executions = await agent.executions();
  return {
    executions,
    each: await Promise.all(executions.map((one) => agent.execution(one.id))),
    pending: await agent.pending(),
    heard: await agent.heard(),
    ran: await agent.ran(),
    counters: await agent.counters(),
  };
}

/** After each operation what it answered and what can be seen then; without names of chance and without times. */
async function told(story: readonly Operation[], placement: "bound" | "embedded", between: () => Promise<void>): Promise<string[]> {
  const agent = newAgent({ placement });
  const ids: string[] = [];
  const all: string[] = [];
  for (const operation of story) {
    const answered = await operation(agent, ids);
    await between();
    const after = await seen(agent);
    // Oldest first, each when it is seen for the first time.
    for (const { id: known } of (await agent.executions()).toReversed()) if (!ids.includes(known)) ids.push(known);
    const text = JSON.stringify({ answered, after }, (key, value: unknown) => (/^(?:created|updated|started|ended)At$/.test(key) ? "at" : value));
    all.push(ids.reduce((plain, known, run) => plain.replaceAll(known, `run ${run}`), text));
    await between();
  }
  return all;
}

describe.each(["bound", "embedded"] as const)("%s", (placement) => {
  test.each(Object.keys(STORIES))("an eviction between any two operations changes nothing that can be seen: %s", { timeout: 120_000 }, async (name) => {
    const story = STORIES[name] ?? [];
    const plain = await told(story, placement, async () => {});
    const evicted = await told(story, placement, () => evictAllDurableObjects());
    expect(evicted).toEqual(plain);
    // The stories are about something: no two states in a row are the same throughout.
    expect(new Set(plain).size).toBeGreaterThan(story.length / 2);
  });
});
