/**
 * `McpConnector`: the tools of an MCP server as methods. The application makes the connection, with whichever SDK and
 * credentials it has. What the server lists goes to the runtime as it is, which makes the methods of it; a call goes out
 * under exactly the server's own name.
 */

import type { MethodRecord } from "../wire.ts";
import type { ConnectorTool } from "./connector.ts";
import { DerivedConnector, type Source } from "./derived.ts";
import { CodemodeError, messageOf, UnknownOutcome } from "./errors.ts";
import { callTool, faultOf, Late, listTools, type McpClientLike, type McpTool, onListChanged, ping, within } from "./mcp-client.ts";
import { jsonArguments } from "./mcp-arguments.ts";
import { McpToolError, type McpResult, valueOfResult } from "./mcp-value.ts";
import { complaint } from "./schema.ts";

/** A connection that the application made and owns. */
export interface McpConnectionLike {
  client: McpClientLike;
  /** The server's name, for texts. */
  name?: string | undefined;
  /** The server's guidance for the model. */
  instructions?: string | undefined;
}

const UNKNOWN_TOOL = /-3260[12]|unknown tool|tool .*not found/i;

/** What was listed last. `tools` are by the server's own names; of two of one name the first counts, as in the runtime. */
type List = { source: Source; tools: ReadonlyMap<string, McpTool>; at: number };

/**
 * Connector over an MCP connection.
 *
 * Contract for implementers: implement `createConnection()`; it may be called again after the connection broke, and should
 * make a new one. A connector that cannot connect is unavailable for that contact and tried again at the next. To ask for
 * approval or add a `revert`, override `tool(name, t)`; `name` is the mapped name.
 */
export abstract class McpConnector<Env = unknown, Props = unknown> extends DerivedConnector<Env, Props> {
  // Promises, so that two contacts at once make one connection and one list.
  #connected: Promise<McpConnectionLike> | undefined;
  #listing: Promise<Source> | undefined;
  #list: List | undefined;
  #isStale = false;
  /** When the server last answered. */
  #heardAt = 0;
  #instructions: string | undefined;
  /** Clients that were asked for news of their lists: an application may return the same one again. */
  readonly #heard = new WeakSet<McpClientLike>();
  /** Tools of whose results it was said that they are not what was promised. Once is enough. */
  readonly #warned = new Set<string>();

  /**
   * Believe `readOnlyHint` and `idempotentHint` of this server: `override trustHints = true`. A server must not be able to
   * declare its own writes harmless. `destructiveHint: true` asks for approval in any case.
   */
  protected readonly trustHints: boolean = false;

  /** How long `createConnection()` may take, in milliseconds. A run must not wait for a dead server. */
  protected readonly connectMs: number = 10_000;
  /** How long all pages of the list may take together. */
  protected readonly listMs: number = 10_000;
  /** How long a call may take. Longer than a pass by default: an answer that comes after its pass is still recorded. */
  protected readonly callMs: number = 300_000;
  /** After this time a contact asks for the list again; a server's own word that it has changed comes in between. */
  protected readonly listTtlMs: number = 300_000;

  /** A connection that was quiet for so long is tried before a call: a server that is gone by then has surely not acted. */
  protected readonly quietMs: number = 5_000;

  /** Connects to the server. The connection is kept until it breaks; the connector does not close it. */
  protected abstract createConnection(): McpConnectionLike | Promise<McpConnectionLike>;

  /** The name wanted for a tool; what is no identifier is made one. Default: the server's. */
  protected toolName(tool: McpTool): string {
    return tool.name;
  }

  /** How long a call of this tool may take. Default: `callMs`. */
  protected toolMs(_tool: McpTool): number {
    return this.callMs;
  }

  /** Says that the list is not what it was: the next contact asks for it. Where the application hears of it before this class does. */
  protected listChanged(): void {
    this.#isStale = true;
  }

  protected override instructions(): string | undefined {
    return this.#instructions;
  }

  protected override source(): Promise<Source> {
    this.#listing ??= this.#current().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  protected override toolFor(record: MethodRecord): ConnectorTool {
    const { name, original = name, description, inputSchema, outputSchema, requiresApproval, readOnly, idempotent } = record;
    return {
      original,
      description,
      inputSchema: inputSchema as ConnectorTool["inputSchema"],
      outputSchema: outputSchema as ConnectorTool["outputSchema"],
      requiresApproval: requiresApproval !== false,
      readOnly,
      idempotent,
      execute: (args) => this.#call(original, args),
    };
  }

  async #current(): Promise<Source> {
    const list = this.#list;
    if (list !== undefined && !this.#isStale && Date.now() - list.at < this.listTtlMs) return list.source;
    // Before the question: what changes while it is answered is news again.
    this.#isStale = false;
    try {
      const kept = this.#connected;
      return this.#read(await this.#listOver(kept ?? this.#connect(), kept !== undefined));
    } catch (thrown) {
      this.#isStale = true;
      throw thrown;
    }
  }

  /** A connection that was kept may have died since; then one more is made. */
  async #listOver(connected: Promise<McpConnectionLike>, wasKept: boolean): Promise<unknown[]> {
    try {
      return await listTools((await connected).client, this.listMs);
    } catch (thrown) {
      this.#forget(connected);
      if (!wasKept || thrown instanceof Late) throw thrown;
      return this.#listOver(this.#connect(), false);
    }
  }

  #read(listed: unknown[]): Source {
    const tools = new Map<string, McpTool>();
    const names = listed.map((tool) => {
      if (!isTool(tool)) return null;
      if (!tools.has(tool.name)) tools.set(tool.name, tool);
      const wanted = this.toolName(tool);
      return wanted === tool.name ? null : wanted;
    });
    const parts = [`"tools":[${listed.map(jsonOf).join(",")}]`];
    if (this.trustHints) parts.push('"trustHints":true');
    if (names.some((name) => name !== null)) parts.push(`"names":${JSON.stringify(names)}`);
    const text = `{${parts.join(",")}}`;
    // The same object for the same text: it is not looked at again.
    const source = this.#list?.source.text === text ? this.#list.source : { format: "mcp" as const, text };
    this.#heardAt = Date.now();
    this.#list = { source, tools, at: this.#heardAt };
    return source;
  }

  async #call(original: string, args: unknown): Promise<unknown> {
    const params = { name: original, arguments: jsonArguments(args) };
    const tool = this.#list?.tools.get(original);
    if (tool === undefined && this.#list !== undefined) {
      throw new McpToolError(`the server has no tool ${JSON.stringify(original)} any more; search for one that does the same`, undefined);
    }
    const result = await this.#answered(params, tool, false);
    if (tool !== undefined && result.isError !== true) this.#warn(tool, result);
    try {
      return valueOfResult(result, tool?.outputSchema);
    } catch (thrown) {
      // Some servers say with a result that they do not know a tool.
      if (thrown instanceof McpToolError && UNKNOWN_TOOL.test(thrown.message.slice(0, 500))) this.#isStale = true;
      throw thrown;
    }
  }

  async #answered(params: { name: string; arguments: Record<string, unknown> }, tool: McpTool | undefined, isSecond: boolean): Promise<McpResult> {
    const { connected, client } = await this.#tried();
    try {
      const result = await callTool(client, params, tool, tool === undefined ? this.callMs : this.toolMs(tool));
      this.#heardAt = Date.now();
      return result;
    } catch (thrown) {
      const fault = faultOf(thrown, client);
      switch (fault.kind) {
        case "answer":
          this.#heardAt = Date.now();
          if (fault.unknownTool) this.#isStale = true;
          throw thrown;
        case "refused":
          this.#forget(connected);
          // Nothing was done, and a server that was started anew knows no session of before.
          if (fault.again && !isSecond) return this.#answered(params, tool, true);
          throw thrown;
        case "late":
          throw new UnknownOutcome(`${messageOf(thrown)}; whether it did what it was asked is not known`, { cause: thrown });
        case "unknown":
          this.#forget(connected);
          throw new UnknownOutcome(`the connection broke before the server answered (${messageOf(thrown)}); whether it did what it was asked is not known`, { cause: thrown });
        default: {
          const never: never = fault;
          return never;
        }
      }
    }
  }

  /** A connection for a call. Rejects where none can be had; nothing was sent then. */
  async #tried(): Promise<{ connected: Promise<McpConnectionLike>; client: McpClientLike }> {
    const kept = this.#connected;
    if (kept !== undefined && Date.now() - this.#heardAt >= this.quietMs) {
      try {
        await ping((await kept).client, this.connectMs);
      } catch {
        this.#forget(kept);
      }
    }
    const connected = this.#connected ?? this.#connect();
    try {
      return { connected, client: (await connected).client };
    } catch (thrown) {
      throw new CodemodeError("missing_connector", `the server of ${this.name()} cannot be reached now, and nothing was sent to it: ${messageOf(thrown)}`);
    }
  }

  /** A tool that returns what its own schema forbids has acted all the same: its value counts, and the application is told. */
  #warn(tool: McpTool, result: McpResult): void {
    const { outputSchema, name } = tool;
    if (outputSchema === undefined || outputSchema === null || this.#warned.has(name)) return;
    const missing = result.structuredContent === undefined || result.structuredContent === null;
    const why = missing ? "there is no structuredContent" : complaint(outputSchema, result.structuredContent, "structuredContent");
    if (why === undefined) return;
    this.#warned.add(name);
    console.warn(`${this.name()}: the tool ${JSON.stringify(name)} answered with what its outputSchema forbids: ${why}. The program got it as it came`);
  }

  #connect(): Promise<McpConnectionLike> {
    const connected = this.#connection();
    this.#connected = connected;
    connected.catch(() => this.#forget(connected));
    return connected;
  }

  async #connection(): Promise<McpConnectionLike> {
    const connection = await within(this.connectMs, "take a connection", () => this.createConnection());
    this.#heardAt = Date.now();
    this.#instructions = connection.instructions;
    if (!this.#heard.has(connection.client)) onListChanged(connection.client, () => this.listChanged());
    this.#heard.add(connection.client);
    return connection;
  }

  /** Drops a connection, unless another one has taken its place already. The next contact makes a new one, and lists anew. */
  #forget(connected: Promise<McpConnectionLike>): void {
    if (this.#connected !== connected) return;
    this.#connected = undefined;
    this.#isStale = true;
  }
}

function isTool(tool: unknown): tool is McpTool {
  return typeof tool === "object" && tool !== null && "name" in tool && typeof tool.name === "string";
}

/** What JSON cannot write costs only its own tool: the runtime reports it. */
function jsonOf(tool: unknown): string {
  try {
    return JSON.stringify(tool) ?? "null";
  } catch {
    return "null";
  }
}
