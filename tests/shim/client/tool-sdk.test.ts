/** The model-facing tool inside the AI SDK: what the SDK makes of an output, and what the model is sent of it. */

import { generateText as generate6, stepCountIs as after6, type ToolSet as ToolSet6 } from "ai-v6";
import { MockLanguageModelV3 } from "ai-v6/test";
import { generateText as generate7, stepCountIs as after7, type ToolSet as ToolSet7 } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";

import { type CodemodeTool, createCodemodeRuntime } from "../../../js-shim/client/index.ts";
import { completed, context, framed, RuntimeDouble } from "./double.ts";

const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
/** First a call of the tool, then an answer. */
const answers = [
  { content: [{ type: "tool-call" as const, toolCallId: "t1", toolName: "codemode", input: '{"code":"1"}' }], finishReason: { unified: "tool-calls" as const, raw: undefined }, usage, warnings: [] },
  { content: [{ type: "text" as const, text: "done" }], finishReason: { unified: "stop" as const, raw: undefined }, usage, warnings: [] },
];

const SDKS = {
  "ai 7": async (codemode: CodemodeTool) => {
    const model = new MockLanguageModelV4({ doGenerate: answers });
    await generate7({ model, prompt: "go", tools: { codemode } satisfies ToolSet7, stopWhen: after7(3) });
    return model.doGenerateCalls[1]?.prompt;
  },
  "ai 6": async (codemode: CodemodeTool) => {
    const model = new MockLanguageModelV3({ doGenerate: answers });
    await generate6({ model, prompt: "go", tools: { codemode } satisfies ToolSet6, stopWhen: after6(3) });
    return model.doGenerateCalls[1]?.prompt;
  },
};

async function sent(sdk: keyof typeof SDKS, reply: string): Promise<unknown> {
  const double = new RuntimeDouble();
  double.answers["execute"] = () => reply;
  const prompt = await SDKS[sdk](createCodemodeRuntime({ ctx: context, binding: double.binding, connectors: [] }).tool());
  const part: unknown = prompt?.find(({ role }) => role === "tool")?.content[0];
  return typeof part === "object" && part !== null && "output" in part ? part.output : part;
}

test.each(["ai 7", "ai 6"] as const)("%s marks a failed program as an error for the model, with code and logs (K04)", async (sdk) => {
  const failed = framed({ status: "error", executionId: "e1", error: "Error: boom", code: "exception", logs: ["hi"], calls: [] });
  expect(await sent(sdk, failed)).toEqual({ type: "error-json", value: { status: "error", executionId: "e1", error: "Error: boom", code: "exception", logs: ["hi"] } });
});

test.each(["ai 7", "ai 6"] as const)("%s sends the model the result of a program that ended", async (sdk) => {
  expect(await sent(sdk, completed(5))).toEqual({ type: "json", value: { status: "completed", executionId: "e1", result: 5, logs: [] } });
});
