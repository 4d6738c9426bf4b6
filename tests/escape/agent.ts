/** The Agent around the attempts: a connector that counts what really ran, and what no program may ever see. */

import { DurableObject } from "cloudflare:workers";

import { createCodemodeRuntime, type Limits } from "../../js-shim/client/index.ts";
import { LabConnector } from "../support/lab-connector.ts";
import type { CodemodeRuntime } from "./runtime.ts";

interface Env {
  AGENT: DurableObjectNamespace<Agent>;
  CODEMODE: DurableObjectNamespace<CodemodeRuntime>;
}

export type Question = { runtime?: string; limits?: Partial<Limits> } & (
  | { ask: "execute"; code: string }
  | { ask: "approve"; executionId: string }
  | { ask: "execution"; executionId: string }
  | { ask: "save"; executionId: string; snippet: string }
  | { ask: "ran" }
  | { ask: "seed"; executionId: string }
  /** What the sandboxes of this runtime are made of from now on. */
  | { ask: "sandbox"; harness: string; module: string; isOpen: boolean }
);

export default {
  fetch: (request, env) => env.AGENT.getByName("one").fetch(request),
} satisfies ExportedHandler<Env>;

function told(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
}

export class Agent extends DurableObject<Env> {
  readonly #ran: string[] = [];
  readonly #connector = new LabConnector({
    echo: { execute: (args) => this.#count("echo", args) },
    send: { execute: (args) => this.#count("send", args) },
    gate: { requiresApproval: true, execute: (args) => this.#count("gate", args) },
    sleep: { execute: ({ ms }: { ms: number }) => new Promise((resolve) => setTimeout(resolve, ms)) },
    fail: {
      execute: ({ data }: { data?: unknown }) => {
        throw Object.assign(new Error("failed"), { data });
      },
    },
  });

  #count(method: string, args: unknown): unknown {
    this.#ran.push(`${method} ${told(args)}`);
    return args;
  }

  override async fetch(request: Request): Promise<Response> {
    const question: Question = await request.json();
    try {
      return new Response(told((await this.#answer(question)) ?? null));
    } catch (thrown) {
      return Response.json({ thrown: String(thrown) }, { status: 500 });
    }
  }

  async #answer(question: Question): Promise<unknown> {
    const { runtime: name = "default", limits } = question;
    const runtime = createCodemodeRuntime({ ctx: this.ctx, binding: this.env.CODEMODE, connectors: [this.#connector], name, limits });
    const object = this.env.CODEMODE.getByName(`${this.ctx.id.toString()}/${name}`);
    switch (question.ask) {
      case "execute":
        return runtime.execute({ code: question.code });
      case "approve":
        return runtime.approve({ executionId: question.executionId });
      case "execution":
        return runtime.execution(question.executionId);
      case "save":
        return runtime.saveSnippet(question.snippet, { executionId: question.executionId });
      case "ran":
        return this.#ran.splice(0);
      case "seed":
        return object.seedOf(question.executionId);
      case "sandbox":
        return object.makeSandboxesOf(question.harness, question.module, question.isOpen);
      default: {
        const unknown: never = question;
        return unknown;
      }
    }
  }
}
