/** The clients of both official SDKs, as they are when nobody configures them, against servers that are right and servers that are not. */

import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";

import type { McpConnectionLike } from "../../../js-shim/client/index.ts";
import { serveMcp } from "../../support/mcp-http.ts";
import { Connector, lifeOf } from "./mcp-life.ts";

type Answer = (params: Record<string, unknown>) => object | Promise<object>;

const SDKS = { v1: ClientV1, v2: ClientV2 };
type Sdk = keyof typeof SDKS;

/** A server that says what the test wants it to, without the SDK's own checks. */
class Rude {
  readonly heard: string[] = [];
  readonly answers: Record<string, Answer>;
  connections = 0;
  hangUp = (): Promise<void> => Promise.resolve();

  constructor(answers: Record<string, Answer>) {
    this.answers = answers;
  }

  readonly connect = async (sdk: Sdk): Promise<McpConnectionLike> => {
    this.connections += 1;
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    this.hangUp = () => ours.close();
    const onmessage = async (message: JSONRPCMessage) => {
      if (!("method" in message)) return;
      this.heard.push(message.method);
      if (!("id" in message)) return;
      const reply = await this.#answer(message.method, message.params ?? {});
      await ours.send({ jsonrpc: "2.0", id: message.id, ...reply } as JSONRPCMessage).catch(() => {});
    };
    Object.assign(ours, { onmessage });
    await ours.start();
    const client = new SDKS[sdk]({ name: "test", version: "1" });
    await client.connect(theirs);
    return { client };
  };

  async #answer(method: string, params: Record<string, unknown>): Promise<object> {
    if (method === "initialize") {
      return { result: { protocolVersion: params["protocolVersion"], capabilities: { tools: {} }, serverInfo: { name: "rude", version: "1" } } };
    }
    return (await this.answers[method]?.(params)) ?? { error: { code: -32601, message: `Method not found: ${method}` } };
  }
}

const rude = (sdk: Sdk, tools: unknown[], call: Answer) => {
  const server = new Rude({ "tools/list": () => ({ result: { tools } }), "tools/call": call });
  return { server, remote: lifeOf(new Connector(() => server.connect(sdk))) };
};

describe.each<[Sdk]>([["v1"], ["v2"]])("SDK %s", (sdk) => {
  test("tools that are none cost no others", async () => {
    const tools = [{ name: "good", inputSchema: { type: "object" } }, 5, { name: "bad", inputSchema: [] }, { name: "odd", outputSchema: { $ref: "#/nowhere" } }];
    const { remote } = rude(sdk, tools, () => ({ result: {} }));
    expect((await remote.listed()).tools).toEqual(tools);
  });

  test("a result that its outputSchema forbids is the result, and the application is told once (M06)", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    const outputSchema = { type: "object", properties: { count: { type: "number" } }, required: ["count"] };
    const results = [{ content: [], structuredContent: { count: "three" } }, { content: [], structuredContent: { count: "four" } }, { content: [{ type: "text", text: "none" }] }];
    const { remote } = rude(sdk, [{ name: "a", inputSchema: { type: "object" }, outputSchema }], () => ({ result: results.shift() }));
    await remote.listed();
    expect([await remote.call("a"), await remote.call("a"), await remote.call("a")]).toEqual([{ value: { count: "three" } }, { value: { count: "four" } }, { value: "none" }]);
    expect(warned.mock.calls.map(([text]: unknown[]) => text)).toEqual([expect.stringContaining("structuredContent.count must be number, not string")]);
    warned.mockRestore();
  });

  test("what the server says with isError is what the program gets, whatever the outputSchema (M05)", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    const outputSchema = { type: "object", properties: { count: { type: "number" } }, required: ["count"] };
    const result = { isError: true, content: [{ type: "text", text: "no such user" }], structuredContent: { field: "id" } };
    const { remote } = rude(sdk, [{ name: "a", inputSchema: { type: "object" }, outputSchema }], () => ({ result }));
    await remote.listed();
    expect(await remote.call("a")).toMatchObject({ code: "exception", error: { name: "McpToolError", message: "no such user", data: { field: "id" } } });
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  test.each<[string, object, unknown]>([
    ["a block of tomorrow", { content: [{ type: "hologram", depth: 3 }] }, { type: "hologram", depth: 3 }],
    ["no content at all", {}, null],
    ["null for nothing", { content: [{ type: "text", text: "x" }], structuredContent: null }, "x"],
  ])("a result that the SDK's own schema refuses: %s (M07)", async (_case, result, value) => {
    const { remote } = rude(sdk, [{ name: "a", inputSchema: { type: "object" } }], () => ({ result }));
    await remote.listed();
    expect(await remote.call("a")).toEqual({ value });
  });

  test("an error of the protocol is a failure with its code, and the connection stays", async () => {
    const { server, remote } = rude(sdk, [], () => ({ error: { code: -32005, message: "quota", data: { left: 0 } } }));
    server.answers["tools/list"] = () => ({ result: { tools: [{ name: "a", inputSchema: { type: "object" } }] } });
    await remote.listed();
    expect(await remote.call("a")).toMatchObject({ code: "exception", error: { message: expect.stringContaining("quota"), code: -32005, data: { left: 0 } } });
    await remote.contact();
    expect(server.connections).toBe(1);
  });

  test("a connection that breaks in the middle of a call is no failure", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    const { server, remote } = rude(sdk, [{ name: "a", inputSchema: { type: "object" } }], async () => {
      await server.hangUp();
      return new Promise<never>(() => {});
    });
    await remote.listed();
    expect(await remote.call("a")).toEqual({ kind: "unknown" });
    expect(warned.mock.calls.flat().join()).toContain("connection broke before the server answered");
    warned.mockRestore();
    await remote.contact();
    expect(server.connections).toBe(2);
  });

  test("a connection that was quiet is tried first: a server that is gone was sent nothing", async () => {
    class Careful extends Connector {
      protected override readonly quietMs = 0;
    }
    const server = new Rude({ "tools/list": () => ({ result: { tools: [{ name: "a", inputSchema: { type: "object" } }] } }), "tools/call": () => ({ result: {} }) });
    let isGone = false;
    const remote = lifeOf(new Careful(() => (isGone ? Promise.reject(new Error("Network connection lost.")) : server.connect(sdk))));
    await remote.listed();
    expect(await remote.call("a")).toEqual({ value: null });
    server.answers["ping"] = async () => {
      await server.hangUp();
      return new Promise<never>(() => {});
    };
    isGone = true;
    expect(await remote.call("a")).toMatchObject({ code: "exception", error: { code: "missing_connector", message: "the server of remote cannot be reached now, and nothing was sent to it: Network connection lost." } });
    isGone = false;
    delete server.answers["ping"];
    expect(await remote.call("a")).toEqual({ value: null });
    expect(server.heard.filter((method) => method === "tools/call").length).toBe(2);
  });

  test("a call that takes too long is cancelled at the server, and nobody says that it failed (M11)", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    class Hasty extends Connector {
      protected override readonly callMs = 50;
    }
    const server = new Rude({ "tools/list": () => ({ result: { tools: [{ name: "a", inputSchema: { type: "object" } }] } }), "tools/call": () => new Promise<never>(() => {}) });
    const remote = lifeOf(new Hasty(() => server.connect(sdk)));
    await remote.listed();
    expect(await remote.call("a")).toEqual({ kind: "unknown" });
    await vi.waitFor(() => expect(server.heard).toContain("notifications/cancelled"));
    warned.mockRestore();
  });

  test("a server that says its list has changed is asked for it at the next contact", async () => {
    const server = new McpServer({ name: "real", version: "1" });
    const echo = server.registerTool("echo", { inputSchema: { text: z.string() } }, ({ text }) => ({ content: [{ type: "text", text }] }));
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await server.connect(ours);
    const client = new SDKS[sdk]({ name: "test", version: "1" });
    await client.connect(theirs);
    const remote = lifeOf(new Connector(() => ({ client })));
    const names = async () => (await remote.listed()).tools.map((tool) => (tool as { name: string }).name);
    expect(await names()).toEqual(["echo"]);
    expect(await remote.call("echo", { text: "[1]" })).toEqual({ value: [1] });
    server.registerTool("more", {}, () => ({ content: [] }));
    await vi.waitFor(async () => expect(await names()).toEqual(["echo", "more"]));
    echo.remove();
    await vi.waitFor(async () => expect(await names()).toEqual(["more"]));
    expect(await remote.call("echo", { text: "x" })).toMatchObject({ error: { name: "McpToolError", message: expect.stringContaining('no tool "echo" any more') } });
    await client.close();
  });

  test("over HTTP: a server that was started anew is met again in the middle of a run", async () => {
    await using served = await serveMcp(adder);
    const { url, sessions } = served;
    let connections = 0;
    const remote = lifeOf(
      new Connector(async () => {
        connections += 1;
        const client = new SDKS[sdk]({ name: "test", version: "1" });
        await client.connect((sdk === "v1" ? new HttpV1(url) : new HttpV2(url)) as HttpV1);
        return { client };
      }),
    );
    await remote.contact();
    expect(await remote.call("add", { a: 1, b: 2 })).toEqual({ value: { sum: 3 } });
    sessions.clear();
    expect(await remote.call("add", { a: 2, b: 2 })).toEqual({ value: { sum: 4 } });
    expect(connections).toBe(2);
  });
});

function adder(): McpServer {
  const server = new McpServer({ name: "adder", version: "1" });
  server.registerTool("add", { inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } }, ({ a, b }) => {
    const structuredContent = { sum: a + b };
    return { structuredContent, content: [{ type: "text", text: JSON.stringify(structuredContent) }] };
  });
  return server;
}
