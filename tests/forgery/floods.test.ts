/** A forged harness that sends much: limits are the host's, and the object stays of use. */

import { afterAll, beforeAll, expect, test } from "vitest";

import { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const LAST = "reached the last line";
const echoes = (length: number, args: (seq: number) => unknown): string[] => Array.from({ length }, (_, seq) => `echo ${JSON.stringify(args(seq))}`);

test("of a thousand calls at once as many reach the host as may be unanswered", async () => {
  const gains = Array.from({ length: 16 }, (_, seq) => `hold ${seq}`);
  const output = await world.attack("thousandAtOnce", "", {}, gains);
  expect(output).toMatchObject({ status: "error", code: "diverged", error: expect.stringContaining("more than 16 calls came unanswered") });
  await world.released(output.executionId);
  expect((await world.execution(output.executionId)).log.map(({ state }) => state)).toEqual(Array.from({ length: 16 }, () => "applied"));
});

test("twenty thousand calls in turn end at the limit", async () => {
  const output = await world.attack("inTurn", "20000", { calls: 200 }, echoes(200, (seq) => seq));
  expect(output).toMatchObject({ status: "error", code: "call_limit", error: expect.stringContaining("more than 200 calls") });
}, 60_000);

test("lookups end at the same limit", async () => {
  expect(await world.attack("lookupsInTurn", "20000", { calls: 200 })).toMatchObject({ status: "error", code: "call_limit", calls: [] });
}, 60_000);

test("a call whose result is not kept is made once in a pass", async () => {
  const output = await world.attack("sameAgain", "", {}, ['now "same"']);
  expect(output).toMatchObject({ status: "error", code: "diverged", error: expect.stringContaining("call 0 (lab.now) came twice") });
});

test("steps that never end hold nothing up", async () => {
  const output = await world.attack("stepsAtOnce");
  expect(output).toMatchObject({ status: "completed", logs: ["500", LAST] });
});

test("fifty megabytes of console are cut to the limit", async () => {
  const output = await world.attack("console", "", {}, echoes(50, () => "c"));
  const bytes = new TextEncoder().encode(output.logs?.join("\n")).length;
  expect(output.status).toBe("completed");
  expect(bytes).toBeGreaterThan(60_000);
  expect(bytes).toBeLessThan(66_000);
});

test("a message beyond what the platform carries fails at its sender, who may go on", async () => {
  const output = await world.attack("consoleAtOnce", "", {}, ['echo "after"']);
  expect(output).toMatchObject({ status: "completed", logs: [expect.stringMatching(/^threw .*32MiB/), 'v"after"', LAST] });
});

test("a million deliveries end the run", async () => {
  const output = await world.attack("deliveries", "", {}, echoes(10, (seq) => seq));
  expect(output).toMatchObject({ status: "error", code: "call_limit", error: expect.stringContaining("1000000") });
});

test("arguments of twenty megabytes are too large and are not kept; a name of a thousand ends the run", async () => {
  const output = await world.attack("hugeKey");
  expect(output).toMatchObject({ status: "error", code: "diverged" });
  const { log } = await world.execution(output.executionId);
  expect(log).toMatchObject([{ method: "send", state: "error", code: "too_large", attempt: 0, args: { refused: expect.stringContaining("20000002") } }]);
});

test("a step's outcome of twenty megabytes is too large and is not kept", async () => {
  const output = await world.attack("hugeStep");
  expect(output).toMatchObject({ status: "completed", calls: [{ error: expect.stringContaining("20000002") }, { error: expect.stringContaining("2000003") }] });
  expect(output.logs?.at(-1)).toBe(LAST);
});

test("pages that are not there are empty", async () => {
  expect(await world.attack("pages")).toMatchObject({ status: "completed", logs: [...Array.from({ length: 6 }, () => "[]"), LAST] });
});
