// A whole story in one minute: a program calls two connectors, waits for a person, and goes on by replay.
// Both Workers run as `wrangler dev` runs them, on this machine only; storage is a temporary folder.
//
// It is also the last check of `npm test`: what differs from the story ends it with an error.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const root = join(import.meta.dirname, "..");
const program = `async () => {
  const before = await lab.count({ key: "demo" });
  await notes.add({ text: "written after approval" });
  return { before, notes: await notes.list({}) };
}`;

// Built here, where its output is seen; wrangler's own build then finds nothing to do.
const { status } = spawnSync("node", ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

const storage = await mkdtemp(join(tmpdir(), "codemode-demo-"));
const port = await freePort();
// The first configuration is the one that gets the port.
const args = ["dev", "-c", "examples/agent/wrangler.toml", "-c", "wrangler.toml", "--log-level", "error"];
args.push("--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0", "--persist-to", storage);
const wrangler = spawn("wrangler", args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
const ended = once(wrangler, "exit");

try {
  await ready();
  say("the model's program", program);
  const paused = await post("/run", { code: program });
  say("it waits for a person", paused);
  assert.equal(paused.status, "paused");
  assert.deepEqual(paused.pending.map((/** @type {{ method: string }} */ action) => action.method), ["add"]);

  const completed = await post("/approve", { executionId: paused.executionId });
  say("approved", completed);
  assert.equal(completed.status, "completed");

  const counters = await get("/counters");
  say("how often each method really ran", counters);
  assert.equal(counters["lab.count"], 1, "the replay must not call again what was recorded");
  assert.equal(counters["notes.add"], 1);
} finally {
  // As from a terminal: wrangler takes its workerd along.
  wrangler.kill("SIGINT");
  await ended;
  await rm(storage, { recursive: true, force: true });
}

/**
 * @param {string} title
 * @param {unknown} body
 */
function say(title, body) {
  console.log(`\n--- ${title}\n${typeof body === "string" ? body : JSON.stringify(body, null, 2)}`);
}

/** @param {string} path */
async function get(path) {
  return answer(await fetch(`http://127.0.0.1:${port}${path}`));
}

/**
 * @param {string} path
 * @param {unknown} body
 */
async function post(path, body) {
  const headers = { "content-type": "application/json" };
  return answer(await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
}

/**
 * @param {Response} response
 * @returns {Promise<any>}
 */
async function answer(response) {
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text);
}

/** wrangler says in no machine-readable way that it is ready; the port does. */
async function ready() {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline && wrangler.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${port}/counters`).catch(() => undefined);
    if (response?.ok) return;
    await pause(200);
  }
  throw new Error("wrangler dev did not become ready");
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  assert(address !== null && typeof address === "object");
  return address.port;
}
