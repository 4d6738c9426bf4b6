/** Spec §2: the one tool that a model is given. What its description promises is run here. */

import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { DESCRIPTION_EXAMPLES } from "../../js-shim/client/index.ts";
import { completed, failed, newAgent, paused } from "./story.ts";

test.each(DESCRIPTION_EXAMPLES.map((example) => [example]))("the description's example runs as it stands: %s", async (example) => {
  const agent = newAgent();
  expect(completed(await agent.useTool({ code: example })).calls).toEqual([]);
});

test("the description names the namespaces and every example", async () => {
  const description = await runInDurableObject(newAgent().stub, (host) => host.runtime().tool({ connectorHints: { t: "for tests" } }).description);
  expect(description).toContain("- t: for tests");
  expect(description).toContain("- side");
  for (const example of DESCRIPTION_EXAMPLES) expect(description).toContain(example);
});

test("what the description says of programs is so", async () => {
  const agent = newAgent();
  expect(completed(await agent.useTool({ code: "const a = 1;\nreturn a + 1" })).result).toBe(2);
  expect(completed(await agent.useTool({ code: "async () => Promise.all([t.echo(1), side.echo(2)])" })).result).toEqual([1, 2]);
  expect(failed(await agent.useTool({ code: "async () => fetch('https://example.com')" })).status).toBe("error");
});

test.each([[{}], [{ code: 1 }], [null], ["async () => 1"], [{ code: ["1"] }]])("an input that is none is an outcome, not an exception: %j", async (input) => {
  const output = failed(await newAgent().useTool(input as { code: string }));
  expect(output).toMatchObject({ code: "invalid_input", executionId: "", error: expect.stringContaining("code") });
});

test("the model sees everything but the calls, in the shown form", async () => {
  const agent = newAgent();
  const output = await agent.useTool({ code: `async () => { console.log("said"); await t.echo("x".repeat(2000)); return { at: new Date(0), big: 2n ** 64n, map: new Map([[1, 2]]), bytes: new Uint8Array([1]) } }` });
  expect(completed(output).calls).toHaveLength(1);
  expect(await agent.toModel(output)).toEqual({
    status: "completed",
    executionId: output.executionId,
    result: { at: "1970-01-01T00:00:00.000Z", big: "18446744073709551616", map: [[1, 2]], bytes: { bytes: 1, base64: "AQ==" } },
    logs: ["said"],
  });
});

test("a pause comes out of the tool as a request for a decision, and the answer resumes it", async () => {
  const agent = newAgent();
  const output = await agent.useTool({ code: `async () => [await t.gate({ amount: 5 }), await t.count({ key: "after" })]` });
  const { pending } = paused(output);
  expect(pending).toEqual([{ executionId: output.executionId, seq: 0, connector: "t", method: "gate", args: { amount: 5 } }]);
  expect(await agent.counters()).toEqual({});
  expect(completed(await agent.approve(output.executionId, { seq: 0 })).result).toEqual([{ amount: 5 }, 1]);
});

test("a pause and an error are shown whole, too", async () => {
  const agent = newAgent();
  const pausedOutput = await agent.useTool({ code: `async () => t.gate({ at: new Date(0) })` });
  expect(await agent.toModel(pausedOutput)).toMatchObject({ status: "paused", pending: [{ seq: 0, args: { at: "1970-01-01T00:00:00.000Z" } }] });
  expect(await agent.toModel(pausedOutput)).not.toHaveProperty("calls");
  const errorOutput = await agent.useTool({ code: `async () => { throw new Error("x") }` });
  expect(await agent.toModel(errorOutput)).toMatchObject({ status: "error", code: "exception", error: expect.stringContaining("Error: x") });
  expect(await agent.toModel(await agent.useTool({ code: `async () => undefined` }))).toMatchObject({ result: null });
});
