/** The Agent: one object for each cell of the matrix, driven over HTTP by `door.ts`. */

import { DurableObject } from "cloudflare:workers";

import { createCodemodeRuntime, shown } from "../../js-shim/client/index.ts";
import { ServiceConnector, type WitnessEnv } from "./connector.ts";
import type { CodemodeRuntime } from "./runtime.ts";

export interface Env extends WitnessEnv {
  AGENT: DurableObjectNamespace<ChaosAgent>;
  /** Left out when the runtime is a facet. */
  CODEMODE?: DurableObjectNamespace<CodemodeRuntime>;
}

type OfRun = { executionId: string };

/** What the door sends. */
export type Ask =
  /** Under a key: a second one is the same run. */
  | { method: "execute"; code: string }
  | ({ method: "approve" | "recover" | "rollback" | "cancel" | "delete" } & OfRun)
  | ({ method: "reject"; seq: number } & OfRun)
  | ({ method: "resolve"; seq: number; outcome: "applied"; result: unknown } & OfRun)
  | ({ method: "resolve"; seq: number; outcome: "rerun" } & OfRun)
  | { method: "expire" | "executions" | "tally" | "journal" | "owed" | "alarm" }
  | { method: "arm"; place: string; nth: number };

export default {
  fetch: (request, env) => env.AGENT.getByName(cellOf(request)).fetch(request),
} satisfies ExportedHandler<Env>;

export class ChaosAgent extends DurableObject<Env> {
  override async fetch(request: Request): Promise<Response> {
    try {
      return Response.json(shown(await this.#answer(cellOf(request), await request.json<Ask>())));
    } catch (thrown) {
      return new Response(String(thrown), { status: 500 });
    }
  }

  async #answer(cell: string, ask: Ask): Promise<unknown> {
    const { ctx, env } = this;
    const handle = createCodemodeRuntime({ ctx, binding: env.CODEMODE, connectors: [new ServiceConnector(ctx, env, cell)] });
    switch (ask.method) {
      case "execute":
        return handle.execute({ code: ask.code, key: cell });
      case "approve":
        return handle.approve({ executionId: ask.executionId });
      case "reject":
        return handle.reject({ executionId: ask.executionId, seq: ask.seq });
      case "recover":
        return handle.recover(ask.executionId);
      case "resolve":
        return handle.resolve(ask);
      case "rollback":
        return handle.rollback({ executionId: ask.executionId });
      case "cancel":
        return handle.cancel(ask.executionId);
      case "delete":
        return handle.deleteExecution(ask.executionId);
      case "expire":
        return handle.expirePaused({ maxAgeMs: 0 });
      case "executions":
        return handle.executions();
      case "arm":
        await this.#object().arm(cell, env.WITNESS, ask.place, ask.nth);
        return null;
      case "tally":
        return this.#object().tally();
      case "journal":
        return this.#object().journal();
      case "alarm":
        return this.#object().alarmTime();
      case "owed":
        return this.#object().owedRows();
      default:
        return ask satisfies never;
    }
  }

  /** The runtime's object itself, as the handle would find it. */
  #object(): DurableObjectStub<CodemodeRuntime> {
    const { ctx, env } = this;
    if (env.CODEMODE !== undefined) return env.CODEMODE.getByName(`${ctx.id.toString()}/default`);
    const facet = ctx.facets.get("codemode:default", () => ({ class: Reflect.get(ctx.exports, "CodemodeRuntime") }));
    return facet as unknown as DurableObjectStub<CodemodeRuntime>;
  }
}

function cellOf(request: Request): string {
  return new URL(request.url).searchParams.get("cell") ?? "";
}
