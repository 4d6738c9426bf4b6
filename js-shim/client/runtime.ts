/**
 * `createCodemodeRuntime`: what an Agent holds. It keeps configuration and nothing else; every method is one contact with
 * the runtime, so the handle may be made anew at any time and in any instance.
 * An outcome of a program is never thrown. A question that cannot be answered (`pending()` while the runtime is away) is.
 */

import { encode, MAX_VALUE_LENGTH } from "../value/index.ts";
import type {
  DescribeOutput,
  RollbackReport,
  SearchOutput,
  ValueText,
  WireExecution,
  WireExecutionPage,
  WireLogEntry,
  WireOutput,
  WirePending,
  WireSnippet,
} from "../wire.ts";
import type { CodemodeConnector } from "./connector.ts";
import { openContact, type Settings } from "./contact.ts";
import { CodemodeError, type ErrorCode, errorCode, messageOf } from "./errors.ts";
import { eventsOf } from "./events.ts";
import { sandboxingOf } from "./executor.ts";
import type {
  CodemodeApproveOptions,
  CodemodeExecuteOptions,
  CodemodeExecutionsOptions,
  CodemodeExpireOptions,
  CodemodeRejectOptions,
  CodemodeResolveOptions,
  CodemodeRollbackOptions,
  CodemodeRuntimeHandle,
  CodemodeSaveSnippetOptions,
  CodemodeSearchOptions,
  CreateCodemodeRuntimeOptions,
} from "./handle.ts";
import { type Answer, askAlone, askWithHost } from "./link.ts";
import { checkConnectorNames, checkRuntimeName } from "./names.ts";
import { entryOf, executionOf, outputOf, pendingOf, snippetOf } from "./output.ts";
import { type OpenStub, placementOf } from "./placement.ts";
import { schemaFault } from "./schema.ts";
import { jsonSchemaOf } from "./schema-of.ts";
import { checkSettings, checkWhole, limitsWith } from "./settings.ts";
import { type CodemodeTool, type CodemodeToolOptions, toolOf } from "./tool.ts";
import type { CodemodeOutput, ExecutionLogEntry, ExecutionPage, ExecutionState, PendingAction, RuntimeEvent, Snippet, TransformResult } from "./types.ts";

/** @throws {CodemodeError} `invalid_input` when a name, a limit or a setting of the Worker is wrong; the text names it. */
export function createCodemodeRuntime(options: CreateCodemodeRuntimeOptions): CodemodeRuntimeHandle {
  const { ctx, id, binding, connectors, name = "default", transformResult, approval, maxExecutions, executor } = options;
  checkRuntimeName(name);
  const names = connectors.map((connector) => connector.name());
  checkConnectorNames(names);
  const { sandboxing, timeout } = sandboxingOf(executor, names);
  const settings = { approval, limits: limitsWith(options.limits, timeout), maxExecutions, sandboxing };
  checkSettings(settings);
  return new Runtime(placementOf({ ctx, id, binding, name }), [...connectors], settings, transformResult);
}

class Runtime implements CodemodeRuntimeHandle {
  readonly #open: OpenStub;
  readonly #connectors: readonly CodemodeConnector[];
  readonly #settings: Settings;
  readonly #transform: TransformResult | undefined;

  constructor(open: OpenStub, connectors: readonly CodemodeConnector[], settings: Settings, transform: TransformResult | undefined) {
    this.#open = open;
    this.#connectors = connectors;
    this.#settings = settings;
    this.#transform = transform;
  }

  tool(options: CodemodeToolOptions = {}): CodemodeTool {
    return toolOf(this.#connectors.map((connector) => connector.name()), (input) => this.execute(input), options, this.#settings.sandboxing?.told);
  }

  async execute({ code, key, parent }: CodemodeExecuteOptions): Promise<CodemodeOutput> {
    if (typeof code !== "string") return refused("", "invalid_input", "code has to be a text: one JavaScript program");
    if (code.length > MAX_VALUE_LENGTH) {
      return refused("", "too_large", `code is ${code.length} units, the limit is ${MAX_VALUE_LENGTH}. Keep data out of the program: store it and pass a reference`);
    }
    const request = { code, ...(key !== undefined && { key }), ...(parent !== undefined && { parent }) };
    const advice =
      key === undefined
        ? "Look for it with executions(); one that is still running is resumed with recover(executionId)"
        : "Call execute again with the same key: it returns this run's outcome and does not run it twice";
    return this.#run("execute", "", request, advice);
  }

  async approve({ executionId, seq, args }: CodemodeApproveOptions): Promise<CodemodeOutput> {
    const request: { executionId: string; seq?: number; args?: ValueText } = { executionId, ...(seq !== undefined && { seq }) };
    if (args !== undefined) {
      if (seq === undefined) return refused(executionId, "invalid_input", "edited args need the seq of the call they are for; nothing was approved");
      const text = valueText(args, "args");
      if (typeof text !== "string") return refused(executionId, text.code, `${text.error}; nothing was approved`);
      request.args = text;
    }
    return this.#run("approve", executionId, request);
  }

  reject(options: CodemodeRejectOptions & { mode: "throw" }): Promise<CodemodeOutput>;
  reject(options: CodemodeRejectOptions & { mode?: "end" | undefined }): Promise<boolean>;
  async reject(options: CodemodeRejectOptions): Promise<CodemodeOutput | boolean> {
    const { executionId, seq, reason, mode = "end" } = options;
    const request = { executionId, seq, mode, ...(reason !== undefined && { reason }) };
    const { reply, result } = await this.#ask<{ ended: boolean; output?: WireOutput }>("reject", request);
    if (mode === "throw") {
      if (!reply.ok) return failed(executionId, reply);
      const { output } = reply.value;
      if (output === undefined) return refused(executionId, "not_paused", `call ${seq} was no longer pending; nothing was rejected`);
      return this.#finish(output, result);
    }
    if (reply.ok) return reply.value.ended;
    // Nothing was ended because there was nothing to end: that is what `false` says.
    if (reply.code === "not_found" || reply.code === "not_paused") return false;
    throw new CodemodeError(errorCode(reply.code), reply.error);
  }

  recover(executionId: string): Promise<CodemodeOutput> {
    return this.#run("recover", executionId, { executionId });
  }

  async resolve({ executionId, seq, outcome, result }: CodemodeResolveOptions): Promise<CodemodeOutput> {
    const request: { executionId: string; seq: number; outcome: string; result?: ValueText } = { executionId, seq, outcome };
    if (result !== undefined) {
      const text = valueText(result, "result");
      if (typeof text !== "string") return refused(executionId, text.code, `${text.error}; nothing was resolved`);
      request.result = text;
    }
    return this.#run("resolve", executionId, request);
  }

  async cancel(executionId: string): Promise<boolean> {
    return valueOf(await this.#ask<{ cancelled: boolean }>("cancel", { executionId })).cancelled;
  }

  async rollback({ executionId }: CodemodeRollbackOptions): Promise<RollbackReport> {
    return valueOf(await this.#ask<RollbackReport>("rollback", { executionId }));
  }

  async expirePaused({ maxAgeMs }: CodemodeExpireOptions = {}): Promise<string[]> {
    checkWhole("maxAgeMs", maxAgeMs, 0);
    return valueOf(await askAlone<{ expired: string[] }>(this.#open, "expirePaused", { maxAgeMs })).expired;
  }

  async deleteExecution(id: string): Promise<boolean> {
    return valueOf(await askAlone<{ deleted: boolean }>(this.#open, "deleteExecution", { executionId: id })).deleted;
  }

  async pruneExecutions(keep?: number): Promise<number> {
    checkWhole("keep", keep, 0);
    return valueOf(await askAlone<{ deleted: number }>(this.#open, "pruneExecutions", { keep })).deleted;
  }

  async pending(executionId?: string): Promise<PendingAction[]> {
    const request = executionId === undefined ? {} : { executionId };
    return valueOf(await askAlone<WirePending[]>(this.#open, "pending", request)).map(pendingOf);
  }

  executions(limit?: number): Promise<ExecutionState[]>;
  executions(options: CodemodeExecutionsOptions): Promise<ExecutionPage>;
  async executions(options?: number | CodemodeExecutionsOptions): Promise<ExecutionState[] | ExecutionPage> {
    if (typeof options !== "object") {
      const request = options === undefined ? {} : { limit: options };
      return valueOf(await askAlone<WireExecution[]>(this.#open, "executions", request)).map(executionOf);
    }
    const { limit, cursor } = options;
    const page = valueOf(await askAlone<WireExecutionPage>(this.#open, "executions", { limit, cursor }));
    return { executions: page.executions.map(executionOf), cursor: page.cursor };
  }

  execution(id: string): Promise<ExecutionState>;
  execution(id: string, options: { seq: number }): Promise<ExecutionLogEntry>;
  async execution(id: string, options?: { seq?: number }): Promise<ExecutionState | ExecutionLogEntry> {
    if (options?.seq === undefined) return executionOf(valueOf(await askAlone<WireExecution>(this.#open, "execution", { executionId: id })));
    return entryOf(valueOf(await askAlone<WireLogEntry>(this.#open, "execution", { executionId: id, seq: options.seq })));
  }

  async saveSnippet(name: string, { executionId, description, inputSchema }: CodemodeSaveSnippetOptions): Promise<Snippet> {
    // What is kept is JSON: of a library's schema its JSON Schema counts, and transformations do not.
    const schema = await jsonSchemaOf(inputSchema, "input");
    const fault = inputSchema === undefined ? undefined : schemaFault(schema);
    if (fault !== undefined) throw new CodemodeError("invalid_input", `the snippet was not saved: ${fault}`);
    const request = { name, executionId, description, inputSchema: schema };
    return snippetOf(valueOf(await this.#ask<WireSnippet>("saveSnippet", request)));
  }

  async snippets(): Promise<Snippet[]> {
    return valueOf(await askAlone<WireSnippet[]>(this.#open, "snippets", {})).map(snippetOf);
  }

  async deleteSnippet(name: string): Promise<boolean> {
    return valueOf(await askAlone<{ deleted: boolean }>(this.#open, "deleteSnippet", { name })).deleted;
  }

  events(executionId?: string): ReadableStream<RuntimeEvent> {
    return eventsOf(this.#open, executionId);
  }

  async search(query: string, options: CodemodeSearchOptions = {}): Promise<SearchOutput> {
    const { limit, offset, connector } = options;
    return valueOf(await this.#ask<SearchOutput>("search", { query, limit, offset, connector }));
  }

  async describe(target: string): Promise<DescribeOutput> {
    return valueOf(await this.#ask<DescribeOutput>("describe", { target }));
  }

  /** One contact that may run a program. Never rejects. */
  async #run(method: "execute" | "approve" | "recover" | "resolve", executionId: string, request: object, advice?: string): Promise<CodemodeOutput> {
    const { reply, result } = await this.#ask<WireOutput>(method, request);
    return reply.ok ? this.#finish(reply.value, result) : failed(executionId, reply, advice);
  }

  /** Never rejects: a connector that contradicts itself is an answer like any other. */
  async #ask<T>(method: Parameters<typeof askWithHost>[1], request: object): Promise<Answer<T>> {
    try {
      const { contact, host } = await openContact(this.#connectors, this.#settings);
      return await askWithHost<T>(this.#open, method, { contact, ...request }, host);
    } catch (thrown) {
      const code = thrown instanceof CodemodeError ? thrown.code : "internal";
      return { reply: { ok: false, code, error: messageOf(thrown) }, result: "" };
    }
  }

  async #finish(wire: WireOutput, result: ValueText): Promise<CodemodeOutput> {
    const output = outputOf(wire, result);
    if (output.status !== "completed" || this.#transform === undefined) return output;
    try {
      return { ...output, result: await this.#transform(output.result) };
    } catch {
      // The run is done and recorded; a formatter that fails must not make it look otherwise.
      return output;
    }
  }
}

function refused(executionId: string, code: ErrorCode, error: string): CodemodeOutput {
  return { status: "error", executionId, error, code, logs: [], calls: [] };
}

function failed(executionId: string, reply: { code: string; error: string }, advice?: string): CodemodeOutput {
  const next = advice ?? `Ask for it with execution("${executionId}"); when it is still running, resume it with recover("${executionId}")`;
  return refused(executionId, errorCode(reply.code), reply.code === "interrupted" ? `${reply.error}. ${next}` : reply.error);
}

function valueOf<T>({ reply }: Answer<T>): T {
  if (reply.ok) return reply.value;
  throw new CodemodeError(errorCode(reply.code), reply.error);
}

/** `name` is what its paths begin with. */
function valueText(value: unknown, name: string): ValueText | { code: ErrorCode; error: string } {
  try {
    const text = encode(value, name);
    if (text.length <= MAX_VALUE_LENGTH) return text;
    return { code: "too_large", error: `${name} has ${text.length} units, the limit is ${MAX_VALUE_LENGTH}` };
  } catch (thrown) {
    return { code: "not_serializable", error: `${name} cannot be passed on: ${messageOf(thrown)}` };
  }
}
