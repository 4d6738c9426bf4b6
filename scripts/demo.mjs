// A whole story in one minute: a program finds its tools, calls several at once, fails once, and waits for a person twice.
// In between the process it runs in is killed. What was recorded before is not done again; what was done is undone in the
// end. Then another run is killed in the middle of a call, and a person says what became of it. Last, a program is kept and
// run by another one.
//
// Every claim is asserted: what differs from the story ends it with an error. So it is also the last check of `npm test`.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { heading, json, note, program, proven, table } from "./demo/print.mjs";
import { build, freePort, startMcpServer, startWorkers } from "./local.mjs";
import { withProcesses } from "./processes.mjs";

/**
 * What the program calls before it pauses.
 *
 * @type {Record<string, number>}
 */
const EARLIER = {
  "everything.get_resource_reference": 1,
  "everything.get_structured_content": 1,
  "everything.get_sum": 1,
  "everything.trigger_long_running_operation": 1,
  "lab.count": 3,
  "lab.count/middle": 1,
  "lab.count/quick": 1,
  "lab.count/slow": 1,
  "lab.sleep": 1,
  "notes.onPassEnd/paused": 1,
};

/** Numbered as the program issued them. */
const STATES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((seq) => [seq, seq === 7 ? "error" : "applied"]);

/** What the connectors heard of the end, beside the ends of the passes. */
const HEARD = { "notes.onPassEnd/completed": 1, "notes.disposeExecution/completed": 1 };

/** The call that failed did nothing that could be undone. */
const REPORT = [9, 8, 6, 5, 4, 3, 2, 1, 0].map((seq) => [seq, seq > 7 ? "reverted" : "no_revert"]);

const LIST = "async () => notes.list({})";

const SLEEPER = `async () => {
  const before = await lab.count({ key: "sleeper" });
  const slept = await lab.sleep({ ms: 60_000, value: "rested" });
  return [before, slept, await lab.count({ key: "sleeper" })];
}`;

const SUM = `async (input) => everything.get_sum(input ?? { a: 1, b: 1 })`;

const SUM_INPUT = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] };

const ADDER = `async () => {
  const { results } = await codemode.search("add two numbers", { connector: "snippet" });
  const wrong = await codemode.run(results[0].path, { a: 19 }).catch((error) => error.message);
  return { signature: results[0].signature, wrong, sum: await codemode.run(results[0].path, { a: 19, b: 23 }) };
}`;

const storage = await mkdtemp(join(tmpdir(), "codemode-demo-"));
const status = await withProcesses(async (stop) => {
  await build();
  note("starting an MCP server, the runtime and the example Agent on this machine");
  const mcp = await startMcpServer(stop);
  const workers = await startWorkers({ stop, port: await freePort(), mcpUrl: mcp.url, persist: storage, logLevel: "error" });
  await story(workers, stop);
  await recovery(workers, stop);
  await kept(workers, stop);
});
await rm(storage, { recursive: true, force: true });
process.exit(status);

/**
 * @param {Awaited<ReturnType<typeof startWorkers>>} workers
 * @param {AbortSignal} stop
 */
async function story(workers, stop) {
  const { get, post } = client(workers.url, stop);
  const code = await readFile(join(import.meta.dirname, "demo", "program.txt"), "utf8");

  heading("A model wrote this program");
  program(code);

  heading("It runs until only calls that need a person are left");
  const paused = await post("/run", { code });
  assert.equal(paused.status, "paused", JSON.stringify(paused));
  const { executionId, pending } = paused;
  const { ticket, opened } = /^ticket (?<ticket>\S+), opened (?<opened>\S+)$/.exec(paused.logs.join("\n"))?.groups ?? {};
  assert(ticket !== undefined && opened !== undefined);
  json({ status: paused.status, pending: pending.map(action), logs: paused.logs });
  assert.deepEqual(pending.map(action), [
    { seq: 8, method: "notes.add", args: { text: `${ticket}: Chicago has Light rain / drizzle, 36 degrees`, tag: "weather" } },
    { seq: 9, method: "notes.add", args: { text: `${ticket}: The sum of 19 and 23 is 42.`, tag: "sum" } },
  ]);
  proven("two actions are pending in one pass, each with its arguments; nothing is written yet");
  const before = await get("/counters");
  assert.deepEqual(before, EARLIER);

  heading("The process dies");
  const killed = workers.workerd();
  await workers.crash();
  const reborn = workers.workerd();
  note(`SIGKILL to workerd ${killed}; workerd ${reborn} started on the same storage`);
  assert.notEqual(reborn, killed);
  assert.deepEqual(await get("/pending"), pending);
  proven("the same two actions are pending: all there is to know was on disk");

  heading("A person approves the first action");
  const [first, second] = pending;
  const half = await post("/approve", { executionId, seq: first.seq });
  assert.equal(half.status, "paused", JSON.stringify(half));
  assert.deepEqual(half.pending, [second]);
  json({ status: half.status, pending: half.pending.map(action) });
  proven("a new sandbox replayed the record up to this point and ran this action; the other one still waits");

  heading("A person approves the second action with other arguments");
  const args = { ...second.args, text: `${ticket}: forty-two, said a person` };
  const completed = await post("/approve", { executionId, seq: second.seq, args });
  assert.equal(completed.status, "completed", JSON.stringify(completed));
  json({ status: completed.status, result: completed.result });
  assert.deepEqual(completed.result, {
    ticket,
    started: Date.parse(opened),
    found: ["notes.add", "everything.get_sum"],
    finished: ["quick", "middle", "slow"],
    failure: "Invalid resourceId: 0. Must be a finite positive integer.",
    written: [
      { id: 1, ...first.args },
      { id: 2, ...args },
    ],
  });
  assert.deepEqual(completed.logs, paused.logs);
  proven("Date.now() and Math.random() gave in each of the three passes what they gave in the first");
  proven("the chains finished in the order of the first pass, though nothing was slow any more");

  heading("The record");
  const { log, status: final } = await get(`/executions/${executionId}`);
  assert.equal(final, "completed");
  const [{ startedAt: origin }] = log;
  table(["seq", "method", "state", "attempts", "from ms", "to ms", ""], log.map(rowOf(origin)));
  assert.deepEqual(log.map((/** @type {any} */ entry) => [entry.seq, entry.state]), STATES);
  assert(log.every((/** @type {any} */ entry) => entry.attempt === 1 && entry.endedAt >= entry.startedAt));
  assert.deepEqual([log[9].args, log[9].editedArgs], [second.args, args]);
  proven("the program's own arguments are kept beside the edited ones");

  heading("How often each method really ran");
  const after = await get("/counters");
  const names = Object.keys(after).filter((name) => !name.includes("/"));
  table(["method", "when paused", "at the end"], names.map((name) => [name, before[name] ?? 0, after[name]]));
  assert.deepEqual(after, { ...before, "notes.add": 2, "notes.onPassEnd/paused": 2, ...HEARD });
  proven("three passes and a crash: every earlier call ran once, and each approved action once");

  heading("It is undone");
  assert.equal((await post("/run", { code: LIST })).result.length, 2);
  const { status: undone, report, notReverted } = await post("/rollback", { executionId });
  table(["seq", "method", "outcome"], report.map((/** @type {any} */ { seq, connector, method, outcome }) => [seq, `${connector}.${method}`, outcome]));
  assert.deepEqual([undone, notReverted], ["rolled_back", []]);
  assert.deepEqual(report.map((/** @type {any} */ { seq, outcome }) => [seq, outcome]), REPORT);
  assert.deepEqual((await post("/run", { code: LIST })).result, []);
  proven("both notes are gone, the last one first; for every other call it says that its method cannot be undone");
  await post("/rollback", { executionId });
  assert.equal((await get("/counters"))["notes.add.revert"], 2);
  proven("rolled back a second time: nothing is undone twice");
}

/**
 * A run that dies in the middle of a call.
 *
 * @param {Awaited<ReturnType<typeof startWorkers>>} workers
 * @param {AbortSignal} stop
 */
async function recovery(workers, stop) {
  const { get, post } = client(workers.url, stop);
  const { "lab.sleep": slept, "lab.count": counted } = await get("/counters");

  heading("Another program dies in the middle of a call");
  program(SLEEPER);
  const lost = post("/run", { code: SLEEPER }).catch((error) => error);
  while ((await get("/counters"))["lab.sleep"] === slept) stop.throwIfAborted();
  note(`lab.sleep is under way: SIGKILL to workerd ${workers.workerd()}; wrangler will report the lost connection`);
  await workers.crash();
  await lost;
  const [{ id: executionId, status }] = await get("/executions?limit=1");
  assert.equal(status, "running");

  heading("It is recovered from its record");
  const paused = await post("/recover", { executionId });
  json({ status: paused.status, inDoubt: paused.inDoubt?.map(action) });
  assert.deepEqual(paused.inDoubt?.map(action), [{ seq: 1, method: "lab.sleep", args: { ms: 60_000, value: "rested" } }]);
  proven("nobody knows whether that call happened, and it may not be repeated: a person is asked");

  heading("A person says that it did happen, and what it returned");
  const completed = await post("/resolve", { executionId, seq: 1, outcome: "applied", result: "rested, said a person" });
  json({ status: completed.status, result: completed.result });
  assert.deepEqual(completed.result, [1, "rested, said a person", 2], JSON.stringify(completed));
  const after = await get("/counters");
  assert.deepEqual([after["lab.sleep"], after["lab.count"]], [slept + 1, counted + 2]);
  proven("the call before the crash ran once, the one in doubt too, and the run went on behind it");
}

/**
 * A program that worked is kept under a name, and another one finds it.
 *
 * @param {Awaited<ReturnType<typeof startWorkers>>} workers
 * @param {AbortSignal} stop
 */
async function kept(workers, stop) {
  const { post } = client(workers.url, stop);

  heading("A program that worked is kept as a snippet, and another one finds and runs it");
  const { executionId } = await post("/run", { code: SUM });
  await post("/snippets", { name: "sum-of-two", executionId, description: "Adds two numbers.", inputSchema: SUM_INPUT });
  program(ADDER);
  const { result, calls } = await post("/run", { code: ADDER });
  json(result);
  assert.equal(result.signature, 'codemode.run("sum-of-two", input: { a: number; b: number }): Promise<unknown>');
  assert.match(result.wrong, /input\.b is required/);
  assert.match(JSON.stringify(result.sum), /42/);
  assert.deepEqual(calls.map(action), [{ seq: 0, method: "everything.get_sum", args: { a: 19, b: 23 } }]);
  proven("its input was checked, and its call is in the log of the program that ran it");
}

/** @param {{ seq: number, connector: string, method: string, args: unknown }} pending */
function action({ seq, connector, method, args }) {
  return { seq, method: `${connector}.${method}`, args };
}

/** @param {number} origin */
function rowOf(origin) {
  return (/** @type {any} */ entry) => {
    const { seq, connector, method, state, attempt, startedAt, endedAt, error, requiresApproval, editedArgs } = entry;
    const remark = error ?? (editedArgs !== undefined ? "approved, arguments edited" : requiresApproval ? "approved" : "");
    return [seq, `${connector}.${method}`, state, attempt, startedAt - origin, endedAt - origin, remark];
  };
}

/**
 * @param {string} url
 * @param {AbortSignal} signal
 */
function client(url, signal) {
  /** @type {(path: string, init?: RequestInit) => Promise<any>} */
  const ask = async (path, init) => {
    const response = await fetch(url + path, { signal, ...init });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text);
  };
  const headers = { "content-type": "application/json" };
  return {
    get: ask,
    post: (/** @type {string} */ path, /** @type {unknown} */ body) => ask(path, { method: "POST", headers, body: JSON.stringify(body) }),
  };
}
