/**
 * The Agent whose runtime is attacked. One POST is one question; the answer is JSON. What really ran is counted here, where
 * no sandbox can reach.
 */

import { DurableObject } from "cloudflare:workers";

import { type CodemodeRuntimeHandle, createCodemodeRuntime, DynamicWorkerExecutor, type Limits } from "../../js-shim/client/index.ts";
import { LabConnector } from "../support/lab-connector.ts";

interface Env {
  AGENT: DurableObjectNamespace<Agent>;
  CODEMODE: DurableObjectNamespace;
}

export type Question = { runtime?: string; limits?: Partial<Limits>; reaches?: boolean } & (
  | { ask: "execute"; code: string }
  | { ask: "approve"; executionId: string; seq?: number; args?: unknown }
  | { ask: "pending" }
  | { ask: "executions" }
  | { ask: "execution"; executionId: string }
  | { ask: "ran" }
  | { ask: "release" }
);

export default {
  fetch: (request, env) => env.AGENT.getByName("one").fetch(request),
} satisfies ExportedHandler<Env>;

export class Agent extends DurableObject<Env> {
  readonly #ran: string[] = [];
  readonly #held: (() => void)[] = [];
  readonly #connector = new LabConnector({
    echo: { readOnly: true, execute: (args) => this.#count("echo", args) },
    send: { execute: (args) => this.#count("send", args) },
    gate: { requiresApproval: true, execute: (args) => this.#count("gate", args) },
    ask: { requiresApproval: () => true, execute: (args) => this.#count("ask", args) },
    now: { replay: "reexecute", execute: (args) => this.#count("now", args) },
    hold: {
      execute: async (args) => {
        this.#count("hold", args);
        await new Promise<void>((resolve) => this.#held.push(resolve));
        return "released";
      },
    },
  });

  /** A network and a binding that count what arrives. */
  readonly #executor = new DynamicWorkerExecutor({
    globalOutbound: {
      fetch: async (request) => {
        this.#count("net", request.url);
        return new Response("arrived");
      },
    },
    bindings: { BOX: { put: (value: unknown) => this.#count("box", value) }, REGION: "eu" },
  });

  #count(method: string, args: unknown): unknown {
    this.#ran.push(`${method} ${JSON.stringify(args)}`);
    return args;
  }

  override async fetch(request: Request): Promise<Response> {
    const question: Question = await request.json();
    try {
      return Response.json((await this.#answer(question)) ?? null);
    } catch (thrown) {
      return Response.json({ thrown: String(thrown) }, { status: 500 });
    }
  }

  async #answer(question: Question): Promise<unknown> {
    const runtime = this.#runtime(question);
    switch (question.ask) {
      case "execute":
        return runtime.execute({ code: question.code });
      case "approve": {
        const { executionId, seq, args } = question;
        return runtime.approve({ executionId, seq, args });
      }
      case "pending":
        return runtime.pending();
      case "executions":
        return runtime.executions();
      case "execution":
        return runtime.execution(question.executionId);
      case "ran":
        return this.#ran;
      case "release":
        for (const release of this.#held.splice(0)) release();
        return null;
      default: {
        const unknown: never = question;
        return unknown;
      }
    }
  }

  #runtime({ runtime, limits, reaches }: Question): CodemodeRuntimeHandle {
    const connectors = [this.#connector];
    return createCodemodeRuntime({ ctx: this.ctx, binding: this.env.CODEMODE, connectors, name: runtime, limits, executor: reaches === true ? this.#executor : undefined });
  }
}
