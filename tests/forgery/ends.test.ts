/** A forged harness at the end of its pass: frames that are none, ends that are not true, and what comes after. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const LAST = "reached the last line";

describe("a frame that is none ends the run as one whose sandbox broke", () => {
  test.each([
    "empty", "words", "number", "object", "nothing", "function", "stub", "stream", "headless", "negative", "short", "list", "unknownEnd",
    "unknownCode", "badDelivered", "consoleList",
  ])("%s", async (what) => {
    expect(await world.attack("frame", what)).toMatchObject({ status: "error", code: "sandbox_unavailable", calls: [] });
  });
});

test("deliveries at the end that are no pairs end the run", async () => {
  expect(await world.attack("frame", "oddDelivered")).toMatchObject({ status: "error", code: "diverged" });
});

test.each(["huge", "deep"])("a frame that is only odd (%s) is the run's own end", async (what) => {
  expect(await world.attack("frame", what)).toMatchObject({ status: "completed", calls: [] });
});

test.each([
  ["an error", "throws", "I broke", "sandbox_unavailable"],
  ["an error with 5 MB of text", "throws", "huge", "sandbox_unavailable"],
  ["nothing", "throwsNothing", "", "sandbox_unavailable"],
])("throwing %s ends the run as broken", async (_what, name, given, code) => {
  const output = await world.attack(name, given);
  expect(output).toMatchObject({ status: "error", code });
  expect(JSON.stringify(output).length).toBeLessThan(20_000);
});

test("a sandbox that never ends is left at the deadline, or when the platform sees it hang", async () => {
  expect(await world.attack("never", "", { passMs: 500 })).toMatchObject({ status: "error", code: expect.stringMatching(/timeout|sandbox_unavailable/) });
  expect(await world.attack("busy", "", { passMs: 500 })).toMatchObject({ status: "error", code: "timeout" });
});

test("`done` while a call waits for a person is a pause: its result is not taken", async () => {
  const output = await world.attack("doneWhilePending");
  expect(output).toMatchObject({ status: "paused", pending: [{ method: "gate", args: "unapproved" }], logs: ["p", LAST] });
  expect(await world.execution(output.executionId)).toMatchObject({ status: "paused" });
});

test.each(["gate", "ask"])("`done` before it is known whether a person must decide lets nothing of %s run", async (method) => {
  const output = await world.attack("doneWhileAsked", method);
  expect(output.logs).toEqual([LAST]);
  expect(await world.ran()).not.toContainEqual(expect.stringContaining("unapproved"));
  expect((await world.execution(output.executionId)).log).not.toContainEqual(expect.objectContaining({ state: "applied" }));
});

test("`done` while a call is under way: its outcome is recorded when it comes", async () => {
  const output = await world.attack("doneWhileCalled", "", {}, ['hold "late"']);
  expect(output).toMatchObject({ status: "completed", result: "left it", logs: [LAST] });
  await world.released(output.executionId);
  expect((await world.execution(output.executionId)).log).toMatchObject([{ method: "hold", state: "applied", result: "released" }]);
});

test.each([
  ["paused", "stuck"],
  ["stuck", "stuck"],
  ["diverged", "diverged"],
  ["error", "cancelled"],
])("claiming `%s` without a reason ends its own run as %s", async (claim, code) => {
  expect(await world.attack("claims", claim)).toMatchObject({ status: "error", code, logs: [LAST] });
});

test("an end that names another execution is the end of its own", async () => {
  const output = await world.attack("another", world.waiting);
  expect(output).toMatchObject({ status: "completed", result: world.waiting, logs: [LAST] });
  expect(output.executionId).not.toBe(world.waiting);
  expect(await world.execution(world.waiting)).toMatchObject({ status: "paused" });
});

test.each([
  ["@[[", { unreadable: expect.any(String) }],
  ["{", { unreadable: expect.any(String) }],
  ['@[[0],[["Nope"]]]', { unreadable: expect.any(String) }],
  ["!too_large x", { refused: "too_large x" }],
])("a result that is no value (%j) is an error of that run alone", async (text, shown) => {
  const output = await world.attack("malformedResult", text);
  expect(output).toMatchObject({ status: "error", code: "internal", error: expect.stringContaining("cannot be read"), logs: [LAST] });
  expect(await world.execution(output.executionId)).toMatchObject({ result: shown });
});

test("a bridge that is kept beyond the end of its pass is deaf", async () => {
  const output = await world.attack("keepsBridge", "", {}, ['echo "before"']);
  expect(output).toMatchObject({ status: "completed", logs: ['v"before"', LAST] });
  const ran = await world.ran();
  const record = await world.execution(output.executionId);
  // Time for the late calls, which come every few milliseconds.
  for (let round = 0; round < 5; round++) await world.execute(`async () => new Promise((resolve) => setTimeout(resolve, 100))`);
  expect(await world.ran()).toEqual(ran);
  expect(await world.execution(output.executionId)).toEqual(record);
});

test("calls after the runtime has closed the pass reach no one", async () => {
  const output = await world.attack("goesOn");
  expect(output).toMatchObject({ status: "error", code: "diverged", error: expect.stringContaining("operation 5 came where 0 was next"), calls: [] });
});
