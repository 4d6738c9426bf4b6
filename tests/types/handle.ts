/** The handle's overloads, and what a runtime takes as ctx and binding. */

import {
  type CodemodeOutput,
  type CodemodeRuntimeHandle,
  createCodemodeRuntime,
  type ExecutionLogEntry,
  type ExecutionState,
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
