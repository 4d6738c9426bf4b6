/** A forged harness after an approval: what runs is what was shown, once. */

import { afterAll, beforeAll, expect, test } from "vitest";

import { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const LAST = "reached the last line";
const diverged = (text: string): object => ({ status: "error", code: "diverged", error: expect.stringContaining(text) });

test("without forgery an approved call runs", async () => {
  const output = await world.approved("again", ['gate "shown"']);
  expect(output).toMatchObject({ status: "completed", logs: ['v"shown"', LAST], calls: [{ state: "applied" }] });
});

test.each([
  ["with other arguments", "otherArguments"],
  ["as another method", "otherMethod"],
  ["with its arguments written differently", "otherText"],
])("an approved call that comes %s does not run", async (_what, name) => {
  const output = await world.approved(name, []);
  expect(output).toMatchObject(diverged("came where lab.gate is recorded"));
  expect((await world.execution(output.executionId)).log).toMatchObject([{ method: "gate", args: "shown", attempt: 0 }]);
});

test.each([
  ["at once", "twiceAtOnceApproved"],
  ["in turn", "twiceInTurn"],
])("an approved call that comes twice %s runs once", async (_what, name) => {
  expect(await world.approved(name, ['gate "shown"'])).toMatchObject(diverged("came twice"));
});

test("the same call under a new number needs an approval of its own", async () => {
  const output = await world.approved("underANewNumber", ['gate "shown"']);
  expect(output).toMatchObject({ status: "paused", pending: [{ seq: 1, args: "shown" }], logs: ['v"shown"', "p", LAST] });
});

test("a pass that skips the replay makes new calls under the same rules", async () => {
  const output = await world.approved("skipsReplay", ['send "new"']);
  expect(output).toMatchObject({ status: "paused", pending: [{ seq: 2, args: "new" }], logs: ['v"new"', "p", LAST] });
});

test("an approved call that is never sent does not run", async () => {
  const output = await world.approved("doesNothing", []);
  expect(output).toMatchObject({ status: "completed", result: "nothing", logs: [LAST] });
  expect((await world.execution(output.executionId)).log).toMatchObject([{ method: "gate", attempt: 0 }]);
});

test("an approved call cannot be settled by the sandbox", async () => {
  expect(await world.approved("settlesApproved", [])).toMatchObject(diverged("no step under way"));
});

test("of two calls only the approved one runs", async () => {
  const output = await world.approved("both", ['gate "one"'], { seq: 0 });
  expect(output).toMatchObject({ status: "paused", pending: [{ seq: 1, args: "two" }], logs: ['v"one"', "p", LAST] });
});

test("edited arguments are what runs, whatever the sandbox sends with the recorded call", async () => {
  const output = await world.approved("again", ['gate "edited"'], { seq: 0, args: "edited" });
  expect(output).toMatchObject({ status: "completed", logs: ['v"edited"', LAST], calls: [{ args: "shown", result: "edited" }] });
});
