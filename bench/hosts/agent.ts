/**
 * The Agent that both implementations are hosted in: what a client asks of it, and the runtimes it makes. It measures
 * nothing: the clock of a Durable Object stands still while it works. Replies are small, whatever the answer was.
 */

import { DurableObject } from "cloudflare:workers";

/** Which runtime of the Agent is meant. Equal texts are the same runtime, made once and kept, as an Agent does. */
export type RuntimeChoice = {
  /** Offers this many made-up methods as `g`, beside the few of `t`. */
  methods?: number;
  /** How many finished runs are kept. */
  keep?: number;
};

/** What is the same in both, and all that is asked of them. */
export interface BenchRuntime {
  execute(input: { code: string }): Promise<{ status: string; executionId: string; result?: unknown; error?: string }>;
  approve(input: { executionId: string }): Promise<{ status: string; executionId: string; result?: unknown; error?: string }>;
  search(query: string): Promise<{ results: unknown[] }>;
  describe(target: string): Promise<{ types: string }>;
  executions(limit: number): Promise<{ log: unknown[] }[]>;
}

export type Question =
  | { ask: "nothing" }
  | { ask: "execute"; code: string; status: string }
  | { ask: "approve"; executionId: string }
  | { ask: "search"; query: string }
  | { ask: "describe"; target: string }
  | { ask: "executions"; limit: number; entries: number };

/** An answer, or why it is not the one that was expected. */
export type Answer = { value: string } | { fault: string };

export type Request = { object: string; runtime: RuntimeChoice; question: Question };

export abstract class BenchAgent<Env> extends DurableObject<Env> {
  readonly #runtimes = new Map<string, BenchRuntime>();

  protected abstract make(choice: RuntimeChoice): BenchRuntime;

  async answer(choice: RuntimeChoice, question: Question): Promise<Answer> {
    const key = JSON.stringify(choice);
    const runtime = this.#runtimes.get(key) ?? this.make(choice);
    this.#runtimes.set(key, runtime);
    switch (question.ask) {
      case "nothing":
        return { value: "" };
      case "execute": {
        const ran = await runtime.execute({ code: question.code });
        return ran.status === question.status ? { value: ran.executionId } : { fault: `${ran.status}: ${ran.error ?? ""}` };
      }
      case "approve": {
        const ran = await runtime.approve({ executionId: question.executionId });
        return ran.status === "completed" ? { value: ran.executionId } : { fault: `${ran.status}: ${ran.error ?? ""}` };
      }
      case "search": {
        const { results } = await runtime.search(question.query);
        return results.length > 0 ? { value: `${results.length}` } : { fault: "nothing was found" };
      }
      case "describe": {
        const { types } = await runtime.describe(question.target);
        return types.length > 0 ? { value: `${types.length}` } : { fault: "nothing was described" };
      }
      case "executions": {
        const runs = await runtime.executions(question.limit);
        const entries = runs.reduce((sum, { log }) => sum + log.length, 0);
        const whole = runs.length === question.limit && entries === question.limit * question.entries;
        return whole ? { value: `${entries}` } : { fault: `${runs.length} runs with ${entries} entries` };
      }
      default: {
        const never: never = question;
        return never;
      }
    }
  }
}

type Objects = { idFromName(name: string): DurableObjectId; get(id: DurableObjectId): unknown };

/** The Worker's door. */
export async function serve(request: globalThis.Request, objects: Objects): Promise<Response> {
  const { object, runtime, question } = await request.json<Request>();
  const agent = objects.get(objects.idFromName(object)) as { answer(choice: RuntimeChoice, question: Question): Promise<Answer> };
  return Response.json(await agent.answer(runtime, question));
}
