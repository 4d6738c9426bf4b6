/** The tool's shape, as Standard Schema readers and the AI SDK see it. */

import type { CodemodeTool, JSONValue } from "../../js-shim/client/index.ts";

/** The part of Standard Schema v1 that readers use, written from its specification. */
type StandardSchema<Input> = {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined;
    readonly validate: (value: unknown) =>
      | { readonly value: unknown; readonly issues?: undefined }
      | { readonly issues: readonly { readonly message: string; readonly path?: readonly PropertyKey[] | undefined }[] };
  };
};
type InferInput<Schema extends StandardSchema<unknown>> = NonNullable<Schema["~standard"]["types"]>["input"];

export function infer(tool: CodemodeTool): void {
  const schema: StandardSchema<{ code: string }> = tool.inputSchema;
  const input: InferInput<typeof tool.inputSchema> = { code: "1" };
  // @ts-expect-error: the input is { code }.
  const wrong: InferInput<typeof tool.inputSchema> = { program: "1" };
  const seen: { type: "json" | "error-json"; value: JSONValue } = tool.toModelOutput({ output: undefined });
  // @ts-expect-error: execute takes the input, not the text.
  void tool.execute("1");
  void [schema, input, wrong, seen];
}
