/** MCP: names, policy, values and outages, against a client of the test's own. */

import { describe, expect, test } from "vitest";

import { createCodemodeRuntime, McpConnector, type McpClientLike, type McpResult, type McpTool } from "../../../js-shim/client/index.ts";
import { jsonArguments, valueOfResult } from "../../../js-shim/client/mcp-value.ts";
import type { ContactConnector, HostFunction, MethodRecord } from "../../../js-shim/wire.ts";
import { ask, callMessage, completed, context, RuntimeDouble, told } from "./double.ts";

class Server implements McpClientLike {
  pages: McpTool[][] = [[]];
  calls: unknown[] = [];
  lists = 0;
  connections = 0;
  answer: () => Promise<McpResult> = async () => ({ content: [] });
  broken: Error | undefined;

  async listTools(params?: { cursor?: string }) {
    this.lists += 1;
    const page = Number(params?.cursor ?? 0);
    return { tools: this.pages[page] ?? [], ...(page + 1 < this.pages.length && { nextCursor: String(page + 1) }) };
  }
  async callTool(params: { name: string; arguments?: Record<string, unknown> }) {
    this.calls.push(params);
    return this.answer();
  }
  connect() {
    this.connections += 1;
    if (this.broken !== undefined) throw this.broken;
    return { client: this, name: "server", instructions: "Be kind." };
  }
}

class Connector extends McpConnector {
  readonly server: Server;
  constructor(server: Server) {
    super(context, undefined);
    this.server = server;
  }
  name(): string {
    return "remote";
  }
  protected createConnection() {
    return this.server.connect();
  }
}

class Trusting extends Connector {
  protected override readonly trustHints = true;
}

/** One Agent's life: contacts one after the other with the same connector. */
function agent(connector: McpConnector) {
  const double = new RuntimeDouble();
  let host: HostFunction | undefined;
  double.answers["execute"] = (_request, given) => {
    host = given;
    return completed();
  };
  const runtime = createCodemodeRuntime({ ctx: context, binding: double.binding, connectors: [connector] });
  return {
    async contact(): Promise<ContactConnector | undefined> {
      await runtime.execute({ code: "1" });
      return double.last().request.contact?.connectors[0];
    },
    async records(): Promise<MethodRecord[]> {
      await this.contact();
      const reply = await ask(host, { kind: "catalogue", connector: "remote", part: 0 });
      if (reply.kind !== "catalogue") throw new Error(JSON.stringify(told(reply)));
      return JSON.parse(reply.text) as MethodRecord[];
    },
    async call(method: string, args: unknown = {}) {
      return told(await ask(host, callMessage("remote", method, args)));
    },
  };
}

const tool = (name: string, annotations?: McpTool["annotations"]): McpTool => ({ name, inputSchema: { type: "object" }, annotations });

test("every page of the list is read, and calls go out under the server's own names", async () => {
  const server = new Server();
  server.pages = [[tool("get-user")], [], [tool("get.user"), tool("查询")]];
  const life = agent(new Connector(server));
  const records = await life.records();
  expect(records.map(({ name, original }) => [name, original])).toEqual([["get_user", "get-user"], ["get_user_2", "get.user"], ["查询", undefined]]);
  await life.call("get_user_2", { id: 1 });
  await life.call("查询");
  expect(server.calls).toEqual([{ name: "get.user", arguments: { id: 1 } }, { name: "查询", arguments: {} }]);
});

test("the server's guidance is told, and its list is asked once per connection", async () => {
  const server = new Server();
  server.pages = [[tool("a")]];
  const life = agent(new Connector(server));
  const first = await life.contact();
  expect(first).toMatchObject({ name: "remote", instructions: "Be kind." });
  expect(await life.contact()).toEqual(first);
  expect([server.connections, server.lists]).toEqual([1, 1]);
});

test.each([
  ["none", undefined, false, undefined, undefined],
  ["destructive", { destructiveHint: true }, true, undefined, undefined],
  ["read-only", { readOnlyHint: true, idempotentHint: true }, false, undefined, undefined],
  ["not destructive", { destructiveHint: false }, false, undefined, undefined],
])("hints only tighten: %s", async (_case, annotations, requiresApproval, readOnly, idempotent) => {
  const server = new Server();
  server.pages = [[tool("a", annotations)]];
  const [record] = await agent(new Connector(server)).records();
  expect([record?.requiresApproval, record?.readOnly, record?.idempotent]).toEqual([requiresApproval, readOnly, idempotent]);
});

test("a trusted server's hints count, and destructive ones still ask", async () => {
  const server = new Server();
  server.pages = [[tool("a", { readOnlyHint: true, idempotentHint: true, destructiveHint: true })]];
  expect(await agent(new Trusting(server)).records()).toMatchObject([{ requiresApproval: true, readOnly: true, idempotent: true }]);
});

test("a server that cannot be reached is unavailable and tried again at the next contact", async () => {
  const server = new Server();
  server.pages = [[tool("a")]];
  server.broken = new Error("fetch failed");
  const life = agent(new Connector(server));
  expect(await life.contact()).toEqual({ name: "remote", digest: "", unavailable: "fetch failed" });
  expect(await life.call("a")).toMatchObject({ code: "missing_connector" });
  server.broken = undefined;
  expect(await life.contact()).toMatchObject({ digest: expect.stringMatching(/./) });
  expect(server.connections).toBe(2);
});

test("a connection that breaks in a call is made anew; an error that the server answered keeps it", async () => {
  const server = new Server();
  server.pages = [[tool("a")]];
  const life = agent(new Connector(server));
  await life.contact();
  server.answer = () => Promise.reject(Object.assign(new Error("MCP error -32602: bad"), { code: -32602 }));
  expect(await life.call("a")).toMatchObject({ code: "exception", error: { message: "MCP error -32602: bad" } });
  await life.contact();
  expect(server.connections).toBe(1);
  for (const failure of [new Error("fetch failed"), Object.assign(new Error("closed"), { code: -32000 }), Object.assign(new Error("gone"), { code: 404 })]) {
    const before = server.connections;
    server.answer = () => Promise.reject(failure);
    expect(await life.call("a")).toMatchObject({ code: "exception" });
    await life.contact();
    expect(server.connections).toBe(before + 1);
  }
});

test("two contacts at once make one connection", async () => {
  const server = new Server();
  const life = agent(new Connector(server));
  await Promise.all([life.contact(), life.contact()]);
  expect(server.connections).toBe(1);
});

test("a server whose pages do not end is unavailable", async () => {
  const server = new Server();
  server.listTools = async () => ({ tools: [], nextCursor: "1" });
  expect(await agent(new Connector(server)).contact()).toMatchObject({ unavailable: expect.stringContaining("does not end") });
});

const text = (value: string) => ({ type: "text", text: value });

describe("results", () => {
  test.each<[string, McpResult, unknown]>([
    ["JSON in a text", { content: [text(" [1,2]")] }, [1, 2]],
    ["a text", { content: [text("42")] }, "42"],
    ["a text that only begins like JSON", { content: [text("{not json")] }, "{not json"],
    ["digits of large integers in a text", { content: [text('{"id":9007199254740993}')] }, { id: 9007199254740993n }],
    ["structured content", { content: [text("x")], structuredContent: { ok: true } }, { ok: true }],
    ["structured content that is false or zero", { content: [], structuredContent: 0 }, 0],
    ["digits of large integers in structured content, from its text", { content: [text('{"b":1,"id":9007199254740993}')], structuredContent: { id: 9007199254740992, b: 1 } }, { b: 1, id: 9007199254740993n }],
    ["several blocks", { content: [text("a"), text("[1]")] }, ["a", [1]]],
    ["an image", { content: [{ type: "image", mimeType: "image/png", data: "AQI=" }] }, { type: "image", mimeType: "image/png", data: new Uint8Array([1, 2]) }],
    ["audio that is no base64", { content: [{ type: "audio", mimeType: "audio/wav", data: "?" }] }, { type: "audio", mimeType: "audio/wav", data: "?" }],
    ["a resource of bytes", { content: [{ type: "resource", resource: { uri: "a:b", mimeType: "x/y", blob: "AA==" } }] }, { type: "resource", uri: "a:b", mimeType: "x/y", data: new Uint8Array(1) }],
    ["a resource of text", { content: [{ type: "resource", resource: { uri: "a:b", text: "t" } }] }, { type: "resource", uri: "a:b", text: "t" }],
    ["a link", { content: [{ type: "resource_link", uri: "a:b" }] }, { type: "resource_link", uri: "a:b" }],
    ["nothing", { content: [] }, null],
    ["nothing at all", {}, null],
    ["no blocks where blocks should be", { content: "x" }, null],
    ["a result of the first protocol", { toolResult: 1 }, 1],
  ])("%s", (_case, result, value) => {
    expect(valueOfResult(result)).toEqual(value);
  });

  test.each<[string, McpResult, string, unknown]>([
    ["the server's text", { isError: true, content: [text("no such"), text("user")] }, "no such\nuser", undefined],
    ["data from structured content", { isError: true, content: [text("bad")], structuredContent: { field: "a" } }, "bad", { field: "a" }],
    ["data from other blocks", { isError: true, content: [text("bad"), { type: "resource_link", uri: "a:b" }] }, "bad", [{ type: "resource_link", uri: "a:b" }]],
    ["no text", { isError: true }, "the tool failed and the server gave no reason", undefined],
  ])("isError throws: %s", (_case, result, message, data) => {
    expect(() => valueOfResult(result)).toThrow(expect.objectContaining({ name: "McpToolError", message, data }));
  });

  test("the program gets the server's error with its data", async () => {
    const server = new Server();
    server.pages = [[tool("a")]];
    server.answer = async () => ({ isError: true, content: [text("no")], structuredContent: { field: "a" } });
    const life = agent(new Connector(server));
    await life.contact();
    expect(await life.call("a")).toMatchObject({ code: "exception", error: { name: "McpToolError", message: "no", data: { field: "a" } } });
  });
});

describe("arguments", () => {
  test("JSON goes out as it is, without what is undefined", () => {
    expect(jsonArguments({ a: [1, undefined, "x"], b: undefined, c: { d: null }, e: 5n })).toEqual({ a: [1, null, "x"], c: { d: null }, e: 5 });
    expect(jsonArguments(undefined)).toEqual({});
    expect(Object.keys(jsonArguments(JSON.parse('{"__proto__":1}')))).toEqual(["__proto__"]);
  });

  test.each<[unknown, string]>([
    [{ a: { b: [new Date(0)] } }, "args.a.b[0] is a Date; MCP takes JSON. Pass date.toISOString()"],
    [{ a: new Map() }, "args.a is a Map"],
    [{ a: new Uint8Array(1) }, "args.a is a Uint8Array; MCP takes JSON. Pass base64 text"],
    [{ a: Number.NaN }, "args.a is NaN"],
    [{ a: 2n ** 60n }, "args.a is a bigint above 2^53"],
    [[1], "one object"],
  ])("what JSON cannot carry is an error that names it: %#", (args, message) => {
    expect(() => jsonArguments(args)).toThrow(message);
  });

  test("arguments that contain themselves", () => {
    const args: Record<string, unknown> = {};
    args["self"] = args;
    expect(() => jsonArguments(args)).toThrow("args.self contains itself");
    let shared: unknown[] = [];
    for (let level = 0; level < 60; level += 1) shared = [shared, shared];
    expect(() => jsonArguments({ shared })).toThrow("20,000 values are met again");
  });
});
