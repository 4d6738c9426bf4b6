/** Spec §5: how long runs are remembered, and how they are listed and forgotten. */

import { describe, expect, test } from "vitest";

import { type Agent, completed, failed, newAgent } from "./story.ts";

async function ids(agent: Agent): Promise<string[]> {
  return (await agent.executions()).map(({ id }) => id);
}

async function run(agent: Agent, count: number): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) made.push(completed(await agent.execute(`async () => ${n}`)).executionId);
  return made.toReversed();
}

describe.each(["bound", "embedded"] as const)("%s", (placement) => {
  test("a run that is deleted is gone, and one that is not there is not deleted", async () => {
    const agent = newAgent({ placement });
    const [first = "", second] = await run(agent, 2);
    expect([await agent.deleteExecution(first), await agent.deleteExecution(first)]).toEqual([true, false]);
    expect(await ids(agent)).toEqual([second]);
    expect(await agent.refusal("execution", first)).toMatchObject({ code: "not_found", error: expect.stringContaining(first) });
  });

  test("a live one is cancelled first: whoever waits for it is told, and its connectors hear of the end", async () => {
    const agent = newAgent({ placement });
    const running = agent.execute(`async () => t.hold({ key: "k" })`);
    await agent.holding("k");
    const [id = ""] = await ids(agent);
    expect(await agent.deleteExecution(id)).toBe(true);
    expect(failed(await running)).toMatchObject({ executionId: id, code: "cancelled" });
    const { executionId } = await agent.paused(`async () => t.gate(1)`);
    expect(await agent.deleteExecution(executionId)).toBe(true);
    expect(await agent.pending()).toEqual([]);
    expect(await ids(agent)).toEqual([]);
    await agent.release("k", "late");
    await agent.result(`async () => 1`);
    const disposed = (await agent.heard()).filter(({ connector, what }) => connector === "t" && what === "dispose");
    expect(disposed.map((one) => one.executionId)).toEqual(expect.arrayContaining([id, executionId]));
    expect(await ids(agent)).toHaveLength(1);
  });
});

test("prune keeps the newest that have ended, and all that may still go on", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => t.gate(1)`);
  const made = await run(agent, 5);
  expect(await agent.pruneExecutions()).toBe(0);
  expect(await agent.pruneExecutions(2)).toBe(3);
  expect(await ids(agent)).toEqual([...made.slice(0, 2), executionId]);
  expect(await agent.pruneExecutions(0)).toBe(2);
  expect(await ids(agent)).toEqual([executionId]);
});

test("pages go from the newest to the oldest, each run once, also while new ones begin", async () => {
  const agent = newAgent();
  const made = await run(agent, 7);
  const seen: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: Awaited<ReturnType<Agent["page"]>> = await agent.page(cursor, 3);
    seen.push(...page.executions.map(({ id }) => id));
    cursor = page.cursor;
    pages += 1;
    await run(agent, 1);
  } while (cursor !== null);
  expect([pages, seen]).toEqual([3, made]);
});

test("a page that is the last has no cursor, and a wrong cursor is refused", async () => {
  const agent = newAgent();
  const made = await run(agent, 3);
  expect(await agent.page(null, 3)).toMatchObject({ cursor: null, executions: made.map((id) => ({ id })) });
  expect(await newAgent().page(null)).toEqual({ executions: [], cursor: null });
  expect(await agent.refusal("page", "nonsense")).toMatchObject({ code: "invalid_input", error: expect.stringContaining("cursor") });
});

test.each([[-1], [1.5], [Number.NaN]])("keep and maxAgeMs have to be whole numbers, not %s", async (wrong) => {
  expect(await newAgent().refusal("pruneExecutions", wrong)).toMatchObject({ code: "invalid_input", error: expect.stringContaining("keep") });
  expect(await newAgent().refusal("expirePaused", wrong)).toMatchObject({ code: "invalid_input", error: expect.stringContaining("maxAgeMs") });
});
