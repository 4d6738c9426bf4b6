/** Ours, bound: the runtime is an object of another Worker, as in production. */

import type { ConnectorTools } from "../../js-shim/client/index.ts";
import { CodemodeConnector, createCodemodeRuntime, DynamicWorkerExecutor } from "../../js-shim/client/index.ts";
import type { RuntimeBinding } from "../../js-shim/client/placement.ts";
import type { BenchRuntime, RuntimeChoice } from "./agent.ts";
import { BenchAgent, serve } from "./agent.ts";
import { PASS_MS } from "./limits.ts";
import { generated, trivial } from "./methods.ts";

interface Env {
  CODEMODE: RuntimeBinding;
  AGENT: DurableObjectNamespace<OursAgent>;
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

  override tools(): ConnectorTools {
    return this.#tools;
  }
}

export class OursAgent extends BenchAgent<Env> {
  protected override make({ methods, keep }: RuntimeChoice): BenchRuntime {
    const connectors = [new Connector(this.ctx, this.env, "t", trivial)];
    if (methods !== undefined) connectors.push(new Connector(this.ctx, this.env, "g", generated(methods)));
    return createCodemodeRuntime({
      ctx: this.ctx,
      binding: this.env.CODEMODE,
      executor: new DynamicWorkerExecutor({ timeout: PASS_MS }),
      connectors,
      maxExecutions: keep,
    });
  }
}

export default { fetch: (request, env) => serve(request, env.AGENT) } satisfies ExportedHandler<Env>;
