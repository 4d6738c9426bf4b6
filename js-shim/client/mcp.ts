/**
 * `McpConnector`: the tools of an MCP server as methods. The application makes the connection, with whichever SDK and
 * credentials it has; this file knows only the shape of a client and imports no SDK.
 */

import { CodemodeConnector, type ConnectorTool, type ConnectorTools } from "./connector.ts";
import { jsonArguments, type McpResult, valueOfResult } from "./mcp-value.ts";
import { identifiersFor } from "./names.ts";

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

/** A connection that the application made and owns. */
export interface McpConnectionLike {
  client: McpClientLike;
  /** The server's name, for texts. */
  name?: string | undefined;
  /** The server's guidance for the model. */
  instructions?: string | undefined;
}

/** How long a server may take to connect and list its tools, in milliseconds. A run must not wait for a dead one. */
const CONNECT_MS = 10_000;
/** Pages of a tool list. A server whose pages do not end is not believed. */
const MAX_PAGES = 1000;

type Connected = { connection: McpConnectionLike; tools: ConnectorTools };

/**
 * Connector over an MCP connection.
 *
 * Contract for implementers: implement `createConnection()`; it may be called again after the connection broke, and should
 * make a new one. A connector that cannot connect is unavailable for that contact and tried again at the next. To ask for
 * approval or add a `revert`, override `tool(name, t)`; `name` is the mapped name.
 *
 * With the official SDK inside a Worker, give the `Client` a `jsonSchemaValidator` of its own: its default one compiles code.
 */
export abstract class McpConnector<Env = unknown, Props = unknown> extends CodemodeConnector<Env, Props> {
  // The connection is shared by every contact of this instance; a promise, so that two contacts at once make one.
  #connected: Promise<Connected> | undefined;
  #instructions: string | undefined;

  /**
   * Believe `readOnlyHint` and `idempotentHint` of this server: `override trustHints = true`. A server must not be able to
   * declare its own writes harmless. `destructiveHint: true` asks for approval in any case.
   */
  protected readonly trustHints: boolean = false;

  /** Connects to the server. The connection is kept until it breaks; the connector does not close it. */
  protected abstract createConnection(): McpConnectionLike | Promise<McpConnectionLike>;

  /** The name wanted for a tool; what is no identifier is made one. Default: the server's. */
  protected toolName(tool: McpTool): string {
    return tool.name;
  }

  protected override instructions(): string | undefined {
    return this.#instructions;
  }

  protected override async tools(): Promise<ConnectorTools> {
    this.#connected ??= within(CONNECT_MS, this.#connect());
    const connected = this.#connected;
    try {
      const { connection, tools } = await connected;
      this.#instructions = connection.instructions;
      return tools;
    } catch (thrown) {
      this.#forget(connected);
      throw thrown;
    }
  }

  async #connect(): Promise<Connected> {
    const connection = await this.createConnection();
    const listed = await allTools(connection.client);
    const names = identifiersFor(listed.map((tool) => this.toolName(tool)));
    const tools: ConnectorTools = {};
    listed.forEach((tool, index) => {
      const name = names[index];
      if (name !== undefined) tools[name] = this.#method(connection.client, tool);
    });
    return { connection, tools };
  }

  #method(client: McpClientLike, tool: McpTool): ConnectorTool {
    const { readOnlyHint, destructiveHint, idempotentHint } = tool.annotations ?? {};
    const trusted = this.trustHints;
    return {
      original: tool.name,
      description: tool.description ?? tool.title ?? tool.annotations?.title,
      inputSchema: tool.inputSchema,
      outputSchema: tool.outputSchema,
      requiresApproval: destructiveHint === true,
      readOnly: trusted && readOnlyHint === true,
      idempotent: trusted && idempotentHint === true,
      execute: async (args) => {
        const params = { name: tool.name, arguments: jsonArguments(args) };
        const connected = this.#connected;
        let result: McpResult;
        try {
          result = await client.callTool(params);
        } catch (thrown) {
          if (!isAnswer(thrown)) this.#forget(connected);
          throw thrown;
        }
        return valueOfResult(result);
      },
    };
  }

  /** Drops a connection, unless another one has taken its place already. The next contact makes a new one. */
  #forget(connected: Promise<Connected> | undefined): void {
    if (this.#connected === connected) this.#connected = undefined;
  }
}

async function allTools(client: McpClientLike): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed = await client.listTools(cursor === undefined ? undefined : { cursor });
    tools.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined || cursor === "") return tools;
  }
  throw new Error(`the server's tool list does not end: ${MAX_PAGES} pages were read`);
}

/**
 * Did the server answer, if with an error? Protocol errors have a JSON-RPC code; a closed connection and a time limit carry
 * one too in the SDKs (-32000, -32001), and those are no answers.
 */
function isAnswer(thrown: unknown): boolean {
  const code: unknown = typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;
  return typeof code === "number" && code >= -32768 && code < -32001;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the server did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}
