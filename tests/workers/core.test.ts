import { expect, test } from "vitest";
import { completed, newAgent } from "./story.ts";

test("a program runs", async () => {
  const agent = newAgent();
  expect(await agent.result(`async () => t.echo({ a: 1 })`)).toEqual({ a: 1 });
});
test("embedded", async () => {
  const agent = newAgent({ placement: "embedded" });
  const p = await agent.paused(`async () => t.gate({ a: 1 })`);
  expect(completed(await agent.approve(p.executionId)).result).toEqual({ a: 1 });
});
