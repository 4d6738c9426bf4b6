/**
 * Spec §4: a journal of every protocol number that was ever released is kept in tests/fixtures/journals, as it was written
 * then, and goes on here; one of a number that is not spoken any more ends as `diverged`. A new number gets a file; an
 * old file is never written again.
 */

import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import { encode } from "../../js-shim/value/index.ts";
import { type Agent, completed, failed, newAgent, paused } from "./story.ts";

/** One execution that waits for a person, and what it came to when it was approved at the time. */
type Fixture = {
  protocol: number;
  result: string;
  executions: { id: string; status: string; created_at: number; updated_at: number }[];
  journal: { execution_id: string; position: number; events: string }[];
  values: { execution_id: string; slot: string; chunk: number; text: string }[];
};

const fixtures = Object.entries(import.meta.glob<Fixture>("../fixtures/journals/*.json", { eager: true, import: "default" }));

/** Puts rows where an older version of this class has left them. */
async function leave(agent: Agent, fixture: Fixture): Promise<string> {
  await agent.executions();
  return runInDurableObject(agent.runtime, (_, { storage: { sql } }) => {
    for (const [table, rows] of [["executions", fixture.executions], ["journal", fixture.journal], ["values", fixture.values]] as const) {
      for (const row of rows) {
        const columns = Object.keys(row);
        sql.exec(`INSERT INTO codemode_${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`, ...Object.values(row));
      }
    }
    return fixture.executions[0]?.id ?? "";
  });
}

/** As a machine that died leaves it: the first events, and a run that is `running`. */
function cut({ journal, executions, ...fixture }: Fixture, count: number): Fixture {
  const lines = journal.flatMap(({ events }) => events.trimEnd().split("\n")).slice(0, count);
  const [{ execution_id = "" } = {}] = journal;
  return {
    ...fixture,
    executions: executions.map((row) => ({ ...row, status: "running" })),
    journal: [{ execution_id, position: 0, events: `${lines.join("\n")}\n` }],
  };
}

const eventsOf = ({ journal }: Fixture): number => journal.reduce((sum, { events }) => sum + events.trimEnd().split("\n").length, 0);

const spoken = (fixture: Fixture, protocol: number): Fixture => ({
  ...fixture,
  journal: fixture.journal.map((row) => ({ ...row, events: row.events.replace(/"protocol":\d+/, `"protocol":${protocol}`) })),
});

test("there is a journal of protocol 1", () => {
  expect(fixtures.map(([, { protocol }]) => protocol)).toContain(1);
});

describe.each(fixtures)("%s", (_name, fixture) => {
  test("a run that waits is approved and comes to what it came to then", async () => {
    const agent = newAgent();
    const executionId = await leave(agent, fixture);
    const output = completed(await agent.approve(executionId));
    expect(encode(output.result, "result")).toBe(fixture.result);
    expect(await agent.counters()).toEqual({ "t.gate": 1, "t.count": 1, "count/after": 1 });
  });

  test("a run that died after any of its events is recovered", async () => {
    for (let count = 1; count < eventsOf(fixture); count += 1) {
      const agent = newAgent();
      const executionId = await leave(agent, cut(fixture, count));
      const { pending, inDoubt = [] } = paused(await agent.recover(executionId));
      expect([pending.length, inDoubt.length > 0], `after ${count} events`).toEqual(inDoubt.length > 0 ? [0, true] : [1, false]);
    }
  });

  test.each([0, 2, 999])("as protocol %i it ends as diverged, is read, undone and deleted", async (protocol) => {
    for (const [rows, decide] of [
      [fixture, (agent: Agent, id: string) => agent.approve(id)],
      [fixture, (agent: Agent, id: string) => agent.approve(id, { seq: 7, args: {} })],
      [fixture, (agent: Agent, id: string) => agent.deny(id, 7)],
      [cut(fixture, 9), (agent: Agent, id: string) => agent.recover(id)],
    ] as const) {
      const agent = newAgent();
      const executionId = await leave(agent, spoken(rows, protocol));
      const output = failed(await decide(agent, executionId));
      expect(output).toMatchObject({ code: "diverged", error: expect.stringContaining(`protocol ${protocol} and this runtime speaks 1`) });
      expect(await agent.execution(executionId)).toMatchObject({ status: "error", errorCode: "diverged" });
      expect((await agent.execution(executionId)).log.length).toBeGreaterThan(0);
      expect(await agent.counters()).toEqual({});
      expect((await agent.rollback(executionId)).status).toBe("error");
      expect(await agent.deleteExecution(executionId)).toBe(true);
    }
  });
});
