/** Spec §4.7: a pass goes on until nothing but pending calls is left, and then nothing the program does has an effect. */

import { expect, test } from "vitest";

import { completed, newAgent } from "./story.ts";

test("several calls that need approval are collected in one pass", async () => {
  const agent = newAgent();
  const { executionId, pending, calls } = await agent.paused(`async () => Promise.all([t.gate(1), t.echo("between"), t.gate(2), t.gate(3)])`);
  expect(pending).toEqual([0, 2, 3].map((seq) => ({ executionId, seq, connector: "t", method: "gate", args: seq === 0 ? 1 : seq })));
  expect(calls?.map(({ state, requiresApproval }) => [state, requiresApproval])).toEqual([
    ["pending", true],
    ["applied", false],
    ["pending", true],
    ["pending", true],
  ]);
  expect(completed(await agent.approve(executionId)).result).toEqual([1, "between", 2, 3]);
});

test("other chains go on while one waits for a person", async () => {
  const agent = newAgent();
  const { pending } = await agent.paused(`async () => {
    const waiting = t.gate("first");
    for (let n = 0; n < 3; n++) await t.count({ key: "k" });
    await Promise.all([waiting, t.gate("second")]);
  }`);
  expect(pending.map(({ seq, args }) => [seq, args])).toEqual([[0, "first"], [4, "second"]]);
  expect(await agent.counters()).toMatchObject({ "t.count": 3 });
});

test.each([
  ["catch", `try { return await t.gate({}) } catch { await t.count({ key: "catch" }) }`],
  ["finally", `try { return await t.gate({}) } finally { await t.count({ key: "finally" }) }`],
  ["a loop that tries for ever", `while (true) { try { return await t.gate({}) } catch {} }`],
  ["then with two handlers", `return t.gate({}).then((value) => value, () => t.count({ key: "rejected" }))`],
  ["a race that it cannot win", `return Promise.race([t.gate({}), new Promise(() => {})])`],
])("a pause cannot be heard by the program: %s", async (_name, body) => {
  const agent = newAgent();
  const before = Date.now();
  const { executionId, pending } = await agent.paused(`async () => { ${body} }`);
  expect(Date.now() - before).toBeLessThan(10_000);
  expect(pending).toHaveLength(1);
  expect(await agent.counters()).toEqual({});
  expect(completed(await agent.approve(executionId)).result).toEqual({});
  expect((await agent.counters())["t.gate"]).toBe(1);
});

test("what a finally block does after the decision is recorded like everything else", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => { try { return await t.gate({}) } finally { await t.count({ key: "finally" }) } }`);
  const { calls } = completed(await agent.approve(executionId));
  expect(calls?.map(({ seq, method, state }) => [seq, method, state])).toEqual([[0, "gate", "applied"], [1, "count", "applied"]]);
});

test("calls in flight are awaited and recorded before the pass ends, and not run again", async () => {
  const agent = newAgent();
  const { executionId, calls } = await agent.paused(`async () => Promise.all([t.sleep({ ms: 300, value: "slow" }), t.gate({})])`);
  expect(calls).toMatchObject([{ seq: 0, state: "applied", result: "slow" }, { seq: 1, state: "pending" }]);
  expect(completed(await agent.approve(executionId)).result).toEqual(["slow", {}]);
  expect(await agent.counters()).toMatchObject({ "t.sleep": 1, "t.gate": 1 });
});

test("a step under way is awaited and recorded before the pass ends", async () => {
  const agent = newAgent();
  const { executionId, calls } = await agent.paused(`async () => Promise.all([
    t.gate({}),
    codemode.step("slow", async () => { await new Promise((resolve) => setTimeout(resolve, 100)); return Math.random() > 2 }),
  ])`);
  expect(calls?.map(({ method, state }) => [method, state])).toEqual([["gate", "pending"], ["step", "applied"]]);
  expect(completed(await agent.approve(executionId)).result).toEqual([{}, false]);
});

test("an interval does not hold the pause back", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    const id = setInterval(() => {}, 5);
    const value = await t.gate("value");
    clearInterval(id);
    return value;
  }`);
  expect(completed(await agent.approve(executionId)).result).toBe("value");
});

test("an open timer does: what it sets going still belongs to the pass", async () => {
  const agent = newAgent();
  const { pending } = await agent.paused(`async () => {
    setTimeout(() => void t.gate("from the timer"), 100);
    return t.gate("first");
  }`);
  expect(pending.map(({ args }) => args)).toEqual(["first", "from the timer"]);
});

test("a timer long enough to be cut by the deadline: the run is paused, not timed out", async () => {
  const agent = newAgent({ limits: { passMs: 400 } });
  const { executionId, pending } = await agent.paused(`async () => {
    const late = new Promise((resolve) => setTimeout(() => resolve("late"), 60_000));
    return Promise.race([t.gate("decided"), late]);
  }`);
  expect(pending).toHaveLength(1);
  expect(completed(await agent.approve(executionId)).result).toBe("decided");
});

test("a call that the program did not await pauses the run all the same", async () => {
  const agent = newAgent();
  const { executionId, pending } = await agent.paused(`async () => { void t.gate("not awaited"); return "done" }`);
  expect(pending).toHaveLength(1);
  expect(completed(await agent.approve(executionId)).result).toBe("done");
  expect(await agent.counters()).toMatchObject({ "t.gate": 1 });
});

test("the time a person takes is no time of the run", async () => {
  const agent = newAgent({ limits: { passMs: 500 } });
  const { executionId } = await agent.paused(`async () => { await t.gate({}); await t.sleep({ ms: 50 }); return "done" }`);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(completed(await agent.approve(executionId)).result).toBe("done");
});

test("console output is there at the pause, and at the end once", async () => {
  const agent = newAgent();
  const { executionId, logs } = await agent.paused(`async () => { console.log("before"); await t.gate({}); console.log("after") }`);
  expect(logs).toEqual(["before"]);
  expect(completed(await agent.approve(executionId)).logs).toEqual(["before", "after"]);
});
