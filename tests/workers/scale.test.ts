/** Much at once and much in one run, in one object: nothing is mixed up, nothing runs twice, and memory stays within bounds. */

import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { Core } from "../../js-shim/core.ts";
import { completed, newAgent, paused } from "./story.ts";

const MiB = 1024 * 1024;
/** What the platform gives an isolate. */
const ISOLATE = 128 * MiB;

/** How large the core's memory has become. One instance serves every object of this isolate, and it never shrinks. */
async function coreMemory(): Promise<number> {
  return runInDurableObject(env.CODEMODE.getByName("memory/scale"), (_, state) =>
    new Core(state, {}).use((inner) => Reflect.get(inner, "memoryBytes").call(inner) as number),
  );
}

test.each([
  ["bound", 16],
  ["bound", 64],
  ["embedded", 16],
] as const)("%s: %i executions at once queue for places, each gets its own values, and each effect happens once", { timeout: 120_000 }, async (placement, count) => {
  const agent = newAgent({ placement, maxExecutions: 100 });
  const program = (n: number): string => `async () => {
    console.log("run", ${n});
    const [one, two] = await Promise.all([t.echo({ n: ${n} }), t.sleep({ ms: 5, value: "slept ${n}" })]);
    const kept = await side.keep(${n});
    return [one.n, two, kept.kept, await t.count({ key: "of ${n}" }), await codemode.step("s", () => ${n})];
  }`;
  const outputs = await Promise.all(Array.from({ length: count }, (_, n) => agent.execute(program(n)).then(completed)));
  outputs.forEach((output, n) => {
    expect(output.result).toEqual([n, `slept ${n}`, n, 1, n]);
    expect(output.logs).toEqual([`run ${n}`]);
    expect(output.calls?.map(({ state }) => state)).toEqual(["applied", "applied", "applied", "applied", "applied"]);
  });
  expect(new Set(outputs.map(({ executionId }) => executionId)).size).toBe(count);
  const ran = await agent.ran();
  expect(ran).toHaveLength(4 * count);
  expect(new Set(ran.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4 * count);
  expect((await agent.counters())["t.sleep/peak"]).toBeLessThanOrEqual(8);
  expect((await agent.executions(100)).map(({ id }) => id).toSorted()).toEqual(outputs.map(({ executionId }) => executionId).toSorted());
});

test("a run of ten thousand calls pauses after them, is listed within the size of a reply, and goes on by replay", { timeout: 300_000 }, async () => {
  const before = await coreMemory();
  const agent = newAgent({ limits: { passMs: 250_000 } });
  const { executionId } = await agent.paused(`async () => {
    let sum = 0;
    for (let n = 0; n < 9999; n += 101) for (const one of await Promise.all(Array.from({ length: 101 }, (_, i) => t.put({ value: n + i })))) sum += one;
    return [sum, await t.gate(sum)];
  }`);
  const sum = (9998 * 9999) / 2;
  expect(await agent.pending()).toMatchObject([{ executionId, seq: 9999, args: sum }]);
  for (const reply of [await agent.runtime.executions("{}"), await agent.runtime.execution(JSON.stringify({ executionId }))]) {
    expect(reply.length).toBeLessThan(8 * MiB);
  }
  expect(await agent.entry(executionId, 9998)).toMatchObject({ args: { value: 9998 }, result: 9998, state: "applied" });
  const ran = (await agent.counters())["t.put"];
  expect(completed(await agent.approve(executionId)).result).toEqual([sum, sum]);
  expect([ran, (await agent.counters())["t.put"]]).toEqual([9999, 9999]);
  const after = await coreMemory();
  console.log(`ten thousand calls: the core's memory went from ${before / MiB} to ${after / MiB} MiB`);
  expect(after).toBeLessThan(ISOLATE / 2);
});

test("many values of the largest size in one run are kept and replayed in bounded memory", { timeout: 300_000 }, async () => {
  const before = await coreMemory();
  const agent = newAgent({ limits: { passMs: 250_000 } });
  const VALUES = 60;
  const { executionId } = paused(await agent.execute(`async () => {
    let length = 0;
    for (let n = 0; n < ${VALUES}; n++) length += (await t.echo(String(n % 10).repeat(999_998))).length;
    return [length, await t.gate(length)];
  }`));
  expect(completed(await agent.approve(executionId)).result).toEqual([VALUES * 999_998, VALUES * 999_998]);
  expect((await agent.counters())["t.echo"]).toBe(VALUES);
  const entry = await agent.entry(executionId, VALUES - 1);
  expect(entry.result === String((VALUES - 1) % 10).repeat(999_998)).toBe(true);
  const after = await coreMemory();
  console.log(`${VALUES} values of a megabyte, twice each: the core's memory went from ${before / MiB} to ${after / MiB} MiB`);
  // Far less than what was kept: the core holds a few values at a time.
  expect(after).toBeLessThan(ISOLATE / 2);
});

test("hundreds of runs expire and are forgotten in one request each, and whoever asks meanwhile has a turn", { timeout: 120_000 }, async () => {
  const agent = newAgent({ maxExecutions: 1000 });
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  const COPIES = 450;
  await runInDurableObject(agent.runtime, (_, { storage: { sql } }) => {
    for (let n = 1; n <= COPIES; n++) {
      const id = `exec_${String(n).padStart(32, "0")}`;
      sql.exec("INSERT INTO codemode_executions SELECT ?, status, created_at + ?, updated_at, key FROM codemode_executions WHERE id = ?", id, n, executionId);
      sql.exec("INSERT INTO codemode_journal (execution_id, position, events) SELECT ?, position, events FROM codemode_journal WHERE execution_id = ?", id, executionId);
      sql.exec("INSERT INTO codemode_values SELECT ?, slot, chunk, text FROM codemode_values WHERE execution_id = ?", id, executionId);
    }
  });
  const order: string[] = [];
  const [expired] = await Promise.all([
    agent.expirePaused(0).finally(() => order.push("expired")),
    agent.execution(executionId).finally(() => order.push("asked")),
  ]);
  expect(new Set(expired).size).toBe(COPIES + 1);
  expect(order).toEqual(["asked", "expired"]);
  expect(await agent.pending()).toEqual([]);
  expect(await agent.pruneExecutions(1)).toBe(COPIES);
  expect(await agent.executions()).toHaveLength(1);
});
