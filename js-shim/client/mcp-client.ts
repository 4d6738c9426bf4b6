/**
 * One client of an MCP server, of either official SDK or of the application's own making: lists, calls, and tells what a
 * failure means. It knows shapes only and imports no SDK.
 *
 * An official client is asked below its `listTools` and `callTool`: those refuse a whole list for one malformed tool, a
 * result for a block they do not know, and a result that differs from the tool's own `outputSchema`, after the tool has acted.
 */

import type { McpResult } from "./mcp-value.ts";

/** A tool as a server lists it; the same in SDK v1 and v2. */
export type McpTool = {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema?: object | undefined;
  outputSchema?: object | undefined;
  annotations?: McpAnnotations | undefined;
};

/** What a server says of its own tool. It may be wrong or lie, so it only ever tightens unless the application trusts it. */
export type McpAnnotations = {
  title?: string | undefined;
  readOnlyHint?: boolean | undefined;
  destructiveHint?: boolean | undefined;
  idempotentHint?: boolean | undefined;
};

/** The part of an MCP client that is used. */
export interface McpClientLike {
  listTools(params?: { cursor?: string }): Promise<{ tools: McpTool[]; nextCursor?: string | undefined }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<McpResult>;
}

/** What an official client has besides, in both SDKs, where not said otherwise. */
type Official = McpClientLike & {
  request(request: { method: string; params: object }, schema: typeof AS_IT_IS, options: Options): Promise<unknown>;
  fallbackNotificationHandler?: ((notification: { method: string }) => Promise<void>) | undefined;
  /** v2. A `modern` connection sends arguments in headers too, which only `callTool` can. */
  getProtocolEra?(): string;
};

type Options = { signal: AbortSignal; timeout: number };

/** A result schema that takes whatever comes: for SDK v1 a zod schema, for v2 a Standard Schema. */
const AS_IT_IS = {
  safeParse: (data: unknown) => ({ success: true, data }),
  "~standard": { version: 1, vendor: "codemode", validate: (value: unknown) => ({ value }) },
} as const;

/** The longest time that a timer can wait. The SDKs' own limit is a minute unless one is given; those that count are this file's. */
const NO_LIMIT = 2 ** 31 - 1;
/** Pages of a tool list. A server whose pages do not end is not believed. */
const MAX_PAGES = 1000;

/** Nobody answered in time. Whether the server did what it was asked is not known. */
export class Late extends Error {}

/** All pages of the list, with whatever a server takes for a tool. `ms` is for all of them together. */
export function listTools(client: McpClientLike, ms: number): Promise<unknown[]> {
  return within(ms, "list its tools", async (options) => {
    const tools: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const listed = isOfficial(client)
        ? ((await client.request({ method: "tools/list", params }, AS_IT_IS, options)) as { tools?: unknown; nextCursor?: unknown })
        : await client.listTools(cursor === undefined ? undefined : params);
      if (!Array.isArray(listed.tools)) throw new Error("the server's answer has no list of tools");
      for (const tool of listed.tools) tools.push(tool);
      if (typeof listed.nextCursor !== "string" || listed.nextCursor === "") return tools;
      cursor = listed.nextCursor;
    }
    throw new Error(`the server's tool list does not end: ${MAX_PAGES} pages were read`);
  });
}

/** Is anybody there? Any answer will do, also that the server does not know the question. Rejects when nobody is. */
export async function ping(client: McpClientLike, ms: number): Promise<void> {
  // Where this question does not exist any more, or cannot be asked, the call itself finds out.
  if (!isOfficial(client) || client.getProtocolEra?.() === "modern") return;
  try {
    await within(ms, "answer a ping", (options) => client.request({ method: "ping", params: {} }, AS_IT_IS, options));
  } catch (thrown) {
    if (faultOf(thrown, client).kind !== "answer") throw thrown;
  }
}

/** `tool` is what the server listed under the name, where it is known. */
export function callTool(
  client: McpClientLike,
  params: { name: string; arguments: Record<string, unknown> },
  tool: McpTool | undefined,
  ms: number,
): Promise<McpResult> {
  return within(ms, "answer", async (options) => {
    if (!isOfficial(client)) return client.callTool(params);
    if (client.getProtocolEra?.() === "modern") {
      // Without the schema of its result nothing is held against it.
      const toolDefinition = tool === undefined ? undefined : { ...tool, outputSchema: undefined };
      const call = client.callTool.bind(client) as (params: object, options: object) => Promise<McpResult>;
      return call(params, { ...options, toolDefinition });
    }
    if (!isTaskOnly(tool)) return (await client.request({ method: "tools/call", params }, AS_IT_IS, options)) as McpResult;
    // A tool that runs as a task: the first answer is a ticket, and whoever asks for its result waits until there is one.
    const request = { method: "tools/call", params: { ...params, task: { ttl: ms } } };
    const { task } = (await client.request(request, AS_IT_IS, options)) as { task?: { taskId?: unknown } };
    const result = { method: "tasks/result", params: { taskId: task?.taskId } };
    return (await client.request(result, AS_IT_IS, options)) as McpResult;
  });
}

/** Whoever made the client may have taken such news already; then they are not told here, and the list's age decides. */
export function onListChanged(client: McpClientLike, changed: () => void): void {
  if (!isOfficial(client)) return;
  const before = client.fallbackNotificationHandler?.bind(client);
  client.fallbackNotificationHandler = async (notification) => {
    if (notification.method === "notifications/tools/list_changed") changed();
    await before?.(notification);
  };
}

/**
 * What a call that was not answered with a result means.
 * - `answer`: the server said no. It is a failure like any other.
 * - `refused`: nothing was done: the request was not sent, or not taken. `again`: a new connection may help.
 * - `late`, `unknown`: it may have happened.
 */
export type Fault = { kind: "answer"; unknownTool: boolean } | { kind: "refused"; again: boolean } | { kind: "late" } | { kind: "unknown" };

export function faultOf(thrown: unknown, client: McpClientLike): Fault {
  if (thrown instanceof Late) return { kind: "late" };
  const { name, code, status, message } = fieldsOf(thrown);
  const http = typeof status === "number" ? status : name !== "McpError" && typeof code === "number" && code >= 100 ? code : undefined;
  if (http !== undefined && name !== "ProtocolError") {
    // What a server, or a gateway before it, does not take. Of a session that it has forgotten it says 404, or 400.
    const taken = http >= 500 && !UNTAKEN.has(http);
    return taken ? { kind: "unknown" } : { kind: "refused", again: http === 404 || http === 400 };
  }
  if (message === "Not connected" || UNSENT.has(code) || UNSENT.has(causeOf(thrown))) return { kind: "refused", again: true };
  if (code === -32000 && message.endsWith("Connection closed")) return { kind: "unknown" };
  // JSON-RPC: the server, or its library, answered.
  if (typeof code === "number") return { kind: "answer", unknownTool: code === -32601 || code === -32602 };
  if (code === "INVALID_RESULT" || code === "UNSUPPORTED_RESULT_TYPE") return { kind: "answer", unknownTool: false };
  // An official client has nothing else to throw than what its connection broke with. What another one means is not known
  // here, and most throw what the server said.
  return isOfficial(client) || BROKEN.has(code) ? { kind: "unknown" } : { kind: "answer", unknownTool: false };
}

/** Unavailable; and what a Worker hears where no connection to the server could be made. */
const UNTAKEN: ReadonlySet<number> = new Set([503, 521, 523, 525, 526, 530]);
const UNSENT: ReadonlySet<unknown> = new Set(["NOT_CONNECTED", "NOT_INITIALIZED", "CAPABILITY_NOT_SUPPORTED", "ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH"]);
const BROKEN: ReadonlySet<unknown> = new Set(["CONNECTION_CLOSED", "SEND_FAILED", "REQUEST_TIMEOUT", "ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

function fieldsOf(thrown: unknown): { name: unknown; code: unknown; status: unknown; message: string } {
  const { name, code, status, message } = (typeof thrown === "object" && thrown !== null ? thrown : {}) as Record<string, unknown>;
  return { name, code, status, message: typeof message === "string" ? message : "" };
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? fieldsOf(thrown.cause).code : undefined;
}

function isOfficial(client: McpClientLike): client is Official {
  return "request" in client && typeof client.request === "function" && "getServerCapabilities" in client;
}

function isTaskOnly(tool: McpTool | undefined): boolean {
  const execution: unknown = tool !== undefined && "execution" in tool ? tool.execution : undefined;
  return typeof execution === "object" && execution !== null && "taskSupport" in execution && execution.taskSupport === "required";
}

/** Also for what takes no signal: then it is left alone. */
export async function within<T>(ms: number, what: string, work: (options: Options) => T | Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const abort = new AbortController();
  const timer = setTimeout(() => {
    reject(new Late(`the server did not ${what} within ${ms} ms`));
    abort.abort(new Error("out of time"));
  }, Math.min(ms, NO_LIMIT));
  try {
    return await Promise.race([work({ signal: abort.signal, timeout: NO_LIMIT }), late]);
  } finally {
    clearTimeout(timer);
  }
}
