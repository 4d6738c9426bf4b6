/** Spec §5: rollback undoes what can be undone, backwards, once, and says of everything else why not. */

import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import { type Agent, completed, failed, newAgent, paused } from "./story.ts";

async function ran(agent: Agent, code: string): Promise<string> {
  return completed(await agent.execute(code)).executionId;
}

/** What was undone: `[method, args, result, seq]`, in order. */
async function undone(agent: Agent): Promise<unknown[]> {
  const reverts = (await agent.heard()).filter(({ what }) => what === "revert");
  return reverts.map(({ detail }) => (JSON.parse(detail) as unknown[]).slice(0, 4));
}

describe.each(["bound", "embedded"] as const)("%s", (placement) => {
  test("applied calls are undone backwards with what they were given and what they returned; the report tells of each", async () => {
    const agent = newAgent({ placement });
    const id = await ran(agent, `async () => { await side.keep("a"); await t.count({ key: "k" }); await codemode.step("s", () => 1); await side.keep({ b: 2 }) }`);
    expect(await agent.rollback(id)).toEqual({
      status: "rolled_back",
      report: [
        { seq: 3, connector: "side", method: "keep", outcome: "reverted" },
        { seq: 1, connector: "t", method: "count", outcome: "no_revert" },
        { seq: 0, connector: "side", method: "keep", outcome: "reverted" },
      ],
      notReverted: [{ seq: 2, connector: "codemode", method: "step", why: "step" }],
    });
    expect(await undone(agent)).toEqual([
      ["keep", { b: 2 }, { kept: { b: 2 } }, 3],
      ["keep", "a", { kept: "a" }, 0],
    ]);
    expect(await agent.execution(id)).toMatchObject({ status: "rolled_back", log: [{ state: "reverted" }, { state: "applied" }, { state: "applied" }, { state: "reverted" }] });
  });

  test("a second rollback undoes nothing twice, also after the machine died", async () => {
    const agent = newAgent({ placement });
    const id = await ran(agent, `async () => side.keep("a")`);
    await agent.rollback(id);
    await abortAllDurableObjects();
    expect(await agent.rollback(id)).toMatchObject({ status: "rolled_back" });
    expect(await undone(agent)).toHaveLength(1);
  });

  test("a revert that the machine died in is not repeated, and the report says that nobody knows", async () => {
    const agent = newAgent({ placement });
    const id = await ran(agent, `async () => { await side.keep("first"); await side.keepLong("second") }`);
    const lost = agent.rollback(id).catch(() => undefined);
    await agent.holding("undo");
    await abortAllDurableObjects();
    await lost;
    const { report } = await agent.rollback(id);
    expect(report).toMatchObject([{ seq: 1, outcome: "failed", error: expect.stringContaining("not known") }, { seq: 0, outcome: "reverted" }]);
    expect((await undone(agent)).map((one) => (one as unknown[])[0])).toEqual(["keepLong", "keep"]);
  });

  test("one that may be undone twice is asked again", async () => {
    const agent = newAgent({ placement });
    const id = await ran(agent, `async () => side.keepLongTwice("x")`);
    const lost = agent.rollback(id).catch(() => undefined);
    await agent.holding("undo");
    await abortAllDurableObjects();
    await lost;
    const [{ report }] = await Promise.all([agent.rollback(id), agent.holding("undo").then(() => agent.release("undo"))]);
    expect(report).toMatchObject([{ seq: 0, outcome: "reverted" }]);
    expect(await undone(agent)).toHaveLength(2);
  });
});

test("a revert that fails stops nothing and is told with its text", async () => {
  const agent = newAgent();
  const id = await ran(agent, `async () => { await side.keep(1); await side.keepBadly(2); await side.keep(3) }`);
  expect((await agent.rollback(id)).report).toMatchObject([
    { seq: 2, outcome: "reverted" },
    { seq: 1, outcome: "failed", error: expect.stringContaining("nailed down") },
    { seq: 0, outcome: "reverted" },
  ]);
});

test("a run of which nothing could be undone keeps its status", async () => {
  const agent = newAgent();
  const id = await ran(agent, `async () => t.count({ key: "k" })`);
  expect(await agent.rollback(id)).toMatchObject({ status: "completed", report: [{ outcome: "no_revert" }] });
  expect(await agent.execution(id)).toMatchObject({ status: "completed" });
});

test.each([
  ["a connector that is not configured", { without: ["side"] }],
  ["a method that is gone", { twist: { side: { drop: ["keep"] } } }],
])("%s is told, and its call stays undone until it is back", async (_what, setup) => {
  const agent = newAgent();
  const id = await ran(agent, `async () => side.keep(1)`);
  expect(await agent.with(setup).rollback(id)).toMatchObject({ status: "completed", report: [{ seq: 0, outcome: "missing_connector" }] });
  expect(await agent.rollback(id)).toMatchObject({ status: "rolled_back", report: [{ seq: 0, outcome: "reverted" }] });
});

test("an approved call is undone with the arguments that ran", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => side.keepGate({ n: 1 })`);
  completed(await agent.approve(executionId, { seq: 0, args: { n: 2 } }));
  await agent.rollback(executionId);
  expect(await undone(agent)).toEqual([["keepGate", { n: 2 }, { kept: { n: 2 } }, 0]]);
});

test("an effect whose result was too large did happen, and is undone", async () => {
  const agent = newAgent();
  const id = await ran(agent, `async () => side.keepLarge({}).catch((error) => error.code)`);
  expect(await agent.rollback(id)).toMatchObject({ status: "rolled_back", report: [{ seq: 0, outcome: "reverted" }] });
  expect(await undone(agent)).toHaveLength(1);
});

test("of a paused run what was pending is closed", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => { await side.keep(1); await t.gate(2) }`);
  expect(await agent.rollback(executionId)).toMatchObject({ status: "rolled_back" });
  expect(await agent.pending()).toEqual([]);
  expect(failed(await agent.approve(executionId)).code).toBe("not_paused");
  expect(await agent.execution(executionId)).toMatchObject({ log: [{ state: "reverted" }, { state: "error" }] });
});

test("a call in doubt is not undone, and the report says so", async () => {
  const agent = newAgent();
  const lost = agent.execute(`async () => { await side.keep(1); await t.hold({ key: "k" }) }`).catch(() => undefined);
  await agent.holding("k");
  await abortAllDurableObjects();
  await lost;
  const [{ id = "" } = {}] = await agent.executions();
  paused(await agent.recover(id));
  expect(await agent.rollback(id)).toMatchObject({ report: [{ seq: 0, outcome: "reverted" }], notReverted: [{ seq: 1, method: "hold", why: "in_doubt" }] });
});

test("a running run is not rolled back", async () => {
  const agent = newAgent();
  const running = agent.execute(`async () => { await side.keep(1); return t.hold({ key: "k" }) }`);
  await agent.holding("k");
  const [{ id = "" } = {}] = await agent.executions();
  expect(await agent.refusal("rollback", id)).toMatchObject({ code: "interrupted", error: expect.stringContaining("is running") });
  await agent.release("k", "done");
  expect(completed(await running).result).toBe("done");
  expect(await undone(agent)).toEqual([]);
});

test("two rollbacks at once undo once", async () => {
  const agent = newAgent();
  const id = await ran(agent, `async () => { await side.keep(1); await side.keepLong(2) }`);
  const both = [agent.rollback(id), agent.rollback(id)];
  await agent.holding("undo");
  await agent.release("undo");
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual(["rolled_back", "rolled_back"]);
  expect(await undone(agent)).toHaveLength(2);
});

test("a run that nobody knows is not found", async () => {
  expect(await newAgent().refusal("rollback", "exec_00000000000000000000000000000000")).toMatchObject({ code: "not_found", error: expect.stringContaining("exec_0000") });
});
