/** The model-facing tool: its description, its schema, what it runs and what the model sees. */

import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";

import { createCodemodeRuntime, DESCRIPTION_EXAMPLES, type ConnectorTools } from "../../../js-shim/client/index.ts";
import type { WireLogEntry } from "../../../js-shim/wire.ts";
import { completed, context, framed, RuntimeDouble, Table } from "./double.ts";

function toolOf(connectors: Table[] = [], double = new RuntimeDouble(), options?: Parameters<ReturnType<typeof createCodemodeRuntime>["tool"]>[0]) {
  return createCodemodeRuntime({ ctx: context, binding: double.binding, connectors }).tool(options);
}

test("the description names every namespace: those with a hint on a line each, the others on one", () => {
  const { description } = toolOf([new Table("github", {}), new Table("notes", {})], undefined, { connectorHints: { github: "Issues and\n  pull requests.", other: "?" } });
  expect(description).toContain("\n- github: Issues and pull requests.\n- notes\n- codemode:");
  expect(description).not.toContain("other");
});

test("the description takes at most 450 tokens with seven namespaces and does not grow with the number of methods", () => {
  const methods: ConnectorTools = Object.fromEntries(Array.from({ length: 500 }, (_unused, index) => [`method_${index}`, { execute: () => 1 }]));
  const names = ["github", "stripe", "slack", "jira", "calendar", "twilio", "digitalocean"];
  const small = toolOf(names.map((name) => new Table(name, {}))).description;
  expect(toolOf(names.map((name) => new Table(name, methods))).description).toBe(small);
  expect(countTokens(small)).toBeLessThanOrEqual(450);
});

test("a description of one's own replaces it", () => {
  expect(toolOf([], undefined, { description: "Mine." }).description).toBe("Mine.");
});

test("the examples of the description are in it, and run", async () => {
  const { description } = toolOf();
  expect(DESCRIPTION_EXAMPLES.length).toBeGreaterThan(0);
  const paths = ["notes.add", "notes.list"];
  const codemode = {
    search: async (_query: string, { limit = 10 } = {}) => ({ results: paths.slice(0, limit).map((path) => ({ path })), total: 2, truncated: false }),
    describe: async (path: string) => ({ path, types: "" }),
  };
  for (const example of DESCRIPTION_EXAMPLES) {
    expect(description).toContain(example);
    const program = new Function("codemode", `return (${example})()`) as (global: object) => Promise<unknown>;
    expect(JSON.stringify(await program(codemode))).toContain("notes.add");
  }
});

test("the input schema validates, and tells a model what to send", () => {
  const schema = toolOf().inputSchema["~standard"];
  expect([schema.version, schema.vendor]).toEqual([1, "codemode-rs"]);
  expect(schema.validate({ code: "1", more: 2 })).toEqual({ value: { code: "1" } });
  for (const wrong of [undefined, null, "1", {}, { code: 1 }]) expect(schema.validate(wrong)).toMatchObject({ issues: [{ path: ["code"] }] });
  for (const direction of [schema.jsonSchema.input, schema.jsonSchema.output]) {
    expect(direction({ target: "draft-07" })).toMatchObject({ type: "object", required: ["code"], properties: { code: { type: "string" } } });
  }
});

test("an input without a program is an outcome and not thrown", async () => {
  const double = new RuntimeDouble();
  const tool = toolOf([], double);
  for (const wrong of [undefined, null, "1", {}, { code: 1 }]) {
    expect(await tool.execute(wrong as never)).toMatchObject({ status: "error", code: "invalid_input", executionId: "", error: expect.stringContaining('"code"') });
  }
  expect(double.asked).toEqual([]);
});

test("an input with a program runs it", async () => {
  const double = new RuntimeDouble();
  double.answers["execute"] = () => completed(5);
  expect(await toolOf([], double).execute({ code: "5" }, { toolCallId: "t" })).toMatchObject({ status: "completed", result: 5 });
  expect(double.last().request["code"]).toBe("5");
});

test("the model sees everything but the calls, in plain JSON", async () => {
  const double = new RuntimeDouble();
  const call: WireLogEntry = { seq: 0, connector: "a", method: "b", args: "1", requiresApproval: false, state: "applied", attempt: 1 };
  double.answers["execute"] = () => framed({ status: "completed", executionId: "e1", logs: ["hi"], calls: [call] }, { n: 2n ** 64n });
  const tool = toolOf([], double);
  const output = await tool.execute({ code: "1" });
  expect(output).toMatchObject({ calls: [{ connector: "a" }] });
  expect(tool.toModelOutput({ output })).toEqual({ type: "json", value: { status: "completed", executionId: "e1", logs: ["hi"], result: { n: "18446744073709551616" } } });
});

test.each([
  ["a program that failed", { status: "error", executionId: "e1", error: "boom", code: "exception", logs: ["hi"], calls: [] }, "error-json"],
  ["a program that waits", { status: "paused", executionId: "e1", pending: [], logs: [] }, "json"],
  ["a program that ended", { status: "completed", executionId: "e1", result: { status: "error" }, logs: [] }, "json"],
  ["no output", undefined, "json"],
])("only a failure is marked as one for the model, with its logs (K04): %s", (_case, output, type) => {
  const seen = toolOf().toModelOutput({ output });
  expect(seen.type).toBe(type);
  if (type === "error-json") expect(seen.value).toEqual({ status: "error", executionId: "e1", error: "boom", code: "exception", logs: ["hi"] });
});

test("a program that returned nothing shows the model null", async () => {
  const double = new RuntimeDouble();
  double.answers["execute"] = () => completed();
  const tool = toolOf([], double);
  expect(tool.toModelOutput({ output: await tool.execute({ code: "" }) }).value).toEqual({ status: "completed", executionId: "e1", logs: [], result: null });
});
