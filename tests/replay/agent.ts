/** The Agent of the replay tests: holds the connector, drives trials and the one long program. One object per lane. */

import { DurableObject } from "cloudflare:workers";

import { type CodemodeOutput, createCodemodeRuntime } from "../../js-shim/client/index.ts";
import { openContact, type Settings } from "../../js-shim/client/contact.ts";
import type { HostFunction } from "../../js-shim/wire.ts";
import { REEXECUTED, TrialConnector } from "./connector.ts";
import type { CodemodeRuntime } from "./runtime.ts";
import { saveSnippets } from "./snippets.ts";
import { type Plan, type Report, type Stage, trial } from "./trial.ts";

interface Env {
  AGENT: DurableObjectNamespace<TrialAgent>;
  CODEMODE: DurableObjectNamespace<CodemodeRuntime>;
  /** How long one pass may take, ms. */
  PASS_MS: number;
}

/** What Node asks for. */
export type Order = ({ kind: "trial" } & Plan) | { kind: "long"; calls: number; size: number };

export interface LongReport {
  readonly ends: readonly string[];
  /** Of each pass: messages of the sandbox, calls of the connector, duration. */
  readonly passes: readonly { calls: number; settles: number; pages: number; deeds: number; ms: number }[];
}

export default {
  async fetch(request, env): Promise<Response> {
    const lane = new URL(request.url).searchParams.get("lane") ?? "one";
    const agent = env.AGENT.getByName(lane);
    const order = (await request.json()) as Order;
    return Response.json(order.kind === "trial" ? await agent.trial(order) : await agent.long(order));
  },
} satisfies ExportedHandler<Env>;

export class TrialAgent extends DurableObject<Env> {
  readonly #connector = new TrialConnector<unknown>(this.ctx, this.env);
  readonly #settings: Settings = { limits: { passMs: this.env.PASS_MS } };
  readonly #handle = createCodemodeRuntime({ ctx: this.ctx, binding: this.env.CODEMODE, connectors: [this.#connector], ...this.#settings });

  #saved: Promise<void> | undefined;

  async trial(plan: Plan): Promise<Report> {
    await (this.#saved ??= saveSnippets(this.#handle));
    const stage: Stage = {
      handle: this.#handle,
      connector: this.#connector,
      audit: (executionId) => this.#audit(executionId),
      journal: (executionId) => this.#runtime().journal(executionId),
      fork: async (from, to, count) => this.#runtime().fork(from, to, count),
    };
    return trial(stage, plan);
  }

  /** Many calls, then one that waits for a person: what the second pass has to ask for. */
  async long({ calls, size }: { calls: number; size: number }): Promise<LongReport> {
    const code = `async () => {
      let length = 0;
      for (let i = 0; i < ${calls}; i++) length += (await t.blob({ i, size: ${size} })).length;
      return [length, await t.gate({ length })];
    }`;
    const first = await this.#measured(() => this.#handle.execute({ code }));
    const second = await this.#measured(() => this.#handle.approve({ executionId: first.output.executionId }));
    return { ends: [first.output.status, second.output.status], passes: [first.pass, second.pass] };
  }

  async #measured(run: () => Promise<CodemodeOutput>): Promise<{ output: CodemodeOutput; pass: LongReport["passes"][number] }> {
    this.#connector.immediate();
    const before = await this.#runtime().messages();
    const deeds = this.#connector.deeds.length;
    const start = Date.now();
    const output = await run();
    const ms = Date.now() - start;
    const after = await this.#runtime().messages();
    const pass = {
      calls: after.calls - before.calls,
      settles: after.settles - before.settles,
      pages: after.pages - before.pages,
      deeds: this.#connector.deeds.length - deeds,
      ms,
    };
    return { output, pass };
  }

  /** A repetition. The connector is there only for what is re-executed by declaration. */
  async #audit(executionId: string): ReturnType<Stage["audit"]> {
    const { contact, host } = await openContact([this.#connector], this.#settings);
    const guarded: HostFunction = async (message) => {
      const { kind, method } = JSON.parse(message) as { kind: string; method?: string };
      if (kind !== "call" || !REEXECUTED.has(method ?? "")) throw new Error(`a repetition asked the host for ${message}`);
      return host(message);
    };
    const frame = await this.#runtime().audit(executionId, JSON.stringify({ contact }), guarded);
    const start = frame.indexOf("\n") + 1;
    const end = start + Number(frame.slice(0, start - 1));
    const reply = JSON.parse(frame.slice(start, end)) as { ok: true; value: { end: string; error: string; logs: string[] } } | { ok: false; code: string; error: string };
    if (!reply.ok) return { end: reply.code, error: reply.error, logs: [], result: "" };
    return { ...reply.value, result: frame.slice(end) };
  }

  #runtime(): DurableObjectStub<CodemodeRuntime> {
    return this.env.CODEMODE.getByName(`${this.ctx.id.toString()}/default`);
  }
}
