/** Spec §1: a facet that another system left behind under the same name is opened safely. */

import { runInDurableObject } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { expect, test, vi } from "vitest";

import { newAgent } from "./story.ts";

test("its snippets run here, its paused runs are none of ours, and the log says so once", async () => {
  const agent = newAgent({ placement: "embedded" });
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  await runInDurableObject(agent.stub, async (_, state) => {
    const facet = state.facets.get("codemode:default", () => ({ class: Reflect.get(exports, "Ancestor") })) as unknown as { leave(): Promise<void> };
    await facet.leave();
    state.facets.abort("codemode:default", new Error("another version was deployed"));
  });
  expect(await agent.result(`async () => codemode.run("twice", 7)`)).toEqual([7, 7]);
  expect(await agent.snippets()).toMatchObject([{ name: "twice", savedAt: 1_790_000_000_000, connectors: ["t"] }]);
  expect((await agent.search("twice")).results[0]).toMatchObject({ kind: "snippet", path: "twice" });
  expect([await agent.pending(), (await agent.executions()).length]).toEqual([[], 1]);
  const told = warn.mock.calls.map(([text]) => String(text)).filter((text) => text.includes("@cloudflare/codemode"));
  expect(told).toEqual([expect.stringContaining("1 executions, 1 of them paused")]);
});
