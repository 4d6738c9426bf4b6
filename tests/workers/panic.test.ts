/**
 * A panic of the Rust core costs the passes in flight and nothing else: what is recorded stands, and the next call finds it.
 * One wasm instance serves every object of the isolate, so a panic in any of them is felt by all.
 */

import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Core, CoreLost } from "../../js-shim/core.ts";
import { completed, failed, newAgent, paused } from "./story.ts";

// The panic is reported with its stack, once per panic; here it is wanted.
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

/** Makes the core panic, in an object that nobody else uses. */
async function panic(): Promise<void> {
  const somewhere = env.CODEMODE.getByName(`panic/${crypto.randomUUID()}`);
  await runInDurableObject(somewhere, (_, state) => {
    const core = new Core(state, {});
    const provoke = (): void => core.use((inner) => Reflect.get(inner, "provokePanic").call(inner));
    expect(provoke).toThrow(CoreLost);
  });
}

test("a paused run is approved after a panic as before it", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => [await t.count({ key: "k" }), await t.gate("x")]`);
  await panic();
  expect(await agent.pending()).toMatchObject([{ executionId }]);
  expect(completed(await agent.approve(executionId)).result).toEqual([1, "x"]);
  expect(await agent.result(`async () => t.count({ key: "k" })`)).toBe(2);
});

test("a pass in flight is told; its run stays running, and its call in doubt", async () => {
  const agent = newAgent();
  const running = agent.execute(`async () => { await t.count({ key: "k" }); return t.hold({ key: "k" }) }`);
  await agent.holding("k");
  await panic();
  expect(failed(await running)).toMatchObject({ code: "interrupted", error: expect.stringContaining("recover") });
  const [{ id = "", status } = {}] = await agent.executions();
  expect(status).toBe("running");
  expect(paused(await agent.recover(id))).toMatchObject({ inDoubt: [{ seq: 1, method: "hold" }] });
  // The answer of the connector comes for a pass that nobody knows any more.
  await agent.release("k", "late");
  expect(await agent.counters()).toMatchObject({ "t.count": 1, "t.hold": 1 });
});

test("a pass in flight whose call may run again is recovered", async () => {
  const agent = newAgent();
  const running = agent.execute(`async () => [await t.count({ key: "k" }), await t.holdPut({ key: "k" })]`);
  await agent.holding("k");
  await panic();
  await agent.release("k", "lost");
  const { error } = failed(await running);
  const [{ id = "" } = {}] = await agent.executions();
  expect(error).toContain(id);
  const [output] = await Promise.all([agent.recover(id), agent.holding("k").then(() => agent.release("k", "second"))]);
  expect(completed(output).result).toEqual([1, "second"]);
  expect(await agent.counters()).toMatchObject({ "t.count": 1, "t.holdPut": 2 });
});

test("many panics in a row, and programs between them", async () => {
  const agent = newAgent();
  for (let n = 0; n < 5; n++) {
    await panic();
    expect(await agent.result(`async () => t.echo(${n})`)).toBe(n);
  }
  expect(await agent.executions()).toHaveLength(5);
});
