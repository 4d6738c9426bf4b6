/** One Agent's life with one MCP server, without a runtime: contacts one after the other, and calls as a runtime makes them. */

import { createCodemodeRuntime, McpConnector, type McpClientLike, type McpConnectionLike, type McpTool } from "../../../js-shim/client/index.ts";
import type { ContactConnector, HostFunction, MethodRecord } from "../../../js-shim/wire.ts";
import { ask, callMessage, completed, context, RuntimeDouble, told } from "./double.ts";

/** A connector whose connections come from the test. */
export class Connector extends McpConnector {
  readonly #connect: () => McpConnectionLike | Promise<McpConnectionLike>;
  constructor(connect: () => McpConnectionLike | Promise<McpConnectionLike>) {
    super(context, undefined);
    this.#connect = connect;
  }
  name(): string {
    return "remote";
  }
  protected createConnection() {
    return this.#connect();
  }
}

/** What a connector hands over, read. */
export type Listed = { tools: unknown[]; trustHints?: boolean; names?: (string | null)[] };

export function lifeOf(connector: McpConnector) {
  const double = new RuntimeDouble();
  let host: HostFunction | undefined;
  double.answers["execute"] = (_request, given) => {
    host = given;
    return completed();
  };
  const runtime = createCodemodeRuntime({ ctx: context, binding: double.binding, connectors: [connector] });
  const contact = async (): Promise<ContactConnector | undefined> => {
    await runtime.execute({ code: "1" });
    return double.last().request.contact?.connectors[0];
  };
  return {
    contact,
    async listed(): Promise<Listed> {
      await contact();
      const reply = await ask(host, { kind: "catalogue", connector: "remote", part: 0 });
      if (reply.kind !== "catalogue") throw new Error(JSON.stringify(told(reply)));
      return JSON.parse(reply.text) as Listed;
    },
    /** As the host was left by the last contact. */
    async call(original: string, args: unknown = {}, more: Partial<MethodRecord> = {}) {
      const record: MethodRecord = { name: original, requiresApproval: false, ...more };
      return told(await ask(host, { ...callMessage("remote", record.name, args), record: JSON.stringify(record) }));
    },
  };
}

export const tool = (name: string, more: Partial<McpTool> = {}): McpTool => ({ name, inputSchema: { type: "object" }, ...more });

/** A client of the application's own making. */
export class OwnClient implements McpClientLike {
  pages: unknown[][] = [[tool("a")]];
  calls: unknown[] = [];
  lists = 0;
  connections = 0;
  broken: Error | undefined;
  answer: () => Promise<object> = async () => ({ content: [] });

  async listTools(params?: { cursor?: string }) {
    this.lists += 1;
    const page = Number(params?.cursor ?? 0);
    return { tools: (this.pages[page] ?? []) as McpTool[], ...(page + 1 < this.pages.length && { nextCursor: String(page + 1) }) };
  }
  async callTool(params: object) {
    this.calls.push(params);
    return this.answer();
  }
  readonly connect = (): McpConnectionLike => {
    this.connections += 1;
    if (this.broken !== undefined) throw this.broken;
    return { client: this, name: "server", instructions: "Be kind." };
  };
}
