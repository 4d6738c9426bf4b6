/** Spec §4.2 and §4.5: an intent is recorded before anyone acts, outcomes are recorded, and a replay asks no one for them. */

import { expect, test } from "vitest";

import { completed, newAgent } from "./story.ts";

test("while a connector acts, the intent of its call is on record", async () => {
  const entry = await newAgent().result(`async () => t.witness({ n: 1 })`);
  expect(entry).toMatchObject({ seq: 0, connector: "t", method: "witness", args: { n: 1 }, state: "executing", attempt: 1 });
  expect(entry).not.toHaveProperty("result");
});

test("while one call acts, the outcomes before it are on record", async () => {
  const agent = newAgent();
  const running = agent.execute(`async () => { await t.echo("before"); return t.hold({ key: "k" }) }`);
  await agent.holding("k");
  const [execution] = await agent.executions();
  expect(execution?.status).toBe("running");
  expect(execution?.log).toMatchObject([
    { seq: 0, method: "echo", state: "applied", result: "before" },
    { seq: 1, method: "hold", state: "executing" },
  ]);
  await agent.release("k", "after");
  expect(completed(await running).result).toBe("after");
});

test("a call that failed is on record as its failure, and a replay fails it the same way and runs nothing", async () => {
  const agent = newAgent();
  const { executionId, calls } = await agent.paused(`async () => {
    try {
      await t.fail({ message: "no such repository", data: { status: 404 } });
    } catch (error) {
      return t.gate({ name: error.name, message: error.message, status: error.data.status, isError: error instanceof Error });
    }
  }`);
  expect(calls).toMatchObject([{ seq: 0, state: "error", error: "no such repository" }, { seq: 1, state: "pending" }]);
  const output = completed(await agent.approve(executionId));
  expect(output.result).toEqual({ name: "Error", message: "no such repository", status: 404, isError: true });
  expect(await agent.counters()).toMatchObject({ "t.fail": 1, "t.gate": 1 });
});

test("an approved call that fails is recorded as its failure and not run again", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    const text = await t.gateFail({}).catch((error) => error.message);
    return t.gate({ text });
  }`);
  const second = await agent.approve(executionId);
  expect(second).toMatchObject({ status: "paused", pending: [{ seq: 1, args: { text: "approved, and failed" } }] });
  expect(completed(await agent.approve(executionId)).result).toEqual({ text: "approved, and failed" });
  expect(await agent.counters()).toMatchObject({ "t.gateFail": 1 });
});

test("a replay of a hundred calls runs none of them", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    let sum = 0;
    for (let n = 0; n < 50; n++) sum += await t.count({ key: "one" });
    for (const n of await Promise.all(Array.from({ length: 50 }, () => t.count({ key: "two" })))) sum += n;
    return t.gate({ sum });
  }`);
  expect(completed(await agent.approve(executionId)).result).toEqual({ sum: 2550 });
  expect(await agent.counters()).toMatchObject({ "t.count": 100, "t.gate": 1 });
});

test("a record of several megabytes is replayed whole", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    const texts = await Promise.all(Array.from({ length: 400 }, (_, n) => t.echo(String.fromCharCode(0x4e00 + n).repeat(10_000))));
    const fits = texts.every((text, n) => text.length === 10_000 && text.charCodeAt(9_999) === 0x4e00 + n);
    return t.gate({ fits, number: texts.length });
  }`);
  expect(completed(await agent.approve(executionId)).result).toEqual({ fits: true, number: 400 });
  expect(await agent.counters()).toMatchObject({ "t.echo": 400 });
});

test("a method with replay: reexecute is the one that is run again, and its result is not kept", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    const large = await t.reexec({});
    const approved = await t.gate({});
    return { large, approved };
  }`);
  const output = completed(await agent.approve(executionId));
  expect(output.result).toEqual({ large: 2, approved: {} });
  expect(output.calls?.[0]).toMatchObject({ method: "reexec", ephemeral: true, state: "applied" });
  expect(output.calls?.[0]).not.toHaveProperty("result");
  expect(await agent.counters()).toMatchObject({ "t.reexec": 2, "t.gate": 1 });
});

test("arguments are taken at the moment of the call", async () => {
  const agent = newAgent();
  const result = await agent.result(`async () => {
    const list = [1];
    const first = t.echo(list);
    list.push(2);
    return [await first, await t.echo(list)];
  }`);
  expect(result).toEqual([[1], [1, 2]]);
});

test("each call tells the connector which one it is", async () => {
  const agent = newAgent();
  const { executionId, result } = completed(await agent.execute(`async () => [await t.context({}), await t.context({})]`));
  const [first, second] = result as [Record<string, unknown>, Record<string, unknown>];
  expect(first).toMatchObject({ executionId, seq: 0, attempt: 1, idempotencyKey: expect.stringContaining(executionId) });
  expect(second).toMatchObject({ executionId, seq: 1, attempt: 1 });
  expect(second["idempotencyKey"]).not.toBe(first["idempotencyKey"]);
});

test("the log tells arguments, results and times of every call", async () => {
  const before = Date.now();
  const { calls } = completed(await newAgent().execute(`async () => { await t.echo({ a: 1 }); await t.typed({ id: 7 }) }`));
  expect(calls).toMatchObject([
    { seq: 0, connector: "t", method: "echo", args: { a: 1 }, result: { a: 1 }, requiresApproval: false, state: "applied" },
    { seq: 1, connector: "t", method: "typed", args: { id: 7 }, result: "7:", requiresApproval: false, state: "applied" },
  ]);
  for (const { startedAt = 0, endedAt = 0 } of calls ?? []) {
    expect(startedAt).toBeGreaterThanOrEqual(before);
    expect(endedAt).toBeGreaterThanOrEqual(startedAt);
  }
});
