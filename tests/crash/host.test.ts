/** The Agent dies in the middle of a call: what became of the call is unknown, and nothing else is said of it. */

import { expect, test } from "vitest";

import { Door } from "./door.ts";
import { runtime, setStage, witness } from "./stage.ts";

setStage();

test("an Agent that is aborted in a call leaves the run running and the call in doubt", async () => {
  const door = new Door(() => runtime.url, "aborted");
  await expect(door.execute(`await service.put({ n: 0 }); try { await service.die({ n: 1 }) } catch {} return service.send({ n: 2 })`)).rejects.toThrow("provoked");
  const { id, status, log } = await door.only();
  expect(status).toBe("running");
  expect(log).toMatchObject([{ method: "put", state: "applied" }, { method: "die", state: "executing" }]);
  expect(await door.recover(id)).toMatchObject({ status: "paused", pending: [], inDoubt: [{ seq: 1, method: "die" }] });
  expect((await witness.effects(id)).map(({ method }) => method)).toEqual(["put", "die"]);
});

test("an Agent that is aborted while only a repeatable call is on its way is recovered from to the end", async () => {
  const door = new Door(() => runtime.url, "repeatable");
  const lost = door.execute(`const [put] = await Promise.all([service.put({ n: 10, hold: true }), service.list({ n: 11 })]); return put`).catch(() => undefined);
  const first = await witness.seen({ n: 10, attempt: 1 });
  await expect(door.execute(`await service.die({ n: 12 })`)).rejects.toThrow("provoked");
  await lost;
  const recovered = door.recover(first.executionId);
  const second = await witness.seen({ executionId: first.executionId, n: 10, attempt: 2 });
  expect(second.idempotencyKey).toBe(first.idempotencyKey);
  witness.release(first, "too late");
  witness.release(second, "second");
  expect(await recovered).toMatchObject({ status: "completed", result: "second" });
});

test("calls whose HostFunction rejects at the same time are unknown, not failed, and the caller is told so", async () => {
  const door = new Door(() => runtime.url, "breaking");
  const output = await door.break(`return Promise.allSettled([service.send({ n: 0 }), service.put({ n: 1 })])`);
  expect(output).toMatchObject({ status: "error", code: "interrupted" });
  const { id, status, log } = await door.only();
  expect(output.executionId).toBe(id);
  expect(status).toBe("running");
  expect(log).toMatchObject([{ method: "send", state: "executing" }, { method: "put", state: "executing" }]);
  expect(log.map(({ error, result }) => ({ error, result }))).toEqual([{}, {}]);
  expect(await door.recover(id)).toMatchObject({ status: "paused", inDoubt: [{ seq: 0, method: "send" }] });
  expect((await witness.effects(id)).map(({ method }) => method).toSorted()).toEqual(["put", "send"]);
});
