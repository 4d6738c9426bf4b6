/** Spec §4.9: limits are the host's; each says which it was, and how much was used. */

import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { completed, failed, newAgent } from "./story.ts";

test("passMs: the message names the limit, the calls made and the last one in flight", async () => {
  const agent = newAgent({ limits: { passMs: 400 } });
  const output = await agent.failed(`async () => {
    await t.echo(1);
    try { await t.hold({ key: "k" }) } catch { return "caught" } finally { await t.count({ key: "finally" }) }
  }`);
  expect(output.code).toBe("timeout");
  expect(output.error).toContain("400 ms (limits.passMs)");
  expect(output.error).toContain("after 2 calls");
  expect(output.error).toContain("1 (t.hold)");
  expect(await agent.counters()).not.toHaveProperty("t.count");
});

test("passMs: an outcome that comes after the deadline is still recorded", async () => {
  const agent = newAgent({ limits: { passMs: 300 } });
  const { executionId } = await agent.failed(`async () => t.hold({ key: "k" })`);
  await agent.release("k", "late");
  // The answer travels to the runtime before the question does.
  await expect.poll(() => agent.entry(executionId, 0)).toMatchObject({ state: "applied", result: "late" });
  expect(await agent.execution(executionId)).toMatchObject({ status: "error", errorCode: "timeout" });
});

test("passMs: a program that only waits for timers is told that no call was in flight", async () => {
  const output = await newAgent({ limits: { passMs: 300 } }).failed(`async () => { setInterval(() => {}, 10); await new Promise(() => {}) }`);
  expect(output).toMatchObject({ code: "timeout", error: expect.stringContaining("no call was in flight") });
});

test("passMs: what was printed before the wait is there after the deadline", async () => {
  const output = await newAgent({ limits: { passMs: 400 } }).failed(`async () => {
    console.log("before the call");
    const held = t.hold({ key: "k" });
    await null;
    console.log("while it is in flight");
    await held;
  }`);
  expect(output).toMatchObject({ code: "timeout", logs: ["before the call", "while it is in flight"] });
});

test("calls: the call too many ends the run, and cannot be caught", async () => {
  const agent = newAgent({ limits: { calls: 5 } });
  const output = await agent.failed(`async () => {
    for (let n = 0; n < 100; n++) try { await t.count({ key: "k" }) } catch { await t.put({}) }
    return "done";
  }`);
  expect(output).toMatchObject({ code: "call_limit", error: expect.stringMatching(/\b5 calls.*limits\.calls/) });
  expect(await agent.counters()).toEqual({ "t.count": 5, "count/k": 5 });
  expect(output.calls).toHaveLength(5);
});

test("calls: steps count; searches have a count of their own", async () => {
  const agent = newAgent({ limits: { calls: 2 } });
  const searches = (number: number): string => `for (let n = 0; n < ${number}; n++) await codemode.search("echo");`;
  expect(await agent.result(`async () => { ${searches(2)} return [await t.echo(1), await codemode.step("s", () => 2)] }`)).toEqual([1, 2]);
  expect((await agent.failed(`async () => { for (let n = 0; n < 3; n++) await codemode.step("s" + n, () => n) }`)).code).toBe("call_limit");
  expect((await agent.failed(`async () => { ${searches(3)} }`)).code).toBe("call_limit");
});

test.each([[16, undefined], [3, 3]])("inflight: at most %i calls are open at once, in the order in which they were made", async (most, inflight) => {
  const agent = newAgent(inflight === undefined ? {} : { limits: { inflight } });
  const result = await agent.result(`async () => Promise.all(Array.from({ length: 60 }, (_, n) => t.sleep({ ms: 10, value: n })))`);
  expect(result).toEqual(Array.from({ length: 60 }, (_, n) => n));
  expect((await agent.counters())["t.sleep/peak"]).toBe(most);
  expect((await agent.ran()).map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, n) => n));
});

test("inflight: steps under way keep no call from leaving", async () => {
  const result = await newAgent({ limits: { inflight: 2 } }).result(`async () => {
    const wait = (n) => new Promise((resolve) => setTimeout(() => resolve(n), 40));
    const steps = Array.from({ length: 20 }, (_, n) => codemode.step("s" + n, () => wait(n)));
    const calls = Array.from({ length: 5 }, (_, n) => t.echo(n));
    return (await Promise.all([...steps, ...calls])).length;
  }`);
  expect(result).toBe(25);
});

test("passes: many executions at once all complete, no more than eight of them at the same time", async () => {
  const agent = newAgent();
  const runs = Array.from({ length: 32 }, (_, n) => agent.result(`async () => t.sleep({ ms: 20, value: ${n} })`));
  expect(await Promise.all(runs)).toEqual(Array.from({ length: 32 }, (_, n) => n));
  expect((await agent.counters())["t.sleep/peak"]).toBeLessThanOrEqual(8);
});

test("passes: time in the queue is not counted against a pass", async () => {
  const agent = newAgent({ limits: { passes: 1, passMs: 1500 } });
  const runs = Array.from({ length: 5 }, () => agent.execute(`async () => t.sleep({ ms: 500 })`));
  expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "completed"));
});

test("passes: one started from inside another fails at once when all are taken", async () => {
  const agent = newAgent({ limits: { passes: 1 } });
  const inner = failed((await agent.result(`async () => t.nest({ code: "async () => 1" })`)) as never);
  expect(inner).toMatchObject({ code: "sandbox_unavailable", error: expect.stringContaining("limits.passes") });
  expect(await agent.execution(inner.executionId)).toMatchObject({ status: "error", errorCode: "sandbox_unavailable" });
});

test("passes: one started from inside another runs when there is a place", async () => {
  const agent = newAgent({ limits: { passes: 2 } });
  const inner = completed((await agent.result(`async () => t.nest({ code: "async () => t.echo('inside')" })`)) as never);
  expect(inner.result).toBe("inside");
});

test("logBytes: console output is cut and says so", async () => {
  const { logs = [] } = completed(await newAgent({ limits: { logBytes: 100 } }).execute(`async () => { for (let n = 0; n < 1000; n++) console.log("line " + n) }`));
  expect(logs.slice(0, 2)).toEqual(["line 0", "line 1"]);
  expect(logs.at(-1)).toContain("cut at 100 bytes");
  expect(logs.join("\n").length).toBeLessThan(200);
});

test("cpuMs is handed to the platform, with no network and no bindings", async () => {
  const agent = newAgent({ limits: { cpuMs: 1234 } });
  const loaded: WorkerLoaderWorkerCode[] = [];
  const name = `${agent.stub.id.toString()}/default`;
  await runInDurableObject(env.CODEMODE.getByName(name), (runtime) => {
    const loader: WorkerLoader = Reflect.get(runtime, "env").LOADER;
    const watched = { load: (code: WorkerLoaderWorkerCode) => (loaded.push(code), loader.load(code)) };
    Reflect.set(runtime, "env", { LOADER: watched });
  });
  expect(await agent.result(`async () => 1`)).toBe(1);
  expect(loaded).toHaveLength(1);
  expect(loaded[0]).toMatchObject({ limits: { cpuMs: 1234 }, globalOutbound: null });
  expect(loaded[0]).not.toHaveProperty("env");
});
