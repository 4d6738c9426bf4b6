/** Spec §5: what a person can decide, on what, and what each decision changes. */

import { expect, test } from "vitest";

import { completed, failed, newAgent } from "./story.ts";

test("only a paused run can be approved; anything else is told how it stands and stays so", async () => {
  const agent = newAgent();
  const done = completed(await agent.execute(`async () => t.echo(1)`)).executionId;
  const broken = (await agent.failed(`async () => { throw new Error("x") }`)).executionId;
  const refused = (await agent.paused(`async () => t.gate(1)`)).executionId;
  await agent.reject(refused, 0);
  for (const [id, status] of [[done, "completed"], [broken, "error"], [refused, "rejected"]] as const) {
    const output = failed(await agent.approve(id));
    expect(output).toMatchObject({ executionId: id, code: "not_paused", error: expect.stringContaining(status) });
    expect((await agent.execution(id)).status).toBe(status);
  }
  expect(failed(await agent.approve("exec_00000000000000000000000000000000")).code).toBe("not_found");
  expect(failed(await agent.approve("")).code).toBe("not_found");
});

test("a run whose pass is under way cannot be approved", async () => {
  const agent = newAgent();
  const running = agent.execute(`async () => Promise.all([t.gate(1), t.hold({ key: "k" })])`);
  await agent.holding("k");
  const [execution] = await agent.executions();
  expect(failed(await agent.approve(execution?.id ?? ""))).toMatchObject({ code: "not_paused", error: expect.stringContaining("running") });
  await agent.release("k", 2);
  expect((await running).status).toBe("paused");
  expect(completed(await agent.approve(execution?.id ?? "")).result).toEqual([1, 2]);
});

test("of two approvals at once one wins, the other is told, and the call runs once", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate("x")`);
  const outputs = await Promise.all([agent.approve(executionId), agent.approve(executionId), agent.approve(executionId, { seq: 0 })]);
  expect(outputs.map(({ status }) => status).sort()).toEqual(["completed", "error", "error"]);
  expect(outputs.filter((output) => output.status === "error")).toMatchObject([{ code: "not_paused" }, { code: "not_paused" }]);
  expect(await agent.counters()).toEqual({ "t.gate": 1 });
});

test("approve and reject at once: one of them counts", async () => {
  for (let round = 0; round < 3; round++) {
    const agent = newAgent();
    const { executionId } = await agent.paused(`async () => t.gate("x")`);
    const [output, ended] = await Promise.all([agent.approve(executionId), agent.reject(executionId, 0)]);
    expect((output.status === "completed") !== ended).toBe(true);
    expect((await agent.counters())["t.gate"] ?? 0).toBe(ended ? 0 : 1);
  }
});

test("approving one call runs that one; the rest stays pending", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => Promise.all([t.gate("a"), t.gate("b"), t.gate("c")])`);
  expect(await agent.approve(executionId, { seq: 1 })).toMatchObject({ status: "paused", pending: [{ seq: 0 }, { seq: 2 }] });
  expect((await agent.ran()).map(({ seq }) => seq)).toEqual([1]);
  expect(failed(await agent.approve(executionId, { seq: 1 }))).toMatchObject({ code: "not_found", error: expect.stringContaining("0 (t.gate)") });
  expect(completed(await agent.approve(executionId)).result).toEqual(["a", "b", "c"]);
  expect((await agent.ran()).map(({ seq }) => seq)).toEqual([1, 0, 2]);
});

test("edited arguments run, and the program's own stay on record", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => { const n = await t.gateTyped({ n: 1 }); await t.gate({ n }); return n }`);
  const second = await agent.approve(executionId, { seq: 0, args: { n: 21 } });
  expect(second).toMatchObject({ status: "paused", pending: [{ seq: 1, args: { n: 42 } }] });
  expect(await agent.entry(executionId, 0)).toMatchObject({ args: { n: 1 }, editedArgs: { n: 21 }, result: 42 });
  expect(completed(await agent.approve(executionId)).result).toBe(42);
  expect((await agent.ran()).map(({ args }) => args)).toEqual(['{"n":21}', '{"n":42}']);
});

test("edited arguments that do not fit are refused, and nothing changes", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gateTyped({ n: 1 })`);
  for (const args of [{ n: "1" }, {}, { n: 1, m: 2 }, [1]]) {
    expect(failed(await agent.approve(executionId, { seq: 0, args })).code).toBe("invalid_input");
  }
  expect(failed(await agent.approve(executionId, { args: { n: 2 } }))).toMatchObject({ code: "invalid_input", error: expect.stringContaining("seq") });
  expect(failed(await agent.approve(executionId, { seq: 5, args: { n: 2 } })).code).toBe("not_found");
  expect(await agent.counters()).toEqual({});
  expect(await agent.pending(executionId)).toMatchObject([{ seq: 0, args: { n: 1 } }]);
  expect(completed(await agent.approve(executionId)).result).toBe(2);
});

test("a rejection ends the run, undoes nothing and runs nothing", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => { await t.count({ key: "k" }); await t.gate({}); await t.count({ key: "k" }) }`);
  expect(await agent.reject(executionId, 1, "too expensive")).toBe(true);
  expect(await agent.execution(executionId)).toMatchObject({ status: "rejected", errorCode: "rejected", error: expect.stringContaining("too expensive") });
  expect(await agent.pending()).toEqual([]);
  expect(await agent.counters()).toEqual({ "t.count": 1, "count/k": 1 });
});

test("a rejection of what is not pending any more says false", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => { await t.echo(1); await t.gate(2); await t.gate(3) }`);
  expect(await agent.reject(executionId, 0)).toBe(false);
  expect(await agent.reject(executionId, 9)).toBe(false);
  await agent.approve(executionId);
  expect(await agent.reject(executionId, 1)).toBe(false);
  expect(await agent.reject(executionId, 2)).toBe(true);
  expect(await agent.reject(executionId, 2)).toBe(false);
  expect(await agent.reject("exec_00000000000000000000000000000000", 0)).toBe(false);
});

test("a rejection that is thrown is heard by the program, which goes on", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    try {
      await t.gate("costly");
    } catch (error) {
      return { message: error.message, code: error.code, instead: await t.echo("cheap") };
    }
  }`);
  const output = completed(await agent.deny(executionId, 0, "take the cheap one"));
  expect(output.result).toMatchObject({ message: expect.stringContaining("take the cheap one"), code: "rejected", instead: "cheap" });
  expect(output.calls).toMatchObject([{ method: "gate", state: "error" }, { method: "echo", state: "applied" }]);
  expect(await agent.counters()).toEqual({ "t.echo": 1 });
});

test("a thrown rejection that nobody catches ends the run with its code, and it replays", async () => {
  const agent = newAgent();
  const one = await agent.paused(`async () => t.gate({})`);
  expect(failed(await agent.deny(one.executionId, 0, "no"))).toMatchObject({ code: "rejected", error: expect.stringContaining("no") });
  const two = await agent.paused(`async () => [await t.gate(1).catch((error) => error.message), await t.gate(2)]`);
  expect(await agent.deny(two.executionId, 0, "not this")).toMatchObject({ status: "paused", pending: [{ seq: 1 }] });
  expect(completed(await agent.approve(two.executionId)).result).toEqual([expect.stringContaining("not this"), 2]);
  expect(failed(await agent.deny(two.executionId, 1)).code).toBe("not_paused");
});

test("a function of the arguments decides whether a call waits, and is not asked about edited ones", async () => {
  const agent = newAgent();
  const { executionId, pending } = await agent.paused(`async () => [await t.ask({ amount: 50 }), await t.ask({ amount: 150 })]`);
  expect(pending).toMatchObject([{ seq: 1, args: { amount: 150 } }]);
  expect(completed(await agent.approve(executionId, { seq: 1, args: { amount: 1000 } })).result).toEqual([{ amount: 50 }, { amount: 1000 }]);
});

test("a function that cannot say so fails the call, which does not run", async () => {
  const agent = newAgent();
  const output = await agent.failed(`async () => t.askBroken({})`);
  expect(output).toMatchObject({ code: "exception", error: expect.stringContaining("the policy is away") });
  expect(await agent.counters()).toEqual({});
});

test("unless-read-only asks for everything that is not declared readOnly", async () => {
  const agent = newAgent({ approval: "unless-read-only" });
  const { pending } = await agent.paused(`async () => Promise.all([t.read({}), t.echo(1), t.put({ value: 2 }), t.reexec({}), t.ask({ amount: 1 })])`);
  expect(pending.map(({ method }) => method)).toEqual(["echo", "put", "reexec", "ask"]);
  expect(await agent.counters()).toMatchObject({ "t.read": 1 });
  expect(await agent.counters()).not.toHaveProperty("t.echo");
});

test("pending tells the calls of one run or of all; executions come newest first", async () => {
  const agent = newAgent();
  const one = await agent.paused(`async () => t.gate({ n: 1 })`);
  const two = await agent.paused(`async () => Promise.all([t.gate({ n: 2 }), t.gateTyped({ n: 3 })])`);
  expect(await agent.pending(one.executionId)).toEqual(one.pending);
  expect((await agent.pending()).map(({ executionId, seq }) => `${executionId}/${seq}`).sort()).toEqual(
    [`${one.executionId}/0`, `${two.executionId}/0`, `${two.executionId}/1`].sort(),
  );
  expect((await agent.executions()).map(({ id }) => id)).toEqual([two.executionId, one.executionId]);
  expect(await agent.executions(1)).toMatchObject([{ id: two.executionId, status: "paused", connectors: ["t", "side"] }]);
});
