/**
 * An Agent with MCP servers as its connectors, through clients of both official SDKs. Nothing is configured but the
 * addresses: what works here works for whoever connects a client.
 */

import { DurableObject } from "cloudflare:workers";

import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { type CodemodeRuntimeHandle, type ConnectorTool, createCodemodeRuntime, McpConnector, type McpConnectionLike, type McpTool, shown } from "../../js-shim/client/index.ts";
import { capableClient } from "./capable.ts";

export interface Env {
  AGENT: DurableObjectNamespace<ServersAgent>;
  CODEMODE: DurableObjectNamespace;
  URLS: Record<string, string>;
}

/** What a test asks. */
export type Ask =
  | { method: "execute"; code: string }
  | { method: "search" | "describe"; text: string }
  | { method: "recover" | "approve"; executionId: string }
  | { method: "resolve"; executionId: string; seq: number; result: unknown };

export default {
  fetch: (request, env) => env.AGENT.getByName("agent").fetch(request),
} satisfies ExportedHandler<Env>;

export class ServersAgent extends DurableObject<Env> {
  readonly #connectors = Object.entries(this.env.URLS).map(([name, url]) => new ServerConnector(this.ctx, name, url));

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
        return this.#runtime().execute({ code: ask.code });
      case "search":
        return this.#runtime().search(ask.text);
      case "describe":
        return this.#runtime().describe(ask.text);
      case "recover":
        return this.#runtime().recover(ask.executionId);
      case "approve":
        return this.#runtime().approve({ executionId: ask.executionId });
      case "resolve":
        return this.#runtime().resolve({ executionId: ask.executionId, seq: ask.seq, outcome: "applied", result: ask.result });
      default:
        return ask satisfies never;
    }
  }

  #runtime(): CodemodeRuntimeHandle {
    return createCodemodeRuntime({ ctx: this.ctx, binding: this.env.CODEMODE, connectors: this.#connectors });
  }
}

class ServerConnector extends McpConnector<undefined> {
  readonly #name: string;
  readonly #url: URL;
  protected override readonly quietMs = 0;
  /** Each contact lists anew. */
  protected override readonly listTtlMs = 0;

  constructor(ctx: DurableObjectState, name: string, url: string) {
    super(ctx, undefined);
    this.#name = name;
    this.#url = new URL(url);
  }

  name(): string {
    return this.#name;
  }

  protected async createConnection(): Promise<McpConnectionLike> {
    const info = { name: "codemode-tests", version: "1" };
    if (this.#name === "filesystem") {
      const client = new ClientV2(info);
      await client.connect(new HttpV2(this.#url));
      return { client };
    }
    const client = this.#name === "everything" ? capableClient() : new ClientV1(info);
    await client.connect(new HttpV1(this.#url));
    return { client, instructions: client.getInstructions() };
  }

  protected override toolMs(tool: McpTool): number {
    return tool.name === "trigger-long-running-operation" ? 3_000 : super.toolMs(tool);
  }

  /** What destroys asks for approval; here that is wanted of one server alone. */
  protected override tool(_name: string, tool: ConnectorTool) {
    return this.#name === "changing" ? tool : { ...tool, requiresApproval: false };
  }
}
