/** Spec §5: every configured connector hears that a pass ended and that a run is over, whatever became of either. */

import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import { completed, newAgent } from "./story.ts";

/** Of each connector the same. */
function both(...told: string[]): string[] {
  return told.flatMap((one) => [`t ${one}`, `side ${one}`]);
}

describe.each(["bound", "embedded"] as const)("%s", (placement) => {
  test("the end of each pass, and then the end of the run, in that order and before the reply", async () => {
    const agent = newAgent({ placement });
    const { executionId } = await agent.paused(`async () => t.gate(1)`);
    expect(await agent.told()).toEqual(both("pass_end paused"));
    completed(await agent.approve(executionId));
    expect(await agent.told()).toEqual(both("pass_end paused", "pass_end completed", "dispose completed"));
    expect(new Set((await agent.heard()).map((one) => one.executionId))).toEqual(new Set([executionId]));
  });

  test("what could not be told when the host died is told at the next contact", async () => {
    const agent = newAgent({ placement });
    const lost = agent.execute(`async () => t.hold({ key: "k" })`).catch(() => undefined);
    await agent.holding("k");
    await abortAllDurableObjects();
    await lost;
    const [{ id = "" } = {}] = await agent.executions();
    await agent.expirePaused(0);
    expect(await agent.told()).toEqual([]);
    await agent.result(`async () => 1`);
    const told = (await agent.heard()).filter(({ executionId }) => executionId === id);
    expect(told.map(({ connector, what, detail }) => `${connector} ${what} ${detail}`)).toEqual(both("pass_end error", "dispose error"));
  });
});

test.each([
  ["an error", `async () => { throw new Error("x") }`, both("pass_end error", "dispose error")],
  ["a completed run", `async () => 1`, both("pass_end completed", "dispose completed")],
])("%s is told", async (_what, code, told) => {
  const agent = newAgent();
  await agent.execute(code);
  expect(await agent.told()).toEqual(told);
});

test("a rejected run is disposed of", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  await agent.reject(executionId, 0);
  expect((await agent.told()).slice(2)).toContain("t dispose rejected");
});

test("a cancelled run is disposed of", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  await agent.cancel(executionId);
  expect((await agent.told()).slice(2)).toContain("side dispose error");
});

test("a run that is rolled back is disposed of", async () => {
  const agent = newAgent();
  const { executionId } = completed(await agent.execute(`async () => side.keep(1)`));
  await agent.rollback(executionId);
  expect((await agent.told()).slice(4)).toContain("t dispose rolled_back");
});

test("a hook that throws changes nothing, and the others are told", async () => {
  const agent = newAgent({ twist: { t: { hooks: "throw" } } });
  expect(await agent.result(`async () => t.echo(1)`)).toBe(1);
  expect(await agent.told()).toEqual(both("pass_end completed", "dispose completed"));
});

test("a hook that never returns delays the reply by five seconds at most, and the run is told of again", async () => {
  const agent = newAgent({ twist: { t: { hooks: "hang" } } });
  const started = Date.now();
  expect(await agent.result(`async () => t.echo(1)`)).toBe(1);
  expect(Date.now() - started).toBeLessThan(9000);
  await agent.with({ twist: {} }).result(`async () => t.echo(2)`);
  expect((await agent.told()).filter((one) => one === "t dispose completed")).toHaveLength(2);
}, 30_000);

test("a connector that cannot be reached hears of the end all the same", async () => {
  const agent = newAgent({ twist: { side: { down: true } } });
  await agent.result(`async () => t.echo(1)`);
  expect(await agent.told()).toEqual(both("pass_end completed", "dispose completed"));
});

test("runs at once are each told once", async () => {
  const agent = newAgent();
  const runs = await Promise.all(Array.from({ length: 6 }, (_, n) => agent.execute(`async () => t.echo(${n})`)));
  const told = (await agent.heard()).map(({ connector, what, executionId }) => `${connector} ${what} ${executionId}`);
  expect(told.toSorted()).toEqual(
    runs.flatMap(({ executionId }) => ["pass_end", "dispose"].flatMap((what) => [`side ${what} ${executionId}`, `t ${what} ${executionId}`])).toSorted(),
  );
});

test("a hook may make a contact of its own, and is not told again from inside it", async () => {
  const agent = newAgent({ twist: { side: { hooks: "ask" } } });
  expect(await agent.result(`async () => 1`)).toBe(1);
  expect(await agent.told()).toEqual(both("pass_end completed", "dispose completed"));
});
