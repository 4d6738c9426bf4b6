/**
 * How a test speaks: one Agent of its own with one setup.
 *
 *   const agent = newAgent({ placement: "embedded" });
 *   const paused = await agent.execute(`async () => t.gate({})`);
 */

import { env } from "cloudflare:workers";

import type {
  CodemodeOutput,
  CodemodeResolveOptions,
  CodemodeSaveSnippetOptions,
  DescribeOutput,
  ExecutionLogEntry,
  ExecutionPage,
  ExecutionState,
  JSONValue,
  PendingAction,
  RollbackReport,
  SearchOutput,
  Snippet,
} from "../../js-shim/client/index.ts";
import type { CodemodeRuntime } from "../../js-shim/runtime.ts";
import type { Question, Setup, TestAgent } from "./test-agent.ts";
import type { Heard, Ran } from "./test-record.ts";

/** The Agent's methods without the types of RPC, which make nothing of `unknown`. */
type Surface = Omit<TestAgent, keyof DurableObject | "ctx" | "env" | "runtime">;
type Completed = Extract<CodemodeOutput, { status: "completed" }>;
type Paused = Extract<CodemodeOutput, { status: "paused" }>;
type Failed = Extract<CodemodeOutput, { status: "error" }>;

export class Agent {
  readonly name: string;
  readonly setup: Setup;

  constructor(name: string, setup: Setup) {
    this.name = name;
    this.setup = setup;
  }

  /** For the tools of `cloudflare:test`. Made anew each time: one from before an eviction is broken. */
  get stub(): DurableObjectStub<TestAgent> {
    return env.TEST_AGENT.getByName(this.name);
  }
  get #object(): Surface {
    return this.stub as unknown as Surface;
  }

  /** The object of its bound runtime. */
  get runtime(): DurableObjectStub<CodemodeRuntime> {
    return env.CODEMODE.getByName(`${this.setup.id ?? this.stub.id.toString()}/${this.setup.name ?? "default"}`);
  }

  /** The same Agent at another contact. */
  with(setup: Setup): Agent {
    return new Agent(this.name, { ...this.setup, ...setup });
  }

  execute(code: string, key?: string): Promise<CodemodeOutput> {
    return this.#object.execute(this.setup, code, key);
  }
  approve(executionId: string, options: { seq?: number; args?: unknown } = {}): Promise<CodemodeOutput> {
    return this.#object.approve(this.setup, { executionId, ...options });
  }
  reject(executionId: string, seq: number, reason?: string): Promise<boolean> {
    return this.#object.reject(this.setup, { executionId, seq, ...(reason !== undefined && { reason }) });
  }
  deny(executionId: string, seq: number, reason?: string): Promise<CodemodeOutput> {
    return this.#object.deny(this.setup, { executionId, seq, ...(reason !== undefined && { reason }) });
  }
  recover(executionId: string): Promise<CodemodeOutput> {
    return this.#object.recover(this.setup, executionId);
  }
  resolve(options: CodemodeResolveOptions): Promise<CodemodeOutput> {
    return this.#object.resolve(this.setup, options);
  }
  cancel(executionId: string): Promise<boolean> {
    return this.#object.cancel(this.setup, executionId);
  }
  rollback(executionId: string): Promise<RollbackReport> {
    return this.#object.rollback(this.setup, executionId);
  }
  expirePaused(maxAgeMs?: number): Promise<string[]> {
    return this.#object.expirePaused(this.setup, maxAgeMs);
  }
  deleteExecution(id: string): Promise<boolean> {
    return this.#object.deleteExecution(this.setup, id);
  }
  pruneExecutions(keep?: number): Promise<number> {
    return this.#object.pruneExecutions(this.setup, keep);
  }
  page(cursor: string | null, limit?: number): Promise<ExecutionPage> {
    return this.#object.page(this.setup, cursor, limit);
  }
  refusal(question: Question, argument: unknown): Promise<{ code: string; error: string }> {
    return this.#object.refusal(this.setup, question, argument as never);
  }
  pending(executionId?: string): Promise<PendingAction[]> {
    return this.#object.pending(this.setup, executionId);
  }
  executions(limit?: number): Promise<ExecutionState[]> {
    return this.#object.executions(this.setup, limit);
  }
  execution(executionId: string): Promise<ExecutionState> {
    return this.#object.execution(this.setup, executionId);
  }
  entry(executionId: string, seq: number): Promise<ExecutionLogEntry> {
    return this.#object.entry(this.setup, executionId, seq);
  }
  /** Runs a program and saves it, however it ended. */
  async save(name: string, code: string, options: Omit<CodemodeSaveSnippetOptions, "executionId"> = {}): Promise<Snippet> {
    const { executionId } = await this.execute(code);
    return this.#object.saveSnippet(this.setup, { name, executionId, ...options });
  }
  snippets(): Promise<Snippet[]> {
    return this.#object.snippets(this.setup);
  }
  deleteSnippet(name: string): Promise<boolean> {
    return this.#object.deleteSnippet(this.setup, name);
  }
  search(query: string): Promise<SearchOutput> {
    return this.#object.search(this.setup, query);
  }
  describe(target: string): Promise<DescribeOutput> {
    return this.#object.describe(this.setup, target);
  }
  useTool(input: { code: string }): Promise<CodemodeOutput> {
    return this.#object.useTool(this.setup, input);
  }
  toModel(output: unknown): Promise<JSONValue> {
    return Promise.resolve(this.#object.toModel(this.setup, output));
  }
  counters(): Promise<Record<string, number>> {
    return Promise.resolve(this.#object.counters());
  }
  ran(): Promise<Ran[]> {
    return Promise.resolve(this.#object.ran());
  }
  heard(): Promise<Heard[]> {
    return Promise.resolve(this.#object.heard());
  }
  /** What the connectors heard and undid, as texts without the run's id. */
  async told(): Promise<string[]> {
    return (await this.heard()).map(({ connector, what, detail }) => `${connector} ${what} ${detail}`.trim());
  }
  holding(key: string): Promise<void> {
    return this.#object.holding(key);
  }
  release(key: string, value?: unknown): Promise<void> {
    return Promise.resolve(this.#object.release(key, value));
  }

  /** Runs a program to its end and gives its result. */
  async result(code: string): Promise<unknown> {
    return completed(await this.execute(code)).result;
  }
  /** Runs a program that is to pause. */
  async paused(code: string): Promise<Paused> {
    return paused(await this.execute(code));
  }
  /** Runs a program that is to end as an error. */
  async failed(code: string): Promise<Failed> {
    return failed(await this.execute(code));
  }
}

let made = 0;

/** An Agent that no other test has met. */
export function newAgent(setup: Setup = {}): Agent {
  made += 1;
  return new Agent(`agent-${made}-${crypto.randomUUID()}`, setup);
}

export function completed(output: CodemodeOutput): Completed {
  if (output.status === "completed") return output;
  throw new Error(`not completed: ${JSON.stringify(output, shownBigint)}`);
}

export function paused(output: CodemodeOutput): Paused {
  if (output.status === "paused") return output;
  throw new Error(`not paused: ${JSON.stringify(output, shownBigint)}`);
}

export function failed(output: CodemodeOutput): Failed {
  if (output.status === "error") return output;
  throw new Error(`no error: ${JSON.stringify(output, shownBigint)}`);
}

function shownBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
