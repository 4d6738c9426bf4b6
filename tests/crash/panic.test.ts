/**
 * A panic in the Rust core. One wasm instance serves every object in an isolate, so all passes in flight there are lost;
 * what is recorded is not. The core is the test build's, which can be told to panic.
 */

import { afterAll, beforeAll, expect, test } from "vitest";

import { type Runtime, startRuntime } from "../support/miniflare.ts";
import { Door } from "./door.ts";
import { Witness } from "./witness.ts";

let witness: Witness;
let runtime: Runtime;

beforeAll(async () => {
  witness = await Witness.start();
  runtime = await startRuntime({
    worker: "tests/crash/panicking.ts",
    agents: { AGENT: "CrashAgent" },
    bindings: { WITNESS: witness.url },
    placement: "embedded",
    variant: { core: "panicking" },
  });
});

afterAll(async () => {
  await runtime?.stop();
  await witness?.[Symbol.asyncDispose]();
});

function open(agent: string): Door {
  return new Door(() => runtime.url, agent);
}

async function happened(executionId: string): Promise<string[]> {
  return (await witness.effects(executionId)).map(({ method, args, attempt }) => `${method} ${args.n} ${attempt}`);
}

test("a panic costs the passes in flight of every object, and no run is called failed for it", async () => {
  const [one, other] = [open("one"), open("other")];
  const running = one.execute(`await service.send({ n: 100 }); return service.put({ n: 101, hold: true })`);
  const elsewhere = other.execute(`await service.send({ n: 200 }); return service.send({ n: 201, hold: true })`);
  const put = await witness.seen({ n: 101, attempt: 1 });
  const send = await witness.seen({ n: 201, attempt: 1 });

  await one.provoke("now");
  expect(await running).toMatchObject({ status: "error", code: "interrupted", executionId: put.executionId });
  expect(await elsewhere).toMatchObject({ status: "error", code: "interrupted", executionId: send.executionId });

  // The next call of each object finds its log.
  expect(await one.only()).toMatchObject({ id: put.executionId, status: "running", log: [{ state: "applied", result: "send 100" }, { method: "put", state: "executing" }] });
  expect(await other.only()).toMatchObject({ id: send.executionId, status: "running", log: [{ state: "applied", result: "send 200" }, { method: "send", state: "executing" }] });

  const recovered = one.recover(put.executionId);
  const again = await witness.seen({ n: 101, attempt: 2 });
  // Answers to a pass of the core that is gone reach nobody, least of all a pass of the same number.
  witness.release(put, "first");
  witness.release(send, "first");
  witness.release(again, "second");
  expect(await recovered).toMatchObject({ status: "completed", result: "second" });
  expect(await other.recover(send.executionId)).toMatchObject({ status: "paused", pending: [], inDoubt: [{ seq: 1, method: "send" }] });
  expect(await happened(put.executionId)).toEqual(["send 100 1", "put 101 1", "put 101 2"]);
  expect(await happened(send.executionId)).toEqual(["send 200 1", "send 201 1"]);
  expect(await one.only()).toMatchObject({ status: "completed", log: [{ state: "applied" }, { state: "applied", result: "second" }] });
});

test.each(["open", "modules", "manifest", "call", "answer", "close"])("a panic in %s leaves the run running, and recover goes on from what is recorded", async (entry) => {
  const door = open(`in-${entry}`);
  await door.provoke(entry);
  const output = await door.execute(`return service.send({ n: 300 })`);
  const { id, status, log } = await door.only();
  expect(output).toMatchObject({ status: "error", code: "interrupted", executionId: id });
  expect(status).toBe("running");
  // An outcome waits in memory for a few milliseconds; with the memory it is lost, and the call is in doubt.
  const lost = log.some(({ state }) => state === "executing");
  if (entry !== "close") expect(lost).toBe(entry === "answer");
  expect(await door.recover(id)).toMatchObject(lost ? { status: "paused", inDoubt: [{ seq: 0 }] } : { status: "completed", result: "send 300" });
  expect(await happened(id)).toEqual(["send 300 1"]);
});

test("a panic while a request is read loses that request and nothing else", async () => {
  const door = open("before");
  const { executionId } = await door.execute(`return service.gate({ n: 400 })`);
  await door.provoke("approve");
  expect(await door.approve(executionId)).toMatchObject({ status: "error", code: "interrupted" });
  expect(await door.only()).toMatchObject({ status: "paused", log: [{ state: "pending" }] });
  expect(await door.approve(executionId)).toMatchObject({ status: "completed", result: "gate 400" });
  expect(await happened(executionId)).toEqual(["gate 400 1"]);
});
