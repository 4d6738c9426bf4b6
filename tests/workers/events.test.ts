/** Spec §2, §5: the events of runs as a stream; first what is recorded, then live, and a slow reader loses nothing. */

import { env } from "cloudflare:workers";
import { abortAllDurableObjects, evictAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import { createCodemodeRuntime, type RuntimeEvent } from "../../js-shim/client/index.ts";
import { type Agent, completed, newAgent, paused } from "./story.ts";

type Reader = ReadableStreamDefaultReader<RuntimeEvent>;

/** A reader that outlives its Agent and the runtime: it is with the test. */
function reader(agent: Agent, executionId?: string): Reader {
  const ctx = {};
  return createCodemodeRuntime({ ctx, id: agent.stub.id.toString(), binding: env.CODEMODE, connectors: [] }).events(executionId).getReader();
}

/** So many events, or all to the end of the stream, such as `intent 0`. */
async function told(from: Reader, count = Infinity): Promise<string[]> {
  const events: string[] = [];
  while (events.length < count) {
    const { value, done } = await from.read();
    if (done) break;
    events.push(value.seq === undefined ? value.kind : `${value.kind} ${value.seq}`);
  }
  return events;
}

describe.each(["bound", "embedded"] as const)("%s", (placement) => {
  test("what is recorded comes first, then what happens, and the stream of a run ends with it", async () => {
    const agent = newAgent({ placement });
    const { executionId } = await agent.paused(`async () => { await t.echo(1); return t.gate(2) }`);
    const [recorded, live] = await runInDurableObject(agent.stub, async (object) => {
      const events = object.runtime(agent.setup).events(executionId).getReader();
      const before = await told(events, 6);
      const next = events.read();
      await object.approve(agent.setup, { executionId });
      const { value } = await next;
      expect(value).toEqual({ executionId, at: expect.any(Number), kind: "decision", seq: 1 });
      return [before, await told(events)];
    });
    expect(recorded).toEqual(["begin", "intent 0", "outcome 0", "intent 1", "pending 1", "end"]);
    expect(live).toEqual(["outcome 1", "end"]);
  });

  test("without an id all runs are told of, also those that begin meanwhile", async () => {
    const agent = newAgent({ placement });
    await agent.result(`1`);
    const ids = await runInDurableObject(agent.stub, async (object) => {
      const events = object.runtime(agent.setup).events().getReader();
      expect(await told(events, 2)).toEqual(["begin", "end"]);
      const next = events.read();
      const { executionId } = await object.execute(agent.setup, `async () => codemode.step("s", () => 1)`);
      expect((await next).value).toMatchObject({ executionId, kind: "begin" });
      expect(await told(events, 3)).toEqual(["intent 0", "outcome 0", "end"]);
      await events.cancel();
      return [executionId];
    });
    expect(ids).toHaveLength(1);
  });
});

test("decisions of every kind are told with the call they are about", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    const found = await codemode.search("gate");
    await new Promise((resolve) => setTimeout(resolve, 1));
    const settled = await Promise.allSettled([t.gate("a"), t.gate("b")]);
    return [found.total > 0, settled.length, await t.gate("c")];
  }`);
  const events = reader(agent, executionId);
  expect(await told(events, 6)).toEqual(["begin", "intent 0", "intent 1", "pending 0", "pending 1", "end"]);
  await agent.approve(executionId, { seq: 1 });
  expect(await told(events, 3)).toEqual(["decision 1", "outcome 1", "end"]);
  paused(await agent.deny(executionId, 0, "no"));
  expect(await told(events, 5)).toEqual(["decision 0", "outcome 0", "intent 2", "pending 2", "end"]);
  expect(await agent.reject(executionId, 2)).toBe(true);
  expect(await told(events)).toEqual(["decision 2", "outcome 2", "end"]);
});

test("so is what a person said of a call in doubt", async () => {
  const agent = newAgent();
  const lost = agent.execute(`async () => t.hold({ key: "k" })`).catch(() => undefined);
  await agent.holding("k");
  const [{ id = "" } = {}] = await agent.executions();
  await abortAllDurableObjects();
  await lost;
  paused(await agent.recover(id));
  completed(await agent.resolve({ executionId: id, seq: 0, outcome: "applied", result: 1 }));
  expect(await told(reader(agent, id))).toEqual(["begin", "intent 0", "end", "decision 0", "outcome 0", "end"]);
});

test.each([
  ["evicted", evictAllDurableObjects],
  ["aborted", abortAllDurableObjects],
])("a reader that comes back after everything was %s has lost nothing", async (_name, tearDown) => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => { for (let n = 0; n < 3; n++) await t.gate(n) }`);
  const events = [reader(agent), reader(agent, executionId)];
  for (const one of events) expect(await told(one, 1)).toEqual(["begin"]);
  for (let n = 0; n < 3; n++) {
    await tearDown();
    await agent.approve(executionId);
  }
  await tearDown();
  const rest = [0, 1, 2].flatMap((n) => [`intent ${n}`, `pending ${n}`, "end", `decision ${n}`, `outcome ${n}`]);
  for (const one of events) expect(await told(one, 16)).toEqual([...rest, "end"]);
  await Promise.all(events.map((one) => one.cancel()));
});

test("a runtime that goes away while it is waited for is asked again", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  const events = reader(agent, executionId);
  expect(await told(events, 4)).toEqual(["begin", "intent 0", "pending 0", "end"]);
  const rest = told(events);
  await expect.poll(() => runInDurableObject(agent.runtime, () => true)).toBe(true);
  await abortAllDurableObjects();
  await agent.approve(executionId);
  expect(await rest).toEqual(["decision 0", "outcome 0", "end"]);
});

test("two readers are told the same, also in the middle of a busy run", async () => {
  const agent = newAgent();
  const events = [reader(agent), reader(agent)];
  const all = events.map((one) => told(one, 602));
  await agent.result(`async () => Promise.all(Array.from({ length: 300 }, (_, n) => t.echo(n)))`);
  const [first, second] = await Promise.all(all);
  expect(first).toEqual(second);
  expect(new Set(first).size).toBe(602);
  await Promise.all(events.map((one) => one.cancel()));
});

test("a run that is deleted while it is watched ends its stream, and one that is not there has none", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  const events = reader(agent, executionId);
  expect(await told(events, 4)).toHaveLength(4);
  const rest = told(events);
  expect(await agent.deleteExecution(executionId)).toBe(true);
  expect(await rest).toEqual([]);
  await expect(reader(agent, executionId).read()).rejects.toMatchObject({ code: "not_found", message: expect.stringContaining(executionId) });
});

test("a question waits no longer than it may, and an answer that is there is not waited for", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  const ask = async (request: object) => JSON.parse(await agent.runtime.events(JSON.stringify(request))) as { ok: boolean; value: { events: RuntimeEvent[]; cursor: string } };
  const { value } = await ask({ executionId, waitMs: 60_000 });
  expect(value.events).toHaveLength(4);
  expect(await ask({ executionId, cursor: value.cursor, waitMs: 1 })).toEqual({ ok: true, value: { events: [], cursor: value.cursor } });
  expect(await ask({ executionId, cursor: value.cursor })).toMatchObject({ value: { events: [] } });
  expect(await ask({ cursor: value.cursor, waitMs: 60_000 })).toMatchObject({ ok: false, code: "invalid_input" });
});

test("a journal of an earlier version is numbered in place, in the database of an object", async () => {
  const object = env.CODEMODE.getByName(`old/${crypto.randomUUID()}`);
  await runInDurableObject(object, (_, { storage: { sql } }) => {
    sql.exec("CREATE TABLE codemode_meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL)");
    sql.exec("INSERT INTO codemode_meta (key, value) VALUES ('schema', 2)");
    sql.exec("CREATE TABLE codemode_executions (id TEXT PRIMARY KEY, status TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, key TEXT UNIQUE)");
    sql.exec("CREATE TABLE codemode_journal (execution_id TEXT NOT NULL, position INTEGER NOT NULL, events TEXT NOT NULL, PRIMARY KEY (execution_id, position)) WITHOUT ROWID");
    for (const [id, at] of [["exec_a", 2], ["exec_b", 1]]) {
      sql.exec("INSERT INTO codemode_executions VALUES (?, 'completed', ?, ?, NULL)", id, at, at);
      const begin = { at, kind: "begin", protocol: 1, seed: "", connectors: [] };
      const end = { at, kind: "end", end: { status: "completed", result: "1" }, console: null };
      for (const [position, event] of [begin, end].entries()) {
        sql.exec("INSERT INTO codemode_journal (execution_id, position, events) VALUES (?, ?, ?)", id, position, `${JSON.stringify(event)}\n`);
      }
    }
  });
  const { ok, value } = JSON.parse(await object.events("{}")) as { ok: boolean; value: { events: RuntimeEvent[] } };
  expect(ok).toBe(true);
  expect(value.events.map(({ executionId, kind }) => `${executionId} ${kind}`)).toEqual(["exec_b begin", "exec_b end", "exec_a begin", "exec_a end"]);
});
