/** The Agent of `npm run loops`: programs with nothing counted, and with a loop budget greater than is ever used. */

import { DurableObject } from "cloudflare:workers";

import type { CodemodeRuntimeHandle } from "../../js-shim/client/index.ts";
import { createCodemodeRuntime } from "../../js-shim/client/index.ts";
import type { RuntimeBinding } from "../../js-shim/client/placement.ts";

interface Env {
  CODEMODE: RuntimeBinding;
  AGENT: DurableObjectNamespace<CountingAgent>;
}

type Ran = { status: string; executionId: string };

export class CountingAgent extends DurableObject<Env> {
  readonly #uncounted = this.#with("uncounted", 0);
  readonly #counted = this.#with("counted", 4_000_000_000);

  #with(name: string, loopBudget: number): CodemodeRuntimeHandle {
    return createCodemodeRuntime({ ctx: this.ctx, binding: this.env.CODEMODE, connectors: [], name, limits: { loopBudget } });
  }

  async uncounted(code: string): Promise<Ran> {
    const { status, executionId } = await this.#uncounted.execute({ code });
    return { status, executionId };
  }

  async counted(code: string): Promise<Ran> {
    const { status, executionId } = await this.#counted.execute({ code });
    return { status, executionId };
  }
}

export default {
  async fetch(request, env) {
    const { method, argument } = await request.json<{ method: "counted" | "uncounted"; argument: string }>();
    const stub = env.AGENT.get(env.AGENT.idFromName("loops"));
    return Response.json(await stub[method](argument));
  },
} satisfies ExportedHandler<Env>;
