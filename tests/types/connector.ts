/** What a connector's author can write, and what is refused as a mistake. */

import {
  CodemodeConnector,
  type ConnectorTool,
  type ConnectorTools,
  McpConnector,
  type McpConnectionLike,
  type PassEndStatus,
  type TerminalStatus,
} from "../../js-shim/client/index.ts";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";

type Env = { KEY: string };
type Add = { text: string };

export class Notes extends CodemodeConnector<Env> {
  name(): string {
    return "notes";
  }
  protected override instructions(): string {
    return this.env.KEY;
  }
  protected tools(): ConnectorTools {
    return {
      // The argument type that inputSchema promises may be declared.
      add: {
        inputSchema: { type: "object", required: ["text"] },
        requiresApproval: (args) => typeof args === "object",
        execute: async ({ text }: Add, ctx) => [text, ctx.executionId, ctx.seq, ctx.idempotencyKey, ctx.attempt],
        revert: async (_args, result, ctx) => void [result, ctx.attempt],
      },
      read: { replay: "reexecute", readOnly: true, execute: () => 1 },
    };
  }
  protected override tool(name: string, tool: ConnectorTool): ConnectorTool {
    return name === "add" ? { ...tool, idempotent: true } : tool;
  }
}

// Hooks may be public and wait, as in the ancestor.
export class Browser extends Notes {
  override async onPassEnd(executionId: string, status: PassEndStatus): Promise<void> {
    if (status === "paused") await Promise.resolve(executionId);
  }
  override disposeExecution(_executionId: string, status: TerminalStatus): void {
    // @ts-expect-error: a paused run is not disposed of.
    void (status === "paused");
  }
  protected override onCancel(executionId: string): void {
    void executionId;
  }
}

// @ts-expect-error: a method needs execute.
export const empty: ConnectorTool = { description: "?" };
// @ts-expect-error: there is no such replay policy.
export const forever: ConnectorTool = { replay: "forever", execute: () => 1 };
// @ts-expect-error: a schema is an object or a boolean.
export const schema: ConnectorTool = { inputSchema: "string", execute: () => 1 };

// @ts-expect-error: tools() is needed.
export class Nothing extends CodemodeConnector {
  name(): string {
    return "nothing";
  }
}

// Made inside an Agent or a Worker with what is there.
export const made = (state: DurableObjectState, worker: ExecutionContext, env: Env): Notes[] => [new Notes(state, env), new Notes(worker, env)];

// The official SDK's client is a client as it is.
export class Remote extends McpConnector<Env> {
  protected override readonly trustHints = true;
  name(): string {
    return "remote";
  }
  protected async createConnection(): Promise<McpConnectionLike> {
    return { client: new Client({ name: "a", version: "1" }), name: "remote", instructions: undefined };
  }
}

// Of either SDK.
export class RemoteV2 extends Remote {
  protected override readonly callMs = 1000;
  protected override async createConnection(): Promise<McpConnectionLike> {
    return { client: new ClientV2({ name: "a", version: "1" }) };
  }
}

// The hooks are the author's, not the public's.
export function pry(notes: Notes): void {
  // @ts-expect-error: protected.
  void notes.tools();
  // @ts-expect-error: protected.
  void notes.instructions();
}
