/**
 * The official SDK's client as a connector, inside a Worker.
 */

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { type ConnectorTool, McpConnector, type McpConnectionLike } from "../../js-shim/client/index.ts";
import { counted, type Counters } from "./counters.ts";

export class EverythingConnector extends McpConnector<{ MCP_URL: string }> {
  readonly #counters: Counters;

  constructor(ctx: DurableObjectState, env: { MCP_URL: string }, counters: Counters) {
    super(ctx, env);
    this.#counters = counters;
  }

  name(): string {
    return "everything";
  }

  protected async createConnection(): Promise<McpConnectionLike> {
    const client = new Client({ name: "codemode-example-agent", version: "0.1.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(this.env.MCP_URL), { fetch: withoutListening }));
    return { client, name: client.getServerVersion()?.name, instructions: client.getInstructions() };
  }

  protected override tool(name: string, tool: ConnectorTool): ConnectorTool {
    return counted(this.#counters, `${this.name()}.${name}`, tool);
  }
}

/** Answers come with their own request. The stream for the server's announcements would keep the Agent awake. */
const withoutListening: typeof fetch = async (input, init) =>
  init?.method === "GET" ? new Response(null, { status: 405 }) : fetch(input, init);
