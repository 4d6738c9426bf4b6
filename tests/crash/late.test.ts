/** Outcomes that arrive after their pass has ended. */

import { expect, test } from "vitest";

import { Door } from "./door.ts";
import { runtime, setStage, witness } from "./stage.ts";

/** Long enough to load a sandbox and make its calls on a busy machine. */
const SHORT = { passMs: 1_500 };

setStage();

test("a call in flight at the deadline is in doubt until its late outcome settles it, and then the run can be approved", async () => {
  const door = new Door(() => runtime.url, "settles");
  const paused = await door.execute(`return Promise.all([service.send({ n: 0, hold: true }), service.gate({ n: 1 })])`, SHORT);
  const { executionId } = paused;
  expect(paused).toMatchObject({ status: "paused", pending: [{ seq: 1 }], inDoubt: [{ seq: 0, method: "send" }] });
  expect(await door.approve(executionId)).toMatchObject({ status: "error", code: "interrupted", error: expect.stringContaining("0 (service.send)") });
  witness.release(await witness.seen({ executionId, n: 0 }), "late");
  await expect.poll(async () => (await door.execution(executionId)).log[0]).toMatchObject({ state: "applied", result: "late" });
  expect(await door.execution(executionId)).toMatchObject({ status: "paused" });
  expect(await door.approve(executionId)).toMatchObject({ status: "completed", result: ["late", "gate 1"] });
  expect((await witness.effects(executionId)).map(({ args, attempt }) => [args.n, attempt])).toEqual([[0, 1], [1, 1]]);
});

test("an outcome that arrives after the run timed out is recorded, and the run stays ended", async () => {
  const door = new Door(() => runtime.url, "timed-out");
  const output = await door.execute(`return service.send({ n: 0, hold: true })`, SHORT);
  const { executionId } = output;
  expect(output).toMatchObject({ status: "error", code: "timeout", error: expect.stringContaining("0 (service.send)") });
  witness.release(await witness.seen({ executionId, n: 0 }), "late");
  await expect.poll(async () => (await door.execution(executionId)).log[0]).toMatchObject({ state: "applied", result: "late" });
  expect(await door.execution(executionId)).toMatchObject({ status: "error", errorCode: "timeout" });
});

test("the outcome of an attempt that a later pass has repeated changes nothing", async () => {
  const door = new Door(() => runtime.url, "stale");
  const code = `
    const [put] = await Promise.all([service.put({ n: 0, hold: true }), service.gate({ n: 1 })]);
    await service.gate({ n: 2 });
    return put;`;
  const { executionId } = await door.execute(code, SHORT);
  const first = await witness.seen({ executionId, n: 0, attempt: 1 });
  const second = door.approve(executionId);
  witness.release(await witness.seen({ executionId, n: 0, attempt: 2 }), "second");
  expect(await second).toMatchObject({ status: "paused", pending: [{ seq: 2 }] });
  const before = await door.execution(executionId);
  witness.release(first, "first");
  // Nothing tells that an answer was ignored. So others go the same way behind it: witness, Agent, runtime.
  for (const n of [3, 4, 5]) await door.execute(`return service.put({ n: ${n} })`);
  expect(await door.execution(executionId)).toEqual(before);
  expect(await door.approve(executionId)).toMatchObject({ status: "completed", result: "second" });
});
