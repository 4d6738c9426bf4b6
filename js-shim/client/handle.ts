/**
 * What an Agent gives to make a runtime, and what it gets: the options of every method and the handle's interface.
 * Types only; `runtime.ts` is behind them.
 */

import type { DescribeOutput, Limits, RollbackReport, SearchOutput } from "../wire.ts";
import type { CodemodeConnector } from "./connector.ts";
import type { Approval } from "./contact.ts";
import type { DynamicWorkerExecutor } from "./executor.ts";
import type { RuntimeBinding, RuntimeContext } from "./placement.ts";
import type { CodemodeTool, CodemodeToolOptions } from "./tool.ts";
import type { CodemodeOutput, ExecutionLogEntry, ExecutionPage, ExecutionState, PendingAction, RuntimeEvent, Snippet, TransformResult } from "./types.ts";

export type CreateCodemodeRuntimeOptions = {
  /** `this.ctx` of the Agent: its identity, and its facets when the runtime is embedded. */
  ctx: RuntimeContext;
  /** Instead of the identity of `ctx`; a stateless Worker has to give one. One id is one tenant. */
  id?: string | undefined;
  /** The Durable Object binding of a deployed runtime. Leave it out to embed the runtime in this Agent. */
  binding?: RuntimeBinding | undefined;
  /** Each becomes a global of the sandbox. */
  connectors: readonly CodemodeConnector[];
  /** Runtimes with different names share nothing. Letters, digits, `_`, `.`, `-`. Default `default`. */
  name?: string | undefined;
  /** How many finished runs are kept. Running and paused ones always are. Default 50. */
  maxExecutions?: number | undefined;
  /** Milliseconds and counts; what is left out has the runtime's default. */
  limits?: Partial<Limits> | undefined;
  /** Default `"as-declared"`. */
  approval?: Approval | undefined;
  /** The sandbox beside its limits: network and bindings inside steps, modules. */
  executor?: DynamicWorkerExecutor | undefined;
  /** Shapes what is returned of a completed run. */
  transformResult?: TransformResult | undefined;
};

export type CodemodeExecuteOptions = {
  /** The program, at most 1,000,000 UTF-16 units. */
  code: string;
  /** A second `execute` with the same key returns the first one's outcome instead of running again. */
  key?: string | undefined;
  /**
   * The execution from inside which this one is started, for a connector that runs programs: `ctx.executionId`. Its place
   * is held while it waits for this one, so when no place is free this one fails at once instead of waiting for ever.
   */
  parent?: string | undefined;
};
export type CodemodeApproveOptions = {
  executionId: string;
  /** Only this call. Without it all that were pending. */
  seq?: number | undefined;
  /** Run the call with these arguments instead of the program's. Needs `seq`; checked against the method's schema. */
  args?: unknown;
};
export type CodemodeRejectOptions = {
  executionId: string;
  seq: number;
  /** Told to whoever reads the run; with `mode: "throw"` it is the text of the program's error. */
  reason?: string | undefined;
  /** `"end"` (default) ends the run. `"throw"` lets the program go on with an error in place of the call. */
  mode?: "end" | "throw" | undefined;
};
/** What a person found out about a call whose outcome is unknown. */
export type CodemodeResolveOptions = { executionId: string; seq: number } & (
  | {
      /** It happened, and this is what it returned. */
      outcome: "applied";
      result?: unknown;
    }
  /** `failed`: it did not happen, and the program gets an error. `rerun`: it is sent again, with the same idempotency key. */
  | { outcome: "failed" | "rerun"; result?: undefined }
);
export type CodemodeRollbackOptions = { executionId: string };
export type CodemodeExpireOptions = {
  /** How long a run may wait, from its last change on. Default 24 hours. */
  maxAgeMs?: number | undefined;
};
export type CodemodeExecutionsOptions = {
  limit?: number | undefined;
  /** `null` begins at the newest; then what the page before gave. */
  cursor: string | null;
};
export type CodemodeSearchOptions = { limit?: number | undefined; offset?: number | undefined; connector?: string | undefined };

export type CodemodeSaveSnippetOptions = {
  /** The run whose program is saved; it has to have ended. */
  executionId: string;
  /** What it does, for `codemode.search` and `codemode.describe`. */
  description?: string | undefined;
  /** JSON Schema of the input, or a library's schema that can tell itself as one; every input is held against that. The program has to be a function, `async (input) => …`. */
  inputSchema?: unknown;
};

/** A durable runtime as an Agent sees it. */
export interface CodemodeRuntimeHandle {
  /** The one model-facing tool, in the shape of the AI SDK: `{ codemode: runtime.tool() }`. */
  tool(options?: CodemodeToolOptions): CodemodeTool;
  /** Runs a program. Two calls are two runs. */
  execute(options: CodemodeExecuteOptions): Promise<CodemodeOutput>;
  /** Approves what waits, and runs on at once. On a run that is not paused nothing changes; the output says how it stands. */
  approve(options: CodemodeApproveOptions): Promise<CodemodeOutput>;
  /** With `mode: "throw"` the program goes on with an error. */
  reject(options: CodemodeRejectOptions & { mode: "throw" }): Promise<CodemodeOutput>;
  /**
   * Ends the run and undoes nothing. `false`: it did not, because the call was no longer pending.
   * @throws {CodemodeError} when the runtime could not be asked.
   */
  reject(options: CodemodeRejectOptions & { mode?: "end" | undefined }): Promise<boolean>;
  /** Resumes a run whose host or runtime died. */
  recover(executionId: string): Promise<CodemodeOutput>;
  /** Decides a call whose outcome is unknown. The run goes on when it was the last one; until then the output is `paused`. */
  resolve(options: CodemodeResolveOptions): Promise<CodemodeOutput>;
  /**
   * Ends a run that is running or paused, and undoes nothing. Who waits for it gets an error with code `cancelled`. `false`:
   * it had ended already.
   * @throws {CodemodeError} `not_found` among others.
   */
  cancel(executionId: string): Promise<boolean>;
  /**
   * Undoes the applied calls of a run, newest first, as far as their methods have a `revert`. One that fails stops nothing;
   * one that was undone is not undone again by a second rollback.
   * @throws {CodemodeError} when the run is running, or the runtime could not be asked.
   */
  rollback(options: CodemodeRollbackOptions): Promise<RollbackReport>;
  /** Ends paused runs that nobody decided in time, and running ones whose host died. Gives their ids. @throws {CodemodeError} */
  expirePaused(options?: CodemodeExpireOptions): Promise<string[]>;
  /** Forgets a run; a live one is cancelled first. `false`: there was none. @throws {CodemodeError} */
  deleteExecution(id: string): Promise<boolean>;
  /** Forgets the oldest runs that have ended, all but `keep` (50). Gives how many. @throws {CodemodeError} */
  pruneExecutions(keep?: number): Promise<number>;
  /** Calls that wait, of one run or of all. @throws {CodemodeError} */
  pending(executionId?: string): Promise<PendingAction[]>;
  /** Runs, newest first. Values above 16 KiB are left out. @throws {CodemodeError} */
  executions(limit?: number): Promise<ExecutionState[]>;
  /** The same in pages. @throws {CodemodeError} */
  executions(options: CodemodeExecutionsOptions): Promise<ExecutionPage>;
  /** One run. @throws {CodemodeError} `not_found` among others. */
  execution(id: string): Promise<ExecutionState>;
  /** One call of it, whole. @throws {CodemodeError} */
  execution(id: string, options: { seq: number }): Promise<ExecutionLogEntry>;
  /**
   * Keeps the program of a run under a name, for other programs to find and run. It takes the place of an older one.
   * @throws {CodemodeError} `invalid_input` when the name is a namespace's or a method's, or the run has not ended.
   */
  saveSnippet(name: string, options: CodemodeSaveSnippetOptions): Promise<Snippet>;
  /** All snippets by name. @throws {CodemodeError} */
  snippets(): Promise<Snippet[]>;
  /** Runs that have run it keep their text of it. `false`: there was none. @throws {CodemodeError} */
  deleteSnippet(name: string): Promise<boolean>;
  /**
   * What happens, of one run or of all: first what is recorded, then what comes. A slow reader loses nothing; a run that is
   * deleted before it was read is not told of. Of one run the stream ends when that has ended for good; else it goes on until
   * it is cancelled. While someone reads, the runtime stays in memory.
   * The stream fails with a `CodemodeError`: `not_found`, or `interrupted` when the runtime cannot be reached for half a minute.
   */
  events(executionId?: string): ReadableStream<RuntimeEvent>;
  /** Finds methods and snippets as a program would. @throws {CodemodeError} */
  search(query: string, options?: CodemodeSearchOptions): Promise<SearchOutput>;
  /** The TypeScript of a method, a namespace or a snippet as a program would see it. @throws {CodemodeError} */
  describe(target: string): Promise<DescribeOutput>;
}
