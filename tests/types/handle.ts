/** The handle's overloads, and what a runtime takes as ctx and binding. */

import {
  type CodemodeOutput,
  type CodemodeRuntimeHandle,
  createCodemodeRuntime,
  type ExecutionLogEntry,
  type ExecutionPage,
  type ExecutionState,
  type RollbackReport,
  type RuntimeEvent,
  truncateResponse,
  truncateResult,
} from "../../js-shim/client/index.ts";

export async function rejects(runtime: CodemodeRuntimeHandle): Promise<void> {
  const ended: boolean = await runtime.reject({ executionId: "e", seq: 0 });
  const output: CodemodeOutput = await runtime.reject({ executionId: "e", seq: 0, mode: "throw" });
  // @ts-expect-error: with mode "throw" it is an output.
  const wrong: boolean = await runtime.reject({ executionId: "e", seq: 0, mode: "throw" });
  // @ts-expect-error: a call is rejected, not a run; seq is needed.
  await runtime.reject({ executionId: "e" });
  void [ended, output, wrong];
}

export async function reads(runtime: CodemodeRuntimeHandle): Promise<void> {
  const state: ExecutionState = await runtime.execution("e");
  const entry: ExecutionLogEntry = await runtime.execution("e", { seq: 0 });
  // @ts-expect-error: with seq it is one entry.
  const wrong: ExecutionState = await runtime.execution("e", { seq: 0 });
  void [state, entry, wrong];
}

export async function lists(runtime: CodemodeRuntimeHandle): Promise<void> {
  const all: ExecutionState[] = await runtime.executions();
  const page: ExecutionPage = await runtime.executions({ cursor: null, limit: 5 });
  // @ts-expect-error: with a cursor it is a page.
  const wrong: ExecutionState[] = await runtime.executions({ cursor: null });
  // @ts-expect-error: options without a cursor are no page; the limit alone is a number.
  await runtime.executions({ limit: 5 });
  void [all, page, wrong];
}

export async function watches(runtime: CodemodeRuntimeHandle): Promise<void> {
  const all: ReadableStream<RuntimeEvent> = runtime.events();
  for await (const event of runtime.events("e")) {
    const of: { executionId: string; at: number } = event;
    const seq: number | undefined = event.seq;
    // What is of a call has its number.
    if (event.kind === "decision") event.seq.toFixed();
    // @ts-expect-error: a run as a whole has none.
    if (event.kind === "begin") event.seq.toFixed();
    // @ts-expect-error: passes are not told of.
    if (event.kind === "pass") return;
    void [of, seq];
  }
  // @ts-expect-error: a run is named by its id.
  runtime.events({ executionId: "e" });
  void all;
}

export async function lives(runtime: CodemodeRuntimeHandle): Promise<void> {
  const output: CodemodeOutput = await runtime.resolve({ executionId: "e", seq: 0, outcome: "applied", result: new Map() });
  await runtime.resolve({ executionId: "e", seq: 0, outcome: "rerun" });
  // @ts-expect-error: only what was applied has a result.
  await runtime.resolve({ executionId: "e", seq: 0, outcome: "failed", result: 1 });
  // @ts-expect-error: there are three outcomes.
  await runtime.resolve({ executionId: "e", seq: 0, outcome: "unknown" });
  const cancelled: boolean = await runtime.cancel("e");
  const { report, notReverted }: RollbackReport = await runtime.rollback({ executionId: "e" });
  const outcome: "reverted" | "no_revert" | "missing_connector" | "failed" | undefined = report[0]?.outcome;
  const why: "in_doubt" | "step" | undefined = notReverted[0]?.why;
  const expired: string[] = await runtime.expirePaused({ maxAgeMs: 1 });
  const deleted: boolean = await runtime.deleteExecution("e");
  const pruned: number = await runtime.pruneExecutions();
  void [output, cancelled, outcome, why, expired, deleted, pruned];
}

export function shortened(state: DurableObjectState): CodemodeRuntimeHandle {
  const text: string = truncateResponse("x", { maxTokens: 10 });
  // @ts-expect-error: a text is shortened to a number of units.
  truncateResult(text, { maxChars: "10" });
  return createCodemodeRuntime({ ctx: state, connectors: [], transformResult: (result) => truncateResult(result) });
}

export function places(state: DurableObjectState, worker: ExecutionContext, binding: DurableObjectNamespace): CodemodeRuntimeHandle[] {
  return [
    createCodemodeRuntime({ ctx: state, connectors: [] }),
    createCodemodeRuntime({ ctx: state, binding, connectors: [] }),
    createCodemodeRuntime({ ctx: worker, id: "tenant", binding, connectors: [] }),
    // @ts-expect-error: connectors are needed, if none then an empty list.
    createCodemodeRuntime({ ctx: state }),
    // @ts-expect-error: a misspelt limit is no limit.
    createCodemodeRuntime({ ctx: state, connectors: [], limits: { passMS: 1 } }),
    // @ts-expect-error: approval is one of two words.
    createCodemodeRuntime({ ctx: state, connectors: [], approval: "always" }),
    // @ts-expect-error: a service binding is no Durable Object namespace.
    createCodemodeRuntime({ ctx: state, connectors: [], binding: {} as Fetcher }),
  ];
}

export async function runs(runtime: CodemodeRuntimeHandle): Promise<void> {
  // @ts-expect-error: the program is a text.
  await runtime.execute({ code: async () => 1 });
  // @ts-expect-error: the options of approve are an object, as in the ancestor.
  await runtime.approve("e");
}
