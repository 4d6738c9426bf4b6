// An MCP server that speaks over stdin and stdout, for clients that speak HTTP: a Worker starts no processes.
//
//   node scripts/mcp-bridge.mjs SERVER.js [argument …]
//
// Each session is a process of its own, with this one's environment. Listens on this machine only, at PORT or a free one, which
// it says to whoever started it, and ends with them.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

const args = process.argv.slice(2);
/** @type {Map<string, StreamableHTTPServerTransport>} */
const sessions = new Map();

const server = createServer(async (request, response) => {
  const id = request.headers["mcp-session-id"];
  const known = typeof id === "string" ? sessions.get(id) : undefined;
  if (id !== undefined && known === undefined) {
    response.writeHead(404).end("no such session");
    return;
  }
  try {
    await (known ?? (await opened())).handleRequest(request, response);
  } catch (error) {
    console.error(error);
    if (!response.headersSent) response.writeHead(502);
    response.end();
  }
});

/** A new session: what comes over HTTP goes to a new process, and what that one says comes back. */
async function opened() {
  const stdio = new StdioClientTransport({ command: process.execPath, args, env: /** @type {Record<string, string>} */ (process.env), stderr: "ignore" });
  const http = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, http),
  });
  Object.assign(http, {
    onmessage: (/** @type {import("@modelcontextprotocol/sdk/types.js").JSONRPCMessage} */ message) => void stdio.send(message),
    onclose: () => {
      sessions.delete(http.sessionId ?? "");
      void stdio.close();
    },
  });
  Object.assign(stdio, {
    onmessage: (/** @type {import("@modelcontextprotocol/sdk/types.js").JSONRPCMessage} */ message) => void http.send(message),
    onclose: () => {
      sessions.delete(http.sessionId ?? "");
      void http.close();
    },
  });
  await Promise.all([stdio.start(), http.start()]);
  return http;
}

server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => process.send?.({ port: /** @type {import("node:net").AddressInfo} */ (server.address()).port }));
process.on("disconnect", () => process.exit(0));
