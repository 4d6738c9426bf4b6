/** Spec §4: a program that calls without end in sight keeps nobody else from the same object. */

import { expect, test } from "vitest";

import { completed, newAgent } from "./story.ts";

test("while a program makes five thousand calls, other programs of the same runtime run, and questions are answered", { timeout: 180_000 }, async () => {
  const agent = newAgent({ limits: { calls: 100_000, passMs: 170_000 } });
  const state = { over: false };
  const long = agent.execute(`async () => { let n = 0; for (let i = 0; i < 5_000; i++) n += (await t.read({})) > 0 ? 1 : 0; return n; }`).finally(() => (state.over = true));
  await agent.result("async () => 1");
  const others: unknown[] = [];
  while (!state.over && others.length < 10) {
    others.push(await agent.result(`async () => (await t.echo(${others.length})) + 1`));
    expect(await agent.pending()).toEqual([]);
  }
  expect(state.over, "the others had to wait for it").toBe(false);
  expect(others).toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
  const { result, calls } = completed(await long);
  expect([result, calls?.length]).toEqual([5_000, 5_000]);
});
