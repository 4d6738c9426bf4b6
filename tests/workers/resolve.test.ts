/** Spec §5: what a person found out about a call whose outcome is unknown decides it, and nothing else does. */

import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import { type Agent, completed, failed, newAgent, paused } from "./story.ts";

/** A run that died while its calls of `t.hold` were open, recovered: they are in doubt. */
async function inDoubt(agent: Agent, code: string, keys = ["k"]): Promise<string> {
  const lost = agent.execute(code).catch(() => undefined);
  for (const key of keys) await agent.holding(key);
  await abortAllDurableObjects();
  await lost;
  const [{ id = "" } = {}] = await agent.executions();
  expect(paused(await agent.recover(id)).inDoubt).toHaveLength(keys.length);
  return id;
}

const CODE = `async () => {
  const before = await t.count({ key: "before" });
  const held = await t.hold({ key: "k" }).catch((error) => [error.code, error.message]);
  return [before, held, await t.count({ key: "after" })];
}`;

describe.each(["bound", "embedded"] as const)("%s", (placement) => {
  test("applied: the program gets the result that was found, and goes on", async () => {
    const agent = newAgent({ placement });
    const executionId = await inDoubt(agent, CODE);
    const found = { at: new Date(5), n: 7n };
    expect(completed(await agent.resolve({ executionId, seq: 1, outcome: "applied", result: found })).result).toEqual([1, found, 1]);
    expect(await agent.counters()).toMatchObject({ "t.hold": 1, "t.count": 2 });
    expect(await agent.entry(executionId, 1)).toMatchObject({ state: "applied", result: found });
  });

  test("failed: the program gets an error that it can catch", async () => {
    const agent = newAgent({ placement });
    const executionId = await inDoubt(agent, CODE);
    const { result } = completed(await agent.resolve({ executionId, seq: 1, outcome: "failed" }));
    expect(result).toEqual([1, ["interrupted", expect.stringContaining("person")], 1]);
    expect(await agent.counters()).toMatchObject({ "t.hold": 1 });
  });

  test("rerun: it is sent again as another attempt with the same key", async () => {
    const agent = newAgent({ placement });
    const executionId = await inDoubt(agent, CODE);
    const output = agent.resolve({ executionId, seq: 1, outcome: "rerun" }).then(completed);
    await Promise.race([agent.holding("k"), output]);
    await agent.release("k", "second time");
    expect((await output).result).toEqual([1, "second time", 1]);
    const [first, second] = (await agent.ran()).filter(({ path }) => path === "t.hold");
    expect([first?.attempt, second?.attempt]).toEqual([1, 2]);
    expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
  });
});

test("applied without a result is applied with undefined", async () => {
  const agent = newAgent();
  const executionId = await inDoubt(agent, `async () => [await t.hold({ key: "k" })]`);
  expect(completed(await agent.resolve({ executionId, seq: 0, outcome: "applied" })).result).toEqual([undefined]);
});

test("of several doubts each is decided for itself, and the run goes on after the last", async () => {
  const agent = newAgent();
  const executionId = await inDoubt(agent, `async () => Promise.all([t.hold({ key: "a" }), t.hold({ key: "b" }), t.count({ key: "c" })])`, ["a", "b"]);
  const waiting = paused(await agent.resolve({ executionId, seq: 1, outcome: "applied", result: "B" }));
  expect(waiting.inDoubt).toMatchObject([{ seq: 0, args: { key: "a" } }]);
  expect(await agent.execution(executionId)).toMatchObject({ status: "paused" });
  const { code, error } = failed(await agent.resolve({ executionId, seq: 1, outcome: "failed" }));
  expect([code, error]).toEqual(["not_found", expect.stringContaining("0 (t.hold)")]);
  expect(completed(await agent.resolve({ executionId, seq: 0, outcome: "applied", result: "A" })).result).toEqual(["A", "B", 1]);
  expect(await agent.counters()).toMatchObject({ "t.hold": 2, "t.count": 1 });
});

test("a decision outlives the machine: the doubts that were left are decided afterwards", async () => {
  const agent = newAgent();
  const executionId = await inDoubt(agent, `async () => Promise.all([t.hold({ key: "a" }), t.hold({ key: "b" })])`, ["a", "b"]);
  paused(await agent.resolve({ executionId, seq: 0, outcome: "applied", result: "A" }));
  await abortAllDurableObjects();
  expect(completed(await agent.resolve({ executionId, seq: 1, outcome: "applied", result: "B" })).result).toEqual(["A", "B"]);
});

test("a run in doubt whose other calls wait for approval pauses for them", async () => {
  const agent = newAgent();
  const executionId = await inDoubt(agent, `async () => Promise.all([t.hold({ key: "k" }), t.gate("g")])`);
  const waiting = paused(await agent.resolve({ executionId, seq: 0, outcome: "applied", result: "A" }));
  expect([waiting.inDoubt ?? [], waiting.pending]).toMatchObject([[], [{ seq: 1, method: "gate" }]]);
  expect(completed(await agent.approve(executionId)).result).toEqual(["A", "g"]);
});

test("only a call in doubt is resolved", async () => {
  const agent = newAgent();
  const done = completed(await agent.execute(`async () => t.echo(1)`)).executionId;
  expect(failed(await agent.resolve({ executionId: done, seq: 0, outcome: "applied" })).code).toMatch(/^not_(paused|found)$/);
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  expect(failed(await agent.resolve({ executionId, seq: 0, outcome: "applied" })).code).toBe("not_found");
  expect(await agent.pending(executionId)).toHaveLength(1);
  const unknown = { executionId: "exec_00000000000000000000000000000000", seq: 0, outcome: "failed" } as const;
  expect(failed(await agent.resolve(unknown)).code).toBe("not_found");
});

test("a result goes with applied only, and has the size of any other", async () => {
  const agent = newAgent();
  const executionId = await inDoubt(agent, CODE);
  expect(failed(await agent.resolve({ executionId, seq: 1, outcome: "failed", result: 1 as never })).code).toBe("invalid_input");
  expect(failed(await agent.resolve({ executionId, seq: 1, outcome: "applied", result: "x".repeat(1_000_001) })).code).toBe("too_large");
  expect(await agent.execution(executionId)).toMatchObject({ status: "paused" });
  expect(completed(await agent.resolve({ executionId, seq: 1, outcome: "applied", result: "y" })).result).toEqual([1, "y", 1]);
});
