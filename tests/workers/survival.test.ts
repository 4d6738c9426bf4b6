/**
 * Spec §5: nothing of a run is in memory. Objects are evicted and aborted between and within calls; counters in the Agent's
 * own storage show that nothing ran twice, and nothing unknown is taken for failed.
 */

import { abortAllDurableObjects, evictAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import { type Agent, completed, failed, newAgent, paused } from "./story.ts";

/** Runs until `t.<method>` is open, then tears everything down. Gives the run's id. */
async function cutOff(agent: Agent, method: string, before = ""): Promise<string> {
  const lost = agent.execute(`async () => { ${before} return t.${method}({ key: "k" }) }`).catch(() => undefined);
  await agent.holding("k");
  await abortAllDurableObjects();
  await lost;
  const [execution] = await agent.executions();
  expect(execution?.status).toBe("running");
  return execution?.id ?? "";
}

/** Recovers a run whose call holds `k` again, and answers it. */
async function recovered(agent: Agent, id: string, value: unknown): Promise<unknown> {
  const output = agent.recover(id).then(completed);
  // A refusal is told at once instead of waiting for a call that never comes.
  await Promise.race([agent.holding("k"), output]);
  await agent.release("k", value);
  return (await output).result;
}

describe.each(["bound", "embedded"] as const)("%s", (placement) => {
  test.each([
    ["eviction", evictAllDurableObjects],
    ["abort", abortAllDurableObjects],
  ])("a paused run outlives an %s of all objects", async (_name, tearDown) => {
    const agent = newAgent({ placement });
    const { executionId } = await agent.paused(`async () => {
      const before = [await t.count({ key: "k" }), Math.random()];
      const first = await t.gate({ before });
      const after = await t.count({ key: "k" });
      return [first.before, before, await t.gate({ after })];
    }`);
    await tearDown();
    expect(await agent.pending()).toMatchObject([{ executionId, seq: 1 }]);
    expect(paused(await agent.approve(executionId)).pending).toMatchObject([{ seq: 3, args: { after: 2 } }]);
    await tearDown();
    const [approved, before, last] = completed(await agent.approve(executionId)).result as unknown[];
    expect(approved).toEqual(before);
    expect(last).toEqual({ after: 2 });
    expect(await agent.counters()).toMatchObject({ "t.count": 2, "t.gate": 2 });
  });

  test("a completed run outlives an eviction, whole", async () => {
    const agent = newAgent({ placement });
    const { executionId } = completed(await agent.execute(`async () => { console.log("said"); return t.echo({ at: new Date(5) }) }`));
    await evictAllDurableObjects();
    expect(await agent.execution(executionId)).toMatchObject({ status: "completed", result: { at: new Date(5) }, logs: ["said"], log: [{ state: "applied" }] });
  });

  test("a run that was cut off in the middle of an effect is in doubt, and goes nowhere by itself", async () => {
    const agent = newAgent({ placement });
    const id = await cutOff(agent, "hold", `await t.count({ key: "once" });`);
    expect(failed(await agent.approve(id))).toMatchObject({ code: "not_paused", error: expect.stringContaining("running") });
    const output = paused(await agent.recover(id));
    expect(output).toMatchObject({ pending: [], inDoubt: [{ seq: 1, connector: "t", method: "hold", args: { key: "k" } }] });
    expect(output.calls?.map(({ state }) => state)).toEqual(["applied", "in_doubt"]);
    expect(failed(await agent.approve(id))).toMatchObject({ code: "interrupted", error: expect.stringContaining("1 (t.hold)") });
    expect(await agent.counters()).toMatchObject({ "t.hold": 1, "t.count": 1 });
  });

  test.each(["holdPut", "holdRead"])("a run that was cut off in the middle of %s, which may run again, is recovered", async (method) => {
    const agent = newAgent({ placement });
    // Before a read nothing is committed: the intent of `put` is what makes the outcome of `count` durable.
    const id = await cutOff(agent, method, `await t.count({ key: "once" }); await t.put({ value: 1 });`);
    expect(await recovered(agent, id, "second attempt")).toBe("second attempt");
    const attempts = (await agent.ran()).filter(({ path }) => path === `t.${method}`);
    expect(attempts).toHaveLength(2);
    // Of a read the intent need not be on record, so its second attempt may not know of the first.
    if (method === "holdPut") expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(attempts[0]?.idempotencyKey).toBe(attempts[1]?.idempotencyKey);
    expect(await agent.counters()).toMatchObject({ "t.count": 1 });
  });

  test("an approved effect that was cut off is in doubt, and is not run again", async () => {
    const agent = newAgent({ placement, approval: "unless-read-only" });
    const { executionId } = await agent.paused(`async () => t.hold({ key: "k" })`);
    const lost = agent.approve(executionId).catch(() => undefined);
    await agent.holding("k");
    await abortAllDurableObjects();
    await lost;
    expect(paused(await agent.recover(executionId))).toMatchObject({ inDoubt: [{ seq: 0 }], pending: [] });
    expect(await agent.counters()).toEqual({ "t.hold": 1 });
  });
});

test("a host that dies alone leaves the run running: unknown is not failed", async () => {
  const agent = newAgent();
  const lost = agent.execute(`async () => { try { return await t.hold({ key: "k" }) } catch { return t.count({ key: "caught" }) } }`).catch(() => undefined);
  await agent.holding("k");
  const [{ id = "" } = {}] = await agent.executions();
  await runInDurableObject(agent.stub, (_, state) => state.abort("the host died")).catch(() => undefined);
  await lost;
  await expect.poll(async () => (await agent.recover(id)).status).toBe("paused");
  expect(await agent.execution(id)).toMatchObject({ status: "paused", log: [{ seq: 0, state: "in_doubt" }] });
  expect(await agent.counters()).toEqual({ "t.hold": 1 });
});

test("only a running run is recovered, and not one whose pass is under way", async () => {
  const agent = newAgent();
  const done = completed(await agent.execute(`async () => 1`)).executionId;
  const waiting = (await agent.paused(`async () => t.gate(1)`)).executionId;
  expect(failed(await agent.recover(done))).toMatchObject({ code: "not_paused", error: expect.stringContaining("completed") });
  expect(failed(await agent.recover(waiting))).toMatchObject({ code: "not_paused", error: expect.stringContaining("paused") });
  expect(failed(await agent.recover("exec_00000000000000000000000000000000")).code).toBe("not_found");
  const running = agent.execute(`async () => t.hold({ key: "k" })`);
  await agent.holding("k");
  const [execution] = await agent.executions(1);
  expect(failed(await agent.recover(execution?.id ?? "")).error).toContain("running");
  await agent.release("k", "unharmed");
  expect(completed(await running).result).toBe("unharmed");
});
