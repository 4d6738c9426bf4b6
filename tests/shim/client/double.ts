/**
 * A hand-driven runtime: records what a client asked, answers what the test tells it to, and can ask the client's host.
 * It stands for the RPC class, so it speaks text only.
 */

import { decode, encode } from "../../../js-shim/value/index.ts";
import { CodemodeConnector, type ConnectorContext, type ConnectorTools } from "../../../js-shim/client/index.ts";
import type { Contact, HostFunction, HostMessage, HostReply, WireOutput } from "../../../js-shim/wire.ts";

export type Asked = { method: string; request: Record<string, unknown> & { contact?: Contact } };
type Script = (request: Asked["request"], host: HostFunction | undefined) => unknown;

export class RuntimeDouble {
  readonly asked: Asked[] = [];
  readonly objectNames: string[] = [];
  opened = 0;
  disposed = 0;
  answers: Record<string, Script> = {};

  /** As the binding of an Agent. */
  readonly binding = {
    idFromName: (name: string) => ({ toString: () => name }),
    get: (id: { toString(): string }) => {
      this.objectNames.push(id.toString());
      return this.stub();
    },
  };

  stub(): object {
    this.opened += 1;
    const answer = (method: string) => async (request: string, host?: HostFunction) => {
      const parsed = JSON.parse(request) as Asked["request"];
      this.asked.push({ method, request: parsed });
      const script = this.answers[method];
      if (script === undefined) throw new Error(`the double has no answer for ${method}`);
      const reply = await script(parsed, host);
      return typeof reply === "string" ? reply : JSON.stringify(reply);
    };
    const methods =
      "execute approve reject recover resolve cancel rollback search describe pending executions execution events expirePaused deleteExecution pruneExecutions saveSnippet".split(" ");
    return {
      ...Object.fromEntries(methods.map((method) => [method, answer(method)])),
      [Symbol.dispose]: () => {
        this.disposed += 1;
      },
    };
  }

  last(): Asked {
    const asked = this.asked.at(-1);
    if (asked === undefined) throw new Error("nothing was asked");
    return asked;
  }
}

/** The reply of execute, approve and recover. */
export function framed(output: WireOutput, result: unknown = undefined): string {
  const json = JSON.stringify({ ok: true, value: output });
  return `${json.length}\n${json}${encode(result, "result")}`;
}

export function completed(result: unknown = undefined, executionId = "e1"): string {
  return framed({ status: "completed", executionId, logs: [], calls: [] }, result);
}

/** Asks a host as the runtime does. */
export async function ask(host: HostFunction | undefined, message: HostMessage): Promise<HostReply> {
  if (host === undefined) throw new Error("no host was passed");
  return JSON.parse(await host(JSON.stringify(message))) as HostReply;
}

export function callMessage(connector: string, method: string, args: unknown): HostMessage & { kind: "call" } {
  return { kind: "call", connector, method, args: encode(args, "args"), executionId: "e1", seq: 3, idempotencyKey: "e1/3", attempt: 1 };
}

/** Code and text of a failure, or the value of a success. */
export function told(reply: HostReply): { code: string; error: unknown } | { value: unknown } | { kind: string } {
  if (reply.kind === "failure") return { code: reply.code, error: decode(reply.error) };
  if (reply.kind === "value") return { value: decode(reply.value) };
  return { kind: reply.kind };
}

export const context: ConnectorContext & { id: { toString(): string } } = {
  waitUntil: () => {},
  props: undefined,
  id: { toString: () => "agent" },
};

/** A connector of the given tools. */
export class Table extends CodemodeConnector {
  readonly #name: string;
  readonly #tools: () => ConnectorTools | Promise<ConnectorTools>;
  readonly #instructions: string | undefined;
  /** What it does when it is told of a run. */
  hook: (...told: string[]) => Promise<void> | void = () => {};

  constructor(name: string, tools: ConnectorTools | (() => ConnectorTools | Promise<ConnectorTools>), instructions?: string) {
    super(context, undefined);
    this.#name = name;
    this.#tools = typeof tools === "function" ? tools : () => tools;
    this.#instructions = instructions;
  }
  name(): string {
    return this.#name;
  }
  protected override instructions(): string | undefined {
    return this.#instructions;
  }
  protected tools(): ConnectorTools | Promise<ConnectorTools> {
    return this.#tools();
  }
  protected override onPassEnd(executionId: string, status: string): Promise<void> | void {
    return this.hook("onPassEnd", executionId, status);
  }
  protected override disposeExecution(executionId: string, status: string): Promise<void> | void {
    return this.hook("disposeExecution", executionId, status);
  }
  protected override onCancel(executionId: string): Promise<void> | void {
    return this.hook("onCancel", executionId);
  }
}
