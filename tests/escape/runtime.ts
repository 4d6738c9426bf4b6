/**
 * The runtime Worker as shipped, with two doors: one to exchange what its sandboxes are loaded with, so that one workerd
 * serves a hundred broken harnesses; one to the seed of an execution, which a test must know to see that nobody else does.
 */

import { CodemodeRuntime as Shipped } from "../../js-shim/runtime.ts";

type Env = { LOADER: WorkerLoader; CODEMODE: DurableObjectNamespace };
type Code = WorkerLoaderWorkerCode & { modules: Record<string, unknown> };

/** Of all objects of this isolate. An empty text stands for what is shipped. */
const sandbox = { harness: "", module: "", isOpen: false };

export class CodemodeRuntime extends Shipped {
  constructor(ctx: DurableObjectState, env: Env) {
    const load = (code: Code): WorkerStub => {
      const modules = { ...code.modules };
      if (sandbox.harness !== "") modules["harness.js"] = sandbox.harness;
      if (sandbox.module !== "") modules["program.js"] = sandbox.module;
      const { globalOutbound, ...rest } = code;
      return env.LOADER.load({ ...rest, modules, ...(!sandbox.isOpen && { globalOutbound }) } as WorkerLoaderWorkerCode);
    };
    super(ctx, { ...env, LOADER: { load } } as never);
  }

  makeSandboxesOf(harness: string, module: string, isOpen: boolean): void {
    Object.assign(sandbox, { harness, module, isOpen });
  }

  seedOf(executionId: string): string {
    const rows = this.ctx.storage.sql.exec<{ events: string }>("SELECT events FROM codemode_journal WHERE execution_id = ?", executionId);
    const seed = /"seed":"([0-9a-f]{64})"/.exec(rows.toArray().map(({ events }) => events).join("\n"))?.[1];
    if (seed === undefined) throw new Error(`no seed is recorded for ${executionId}`);
    return seed;
  }
}

export default {
  fetch: () => new Response("a runtime for tests", { status: 404 }),
} satisfies ExportedHandler;
