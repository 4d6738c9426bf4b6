/** Inputs that broke other runtimes, in their smallest form: what a replay makes of them. The ids are those of `tests/fixtures/cases.json`. */

import { expect, test } from "vitest";

import { completed, failed, newAgent, paused } from "./story.ts";

test("a stale result is never fed to other arguments (R01)", async () => {
  const agent = newAgent();
  // Chance is on record, so a key of chance is the same key on the replay.
  const same = await agent.paused(`async () => [await t.echo({ key: Math.random() }), await t.gate({})]`);
  expect(completed(await agent.approve(same.executionId)).result).toEqual([{ key: expect.any(Number) }, {}]);
  // What does differ is an error that names call and arguments, and nothing stale reaches the program.
  const other = await agent.paused(`async () => { const key = await t.reexec({}); const got = await t.echo({ key }); return [got, await t.gate({})] }`);
  const { code, error } = failed(await agent.approve(other.executionId));
  expect(code).toBe("diverged");
  expect(error).toMatch(/call 1.*t\.echo/s);
  expect(await agent.counters()).toMatchObject({ "t.echo": 2, "t.gate": 1 });
});

test("a clock that is read before an approval says the same after it (R02)", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    const t0 = Date.now(), id = crypto.randomUUID();
    const said = await t.echo({ t0, id });
    await t.gate({});
    return [said.t0 === t0, said.id === id, Date.now() >= t0];
  }`);
  expect(completed(await agent.approve(executionId)).result).toEqual([true, true, true]);
  expect(await agent.counters()).toEqual({ "t.echo": 1, "t.gate": 1 });
});

test("of two calls at once the slower one keeps its number and its result (R03)", async () => {
  const agent = newAgent();
  const { executionId, pending } = await agent.paused(`async () => {
    const [a, b] = await Promise.all([t.sleep({ ms: 60, value: "a" }), t.sleep({ ms: 1, value: "b" })]);
    return t.gate({ a, b });
  }`);
  expect(pending).toMatchObject([{ seq: 2, args: { a: "a", b: "b" } }]);
  expect(completed(await agent.approve(executionId)).result).toEqual({ a: "a", b: "b" });
  expect(await agent.counters()).toMatchObject({ "t.sleep": 2 });
});

test("a call that failed is not made again by the resume (R05)", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => { let said; try { await t.fail({ message: "taken" }) } catch (e) { said = e.message } return [said, await t.gate({})] }`);
  expect(completed(await agent.approve(executionId)).result).toEqual(["taken", {}]);
  expect(await agent.counters()).toEqual({ "t.fail": 1, "t.gate": 1 });
});

test.each([
  ["a handler that carries on (R08)", `async () => { try { return await t.gate({}) } catch (e) { await t.count({ key: "other" }); throw e } }`],
  ["a loop that tries again (R09)", `async () => { while (true) { try { return await t.gate({}) } catch { await t.count({ key: "again" }) } finally { } } }`],
])("a pause is no error that a program could catch: %s", async (_defect, code) => {
  const agent = newAgent({ limits: { passMs: 20_000 } });
  const began = Date.now();
  const { executionId } = await agent.paused(code);
  expect(Date.now() - began).toBeLessThan(15_000);
  expect(await agent.counters()).toEqual({});
  expect(completed(await agent.approve(executionId)).result).toEqual({});
  expect(await agent.counters()).toEqual({ "t.gate": 1 });
});

test("a read beside a gated call is recorded before the pause and not made again (R10)", async () => {
  const agent = newAgent();
  const { executionId, calls } = await agent.paused(`async () => Promise.all([t.sleep({ ms: 200, value: "read" }), t.gate({})])`);
  expect(calls?.map(({ state }) => state)).toEqual(["applied", "pending"]);
  expect(completed(await agent.approve(executionId)).result).toEqual(["read", {}]);
  expect(await agent.counters()).toMatchObject({ "t.sleep": 1, "t.gate": 1 });
});

test("a method that is gone or has another schema at the time of the approval leaves the run decidable (R14)", async () => {
  const agent = newAgent();
  const gone = agent.with({ twist: { t: { drop: ["gate", "gateTyped"] } } });
  const first = await agent.paused(`async () => { await side.keep(1); return t.gate({}) }`);
  expect(await gone.reject(first.executionId, 1)).toBe(true);
  const second = await agent.paused(`async () => { await side.keep(2); return t.gate({}) }`);
  expect(await gone.rollback(second.executionId)).toMatchObject({ status: "rolled_back", report: [{ seq: 0, outcome: "reverted" }] });
  const third = await agent.paused(`async () => t.gate({})`);
  expect(failed(await gone.approve(third.executionId)).error).toMatch(/t\.gate does not exist any more/);
  const fourth = await agent.paused(`async () => t.gateTyped({ n: 1 })`);
  expect(failed(await gone.approve(fourth.executionId, { seq: 0, args: { n: 2 } })).error).toMatch(/gateTyped/);
  expect(await agent.pending(fourth.executionId)).toHaveLength(1);
  expect(completed(await agent.with({ twist: { t: { changed: true } } }).approve(fourth.executionId)).result).toBe(2);
  expect(await agent.counters()).not.toHaveProperty("t.gate");
});

test("an approval that is delivered twice runs its action once, and no id of before means another run (A01)", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate("first")`);
  expect(completed(await agent.approve(executionId, { seq: 0 })).result).toBe("first");
  const again = failed(await agent.approve(executionId, { seq: 0 }));
  expect(again).toMatchObject({ executionId, code: "not_paused", error: expect.stringContaining("completed") });
  const other = paused(await agent.execute(`async () => t.gate("second")`));
  expect(other.executionId).not.toBe(executionId);
  expect(failed(await agent.approve(executionId, { seq: 0 })).code).toBe("not_paused");
  expect(await agent.pending()).toMatchObject([{ executionId: other.executionId, seq: 0, args: "second" }]);
  expect(await agent.counters()).toEqual({ "t.gate": 1 });
});
