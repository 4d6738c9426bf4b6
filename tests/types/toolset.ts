/** Toolsets of both versions of the AI SDK are taken as they are, with the schemas of every kind that they allow. */

import { asSchema as asSchema6, jsonSchema as jsonSchema6, tool as tool6, type ToolSet as ToolSet6 } from "ai-v6";
import { asSchema as asSchema7, dynamicTool, jsonSchema as jsonSchema7, tool as tool7, type ToolSet as ToolSet7 } from "ai";
import { z } from "zod";

import { type ConnectorContext, ToolSetConnector, type ConnectorTool } from "../../js-shim/client/index.ts";

const input = z.object({ city: z.string() });

export function connectors(ctx: ConnectorContext, state: DurableObjectState, six: ToolSet6, seven: ToolSet7): ToolSetConnector[] {
  const mine = {
    a: tool6({ inputSchema: input, execute: ({ city }) => city.length, needsApproval: ({ city }) => city === "" }),
    b: tool7({ inputSchema: jsonSchema7({ type: "object" }), execute: () => 1 }),
    c: tool6({ inputSchema: jsonSchema6({ type: "object" }), outputSchema: z.string() }),
    d: dynamicTool({ inputSchema: input, execute: async () => 1 }),
    e: tool7({ inputSchema: input, contextSchema: z.object({ user: z.string() }), execute: (_input, { context }) => context.user }),
  };
  return [
    new ToolSetConnector(ctx, { tools: six, experimental_context: 1, asSchema: asSchema6 }),
    new ToolSetConnector(state, { name: "office", instructions: "…", tools: seven, toolsContext: { e: { user: "ada" } }, asSchema: asSchema7 }),
    new ToolSetConnector(ctx, { tools: mine }),
    // @ts-expect-error: the tools are needed.
    new ToolSetConnector(ctx, {}),
  ];
}

// A method of one's own takes the schemas of a library, and may yield what it has so far.
export const method: ConnectorTool = {
  inputSchema: input,
  outputSchema: jsonSchema7({ type: "number" }),
  async *execute({ city }: z.output<typeof input>) {
    yield city.length;
  },
};
