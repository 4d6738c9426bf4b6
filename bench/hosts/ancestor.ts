/** The ancestor as it is meant to run: the runtime is a facet of the Agent, in the Agent's own Worker. */

import type { ConnectorTools } from "@cloudflare/codemode";
import { CodemodeConnector, createCodemodeRuntime, DynamicWorkerExecutor } from "@cloudflare/codemode";

import type { BenchRuntime, RuntimeChoice } from "./agent.ts";
import { BenchAgent, serve } from "./agent.ts";
import { PASS_MS } from "./limits.ts";
import { generated, trivial } from "./methods.ts";

export { CodemodeRuntime } from "@cloudflare/codemode";

interface Env {
  LOADER: WorkerLoader;
  AGENT: DurableObjectNamespace<AncestorAgent>;
}

class Connector extends CodemodeConnector<Env> {
  readonly #name: string;
  readonly #tools: ConnectorTools;

  constructor(ctx: DurableObjectState, env: Env, name: string, tools: ConnectorTools) {
    super(ctx, env);
    this.#name = name;
    this.#tools = tools;
  }

  override name(): string {
    return this.#name;
  }

  protected override tools(): ConnectorTools {
    return this.#tools;
  }
}

export class AncestorAgent extends BenchAgent<Env> {
  protected override make({ methods, keep }: RuntimeChoice): BenchRuntime {
    const connectors = [new Connector(this.ctx, this.env, "t", trivial as ConnectorTools)];
    if (methods !== undefined) connectors.push(new Connector(this.ctx, this.env, "g", generated(methods) as ConnectorTools));
    return createCodemodeRuntime({
      ctx: this.ctx,
      executor: new DynamicWorkerExecutor({ loader: this.env.LOADER, timeout: PASS_MS }),
      connectors,
      ...(keep !== undefined && { maxExecutions: keep }),
    });
  }
}

export default { fetch: (request, env) => serve(request, env.AGENT) } satisfies ExportedHandler<Env>;
