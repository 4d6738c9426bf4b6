/** Spec §5: cancel ends a run wherever it stands, and what was in flight is still recorded. */

import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import { type Agent, completed, failed, newAgent } from "./story.ts";

/** The newest run of an Agent, while it runs. */
async function newest(agent: Agent): Promise<string> {
  const [{ id = "" } = {}] = await agent.executions(1);
  return id;
}

describe.each(["bound", "embedded"] as const)("%s", (placement) => {
  test("a running one ends at once, whoever waits for it is told, and its calls in flight are recorded late", async () => {
    const agent = newAgent({ placement });
    const running = agent.execute(`async () => { await t.count({ key: "k" }); try { return await t.hold({ key: "k" }) } finally { await t.count({ key: "never" }) } }`);
    await agent.holding("k");
    const id = await newest(agent);
    expect(await agent.cancel(id)).toBe(true);
    expect(failed(await running)).toMatchObject({ executionId: id, code: "cancelled", error: expect.stringContaining("cancelled") });
    expect(await agent.execution(id)).toMatchObject({ status: "error", errorCode: "cancelled" });
    await agent.release("k", "late");
    await expect.poll(async () => (await agent.entry(id, 1)).state).toBe("applied");
    expect(await agent.entry(id, 1)).toMatchObject({ result: "late" });
    expect(await agent.counters()).toEqual({ "count/k": 1, "t.count": 1, "t.hold": 1 });
  });

  test("a paused one ends, and cannot be approved any more", async () => {
    const agent = newAgent({ placement });
    const { executionId } = await agent.paused(`async () => t.gate(1)`);
    expect(await agent.cancel(executionId)).toBe(true);
    expect(await agent.pending()).toEqual([]);
    expect(failed(await agent.approve(executionId))).toMatchObject({ code: "not_paused", error: expect.stringContaining("error") });
    expect(await agent.execution(executionId)).toMatchObject({ status: "error", errorCode: "cancelled" });
    expect(await agent.counters()).toEqual({});
  });

  test("one whose host and runtime died ends, and cannot be recovered", async () => {
    const agent = newAgent({ placement });
    const lost = agent.execute(`async () => t.hold({ key: "k" })`).catch(() => undefined);
    await agent.holding("k");
    await abortAllDurableObjects();
    await lost;
    const id = await newest(agent);
    expect(await agent.cancel(id)).toBe(true);
    expect(failed(await agent.recover(id)).code).toBe("not_paused");
  });

  test("one that has ended is left as it is", async () => {
    const agent = newAgent({ placement });
    const { executionId } = completed(await agent.execute(`async () => 1`));
    expect(await agent.cancel(executionId)).toBe(false);
    expect(await agent.execution(executionId)).toMatchObject({ status: "completed", result: 1 });
    await agent.paused(`async () => t.gate(1)`);
    const id = await newest(agent);
    expect([await agent.cancel(id), await agent.cancel(id)]).toEqual([true, false]);
  });
});

test("what the program does with try and finally has no effect any more", async () => {
  const agent = newAgent();
  const running = agent.execute(`async () => { for (;;) { try { await t.hold({ key: "k" }) } catch {} finally { void t.count({ key: "after" }) } } }`);
  await agent.holding("k");
  await agent.cancel(await newest(agent));
  expect(failed(await running).code).toBe("cancelled");
  await agent.release("k");
  expect(await agent.result(`async () => 1`)).toBe(1);
  expect(await agent.counters()).toEqual({ "t.hold": 1 });
});

test("connectors with calls in flight hear of it, and no others", async () => {
  const agent = newAgent();
  const running = agent.execute(`async () => { await side.echo(1); return t.hold({ key: "k" }) }`);
  await agent.holding("k");
  const id = await newest(agent);
  await agent.cancel(id);
  await running;
  expect((await agent.heard()).filter(({ what }) => what === "cancelled")).toEqual([{ connector: "t", what: "cancelled", executionId: id, detail: "" }]);
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  await agent.cancel(executionId);
  expect((await agent.heard()).filter(({ what }) => what === "cancelled")).toHaveLength(1);
});

test("one that waits for a sandbox ends without one", async () => {
  const agent = newAgent({ limits: { passes: 1 } });
  const first = agent.execute(`async () => t.hold({ key: "k" })`);
  await agent.holding("k");
  const second = agent.execute(`async () => t.count({ key: "second" })`);
  await expect.poll(async () => (await agent.executions()).length).toBe(2);
  const running = (await agent.executions()).filter(({ log }) => log.length === 0);
  const [{ id = "" } = {}] = running;
  expect(await agent.cancel(id)).toBe(true);
  expect(failed(await second)).toMatchObject({ executionId: id, code: "cancelled" });
  await agent.release("k", 1);
  expect(completed(await first).result).toBe(1);
  expect(await agent.result(`async () => 2`)).toBe(2);
  expect(await agent.counters()).toEqual({ "t.hold": 1 });
});

test("a cancelled run leaves no isolate behind, also one that only waits for its timers", async () => {
  const agent = newAgent();
  const running = agent.execute(`async () => { await t.hold({ key: "go" }); setInterval(() => {}, 5); await new Promise((resolve) => setTimeout(resolve, 50_000)) }`);
  await agent.holding("go");
  await agent.release("go");
  await expect.poll(async () => (await agent.executions())[0]?.log[0]?.state).toBe("applied");
  await agent.cancel(await newest(agent));
  expect(failed(await running).code).toBe("cancelled");
  // Refused as long as anything of the pass is alive.
  await evictDurableObject(agent.runtime);
});

test("a run that nobody knows is not found", async () => {
  expect(await newAgent().refusal("cancel", "exec_00000000000000000000000000000000")).toMatchObject({ code: "not_found", error: expect.stringContaining("exec_0000") });
});

test("an approved run is cancelled as one that was just begun", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => { await t.gate(1); return t.hold({ key: "k" }) }`);
  const approved = agent.approve(executionId);
  await agent.holding("k");
  expect(await agent.cancel(executionId)).toBe(true);
  expect(failed(await approved)).toMatchObject({ executionId, code: "cancelled" });
  await agent.release("k");
});

test("two cancels at once end it once", async () => {
  const agent = newAgent();
  const running = agent.execute(`async () => t.hold({ key: "k" })`);
  await agent.holding("k");
  const id = await newest(agent);
  expect((await Promise.all([agent.cancel(id), agent.cancel(id)])).toSorted()).toEqual([false, true]);
  expect(failed(await running).code).toBe("cancelled");
  await agent.release("k");
});

test("an effect that was in flight and answered late can be rolled back", async () => {
  const agent = newAgent();
  const running = agent.execute(`async () => { await side.keep(1); await t.hold({ key: "k" }) }`);
  await agent.holding("k");
  const id = await newest(agent);
  await agent.cancel(id);
  await running;
  await agent.release("k", "late");
  await expect.poll(async () => (await agent.entry(id, 1)).state).toBe("applied");
  expect(await agent.rollback(id)).toMatchObject({ status: "rolled_back", report: [{ seq: 1, outcome: "no_revert" }, { seq: 0, outcome: "reverted" }] });
});
