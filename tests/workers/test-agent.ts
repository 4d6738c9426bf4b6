/**
 * An Agent as an application would write one, with every option of a runtime within reach of a test. It adds no behaviour:
 * each method makes a handle and asks it.
 */

import { DurableObject } from "cloudflare:workers";

import {
  type Approval,
  type CodemodeConnector,
  CodemodeError,
  type CodemodeInput,
  type CodemodeOutput,
  type CodemodeRuntimeHandle,
  type CodemodeResolveOptions,
  type CodemodeSaveSnippetOptions,
  createCodemodeRuntime,
  type DescribeOutput,
  type ExecutionLogEntry,
  type ExecutionPage,
  type ExecutionState,
  type JSONValue,
  type Limits,
  type PendingAction,
  type RollbackReport,
  type SearchOutput,
  type Snippet,
} from "../../js-shim/client/index.ts";
import { SideConnector, type Surroundings, TestConnector, type Twist } from "./test-connector.ts";
import { executorOf, type Sandbox } from "./test-net.ts";
import { type Heard, HostRecord, type Ran } from "./test-record.ts";

/** Which runtime, and how the Agent stands to it at this contact. What is left out is as usual. */
export type Setup = {
  /** Default `bound`. */
  placement?: "bound" | "embedded";
  name?: string;
  id?: string;
  approval?: Approval;
  limits?: Partial<Limits>;
  maxExecutions?: number;
  /** Connectors that are not configured. */
  without?: readonly string[];
  /** By connector. */
  twist?: Record<string, Twist>;
  transform?: "wraps" | "throws";
  sandbox?: Sandbox;
};

/** Questions that may be refused: with an error that is thrown, because there is no outcome to tell. */
export type Question = "cancel" | "rollback" | "execution" | "page" | "pruneExecutions" | "expirePaused" | "saveSnippet";

export class TestAgent extends DurableObject<Cloudflare.Env> {
  readonly #record = new HostRecord(this.ctx.storage.sql);
  readonly #held = new Map<string, (value: unknown) => void>();
  readonly #awaited = new Map<string, () => void>();

  /** Also for `runInDurableObject`, where a test needs what cannot be passed on. */
  runtime(setup: Setup = {}): CodemodeRuntimeHandle {
    const { placement, name, id, approval, limits, maxExecutions, without = [], transform, sandbox } = setup;
    return createCodemodeRuntime({
      ctx: this.ctx,
      binding: placement === "embedded" ? undefined : this.env.CODEMODE,
      connectors: this.#connectors(setup).filter((connector) => !without.includes(connector.name())),
      name,
      id,
      approval,
      limits,
      maxExecutions,
      executor: sandbox && executorOf(sandbox, this.#record, this.ctx.exports),
      transformResult: transform === undefined ? undefined : (result) => {
        if (transform === "throws") throw new Error("the formatter is broken");
        return { wrapped: result };
      },
    });
  }

  #connectors(setup: Setup): CodemodeConnector[] {
    const around: Surroundings = {
      record: this.#record,
      held: this.#held,
      awaited: this.#awaited,
      nest: (code, parent) => this.runtime(setup).execute({ code, parent }),
      cancel: async (executionId) => void (await this.runtime(setup).cancel(executionId)),
      recorded: (executionId, seq) => this.runtime(setup).execution(executionId, { seq }),
    };
    return [new TestConnector(this.ctx, around, setup.twist?.["t"]), new SideConnector(this.ctx, around, setup.twist?.["side"])];
  }

  execute(setup: Setup, code: string, key?: string): Promise<CodemodeOutput> {
    return this.runtime(setup).execute({ code, key });
  }

  approve(setup: Setup, options: { executionId: string; seq?: number; args?: unknown }): Promise<CodemodeOutput> {
    return this.runtime(setup).approve(options);
  }

  /** With mode `end`: whether it ended the run. */
  reject(setup: Setup, options: { executionId: string; seq: number; reason?: string }): Promise<boolean> {
    return this.runtime(setup).reject(options);
  }

  /** Reject with mode `throw`: the program goes on. */
  deny(setup: Setup, options: { executionId: string; seq: number; reason?: string }): Promise<CodemodeOutput> {
    return this.runtime(setup).reject({ ...options, mode: "throw" });
  }

  recover(setup: Setup, executionId: string): Promise<CodemodeOutput> {
    return this.runtime(setup).recover(executionId);
  }

  resolve(setup: Setup, options: CodemodeResolveOptions): Promise<CodemodeOutput> {
    return this.runtime(setup).resolve(options);
  }

  cancel(setup: Setup, executionId: string): Promise<boolean> {
    return this.runtime(setup).cancel(executionId);
  }

  rollback(setup: Setup, executionId: string): Promise<RollbackReport> {
    return this.runtime(setup).rollback({ executionId });
  }

  expirePaused(setup: Setup, maxAgeMs?: number): Promise<string[]> {
    return this.runtime(setup).expirePaused({ maxAgeMs });
  }

  deleteExecution(setup: Setup, id: string): Promise<boolean> {
    return this.runtime(setup).deleteExecution(id);
  }

  pruneExecutions(setup: Setup, keep?: number): Promise<number> {
    return this.runtime(setup).pruneExecutions(keep);
  }

  page(setup: Setup, cursor: string | null, limit?: number): Promise<ExecutionPage> {
    return this.runtime(setup).executions({ limit: limit ?? 50, cursor });
  }

  /** What is thrown at a question. As a value: one thrown out of an RPC is an unhandled rejection in the test's isolate. */
  async refusal(setup: Setup, question: Question, argument: never): Promise<{ code: string; error: string }> {
    try {
      await this[question](setup, argument);
    } catch (thrown) {
      if (thrown instanceof CodemodeError) return { code: thrown.code, error: thrown.message };
      throw thrown;
    }
    throw new Error(`${question} was not refused`);
  }

  pending(setup: Setup, executionId?: string): Promise<PendingAction[]> {
    return this.runtime(setup).pending(executionId);
  }

  executions(setup: Setup, limit?: number): Promise<ExecutionState[]> {
    return this.runtime(setup).executions(limit);
  }

  execution(setup: Setup, executionId: string): Promise<ExecutionState> {
    return this.runtime(setup).execution(executionId);
  }

  entry(setup: Setup, executionId: string, seq: number): Promise<ExecutionLogEntry> {
    return this.runtime(setup).execution(executionId, { seq });
  }

  saveSnippet(setup: Setup, { name, ...options }: { name: string } & CodemodeSaveSnippetOptions): Promise<Snippet> {
    return this.runtime(setup).saveSnippet(name, options);
  }

  snippets(setup: Setup): Promise<Snippet[]> {
    return this.runtime(setup).snippets();
  }

  deleteSnippet(setup: Setup, name: string): Promise<boolean> {
    return this.runtime(setup).deleteSnippet(name);
  }

  search(setup: Setup, query: string): Promise<SearchOutput> {
    return this.runtime(setup).search(query);
  }

  describe(setup: Setup, target: string): Promise<DescribeOutput> {
    return this.runtime(setup).describe(target);
  }

  /** As a model does it: through the tool. */
  useTool(setup: Setup, input: CodemodeInput): Promise<CodemodeOutput> {
    return this.runtime(setup).tool().execute(input);
  }

  toModel(setup: Setup, output: unknown): JSONValue {
    return this.runtime(setup).tool().toModelOutput({ output }).value;
  }

  /** How often each `<connector>.<method>` really ran, and the methods' own counters. */
  counters(): Record<string, number> {
    return this.#record.counters();
  }

  /** Every execution of a method, in order. */
  ran(): Ran[] {
    return this.#record.all();
  }

  /** What connectors were told, and what they undid, in order. */
  heard(): Heard[] {
    return this.#record.heard();
  }

  /** Resolves when a call of `t.hold` with this key is open. */
  async holding(key: string): Promise<void> {
    if (!this.#held.has(key)) await new Promise<void>((resolve) => this.#awaited.set(key, resolve));
  }

  /** Answers a call of `t.hold` that is open. */
  release(key: string, value?: unknown): void {
    const resolve = this.#held.get(key);
    if (resolve === undefined) throw new Error(`no call holds ${key}`);
    this.#held.delete(key);
    resolve(value);
  }
}
