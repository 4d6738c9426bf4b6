/** Toolsets of the AI SDK, made with both versions of it that are in use. */

import { asSchema, dynamicTool, type JSONSchema7 } from "ai";
import { expect, test, vi } from "vitest";
import { z } from "zod";

import { toolSetConnector, ToolSetConnector } from "../../../js-shim/client/index.ts";
import { accepted } from "../../../js-shim/client/schema-of.ts";
import { context } from "./double.ts";
import { call, check, opened, recordsOf, refusal, SDKS } from "./toolset-stage.ts";

const city = z.object({ city: z.string().describe("Where."), days: z.number().int().min(1).max(10).default(3) });

test.each(SDKS)("$version: a tool is told with its key, its description and its schemas", async ({ tool, jsonSchema }) => {
  const tools = {
    "get-weather": tool({
      title: "Weather forecast",
      description: "Forecast for a city.",
      inputSchema: city,
      outputSchema: z.object({ celsius: z.number().transform(String) }),
      execute: () => ({ celsius: "1" }),
    }),
    plain: tool({ title: "Plain", inputSchema: jsonSchema({ type: "object", properties: { a: { type: "string" } } }), execute: () => 1, needsApproval: true }),
    asked: tool({ inputSchema: z.object({}), execute: () => 1, needsApproval: () => false }),
    later: tool({ inputSchema: jsonSchema(async () => ({ type: "object", required: ["x"] })), execute: () => 1, needsApproval: false }),
  };
  const [weather, plain, asked, later] = await recordsOf(opened(tools));
  expect(weather).toMatchObject({
    name: "get-weather",
    description: "Forecast for a city.",
    tags: ["Weather forecast"],
    // What the input side takes: a property with a default need not be given.
    inputSchema: { type: "object", required: ["city"], properties: { city: { type: "string", description: "Where." }, days: { type: "integer", minimum: 1, maximum: 10, default: 3 } } },
    outputSchema: { type: "object", properties: { celsius: {} } },
    requiresApproval: false,
  });
  expect(plain).toMatchObject({ name: "plain", description: "Plain", inputSchema: { properties: { a: { type: "string" } } }, requiresApproval: true });
  expect(plain).not.toHaveProperty("tags");
  expect(asked).toMatchObject({ requiresApproval: "ask" });
  expect(later).toMatchObject({ inputSchema: { required: ["x"] }, requiresApproval: false });
});

test.each(SDKS)("$version: execute is given the validated input, and the options that the SDK gives", async ({ tool }) => {
  const execute = vi.fn(async ({ city: where, days }: z.infer<typeof city>) => `${where} ${days}`);
  const tools = { weather: tool({ inputSchema: city, execute }) };
  expect(await call(opened(tools), "weather", { city: "Bergen", unknown: 1 })).toEqual({ value: "Bergen 3" });
  const [input, options] = execute.mock.calls[0] as unknown as [unknown, Record<string, unknown>];
  expect(input).toEqual({ city: "Bergen", days: 3 });
  expect(options).toMatchObject({ toolCallId: "e1/3", messages: [], abortSignal: expect.any(AbortSignal) });
});

test.each(SDKS)("$version: arguments that do not fit are refused with the path, and the tool is not run (K01)", async ({ tool, jsonSchema }) => {
  const execute = vi.fn();
  const shape = { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } }, required: ["city"], additionalProperties: false };
  const tools = { zod: tool({ inputSchema: city.strict(), execute }), json: tool({ inputSchema: jsonSchema(shape as JSONSchema7), execute }) };
  for (const key of ["zod", "json"]) {
    expect(await refusal(opened(tools), key, {})).toBe("args.city is required");
    expect(await refusal(opened(tools), key, undefined)).toBe("args.city is required");
    expect(await refusal(opened(tools), key, { city: 1 })).toBe("args.city must be string, not number");
    expect(await refusal(opened(tools), key, { city: "a", where: 1 })).toBe("args.where is not accepted; accepted are city, days");
    expect(await refusal(opened(tools), key, "Bergen")).toBe("args must be object, not string");
  }
  expect(execute).not.toHaveBeenCalled();
});

test.each(SDKS)("$version: a tool without execute is left out, and the model is told so once (K05)", async ({ tool }) => {
  const connector = opened(
    { run: tool({ inputSchema: city, execute: () => 1 }), confirm: tool({ inputSchema: city, outputSchema: z.boolean() }), "web.search": { type: "provider", id: "x.search", args: {} } as object },
    { instructions: "Weather of today." },
  );
  expect((await recordsOf(connector)).map(({ name }) => name)).toEqual(["run"]);
  expect(connector.instructions()).toBe('Weather of today.\nNot here, because programs cannot run them (they have no execute function): "confirm", "web.search".');
  expect(opened({ run: tool({ inputSchema: city, execute: () => 1 }) }).instructions()).toBeUndefined();
});

test.each(SDKS)("$version: a program gets the value, whatever a model would be shown (K08)", async ({ tool }) => {
  const value = { at: new Date(7), bytes: new Uint8Array([1, 2]), content: [{ type: "text", text: "for the model" }] };
  const tools = { get: tool({ inputSchema: z.object({}), execute: () => value, toModelOutput: () => ({ type: "text", value: "a text" }) }) };
  expect(await call(opened(tools), "get", {})).toEqual({ value });
});

test.each(SDKS)("$version: of a generator the last value counts", async ({ tool }) => {
  const tools = {
    steps: tool({
      inputSchema: z.object({ upTo: z.number() }),
      async *execute({ upTo }) {
        for (let at = 1; at <= upTo; at += 1) yield { at };
      },
    }),
    stream: tool({ inputSchema: z.object({}), execute: () => new Response("ab").body as unknown as AsyncIterable<unknown> }),
    breaks: tool({
      inputSchema: z.object({}),
      async *execute() {
        yield 1;
        throw new Error("half way");
      },
    }),
  };
  expect(await call(opened(tools), "steps", { upTo: 3 })).toEqual({ value: { at: 3 } });
  expect(await call(opened(tools), "steps", { upTo: 0 })).toEqual({ value: undefined });
  expect(await call(opened(tools), "stream", {})).toEqual({ value: new Uint8Array([97, 98]) });
  expect(await call(opened(tools), "breaks", {})).toMatchObject({ code: "exception", error: new Error("half way") });
});

test.each(SDKS)("$version: needsApproval is asked with the validated input", async ({ tool }) => {
  const needsApproval = vi.fn(async ({ days }: z.infer<typeof city>) => days > 2);
  const execute = vi.fn();
  const tools = {
    asks: tool({ inputSchema: city, execute, needsApproval }),
    always: tool({ inputSchema: city, execute, needsApproval: true }),
    never: tool({ inputSchema: city, execute }),
    broken: tool({ inputSchema: city, execute, needsApproval: () => Promise.reject(new Error("no rules")) }),
  };
  expect(await check(opened(tools), "asks", { city: "a" })).toBe("ask");
  expect(await check(opened(tools), "asks", { city: "a", days: 1 })).toBe("allow");
  expect(needsApproval.mock.calls.map(([input]) => input)).toEqual([{ city: "a", days: 3 }, { city: "a", days: 1 }]);
  expect(needsApproval.mock.calls[0]).toMatchObject([{}, { toolCallId: expect.stringMatching(/./), messages: [] }]);
  expect(await check(opened(tools), "asks", {})).toBe("failure");
  expect(await check(opened(tools), "always", { city: "a" })).toBe("ask");
  expect(await check(opened(tools), "never", { city: "a" })).toBe("allow");
  expect(await check(opened(tools), "broken", { city: "a" })).toBe("failure");
  expect(execute).not.toHaveBeenCalled();
});

test.each(SDKS)("$version: a call in flight hears that its run was cancelled", async ({ tool }) => {
  const stopped: string[] = [];
  const started = Promise.withResolvers<void>();
  const connector = opened({
    wait: tool({
      inputSchema: z.object({}),
      execute: (_input, { toolCallId, abortSignal }) =>
        new Promise((resolve) => {
          abortSignal?.addEventListener("abort", () => {
            stopped.push(toolCallId);
            resolve("stopped");
          });
          started.resolve();
        }),
    }),
  });
  const answer = call(connector, "wait", {});
  await started.promise;
  connector.onCancel("another run");
  expect(stopped).toEqual([]);
  connector.onCancel("e1");
  expect(await answer).toEqual({ value: "stopped" });
  expect(stopped).toEqual(["e1/3"]);
});

test("a dynamic tool, as an MCP client of the SDK makes it, is a tool", async () => {
  const tools = { any: dynamicTool({ description: "Of a server.", inputSchema: z.object({ q: z.string() }), execute: async (input) => input }) };
  expect(await recordsOf(opened(tools))).toMatchObject([{ name: "any", description: "Of a server." }]);
  expect(await call(opened(tools), "any", { q: "a" })).toEqual({ value: { q: "a" } });
});

test("tools of ai 7 get their context, and one whose context is wrong is not run", async () => {
  const { tool } = SDKS[0];
  const tools = {
    who: tool({
      description: ({ context: { user } }) => `For ${user}.`,
      inputSchema: z.object({}),
      contextSchema: z.object({ user: z.string(), tries: z.number().default(2) }),
      execute: (_input, { context: given }) => given,
    }),
  };
  const good = opened(tools, { toolsContext: { who: { user: "ada" } } });
  expect(await recordsOf(good)).toMatchObject([{ description: "For ada." }]);
  expect(await call(good, "who", {})).toEqual({ value: { user: "ada", tries: 2 } });
  const bare = opened(tools);
  expect((await recordsOf(bare))[0]).not.toHaveProperty("description");
  expect(await call(bare, "who", {})).toMatchObject({ code: "exception", error: { message: expect.stringContaining("context.user is required") } });
});

test("tools of ai 6 get the one context", async () => {
  const { tool } = SDKS[1];
  const tools = { who: tool({ inputSchema: z.object({}), execute: (_input, options) => (options as { experimental_context?: unknown }).experimental_context }) };
  expect(await call(opened(tools, { experimental_context: "ada" }), "who", {})).toEqual({ value: "ada" });
});

test("keys are the application's own, and none of the object's inherited names is a tool", async () => {
  const { tool } = SDKS[0];
  const run = (name: string) => tool({ inputSchema: z.object({}), execute: () => name });
  const tools = { "天気 を見る": run("weather"), then: run("then"), "a.b/c": run("path") };
  const connector = opened(tools);
  const records = await recordsOf(connector);
  expect(records.map(({ name }) => name)).toEqual(Object.keys(tools));
  for (const [index, { name }] of records.entries()) {
    const method = connector.toolFor({ name: `method_${index}`, original: name, requiresApproval: false });
    const ctx = { executionId: "e", seq: 0, idempotencyKey: "k", attempt: 1 };
    expect(await method.execute({}, ctx)).toBe(["weather", "then", "path"][index]);
  }
  Object.setPrototypeOf(tools, { inherited: run("inherited") });
  for (const name of ["inherited", "gone"]) expect(() => connector.toolFor({ name, requiresApproval: false })).toThrow(`no tool "${name}" that can be run`);
});

test("the source is one object as long as the connector lives", async () => {
  const connector = opened({ run: SDKS[0].tool({ inputSchema: city, execute: () => 1 }) });
  expect(await connector.source()).toBe(await connector.source());
});

test("one schema that cannot be read costs its own method only, and a call says what is wrong", async () => {
  const { tool, jsonSchema } = SDKS[0];
  const tools = {
    fine: tool({ inputSchema: city, execute: () => 1 }),
    fails: tool({ inputSchema: jsonSchema(() => Promise.reject(new Error("no such file"))), execute: () => 1 }),
    lazy: tool({ inputSchema: () => { throw new Error("not now"); }, execute: () => 1 }),
  };
  const connector = opened(tools);
  expect((await recordsOf(connector)).map(({ name, inputSchema }) => [name, inputSchema !== undefined])).toEqual([["fine", true], ["fails", false], ["lazy", false]]);
  expect(await refusal(connector, "fails", {})).toBe("the input schema cannot be used, so args cannot be checked: no such file. The application has to correct it");
  expect(await refusal(connector, "lazy", {})).toMatch(/not now/);
  expect(await call(connector, "fine", { city: "a" })).toEqual({ value: 1 });
});

test("a schema that contains itself as an object costs its method its types, and is no reason to let a call pass", async () => {
  const cyclic: Record<string, unknown> = { type: "object" };
  cyclic["properties"] = { self: cyclic };
  const { tool, jsonSchema } = SDKS[0];
  const connector = opened({ fine: tool({ inputSchema: city, execute: () => 1 }), loop: tool({ inputSchema: jsonSchema(cyclic), execute: () => 1 }) });
  const [fine, loop] = await recordsOf(connector);
  expect([fine?.inputSchema !== undefined, loop]).toEqual([true, { name: "loop", requiresApproval: false }]);
  expect(await accepted(connector.toolFor({ name: "loop", requiresApproval: false }).inputSchema, {})).toMatchObject({ kind: "refused", reason: expect.stringMatching(/cannot be used.*circular/) });
});

test("a schema that cannot tell itself is told by the SDK where its asSchema is given", async () => {
  const old = { "~standard": { version: 1 as const, vendor: "zod", validate: city["~standard"].validate }, _zod: city._zod };
  const tools = { weather: SDKS[0].tool({ inputSchema: old as unknown as typeof city, execute: (input) => input }) };
  expect((await recordsOf(opened(tools)))[0]).not.toHaveProperty("inputSchema");
  const connector = opened(tools, { asSchema });
  expect(await recordsOf(connector)).toMatchObject([{ inputSchema: { required: ["city"] } }]);
  for (const one of [opened(tools), connector]) {
    expect(await call(one, "weather", { city: "a" })).toEqual({ value: { city: "a", days: 3 } });
    expect(await refusal(one, "weather", {})).toBe("args.city is required");
  }
});

test("it is named tools where nothing else is said, and is made with new or without", async () => {
  expect(new ToolSetConnector(context, { tools: {} }).name()).toBe("tools");
  const named = toolSetConnector(context, { name: "office", tools: {} });
  expect([named instanceof ToolSetConnector, named.name()]).toEqual([true, "office"]);
});

test("arguments that stand for an endless tree do not reach a validator", async () => {
  type Tree = Tree[];
  const tree: z.ZodType<Tree> = z.lazy(() => z.array(tree));
  const connector = opened({ grow: SDKS[0].tool({ inputSchema: z.object({ tree }), execute: () => 1 }) });
  let shared: unknown[] = [];
  for (let level = 0; level < 60; level += 1) shared = [shared, shared];
  expect(await refusal(connector, "grow", { tree: shared })).toMatch(/20,000 values are met again/);
});
