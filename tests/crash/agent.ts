/**
 * An Agent whose connector really acts: every method posts to the witness, outside workerd. Driven over HTTP by `door.ts`.
 */

import { DurableObject } from "cloudflare:workers";

import {
  allowOutbound,
  CodemodeConnector,
  type CodemodeRuntimeHandle,
  type ConnectorTool,
  type ConnectorTools,
  createCodemodeRuntime,
  DynamicWorkerExecutor,
  type Limits,
  shown,
  type ToolExecuteContext,
} from "../../js-shim/client/index.ts";
import { breakingHost } from "./breaking-host.ts";

export interface Env {
  AGENT: DurableObjectNamespace<CrashAgent>;
  CODEMODE?: DurableObjectNamespace;
  /** In place of CODEMODE when the runtime's class is in this very Worker. */
  CODEMODE_CLASS?: DurableObjectNamespace;
  WITNESS: string;
}

/** What the door sends. */
export type Ask = { limits?: Partial<Limits>; egress?: boolean } & (
  | { method: "execute" | "break"; code: string }
  | { method: "approve"; executionId: string; seq?: number }
  | { method: "recover" | "execution"; executionId: string }
  | { method: "resolve"; executionId: string; seq: number; outcome: "rerun" }
  | { method: "pending" | "executions" }
  | { method: "provoke"; entry: string }
);

export default {
  fetch: (request, env) => env.AGENT.getByName(new URL(request.url).searchParams.get("agent") ?? "").fetch(request),
} satisfies ExportedHandler<Env>;

export class CrashAgent extends DurableObject<Env> {
  override async fetch(request: Request): Promise<Response> {
    try {
      return Response.json(shown(await this.#answer(await request.json<Ask>())));
    } catch (thrown) {
      return new Response(String(thrown), { status: 500 });
    }
  }

  #answer(ask: Ask): unknown {
    switch (ask.method) {
      case "execute":
        return this.#runtime(ask).execute({ code: ask.code });
      case "approve":
        return this.#runtime(ask).approve(ask);
      case "recover":
        return this.#runtime(ask).recover(ask.executionId);
      case "execution":
        return this.#runtime(ask).execution(ask.executionId);
      case "resolve":
        return this.#runtime(ask).resolve({ executionId: ask.executionId, seq: ask.seq, outcome: ask.outcome });
      case "pending":
        return this.#runtime(ask).pending();
      case "executions":
        return this.#runtime(ask).executions();
      case "break":
        return breakingHost(this.#object(), ask.code, (message) => post(this.env.WITNESS, message.method, JSON.parse(message.args), message));
      case "provoke":
        return (this.#object() as unknown as { provoke(entry: string): Promise<void> }).provoke(ask.entry);
      default:
        return ask satisfies never;
    }
  }

  /** Steps reach the witness and nobody else; `env.WITNESS` is where it listens, `env.AGENT` ends this Agent. */
  #executor(): DynamicWorkerExecutor {
    const { host } = new URL(this.env.WITNESS);
    const globalOutbound = allowOutbound({ hosts: [host], methods: ["POST"], allowHttp: true, headers: { [host]: { "x-key": "the host's own" } } });
    return new DynamicWorkerExecutor({ globalOutbound, bindings: { WITNESS: this.env.WITNESS, AGENT: { die: () => this.ctx.abort("provoked") } } });
  }

  #runtime({ limits, egress }: Ask): CodemodeRuntimeHandle {
    const connectors = [new ServiceConnector(this.ctx, this.env)];
    return createCodemodeRuntime({ ctx: this.ctx, binding: this.#binding(), connectors, limits, executor: egress === true ? this.#executor() : undefined });
  }

  /** The runtime's object itself, as the handle would find it. */
  #object(): DurableObjectStub {
    return this.#binding().getByName(`${this.ctx.id.toString()}/default`);
  }

  #binding(): DurableObjectNamespace {
    const binding = this.env.CODEMODE ?? this.env.CODEMODE_CLASS;
    if (binding === undefined) throw new Error("no runtime is bound");
    return binding;
  }
}

class ServiceConnector extends CodemodeConnector<Env> {
  readonly #agent: DurableObjectState;

  constructor(agent: DurableObjectState, env: Env) {
    super(agent, env);
    this.#agent = agent;
  }

  name(): string {
    return "service";
  }

  protected tools(): ConnectorTools {
    const act = (method: string, policy: Omit<ConnectorTool, "execute"> = {}): ConnectorTool => ({
      ...policy,
      execute: (args, ctx) => this.#act(method, args, ctx),
    });
    return {
      send: act("send"),
      put: act("put", { idempotent: true }),
      list: act("list", { readOnly: true }),
      gate: act("gate", { requiresApproval: true }),
      die: {
        execute: async (args, ctx) => {
          await this.#act("die", args, ctx);
          this.#agent.abort("provoked");
        },
      },
    };
  }

  async #act(method: string, args: unknown, ctx: ToolExecuteContext): Promise<unknown> {
    await moment();
    const value = await post(this.env.WITNESS, method, args, ctx);
    await moment();
    return value;
  }
}

async function post(witness: string, method: string, args: unknown, ctx: ToolExecuteContext): Promise<unknown> {
  const { executionId, seq, idempotencyKey, attempt } = ctx;
  const body = JSON.stringify({ executionId, seq, idempotencyKey, attempt, method, args });
  const response = await fetch(witness, { method: "POST", body });
  return (await response.json<{ value: unknown }>()).value;
}

/** A service takes its time: so that kills fall before, in and after the effect. */
function moment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
}
