/** Spec §1: the class and its behaviour are the same when it is an object of its own and when it is a facet of the Agent. */

import { env } from "cloudflare:workers";
import { listDurableObjectIds } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import { completed, failed, newAgent } from "./story.ts";

describe.each(["bound", "embedded"] as const)("%s", (placement) => {
  test("a program calls, catches, prints and returns", async () => {
    const output = completed(
      await newAgent({ placement }).execute(`async () => {
        console.log("starting", { n: 1 });
        const echoed = await t.echo({ at: new Date(0), big: 2n ** 70n, map: new Map([[1, 2]]) });
        const text = await t.fail({ message: "no" }).catch((error) => error.message);
        return { ...echoed, text };
      }`),
    );
    expect(output.result).toEqual({ at: new Date(0), big: 2n ** 70n, map: new Map([[1, 2]]), text: "no" });
    expect(output.logs).toEqual(["starting { n: 1 }"]);
    expect(output.calls?.map(({ state }) => state)).toEqual(["applied", "error"]);
  });

  test("it pauses, is approved in part, denied in part, and completes", async () => {
    const agent = newAgent({ placement });
    const { executionId } = await agent.paused(`async () => {
      const settled = await Promise.allSettled([t.gate("a"), t.gate("b"), t.sleep({ ms: 20, value: "c" })]);
      return settled.map(({ status, value }) => value ?? status);
    }`);
    await agent.approve(executionId, { seq: 1 });
    expect(completed(await agent.deny(executionId, 0, "no")).result).toEqual(["rejected", "b", "c"]);
    expect(await agent.counters()).toMatchObject({ "t.gate": 1, "t.sleep": 1 });
  });

  test("time, chance, steps and searches replay", async () => {
    const agent = newAgent({ placement });
    const { executionId } = await agent.paused(`async () => {
      const found = await codemode.search("waits for approval");
      const stepped = await codemode.step("roll", () => Math.random());
      await new Promise((resolve) => setTimeout(resolve, 10));
      return t.gate({ now: Date.now(), id: crypto.randomUUID(), stepped, total: found.total });
    }`);
    expect(completed(await agent.approve(executionId)).result).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  test("it ends with a code for each kind of failure", async () => {
    const agent = newAgent({ placement, limits: { calls: 3, passMs: 400 } });
    const codes: Record<string, string> = {
      "": "invalid_input",
      "const x = = 1": "syntax",
      "async () => { throw 1 }": "exception",
      "async () => new Promise(() => {})": "stuck",
      "async () => { for (let n = 0; n < 5; n++) await t.echo(n) }": "call_limit",
      "async () => new Promise((resolve) => setTimeout(resolve, 5000))": "timeout",
      "async () => ({ f() {} })": "not_serializable",
      "async () => t.typed({ id: 'x' })": "invalid_input",
      "async () => t.nothing({})": "not_found",
    };
    for (const [code, expected] of Object.entries(codes)) {
      const output = failed(await agent.execute(code));
      expect([code, output.code]).toEqual([code, expected]);
      expect(output.error).not.toBe("");
    }
  });

  test("search and describe answer the application as they answer a program", async () => {
    const agent = newAgent({ placement });
    const [found, described] = (await agent.result(`async () => Promise.all([codemode.search("echo"), codemode.describe("t.typed")])`)) as unknown[];
    expect(await agent.search("echo")).toEqual(found);
    expect(await agent.describe("t.typed")).toEqual(described);
    expect(described).toMatchObject({ path: "t.typed", kind: "method", types: expect.stringContaining("label?: string") });
  });

  test("twenty executions at once do not meet each other", async () => {
    const agent = newAgent({ placement });
    const runs = Array.from({ length: 20 }, (_, n) => agent.result(`async () => { globalThis.mine = ${n}; await t.sleep({ ms: 5 }); return globalThis.mine }`));
    expect(await Promise.all(runs)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });
});

test("bound, the runtime is one object per identity and name; embedded, it is none", async () => {
  const ids = async (): Promise<string[]> => (await listDurableObjectIds(env.CODEMODE)).map(String);
  const agent = newAgent();
  const identity = agent.stub.id.toString();
  await agent.with({ placement: "embedded" }).result(`1`);
  const before = await ids();
  await agent.result(`1`);
  await agent.with({ name: "research" }).result(`1`);
  await agent.with({ id: "tenant/7" }).result(`1`);
  const objects = ["default", "research"].map((name) => env.CODEMODE.idFromName(`${identity}/${name}`).toString());
  objects.push(env.CODEMODE.idFromName("tenant/7/default").toString());
  expect((await ids()).filter((id) => !before.includes(id)).sort()).toEqual(objects.sort());
});
