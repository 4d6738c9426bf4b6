/** Spec §4.8: how a run ends. */

import { expect, test } from "vitest";

import { completed, newAgent } from "./story.ts";

test("calls that the program did not await are settled and recorded first", async () => {
  const agent = newAgent();
  const output = completed(await agent.execute(`async () => { void t.sleep({ ms: 150, value: "late" }); return "done" }`));
  expect(output).toMatchObject({ result: "done", calls: [{ method: "sleep", state: "applied", result: "late" }] });
});

test("what they set going is settled, too", async () => {
  const agent = newAgent();
  const output = completed(await agent.execute(`async () => { t.sleep({ ms: 20 }).then(() => t.count({ key: "k" })); return "done" }`));
  expect(output.calls?.map(({ method, state }) => [method, state])).toEqual([["sleep", "applied"], ["count", "applied"]]);
});

test("the failure of a call that nobody awaited makes the run an error", async () => {
  const output = await newAgent().failed(`async () => { void t.fail({ message: "the write was refused" }); return "done" }`);
  expect(output).toMatchObject({ code: "exception", error: expect.stringContaining("the write was refused"), calls: [{ state: "error" }] });
});

test.each([
  ["handled before it is heard of", `const call = t.fail({ message: "x" }); call.catch(() => {}); return "done"`],
  ["handled late", `const call = t.fail({ message: "x" }); await t.sleep({ ms: 50 }); return call.catch(() => "done")`],
  ["the loser of a race", `return Promise.race([t.echo("done"), t.sleep({ ms: 30 }).then(() => t.fail({ message: "x" }))])`],
  ["one of allSettled", `await Promise.allSettled([t.fail({ message: "x" })]); return "done"`],
])("a failure that somebody handles does not: %s", async (_name, body) => {
  expect(await newAgent().result(`async () => { ${body} }`)).toBe("done");
});

test("a rejection of the program's own that nobody handles makes the run an error", async () => {
  const output = await newAgent().failed(`async () => { void Promise.reject(new RangeError("forgotten")); await t.echo(1); return "done" }`);
  expect(output).toMatchObject({ code: "exception", error: expect.stringContaining("RangeError: forgotten") });
});

test("an error thrown in a timer's callback makes the run an error", async () => {
  const output = await newAgent().failed(`async () => {
    setTimeout(() => { throw new Error("in a timer") }, 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return "done";
  }`);
  expect(output).toMatchObject({ code: "exception", error: expect.stringContaining("in a timer") });
});

test("a program that waits for what nothing will settle ends at once", async () => {
  const before = Date.now();
  for (const body of [`await new Promise(() => {})`, `await t.echo(1); await new Promise(() => {}); return 1`, `await { then() {} }`]) {
    const output = await newAgent().failed(`async () => { ${body} }`);
    expect(output.code).toBe("stuck");
    expect(output.error.length).toBeGreaterThan(20);
  }
  expect(Date.now() - before).toBeLessThan(20_000);
});

test("a program that has returned is done, whatever timers are open", async () => {
  const agent = newAgent();
  const before = Date.now();
  const output = completed(
    await agent.execute(`async () => {
      setTimeout(() => t.count({ key: "void" }), 0);
      setTimeout(() => t.count({ key: "void" }), 30_000);
      setInterval(() => t.count({ key: "void" }), 1);
      return "done";
    }`),
  );
  expect(output).toMatchObject({ result: "done", calls: [] });
  expect(Date.now() - before).toBeLessThan(15_000);
  expect(await agent.counters()).toEqual({});
});

test("an error waits for the calls in flight as a result does", async () => {
  const output = await newAgent().failed(`async () => { void t.sleep({ ms: 60, value: "late" }); throw new Error("first") }`);
  expect(output).toMatchObject({ code: "exception", error: expect.stringContaining("first"), calls: [{ state: "applied", result: "late" }] });
});

test("an error while a call is pending: the call is decided on first", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => { void t.gate({}); throw new Error("at the end") }`);
  expect(await agent.approve(executionId)).toMatchObject({ status: "error", error: expect.stringContaining("at the end"), calls: [{ state: "applied" }] });
});

test("after the end nothing is sent, whatever the program still does", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    const again = () => Promise.resolve().then(() => t.gate({})).then(again);
    return again();
  }`);
  expect(await agent.pending(executionId)).toHaveLength(1);
  expect(await agent.reject(executionId, 0)).toBe(true);
  expect(await agent.counters()).toEqual({});
});

test("a result that cannot cross is an error with its path, and the calls stand", async () => {
  const agent = newAgent();
  const output = await agent.failed(`async () => ({ files: [t.echo(1)] })`);
  expect(output).toMatchObject({ code: "not_serializable", calls: [{ state: "applied" }] });
  expect(output.error).toMatch(/result\.files\[0\] is a Promise; await it/);
});
