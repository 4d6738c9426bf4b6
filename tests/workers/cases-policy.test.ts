/** Inputs that broke other runtimes, in their smallest form: who may decide, and what a model gets to see. The ids are those of `tests/fixtures/cases.json`. */

import { expect, test } from "vitest";

import { completed, failed, newAgent } from "./story.ts";

test("a program has no way to approve its own action, and the model's tool takes a program and nothing else (A06)", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate({})`);
  const { result } = completed(await agent.execute(`async () => {
    const names = Object.getOwnPropertyNames(globalThis).filter((name) => /approve|resolve|runtime|bridge/i.test(name));
    const tried = [];
    for (const name of ["approve", "reject", "resolve", "recover"]) tried.push(await Promise.resolve().then(() => codemode[name]({ executionId: "${executionId}" })).then(() => "worked", () => "refused"));
    return [names, tried];
  }`));
  expect(result).toEqual([[], ["refused", "refused", "refused", "refused"]]);
  const input = { code: `async () => 1`, executionId, seq: 0, approve: true };
  expect(completed(await agent.useTool(input)).result).toBe(1);
  expect(await agent.pending()).toMatchObject([{ executionId }]);
  expect(await agent.counters()).toEqual({});
});

test("a call from code meets the same policy as any other: its function is asked with the real arguments, its schema is checked (A07, A10)", async () => {
  const agent = newAgent();
  expect(await agent.result(`async () => [await t.echo(1), await t.ask({ amount: 1 })]`)).toEqual([1, { amount: 1 }]);
  const { pending } = await agent.paused(`async () => t.ask({ amount: 101 })`);
  expect(pending).toMatchObject([{ method: "ask", args: { amount: 101 } }]);
  expect(failed(await agent.execute(`async () => t.typed({ id: "one" })`)).code).toBe("invalid_input");
  expect(failed(await agent.execute(`async () => t.askBroken({})`)).error).toContain("the policy is away");
  expect(await agent.counters()).toEqual({ "t.echo": 1, "t.ask": 1 });
});

test("where everything asks that is not declared read-only, a method that says nothing of itself waits (A08)", async () => {
  const agent = newAgent({ approval: "unless-read-only" });
  const { pending } = await agent.paused(`async () => [await t.read({}), await t.echo("says nothing of itself")]`);
  expect(pending).toMatchObject([{ seq: 1, method: "echo" }]);
  expect(await agent.counters()).toEqual({ "t.read": 1, reads: 1 });
});

test("a run that expires while it is being approved has one outcome (A17)", async () => {
  for (let round = 0; round < 5; round++) {
    const agent = newAgent();
    const { executionId } = await agent.paused(`async () => t.gate({})`);
    const [output, expired] = await Promise.all([agent.approve(executionId), agent.expirePaused(0)]);
    const { status } = await agent.execution(executionId);
    const ran = (await agent.counters())["t.gate"] ?? 0;
    const approved = { output: "completed", expired: [], status: "completed", ran: 1 };
    const late = { output: "error", expired: [executionId], status: "rejected", ran: 0 };
    // Approved, and ended before its pass had a sandbox.
    const begun = { ...late, status: "error" };
    expect([approved, late, begun]).toContainEqual({ output: output.status, expired, status, ran });
    if (status !== "completed") expect(failed(await agent.approve(executionId)).code).toBe("not_paused");
  }
});

test("what the model sees stays as small as the result, however many calls there were and however much they returned (K02)", async () => {
  const agent = newAgent();
  const seen = async (calls: number): Promise<number> => {
    const output = completed(await agent.execute(`async () => { let sum = 0; for (let n = 0; n < ${calls}; n++) sum += (await t.echo("x".repeat(2048))).length; return sum }`));
    expect(output.calls).toHaveLength(calls);
    const model = JSON.stringify(await agent.toModel(output));
    expect(model).toContain(String(calls * 2048));
    expect(model).not.toContain("xxx");
    return model.length;
  };
  const [few, many] = [await seen(1), await seen(61)];
  expect(many - few).toBeLessThan(20);
  expect(many).toBeLessThan(300);
});
