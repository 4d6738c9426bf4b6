/** A forged harness where steps have a network: it reaches nothing at another time, nor more than is given, and not without end. */

import { afterAll, beforeAll, expect, test } from "vitest";

import { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const FORGED = { status: "error", code: "diverged", error: expect.stringContaining("not from inside a step that may") };
const NET = 'net "https://a.example/"';

test("outside of every step", async () => {
  expect(await world.reaching("reachOutside")).toMatchObject({ ...FORGED, calls: [] });
});

test("in a call", async () => {
  const output = await world.reaching("reachInCall", "", ["hold {}"]);
  expect(output).toMatchObject(FORGED);
  await world.released(output.executionId);
});

test("after the step has its outcome; what came before that did happen", async () => {
  expect(await world.reaching("reachAfterStep", "", [NET])).toMatchObject({ ...FORGED, calls: [{ method: "step", state: "applied" }] });
});

test.each(["env.NOPE", "env.REGION", "env.", "env.__proto__", "env.constructor", "connect", "fetch ", ""])("what this contact does not give: %j", async (what) => {
  expect(await world.reaching("reachFor", what)).toMatchObject(FORGED);
});

test("what it does give, a step reaches", async () => {
  expect(await world.reaching("reachFor", "env.BOX", ["box 1"])).toMatchObject({ logs: expect.arrayContaining(["so", "v1"]) });
});

test("at a contact that gives nothing a step is told so, and reaches nothing", async () => {
  expect(await world.attack("reachFor", "fetch")).toMatchObject({ ...FORGED, logs: [] });
});

test("with a message that is no text", async () => {
  expect(await world.reaching("reachThings")).toMatchObject({ status: "error", code: "diverged" });
});

test("a flood ends at the limit of calls", async () => {
  const output = await world.reaching("reachFlood", "", Array.from({ length: 20 }, () => NET), { calls: 20, inflight: 20 });
  expect(output).toMatchObject({ status: "error", code: "call_limit" });
});

test("a request that is too long reaches nobody", async () => {
  expect(await world.reaching("reachLong")).toMatchObject({ status: "completed", logs: ["so", expect.stringContaining("too_large"), expect.anything(), expect.anything()] });
});
