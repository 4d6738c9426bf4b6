/**
 * The model-facing tool: a plain object in the shape that the AI SDK and other Standard Schema readers take.
 * It depends on none of them. It adds no behaviour to `execute`; it checks the input and chooses what the model sees.
 */

import { type JsonValue, shown } from "../value/index.ts";
import type { Contact } from "../wire.ts";
import { describeTool } from "./description.ts";
import type { CodemodeInput, CodemodeOutput } from "./types.ts";

export type CodemodeToolOptions = {
  /** Instead of the default description. */
  description?: string | undefined;
  /** One line per connector, by name, for the default description. */
  connectorHints?: Record<string, string> | undefined;
};

/** The input's schema: Standard Schema for those who validate, JSON Schema for those who tell a model. */
export type CodemodeInputSchema = {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "codemode-rs";
    /** For type inference only; never there at run time. */
    readonly types?: { readonly input: CodemodeInput; readonly output: CodemodeInput };
    readonly validate: (value: unknown) => { readonly value: CodemodeInput } | { readonly issues: readonly { readonly message: string; readonly path?: readonly PropertyKey[] }[] };
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
};

export type CodemodeTool = {
  description: string;
  inputSchema: CodemodeInputSchema;
  /** Never rejects; an input without a program is an output with code `invalid_input`. */
  execute: (input: CodemodeInput, options?: unknown) => Promise<CodemodeOutput>;
  /** What the model sees: everything but `calls`, in the shown form. `error-json` when the program failed, so that the AI SDK marks it so. */
  toModelOutput: (options: { output: unknown }) => { type: "json"; value: JsonValue } | { type: "error-json"; value: JsonValue };
};

export function toolOf(
  namespaces: readonly string[],
  execute: (input: CodemodeInput) => Promise<CodemodeOutput>,
  { description, connectorHints }: CodemodeToolOptions,
  sandbox: Pick<Contact, "reach" | "modules"> = {},
): CodemodeTool {
  return {
    description: description ?? describeTool(namespaces, connectorHints, sandbox),
    inputSchema: INPUT_SCHEMA,
    execute: async (input) => {
      if (isInput(input)) return execute({ code: input.code });
      return { status: "error", executionId: "", error: INPUT_ERROR, code: "invalid_input", logs: [], calls: [] };
    },
    toModelOutput: ({ output }) => ({ type: failed(output) ? "error-json" : "json", value: forModel(output) }),
  };
}

const INPUT_ERROR = 'the input has to be an object with the program as a text: { "code": "async () => …" }';

const INPUT_SCHEMA: CodemodeInputSchema = {
  "~standard": {
    version: 1,
    vendor: "codemode-rs",
    validate: (value) => (isInput(value) ? { value: { code: value.code } } : { issues: [{ message: INPUT_ERROR, path: ["code"] }] }),
    jsonSchema: { input: jsonSchema, output: jsonSchema },
  },
};

/** The same for every target: it uses nothing that the dialects of JSON Schema disagree about. */
function jsonSchema(): Record<string, unknown> {
  return {
    type: "object",
    properties: { code: { type: "string", description: "The program: an async function in JavaScript or TypeScript." } },
    required: ["code"],
    additionalProperties: false,
  };
}

function isInput(value: unknown): value is CodemodeInput {
  return typeof value === "object" && value !== null && "code" in value && typeof value.code === "string";
}

function failed(output: unknown): boolean {
  return typeof output === "object" && output !== null && "status" in output && output.status === "error";
}

function forModel(output: unknown): JsonValue {
  if (typeof output !== "object" || output === null) return shown(output);
  const { calls: _calls, ...seen } = output as Record<string, unknown>;
  // A program that returned nothing has the result null; in an object `undefined` would leave the key out.
  if ("result" in seen) seen["result"] = shown(seen["result"]);
  return shown(seen);
}
