/**
 * Spec §4.6: what a replay compares. A program has no chance that is not recorded; what makes these differ is a method that
 * is run again by the replay and answers otherwise (`t.reexec`: 1, then 2).
 */

import { expect, test } from "vitest";

import type { CodemodeOutput } from "../../js-shim/client/index.ts";
import { completed, failed, newAgent } from "./story.ts";

/** Runs a program to its pause and approves. `n` is 1 in the first pass and 2 in the second. */
async function secondPass(body: string): Promise<{ output: CodemodeOutput; gates: number; executionId: string; status: string }> {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => { const n = await t.reexec({}); ${body} }`);
  const output = await agent.approve(executionId);
  const { status } = await agent.execution(executionId);
  return { output, executionId, status, gates: (await agent.counters())["t.gate"] ?? 0 };
}

test("other arguments: the error names the call, what was recorded and what came", async () => {
  const { output, gates, status } = await secondPass(`await t.echo({ n }); return t.gate({})`);
  expect(failed(output).code).toBe("diverged");
  expect(failed(output).error).toContain("call 1");
  expect(failed(output).error).toContain('t.echo({"n":1})');
  expect(failed(output).error).toContain('t.echo({"n":2})');
  expect([gates, status]).toEqual([0, "error"]);
});

test("an approved call with other arguments than were shown never runs", async () => {
  const { output, gates } = await secondPass(`return t.gate({ amount: n })`);
  expect(failed(output)).toMatchObject({ code: "diverged", error: expect.stringContaining('t.gate({"amount":1})') });
  expect(gates).toBe(0);
});

test("another method, another connector and a step of another name are differences", async () => {
  const other = [
    `n === 1 ? await t.echo({}) : await t.put({});`,
    `n === 1 ? await t.echo({}) : await side.echo({});`,
    `await codemode.step("step " + n, () => 1);`,
  ];
  for (const statement of other) {
    const { output, gates } = await secondPass(`${statement} return t.gate({})`);
    expect([failed(output).code, gates]).toEqual(["diverged", 0]);
  }
});

test("a recorded call that is not made any more is a difference", async () => {
  const { output, gates } = await secondPass(`if (n === 1) await t.gate({}); return "ended early"`);
  expect(failed(output)).toMatchObject({ code: "diverged", error: expect.stringContaining("call 1") });
  expect(gates).toBe(0);
});

test("a recorded timer that is not set any more is a difference", async () => {
  const { output, gates } = await secondPass(`if (n === 1) await new Promise((resolve) => setTimeout(resolve, 5)); return t.gate({})`);
  expect(failed(output)).toMatchObject({ code: "diverged", error: expect.stringContaining("timer") });
  expect(gates).toBe(0);
});

test("a search that is another one is a difference", async () => {
  const { output } = await secondPass(`await codemode.search("echo " + n); return t.gate({})`);
  expect(failed(output)).toMatchObject({ code: "diverged", error: expect.stringContaining("lookup 0") });
});

test("the order of an object's keys makes no difference", async () => {
  const { output } = await secondPass(`return t.gate(n === 1 ? { a: 1, b: { c: 2, d: 3 } } : { b: { d: 3, c: 2 }, a: 1 })`);
  expect(completed(output).result).toEqual({ a: 1, b: { c: 2, d: 3 } });
});

test("the order of an array and the order of a Map's entries make one", async () => {
  for (const [first, second] of [["[1, 2]", "[2, 1]"], ["new Map([[1, 1], [2, 2]])", "new Map([[2, 2], [1, 1]])"]]) {
    const { output } = await secondPass(`return t.gate(n === 1 ? ${first} : ${second})`);
    expect(failed(output).code).toBe("diverged");
  }
});

test("a program cannot catch it", async () => {
  const { output, gates, status } = await secondPass(`
    try { await t.echo({ n }); } catch { return "caught" } finally { t.count({ key: "finally" }) }
    return t.gate({}).catch(() => "caught");`);
  expect(failed(output).code).toBe("diverged");
  expect([gates, status]).toEqual([0, "error"]);
});

test("a run that diverged stays so", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate({ n: await t.reexec({}) })`);
  expect(failed(await agent.approve(executionId)).code).toBe("diverged");
  expect(failed(await agent.approve(executionId))).toMatchObject({ code: "not_paused", error: expect.stringContaining("error") });
  expect(failed(await agent.recover(executionId)).code).toBe("not_paused");
  expect(await agent.execution(executionId)).toMatchObject({ status: "error", errorCode: "diverged" });
});

test("long arguments are shown around where they part", async () => {
  const { output } = await secondPass(`return t.gate("x".repeat(5000) + n + "y".repeat(5000))`);
  expect(failed(output).error.length).toBeLessThan(2000);
  expect(failed(output).error).toMatch(/differ from character 500\d on/);
});
