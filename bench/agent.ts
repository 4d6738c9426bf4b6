/**
 * The Agent that is measured: two methods that do nothing, and the bare cost of an isolate beside them. It measures
 * nothing itself; the clock of a Durable Object stands still while it works.
 */

import { DurableObject } from "cloudflare:workers";

import type { CodemodeRuntimeHandle, ConnectorTools } from "../js-shim/client/index.ts";
import { CodemodeConnector, createCodemodeRuntime } from "../js-shim/client/index.ts";
import type { RuntimeBinding } from "../js-shim/client/placement.ts";

interface Env {
  CODEMODE: RuntimeBinding;
  LOADER: WorkerLoader;
  AGENT: DurableObjectNamespace<BenchAgent>;
}

class Trivial extends CodemodeConnector {
  override name(): string {
    return "t";
  }

  override tools(): ConnectorTools {
    const execute = (args: unknown): unknown => args;
    return {
      read: { description: "Returns its argument.", readOnly: true, execute },
      write: { description: "Returns its argument.", execute },
      gate: { description: "Returns its argument.", requiresApproval: true, execute },
    };
  }
}

const BARE = `import { WorkerEntrypoint } from "cloudflare:workers";
export default class extends WorkerEntrypoint { run() { return "1"; } }`;

export class BenchAgent extends DurableObject<Env> {
  readonly #runtime = createCodemodeRuntime({
    ctx: this.ctx,
    binding: this.env.CODEMODE,
    connectors: [new Trivial(this.ctx, this.env)],
  });

  /** As above with nothing counted, and with more than is ever used. */
  readonly #uncounted = this.#with("uncounted", 0);
  readonly #counted = this.#with("counted", 4_000_000_000);

  #with(name: string, loopBudget: number): CodemodeRuntimeHandle {
    return createCodemodeRuntime({ ctx: this.ctx, binding: this.env.CODEMODE, connectors: [], name, limits: { loopBudget } });
  }

  async uncounted(code: string): Promise<{ status: string; executionId: string }> {
    const { status, executionId } = await this.#uncounted.execute({ code });
    return { status, executionId };
  }

  async counted(code: string): Promise<{ status: string; executionId: string }> {
    const { status, executionId } = await this.#counted.execute({ code });
    return { status, executionId };
  }

  nothing(): number {
    return 1;
  }

  /** A fresh isolate that runs one empty function: what no pass can be faster than. */
  async bare(): Promise<string> {
    const worker = this.env.LOADER.load({
      compatibilityDate: "2026-06-11",
      mainModule: "bare.js",
      modules: { "bare.js": BARE },
      globalOutbound: null,
    });
    const entrypoint = worker.getEntrypoint() as unknown as { run(): Promise<string> };
    return await entrypoint.run();
  }

  /** Small, whatever the run was: what is measured is the run, not its reply's way out. */
  async execute(code: string): Promise<{ status: string; executionId: string }> {
    const { status, executionId } = await this.#runtime.execute({ code });
    return { status, executionId };
  }

  async approve(executionId: string): Promise<{ status: string; executionId: string }> {
    const { status } = await this.#runtime.approve({ executionId });
    return { status, executionId };
  }
}

export default {
  async fetch(request, env) {
    const { method, argument } = await request.json<{ method: "nothing" | "bare" | "execute" | "approve" | "counted" | "uncounted"; argument: string }>();
    const stub = env.AGENT.get(env.AGENT.idFromName("bench"));
    return Response.json(await stub[method](argument as never));
  },
} satisfies ExportedHandler<Env>;
