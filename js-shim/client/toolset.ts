/**
 * `ToolSetConnector`: the tools of an AI SDK toolset (`ai` 6 and 7) as methods. It knows the shape of a tool and imports
 * neither the SDK nor a schema library. What the SDK does around a tool when it runs one is done here: its own schema
 * checks the input, `needsApproval` is asked, of what a generator yields the last value counts. `toModelOutput` is not
 * applied: a program wants the value, not its text for a model.
 */

import type { MethodRecord } from "../wire.ts";
import type { ConnectorContext, ConnectorTool, ToolExecuteContext } from "./connector.ts";
import { DerivedConnector, type Source } from "./derived.ts";
import { CodemodeError } from "./errors.ts";
import { recordOf } from "./methods.ts";
import { accepted } from "./schema-of.ts";
import { isAsyncIterable, lastOf } from "./yields.ts";

/** A tool as `tool()` and `dynamicTool()` make it. Other properties are not looked at. */
export type ToolLike = {
  description?: unknown;
  title?: unknown;
  inputSchema?: unknown;
  outputSchema?: unknown;
  needsApproval?: unknown;
  execute?: unknown;
  /** `ai` 7: what `toolsContext` has for this tool is checked against it. */
  contextSchema?: unknown;
};

export type ToolSetConnectorOptions = {
  /** The name of the global that programs see. Default `tools`. */
  name?: string | undefined;
  /** Guidance for the model, shown when it describes the namespace. */
  instructions?: string | undefined;
  /** The toolset. Its tools are read once. */
  tools: Readonly<Record<string, ToolLike>>;
  /** `ai` 7: the context of each tool, by its key. */
  toolsContext?: Readonly<Record<string, unknown>> | undefined;
  /** `ai` 6: the context of all tools. */
  experimental_context?: unknown;
  /**
   * The SDK's own `asSchema`. Needed only for schemas that cannot say themselves in JSON Schema: zod before 4.2, whose
   * arguments would be checked and their types unknown to the model.
   */
  asSchema?: ((schema: never) => unknown) | undefined;
};

/** What the SDK hands to a tool beside its input, as far as there is such a thing here: no chat, so no messages. */
type CallOptions = { toolCallId: string; messages: readonly never[]; context: unknown; experimental_context: unknown; abortSignal?: AbortSignal };

type Executable = ToolLike & { execute: (input: unknown, options: CallOptions) => unknown };

/** Keys that the note on tools that cannot run names. */
const MAX_NAMED = 20;

export class ToolSetConnector extends DerivedConnector {
  readonly #options: ToolSetConnectorOptions;
  #source: Promise<Source> | undefined;
  // One per key, so that each schema is read once.
  readonly #methods = new Map<string, ConnectorTool>();
  // By execution: what aborts the calls that are in flight.
  readonly #inFlight = new Map<string, Set<AbortController>>();

  constructor(ctx: ConnectorContext, options: ToolSetConnectorOptions) {
    super(ctx, {});
    this.#options = options;
  }

  name(): string {
    return this.#options.name ?? "tools";
  }

  /** A tool without `execute` is run by the client or by the model's provider. The model may know it from elsewhere, so it is told. */
  protected override instructions(): string | undefined {
    const { instructions, tools } = this.#options;
    const others = Object.keys(tools).filter((key) => this.#executable(key) === undefined);
    if (others.length === 0) return instructions;
    const named = others.slice(0, MAX_NAMED).map((key) => JSON.stringify(key)).join(", ");
    const more = others.length > MAX_NAMED ? ` and ${others.length - MAX_NAMED} more` : "";
    const note = `Not here, because programs cannot run them (they have no execute function): ${named}${more}.`;
    return instructions === undefined || instructions === "" ? note : `${instructions}\n${note}`;
  }

  protected override source(): Promise<Source> {
    this.#source ??= this.#read();
    return this.#source;
  }

  async #read(): Promise<Source> {
    const records: string[] = [];
    for (const [key, { title }] of Object.entries(this.#options.tools)) {
      const tool = this.#executable(key);
      if (tool === undefined) continue;
      const record = await recordOf(key, this.#methodOf(key, tool));
      records.push(textOf(typeof title === "string" && title !== "" && title !== record.description ? { ...record, tags: [title] } : record));
    }
    return { format: "toolset", text: `[${records.join(",")}]` };
  }

  protected override toolFor(record: MethodRecord): ConnectorTool {
    const key = record.original ?? record.name;
    const tool = this.#executable(key);
    if (tool === undefined) throw new CodemodeError("invalid_input", `the toolset ${this.name()} has no tool ${JSON.stringify(key)} that can be run; search for one that does the same`);
    return this.#methodOf(key, tool);
  }

  #executable(key: string): Executable | undefined {
    const { tools } = this.#options;
    const tool = Object.hasOwn(tools, key) ? tools[key] : undefined;
    return typeof tool?.execute === "function" ? (tool as Executable) : undefined;
  }

  #methodOf(key: string, tool: Executable): ConnectorTool {
    let method = this.#methods.get(key);
    if (method === undefined) this.#methods.set(key, (method = this.#made(key, tool)));
    return method;
  }

  #made(key: string, tool: Executable): ConnectorTool {
    const { needsApproval } = tool;
    return {
      description: this.#descriptionOf(key, tool),
      inputSchema: this.#schemaOf(tool.inputSchema),
      outputSchema: this.#schemaOf(tool.outputSchema),
      requiresApproval:
        typeof needsApproval === "function"
          ? async (args) => {
              // The call has no number yet, so the id is of this question only.
              const options: CallOptions = { ...(await this.#contextOf(key, tool)), toolCallId: crypto.randomUUID(), messages: [] };
              return (await (needsApproval as Executable["execute"]).call(tool, args, options)) as boolean;
            }
          : needsApproval === true,
      execute: (args, ctx) => this.#run(key, tool, args, ctx),
    };
  }

  async #run(key: string, tool: Executable, args: unknown, { executionId, idempotencyKey }: ToolExecuteContext): Promise<unknown> {
    const context = await this.#contextOf(key, tool);
    const controller = new AbortController();
    const inFlight = this.#inFlight.get(executionId) ?? new Set();
    this.#inFlight.set(executionId, inFlight.add(controller));
    try {
      const result = tool.execute(args, { ...context, toolCallId: idempotencyKey, messages: [], abortSignal: controller.signal });
      return await (isAsyncIterable(result) ? lastOf(result) : result);
    } finally {
      inFlight.delete(controller);
      if (inFlight.size === 0) this.#inFlight.delete(executionId);
    }
  }

  /** A tool that was asked and is no longer waited for may stop; what it still returns is recorded. */
  protected override onCancel(executionId: string): void {
    for (const controller of this.#inFlight.get(executionId) ?? []) controller.abort();
  }

  async #contextOf(key: string, { contextSchema }: ToolLike): Promise<Pick<CallOptions, "context" | "experimental_context">> {
    const { toolsContext = {}, experimental_context } = this.#options;
    const verdict = await accepted(contextSchema, Object.hasOwn(toolsContext, key) ? toolsContext[key] : undefined, "context");
    if (verdict.kind === "refused") throw new Error(`the toolset ${this.name()} was configured without what the tool ${JSON.stringify(key)} needs: ${verdict.reason}`);
    return { context: verdict.value, experimental_context };
  }

  #schemaOf(schema: unknown): object | undefined {
    if (schema === undefined || schema === null) return undefined;
    const { asSchema } = this.#options;
    // Lazily: what it throws belongs to the one method.
    return asSchema === undefined ? (schema as object) : () => asSchema(schema as never);
  }

  /** In `ai` 7 a description may be made of the context. One that cannot be made is none. */
  #descriptionOf(key: string, { description, title }: ToolLike): string | undefined {
    let text: unknown = description;
    if (typeof description === "function") {
      try {
        text = (description as (options: object) => unknown)({ context: this.#options.toolsContext?.[key] });
      } catch {
        text = undefined;
      }
    }
    return [text, title].find((one): one is string => typeof one === "string" && one !== "");
  }
}

/** One schema that is no JSON costs its own method its types; a call of it says what is wrong. */
function textOf(record: MethodRecord): string {
  try {
    return JSON.stringify(record);
  } catch {
    const { inputSchema: _input, outputSchema: _output, ...rest } = record;
    return JSON.stringify(rest);
  }
}

/** The same without `new`. */
export function toolSetConnector(ctx: ConnectorContext, options: ToolSetConnectorOptions): ToolSetConnector {
  return new ToolSetConnector(ctx, options);
}
