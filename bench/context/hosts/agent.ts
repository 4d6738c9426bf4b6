/** The Agent whose one tool a model would use: what it is told of the tool, and what it is given back for a program. */

import { DurableObject } from "cloudflare:workers";

export const SERVICES = ["github", "stripe", "slack"] as const;
export type Service = (typeof SERVICES)[number];

export interface Env {
  /** Where documents and answers come from. */
  SERVICE: string;
  AGENT: DurableObjectNamespace<ContextAgent>;
}

/** What a chat loop tells a model of a tool. */
export type Definition = { name: string; description: string; inputSchema: unknown };

/** `value` is what a chat loop puts into the context. */
export type Ran = { status: string; value: unknown };

export type Question = { ask: "tool" } | { ask: "run"; code: string } | { ask: "operations"; service: Service };

export abstract class ContextAgent<E extends Env = Env> extends DurableObject<E> {
  protected abstract tool(): Definition;
  protected abstract run(code: string): Promise<Ran>;
  /** Each operation as a tool of its own; only the ancestor can say. */
  protected abstract operations(service: Service): Promise<Definition[]>;

  async answer(question: Question): Promise<string> {
    switch (question.ask) {
      case "tool":
        return JSON.stringify(this.tool());
      case "run":
        return JSON.stringify(await this.run(question.code));
      case "operations":
        return JSON.stringify(await this.operations(question.service));
      default: {
        const never: never = question;
        return never;
      }
    }
  }
}

export async function serve(request: Request, env: Env): Promise<Response> {
  const agent = env.AGENT.get(env.AGENT.idFromName("context")) as unknown as { answer(question: Question): Promise<string> };
  return new Response(await agent.answer(await request.json<Question>()));
}
