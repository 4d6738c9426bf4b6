// An MCP server of the test's own on this machine, over HTTP with sessions, as the SDK's documents write it.

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

export interface ServedMcp extends AsyncDisposable {
  readonly url: URL;
  /** Forgetting them is what a restart does. */
  readonly sessions: Map<string, StreamableHTTPServerTransport>;
}

/** `make` is asked for each session. */
export async function serveMcp(make: () => McpServer): Promise<ServedMcp> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer(async (request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) {
      response.writeHead(404).end("no such session");
      return;
    }
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, onsessioninitialized: (session) => void sessions.set(session, transport) });
    await make().connect(transport);
    await transport.handleRequest(request, response);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
    sessions,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}
