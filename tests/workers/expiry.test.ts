/** Spec §5: what nobody decided in time ends. A runtime of its own wakes up for it; an embedded one looks at each contact. */

import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";

import type { Core } from "../../js-shim/core.ts";
import { Expiry } from "../../js-shim/expiry.ts";
import { type Agent, completed, failed, newAgent } from "./story.ts";

const HOUR = 60 * 60 * 1000;
const now = Date.now.bind(Date);

afterEach(() => void vi.restoreAllMocks());

/** The clock that everything in this isolate reads goes by that much further. */
function later(ms: number): void {
  vi.spyOn(Date, "now").mockImplementation(() => now() + ms);
}

/** The alarm of an object; of a facet it is its parent's to have one. */
function alarmOf(stub: DurableObjectStub): Promise<number | null> {
  return runInDurableObject(stub, (_, state) => state.storage.getAlarm());
}

/** A run that is still running as far as is recorded, though nobody runs it. */
async function died(agent: Agent): Promise<string> {
  const lost = agent.execute(`async () => t.hold({ key: "k" })`).catch(() => undefined);
  await agent.holding("k");
  await abortAllDurableObjects();
  await lost;
  return (await agent.executions(1))[0]?.id ?? "";
}

describe.each(["bound", "embedded"] as const)("%s", (placement) => {
  test("a paused run older than asked is rejected, a running one without a pass is an error, others are left", async () => {
    const agent = newAgent({ placement });
    const dead = await died(agent);
    const { executionId: waiting } = await agent.paused(`async () => t.gate(1)`);
    const { executionId: done } = completed(await agent.execute(`async () => 1`));
    expect(await agent.expirePaused()).toEqual([]);
    expect(await agent.expirePaused(HOUR)).toEqual([]);
    later(2 * HOUR);
    const { executionId: young } = await agent.paused(`async () => t.gate(2)`);
    expect((await agent.expirePaused(HOUR)).toSorted()).toEqual([dead, waiting].toSorted());
    expect(await agent.execution(waiting)).toMatchObject({ status: "rejected", error: expect.stringMatching(/expired|nobody/) });
    expect(await agent.execution(dead)).toMatchObject({ status: "error", errorCode: "expired" });
    expect(await agent.execution(done)).toMatchObject({ status: "completed" });
    expect(await agent.pending()).toMatchObject([{ executionId: young }]);
    expect(failed(await agent.approve(waiting))).toMatchObject({ code: "not_paused" });
  });

  test("what is a day old ends at the next contact, whatever that is about", async () => {
    const agent = newAgent({ placement });
    const { executionId } = await agent.paused(`async () => t.gate(1)`);
    later(23 * HOUR);
    await agent.result(`async () => 1`);
    expect(await agent.pending()).toHaveLength(1);
    later(25 * HOUR);
    await agent.result(`async () => 1`);
    expect(await agent.execution(executionId)).toMatchObject({ status: "rejected" });
    expect((await agent.heard()).filter((one) => one.executionId === executionId).map(({ what }) => what)).toContain("dispose");
  });

  test("one that is a day old cannot be approved any more", async () => {
    const agent = newAgent({ placement });
    const { executionId } = await agent.paused(`async () => t.gate(1)`);
    later(25 * HOUR);
    expect(failed(await agent.approve(executionId))).toMatchObject({ code: "not_paused" });
    expect(await agent.counters()).toEqual({});
  });

  test("a run whose pass is under way does not expire", async () => {
    const agent = newAgent({ placement });
    const running = agent.execute(`async () => t.hold({ key: "k" })`);
    await agent.holding("k");
    expect(await agent.expirePaused(0)).toEqual([]);
    await agent.release("k", "done");
    expect(completed(await running).result).toBe("done");
  });
});

test("a bound runtime sets an alarm for the first run that will be overdue, and the alarm ends it", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  const { createdAt } = await agent.execution(executionId);
  expect(await alarmOf(agent.runtime)).toBe(createdAt + 24 * HOUR);
  later(HOUR);
  const second = await agent.paused(`async () => t.gate(2)`);
  expect(await alarmOf(agent.runtime)).toBe(createdAt + 24 * HOUR);
  later(24 * HOUR + 1);
  expect(await runDurableObjectAlarm(agent.runtime)).toBe(true);
  expect(await agent.execution(executionId)).toMatchObject({ status: "rejected" });
  const left = await agent.execution(second.executionId);
  expect([left.status, await alarmOf(agent.runtime)]).toEqual(["paused", left.updatedAt + 24 * HOUR]);
});

test("an alarm that comes too early ends nothing and is set again", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  expect(await runDurableObjectAlarm(agent.runtime)).toBe(true);
  const { status, updatedAt } = await agent.execution(executionId);
  expect([status, await alarmOf(agent.runtime)]).toEqual(["paused", updatedAt + 24 * HOUR]);
});

test("a run whose machine died in its first pass is ended by the alarm, though nobody asks for it again", async () => {
  const agent = newAgent();
  const executionId = await died(agent);
  const { status, createdAt } = await agent.execution(executionId);
  expect([status, await alarmOf(agent.runtime)]).toEqual(["running", createdAt + 24 * HOUR]);
  later(25 * HOUR);
  expect(await runDurableObjectAlarm(agent.runtime)).toBe(true);
  expect(await agent.execution(executionId)).toMatchObject({ status: "error", errorCode: "expired" });
});

test("an alarm that finds no live run is not set again; one that begins later gets its own", async () => {
  const agent = newAgent();
  await agent.result(`async () => 1`);
  expect(await runDurableObjectAlarm(agent.runtime)).toBe(true);
  expect(await alarmOf(agent.runtime)).toBe(null);
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  const { createdAt } = await agent.execution(executionId);
  expect(await alarmOf(agent.runtime)).toBe(createdAt + 24 * HOUR);
});

test("a runtime that began nothing sets no alarm", async () => {
  const agent = newAgent();
  expect(failed(await agent.execute(`import "x"`))).toMatchObject({ code: "invalid_input" });
  expect(await alarmOf(agent.runtime)).toBe(null);
});

test("an embedded runtime sets none, and its Agent's own alarm is left alone", async () => {
  const errors = vi.spyOn(console, "error");
  const agent = newAgent({ placement: "embedded" });
  const own = Date.now() + 1000 * HOUR;
  await runInDurableObject(agent.stub, (_, state) => state.storage.setAlarm(own));
  await agent.paused(`async () => t.gate(1)`);
  expect(await alarmOf(agent.stub)).toBe(own);
  expect(errors).not.toHaveBeenCalled();
});

test.each([
  ["an object of the class sets an alarm", (agent: Agent): DurableObjectStub => agent.runtime, true],
  ["one with the id of an Agent, as a facet has it, does not", (agent: Agent): DurableObjectStub => agent.stub, false],
])("%s", async (_what, stubOf, sets) => {
  const next = Date.now() + HOUR;
  const core = { use: (act: (core: object) => unknown) => act({ nextExpiry: () => next }) } as unknown as Core;
  await runInDurableObject(stubOf(newAgent()), async (_, state) => {
    await new Expiry(core, state, env.CODEMODE).schedule();
    expect(await state.storage.getAlarm()).toBe(sets ? next : null);
    await state.storage.deleteAlarm();
    await new Expiry(core, state, undefined).schedule();
    expect(await state.storage.getAlarm()).toBe(null);
  });
});
