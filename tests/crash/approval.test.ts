/** Kills around a decision: a paused run survives, and an approved action is run once at most. */

import { expect, test } from "vitest";

import { Door } from "./door.ts";
import { runtime, setStage, witness } from "./stage.ts";

const PROGRAM = (hold: boolean): string => `
  await service.send({ n: 0 });
  const answer = await service.gate({ n: 1, hold: ${hold} });
  await service.send({ n: 2 });
  return answer;`;

setStage();

function open(agent: string): Door {
  return new Door(() => runtime.url, agent);
}

async function happened(executionId: string): Promise<number[]> {
  return (await witness.effects(executionId)).map(({ args }) => args.n);
}

test("a paused run, a finished one and a failed one look the same after a kill as before it", async () => {
  const door = open("looks");
  const paused = await door.execute(PROGRAM(false));
  expect(paused).toMatchObject({ status: "paused", pending: [{ seq: 1, method: "gate", args: { n: 1, hold: false } }] });
  await door.execute(`console.log("one"); return service.put({ n: 0 })`);
  await door.execute(`await service.send({ n: 0 }); throw new Error("no")`);
  const look = async () => ({
    pending: await door.pending(),
    executions: await door.executions(),
    each: await Promise.all((await door.executions()).map(({ id }) => door.execution(id))),
  });
  const before = await look();
  expect(before.executions.map(({ status }) => status).toSorted()).toEqual(["completed", "error", "paused"]);
  await runtime.crash();
  expect(await look()).toEqual(before);
});

test("an action is approved after the runtime was killed, and runs once", async () => {
  const door = open("restarted");
  const { executionId } = await door.execute(PROGRAM(false));
  await runtime.crash();
  expect(await door.approve(executionId)).toMatchObject({ status: "completed", result: "gate 1" });
  expect(await happened(executionId)).toEqual([0, 1, 2]);
  expect(await door.approve(executionId)).toMatchObject({ status: "error", code: "not_paused" });
  expect(await happened(executionId)).toEqual([0, 1, 2]);
});

test("an approved action that was killed on its way is in doubt and is not run again", async () => {
  const door = open("on-its-way");
  const { executionId } = await door.execute(PROGRAM(true));
  const approved = door.approve(executionId).catch(() => undefined);
  await witness.seen({ executionId, n: 1 });
  await runtime.crash();
  await approved;
  expect(await door.execution(executionId)).toMatchObject({ status: "running", log: [{ state: "applied" }, { state: "executing", attempt: 1 }] });
  expect(await door.approve(executionId)).toMatchObject({ status: "error", code: "not_paused" });
  const doubt = { status: "paused", pending: [], inDoubt: [{ executionId, seq: 1, connector: "service", method: "gate", args: { n: 1, hold: true } }] };
  expect(await door.recover(executionId)).toMatchObject(doubt);
  expect(await door.approve(executionId)).toMatchObject({ status: "error", code: "interrupted", error: expect.stringContaining("1 (service.gate)") });
  expect(await door.recover(executionId)).toMatchObject({ status: "error", code: "not_paused" });
  // Nor does a second kill make it certain.
  await runtime.crash();
  expect(await door.execution(executionId)).toMatchObject({ status: "paused", log: [{ state: "applied" }, { state: "in_doubt" }] });
  expect(await happened(executionId)).toEqual([0, 1]);
});

test.each([0, 2, 4, 6, 8, 12, 16, 24])("a kill %i ms into an approval runs the action once or leaves it in doubt", async (delay) => {
  const door = open(`into-${delay}`);
  const { executionId } = await door.execute(PROGRAM(false));
  const approved = door.approve(executionId).catch(() => undefined);
  // Not to wait for anything: the moment of the kill is what varies.
  await new Promise((resolve) => setTimeout(resolve, delay));
  await runtime.crash();
  await approved;
  const { status, log } = await door.execution(executionId);
  // Attempt 0 is approved and has not left: it simply goes now.
  const lost = log.filter(({ state, attempt }) => state === "executing" && attempt > 0).map(({ seq }) => seq);
  // Killed before the decision was recorded, it is still to be made.
  const end = status === "paused" ? await door.approve(executionId) : status === "running" ? await door.recover(executionId) : await door.execution(executionId);
  if (lost.length === 0) expect(end).toMatchObject({ status: "completed", result: "gate 1" });
  else expect(end).toMatchObject({ status: "paused", pending: [], inDoubt: lost.map((seq) => ({ seq })) });
  const effects = await happened(executionId);
  expect(effects).toEqual([...new Set(effects)]);
  if (end.status === "completed") expect(effects).toEqual([0, 1, 2]);
});
