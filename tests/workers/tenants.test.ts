/** Spec §1 and §5: who shares what. One identity and one name is one record; a key is one execution; connectors stay. */

import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { Agent, completed, failed, newAgent, paused } from "./story.ts";

test.each(["bound", "embedded"] as const)("%s: runtimes of different names and of different Agents share nothing", async (placement) => {
  const agent = newAgent({ placement });
  const { executionId } = await agent.paused(`async () => t.gate("mine")`);
  for (const other of [agent.with({ name: "research" }), newAgent({ placement })]) {
    expect(await other.pending()).toEqual([]);
    expect(await other.executions()).toEqual([]);
    expect(failed(await other.approve(executionId)).code).toBe("not_found");
    expect(failed(await other.recover(executionId)).code).toBe("not_found");
    expect(await other.reject(executionId, 0)).toBe(false);
  }
  expect(completed(await agent.approve(executionId)).result).toBe("mine");
});

test("a bound runtime and an embedded one of the same Agent and name share nothing", async () => {
  const agent = newAgent({ placement: "bound" });
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  expect(failed(await agent.with({ placement: "embedded" }).approve(executionId)).code).toBe("not_found");
});

test("another session of the same owner finds the run; another owner does not", async () => {
  const owner = `owner-${crypto.randomUUID()}`;
  const first = newAgent({ id: owner });
  const second = newAgent({ id: owner });
  const stranger = newAgent({ id: `${owner}-other` });
  const { executionId } = await first.paused(`async () => t.gate("shown to both")`);
  expect(await second.pending()).toMatchObject([{ executionId }]);
  expect(failed(await stranger.approve(executionId)).code).toBe("not_found");
  expect(completed(await second.approve(executionId)).result).toBe("shown to both");
  expect(await second.counters()).toEqual({ "t.gate": 1 });
  expect(await first.counters()).toEqual({});
});

test("an execution that is not there is an error with a code", async () => {
  const agent = newAgent();
  const asked = runInDurableObject(agent.stub, (host) => host.runtime().execution("exec_00000000000000000000000000000000"));
  await expect(asked).rejects.toMatchObject({ name: "CodemodeError", code: "not_found" });
});

test("a known key gives that execution's outcome and runs nothing", async () => {
  const agent = newAgent();
  const first = completed(await agent.execute(`async () => { console.log("once"); return t.count({ key: "k" }) }`, "daily"));
  const again = completed(await agent.execute(`async () => { throw new Error("another program") }`, "daily"));
  expect(again).toEqual(first);
  const other = completed(await agent.execute(`async () => t.count({ key: "k" })`, "weekly"));
  expect([first.result, other.result]).toEqual([1, 2]);
  expect(other.executionId).not.toBe(first.executionId);
});

test("a known key of a paused, of a failed and of a running execution tells how it stands", async () => {
  const agent = newAgent();
  const gated = paused(await agent.execute(`async () => t.gate(1)`, "gated"));
  expect(await agent.execute(`async () => t.gate(1)`, "gated")).toEqual(gated);
  const broken = failed(await agent.execute(`async () => { throw new TypeError("x") }`, "broken"));
  expect(await agent.execute(`1`, "broken")).toEqual(broken);
  const running = agent.execute(`async () => t.hold({ key: "k" })`, "running");
  await agent.holding("k");
  expect(failed(await agent.execute(`async () => t.hold({ key: "k" })`, "running")).error).toContain("running");
  await agent.release("k", 1);
  expect(completed(await running).executionId).toBe(completed(await agent.execute(`1`, "running")).executionId);
  expect(await agent.counters()).toMatchObject({ "t.hold": 1 });
});

test("two executes with one key at once are one execution", async () => {
  const agent = newAgent();
  const outputs = await Promise.all([1, 2, 3].map(() => agent.execute(`async () => t.count({ key: "k" })`, "same")));
  expect(new Set(outputs.map(({ executionId }) => executionId)).size).toBe(1);
  expect((await agent.counters())["t.count"]).toBe(1);
});

test("without a key two executes are two executions", async () => {
  const agent = newAgent();
  const code = `async () => codemode.step("s", () => Math.random())`;
  expect(await agent.result(code)).not.toBe(await agent.result(code));
  expect(await agent.executions()).toHaveLength(2);
});

test("a connector that was configured at the start and is not any more is named, and nothing changes", async () => {
  const agent = newAgent();
  const less = agent.with({ without: ["side"] });
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  expect(failed(await less.approve(executionId))).toMatchObject({ code: "missing_connector", error: expect.stringContaining("side") });
  expect(await agent.pending(executionId)).toHaveLength(1);
  expect(completed(await agent.approve(executionId)).result).toBe(1);
  // A run can be ended without them.
  const other = await agent.paused(`async () => t.gate(2)`);
  expect(await less.reject(other.executionId, 0)).toBe(true);
});

test("a connector that cannot be reached costs only its own calls", async () => {
  const agent = newAgent({ twist: { side: { down: true } } });
  expect(await agent.result(`async () => [await t.echo(1), await side.echo(2).catch((error) => error.message)]`)).toEqual([
    1,
    expect.stringMatching(/side.*connection refused/),
  ]);
  expect((await agent.failed(`async () => side.echo(2)`)).code).toBe("missing_connector");
  expect(await agent.with({ twist: {} }).result(`async () => side.echo(2)`)).toBe(2);
});

test("an approved method that is gone is a clear failure of its call", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  const output = failed(await agent.with({ twist: { t: { drop: ["gate"] } } }).approve(executionId));
  expect(output.error).toMatch(/t\.gate does not exist any more/);
  expect(await agent.counters()).toEqual({});
});

test("the oldest finished runs make room; running and paused ones stay", async () => {
  const agent = newAgent({ maxExecutions: 3 });
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  for (let n = 0; n < 6; n++) await agent.result(`async () => ${n}`);
  const kept = await agent.executions();
  expect(kept.length).toBeLessThanOrEqual(5);
  expect(kept.map(({ id }) => id)).toContain(executionId);
  expect(kept[0]?.result).toBe(5);
  expect(completed(await new Agent(agent.name, {}).approve(executionId)).result).toBe(1);
});

test("transformResult shapes what is returned of a completed run, not what is recorded", async () => {
  const agent = newAgent({ transform: "wraps" });
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  expect(completed(await agent.approve(executionId)).result).toEqual({ wrapped: 1 });
  expect(await agent.result(`async () => 2`)).toEqual({ wrapped: 2 });
  expect((await agent.execution(executionId)).result).toBe(1);
  expect(await agent.with({ transform: "throws" }).result(`async () => 3`)).toBe(3);
});
