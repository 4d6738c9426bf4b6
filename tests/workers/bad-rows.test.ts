/** A damaged database of a real object: one bad row costs the run it belongs to, and nothing beside it. */

import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { type Agent, completed, failed, newAgent, paused } from "./story.ts";

/** Damages what is stored, and has the object forget what it has in memory. */
async function damage(agent: Agent, statement: string, id: string): Promise<void> {
  await runInDurableObject(agent.runtime, (_, state) => {
    expect(state.storage.sql.exec(statement, id).rowsWritten, statement).toBeGreaterThan(0);
  });
}

test.each([
  ["a journal row that is no event", `UPDATE codemode_journal SET events = 'x' WHERE execution_id = ?`, undefined],
  ["a journal row that is no text", `UPDATE codemode_journal SET events = x'00ff' WHERE execution_id = ?`, undefined],
  ["a journal that is gone", `DELETE FROM codemode_journal WHERE execution_id = ?`, undefined],
  ["an id that no runtime gives", `UPDATE codemode_executions SET id = 'an id!' WHERE id = ?`, "an id!"],
  ["an id that is no text", `UPDATE codemode_executions SET id = x'00ff' WHERE id = ?`, "(X'00FF')"],
])("%s: the others are listed and go on, and the broken run says that it cannot be read and is deleted", async (_what, statement, shownId) => {
  const agent = newAgent();
  const done = completed(await agent.execute(`async () => "done"`)).executionId;
  const broken = (await agent.paused(`async () => t.gate("broken")`)).executionId;
  const other = (await agent.paused(`async () => t.gate("other")`)).executionId;
  await damage(agent, statement, broken);
  const shown = shownId ?? broken;
  const listed = await agent.executions();
  expect(listed).toHaveLength(3);
  expect(listed.find(({ id }) => id === done)).toMatchObject({ status: "completed", result: "done" });
  expect(listed.find(({ id }) => id === shown)).toMatchObject({
    status: "paused",
    errorCode: "internal",
    error: expect.stringContaining("cannot be read"),
    code: { unreadable: expect.any(String) },
    log: [],
  });
  expect((await agent.page(null)).executions).toEqual(listed);
  expect(await agent.pending()).toMatchObject([{ executionId: other }]);
  expect(failed(await agent.approve(shown)).error).not.toBe("");
  expect(completed(await agent.approve(other)).result).toBe("other");
  expect(await agent.deleteExecution(shown)).toBe(true);
  expect(await agent.executions()).toHaveLength(2);
  expect(await agent.counters()).toEqual({ "t.gate": 1 });
});

test("a method list that cannot be read is asked for again, and nobody notices", async () => {
  const agent = newAgent();
  expect(await agent.result(`async () => t.echo(1)`)).toBe(1);
  await damage(agent, `UPDATE codemode_catalogues SET content = x'00' WHERE connector = ?`, "t");
  await runInDurableObject(agent.runtime, (_, state) => state.abort("forget")).catch(() => undefined);
  await expect.poll(async () => agent.execute(`async () => t.echo(2)`), { timeout: 10_000 }).toMatchObject({ status: "completed", result: 2 });
});

test("a value that is gone spoils itself and nothing beside it", async () => {
  const agent = newAgent();
  const { executionId } = paused(await agent.execute(`async () => { const long = await t.echo("x".repeat(2000)); return t.gate(long.length) }`));
  await damage(agent, `DELETE FROM codemode_values WHERE slot = 'outcome:0' AND execution_id = ?`, executionId);
  const [{ log, error } = { log: [] }] = await agent.executions();
  expect(error).toBeUndefined();
  expect(log).toMatchObject([{ state: "applied", args: "x".repeat(2000), result: { unreadable: expect.any(String) } }, { state: "pending", args: 2000 }]);
});
