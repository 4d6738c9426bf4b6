/** Toolsets of the AI SDK, called by programs: found, described, checked, approved and undone like any other connector. */

import { jsonSchema as jsonSchema6, tool as tool6 } from "ai-v6";
import { dynamicTool, jsonSchema as jsonSchema7, tool as tool7 } from "ai";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import { type CodemodeRuntimeHandle, type ConnectorTool, createCodemodeRuntime, ToolSetConnector, type ToolSetConnectorOptions } from "../../js-shim/client/index.ts";
import { completed, failed, paused } from "./values-lab.ts";

const ctx = { waitUntil: () => {}, props: {} };

function runtimeOf(connector: ToolSetConnector): CodemodeRuntimeHandle {
  return createCodemodeRuntime({ ctx: {}, id: crypto.randomUUID(), binding: env.CODEMODE, connectors: [connector] });
}

/** A toolset and what of it really ran. */
function office(tool: typeof tool7, jsonSchema: typeof jsonSchema7) {
  const ran: unknown[] = [];
  const tools: ToolSetConnectorOptions["tools"] = {
    "get-weather": tool({
      description: "Forecast for a city.",
      inputSchema: z.object({ city: z.string(), days: z.number().int().default(3) }),
      outputSchema: z.object({ city: z.string(), days: z.number() }),
      execute: (input) => {
        ran.push(input);
        return input;
      },
    }),
    pay: tool({
      description: "Pay someone.",
      inputSchema: z.object({ amount: z.string().transform(Number).pipe(z.number().positive()) }),
      needsApproval: ({ amount }) => amount > 100,
      execute: ({ amount }, { toolCallId }) => {
        ran.push({ amount, toolCallId });
        return { paid: amount };
      },
    }),
    count: tool({
      inputSchema: jsonSchema<{ to: number }>({ type: "object", properties: { to: { type: "integer", minimum: 1 } }, required: ["to"], additionalProperties: false }),
      async *execute({ to }) {
        for (let n = 1; n <= to; n += 1) yield { n };
      },
      toModelOutput: () => ({ type: "text", value: "for the model" }),
    }),
    any: dynamicTool({ description: "Of a server.", inputSchema: z.object({}), execute: async () => new Date(7) }),
    confirm: tool({ description: "Ask the user.", inputSchema: z.object({}), outputSchema: z.boolean() }),
  };
  return { runtime: runtimeOf(new ToolSetConnector(ctx, { name: "office", instructions: "For the office.", tools })), ran };
}

const SDKS = [
  { version: "ai 7", make: () => office(tool7, jsonSchema7) },
  { version: "ai 6", make: () => office(tool6 as unknown as typeof tool7, jsonSchema6 as unknown as typeof jsonSchema7) },
];

describe.each(SDKS)("$version", ({ make }) => {
  test("programs find a tool, read its types and call it by the name it is given", async () => {
    const { runtime, ran } = make();
    const code = `async () => {
      const found = await codemode.search("weather forecast");
      const { types } = await codemode.describe("office.get_weather");
      return { path: found.results[0].path, types, value: await office.get_weather({ city: "Bergen" }) };
    }`;
    const { result } = completed(await runtime.execute({ code }));
    expect(result).toMatchObject({ path: "office.get_weather", value: { city: "Bergen", days: 3 } });
    const { types } = result as { types: string };
    expect(types).toContain("city: string");
    expect(types).toContain("days?: number");
    expect(ran).toEqual([{ city: "Bergen", days: 3 }]);
  });

  test("arguments that do not fit reach nobody, and the program reads where and why (K01)", async () => {
    const { runtime, ran } = make();
    const refused = async (call: string) => failed(await runtime.execute({ code: `async () => ${call}` }));
    for (const [call, reason] of [
      ["office.get_weather({})", "args.city is required"],
      ["office.get_weather({ city: 1 })", "args.city must be string, not number"],
      ["office.count({ to: 1, more: 2 })", "args.more is not accepted; accepted are to"],
      ["office.pay({ amount: 5 })", "args.amount must be string, not number"],
    ] as const) {
      expect(await refused(call)).toMatchObject({ code: "invalid_input", error: expect.stringContaining(reason) });
    }
    expect(ran).toEqual([]);
  });

  test("needsApproval is asked with the checked input; what waits runs once, with the same input", async () => {
    const { runtime, ran } = make();
    const code = `async () => [await office.pay({ amount: "20" }), await office.pay({ amount: "2000" })]`;
    const { pending, executionId } = paused(await runtime.execute({ code }));
    // A person is shown what the program sent.
    expect(pending).toMatchObject([{ connector: "office", method: "pay", args: { amount: "2000" } }]);
    expect(completed(await runtime.approve({ executionId })).result).toEqual([{ paid: 20 }, { paid: 2000 }]);
    expect(ran).toMatchObject([{ amount: 20 }, { amount: 2000 }]);
    expect(new Set(ran.map((one) => (one as { toolCallId: string }).toolCallId)).size).toBe(2);
  });

  test("of a generator the last value is the result, and values keep their types (K08)", async () => {
    const { runtime } = make();
    const code = `async () => [await office.count({ to: 3 }), (await office.any()).getTime()]`;
    expect(completed(await runtime.execute({ code })).result).toEqual([{ n: 3 }, 7]);
  });

  test("a tool without execute is no method, and whoever describes the namespace is told (K05)", async () => {
    const { runtime } = make();
    const { description = "", types } = await runtime.describe("office");
    expect(`${description}\n${types}`).toContain('cannot run them (they have no execute function): "confirm"');
    expect(failed(await runtime.execute({ code: `async () => office.confirm({})` })).error).toContain("confirm");
    expect((await runtime.search("ask the user")).results.map(({ path }) => path)).not.toContain("office.confirm");
  });
});

test("a hook adds to a tool what the SDK has no word for: it is undone with the input that ran", async () => {
  const undone: unknown[] = [];
  class Undoable extends ToolSetConnector {
    protected override tool(name: string, tool: ConnectorTool): ConnectorTool {
      return name === "add" ? { ...tool, requiresApproval: true, revert: (args, result) => void undone.push([args, result]) } : tool;
    }
  }
  const tools = { add: tool7({ inputSchema: z.object({ text: z.string().trim() }), execute: ({ text }) => `added ${text}` }) };
  const runtime = runtimeOf(new Undoable(ctx, { tools }));
  const { executionId } = paused(await runtime.execute({ code: `async () => tools.add({ text: " a " })` }));
  expect(completed(await runtime.approve({ executionId })).result).toBe("added a");
  expect(await runtime.rollback({ executionId })).toMatchObject({ status: "rolled_back" });
  expect(undone).toEqual([[{ text: "a" }, "added a"]]);
});
