/** MCP: what is handed over of a server, when it is asked again, and what a call that goes wrong means. */

import { afterEach, expect, test, vi } from "vitest";

import type { McpConnector, McpTool } from "../../../js-shim/client/index.ts";
import { Connector, lifeOf, OwnClient, tool } from "./mcp-life.ts";

afterEach(() => void vi.useRealTimers());

function life(server: OwnClient, Kind: new (connect: OwnClient["connect"]) => McpConnector = Connector) {
  return lifeOf(new Kind(server.connect));
}

test("every page of the list goes over as the server has it (M13)", async () => {
  const server = new OwnClient();
  server.pages = [[tool("get-user"), 5], [], [tool("查询", { annotations: { destructiveHint: true } })]];
  expect(await life(server).listed()).toEqual({ tools: server.pages.flat() });
});

test("trust and wanted names go along, and the server hears its own name exactly (M10)", async () => {
  class Gateway extends Connector {
    protected override readonly trustHints = true;
    protected override toolName({ name }: McpTool): string {
      return name.replace(/^gitlab-/, "");
    }
  }
  const server = new OwnClient();
  server.pages = [[tool("gitlab-get_x"), null, tool("y")]];
  const gateway = life(server, Gateway);
  expect(await gateway.listed()).toEqual({ tools: server.pages[0], trustHints: true, names: ["get_x", null, null] });
  await gateway.call("get_x", { id: 1 }, { original: "gitlab-get_x" });
  expect(server.calls).toEqual([{ name: "gitlab-get_x", arguments: { id: 1 } }]);
});

test("what JSON cannot write of a tool costs that tool", async () => {
  const server = new OwnClient();
  server.pages = [[tool("a"), { ...tool("big"), size: 5n }, tool("b")]];
  expect((await life(server).listed()).tools).toEqual([tool("a"), null, tool("b")]);
});

test("the server's guidance is told, and its list is asked for once", async () => {
  const server = new OwnClient();
  const remote = life(server);
  const first = await remote.contact();
  expect(first).toMatchObject({ name: "remote", instructions: "Be kind." });
  expect(await remote.contact()).toEqual(first);
  expect([server.connections, server.lists]).toEqual([1, 1]);
});

test("a list that has grown old is asked for again, and one that is the same changes nothing", async () => {
  vi.useFakeTimers();
  const server = new OwnClient();
  const remote = life(server);
  const first = await remote.contact();
  vi.advanceTimersByTime(300_000);
  expect(await remote.contact()).toEqual(first);
  server.pages = [[tool("b")]];
  expect(await remote.contact()).toEqual(first);
  vi.advanceTimersByTime(300_000);
  expect((await remote.contact())?.digest).not.toBe(first?.digest);
  expect([server.connections, server.lists]).toEqual([1, 3]);
});

test.each<[string, () => Promise<object>]>([
  ["as an error of the protocol", () => Promise.reject(Object.assign(new Error("MCP error -32602: Tool a not found"), { name: "McpError", code: -32602 }))],
  ["in a result", async () => ({ isError: true, content: [{ type: "text", text: "Unknown tool: a" }] })],
])("a server that does not know a tool any more is asked for its list again: %s", async (_case, answer) => {
  const server = new OwnClient();
  const remote = life(server);
  await remote.contact();
  server.answer = answer;
  expect(await remote.call("a")).toMatchObject({ code: "exception", error: { message: expect.stringMatching(/tool/i) } });
  server.pages = [[tool("b")]];
  await remote.contact();
  expect([server.connections, server.lists]).toEqual([1, 2]);
  expect(await remote.call("a")).toMatchObject({ error: { name: "McpToolError", message: 'the server has no tool "a" any more; search for one that does the same' } });
  expect(server.calls.length).toBe(1);
});

test("a server that cannot be reached is unavailable and tried again at the next contact (M14)", async () => {
  const server = new OwnClient();
  server.broken = new Error("fetch failed");
  const remote = life(server);
  expect(await remote.contact()).toEqual({ name: "remote", digest: "", unavailable: "fetch failed" });
  expect(await remote.call("a")).toMatchObject({ code: "missing_connector" });
  server.broken = undefined;
  expect(await remote.contact()).toMatchObject({ digest: expect.stringMatching(/./) });
  expect(server.connections).toBe(2);
});

test("a kept connection that has died is made anew before its server counts as gone", async () => {
  vi.useFakeTimers();
  const server = new OwnClient();
  const remote = life(server);
  const first = await remote.contact();
  const { listTools } = server;
  server.listTools = async (params) => {
    if (server.connections === 1) throw new Error("closed");
    return listTools.call(server, params);
  };
  vi.advanceTimersByTime(300_000);
  expect(await remote.contact()).toEqual(first);
  expect(server.connections).toBe(2);
});

test("two contacts at once make one connection and one list", async () => {
  const server = new OwnClient();
  const remote = life(server);
  await Promise.all([remote.contact(), remote.contact()]);
  expect([server.connections, server.lists]).toEqual([1, 1]);
});

test.each<[string, () => Promise<object>, string]>([
  ["whose pages do not end", async () => ({ tools: [], nextCursor: "1" }), "does not end"],
  ["that lists nothing readable", async () => ({ tools: "none" }), "no list of tools"],
])("a server %s is unavailable", async (_case, listTools, why) => {
  const server = Object.assign(new OwnClient(), { listTools });
  expect(await life(server).contact()).toMatchObject({ unavailable: expect.stringContaining(why) });
});

const named = (name: string, message: string, fields: object = {}) => Object.assign(new Error(message), { name }, fields);

test.each<[string, Error, object, number]>([
  ["the server answered", named("McpError", "MCP error -32603: bad", { code: -32603 }), { code: "exception", error: { message: "MCP error -32603: bad" } }, 1],
  ["what an application's own client throws", new Error("no such user"), { code: "exception", error: { message: "no such user" } }, 1],
  ["the door was shut", named("Error", "Streamable HTTP error", { code: 403 }), { code: "exception" }, 2],
  ["too many at once", named("SdkError", "busy", { code: "CLIENT_HTTP_UNEXPECTED_CONTENT", status: 429 }), { code: "exception" }, 2],
  ["the connection broke", named("McpError", "MCP error -32000: Connection closed", { code: -32000 }), { kind: "unknown" }, 2],
  ["a gateway gave up", named("Error", "Streamable HTTP error", { code: 504 }), { kind: "unknown" }, 2],
  ["v2: the connection broke", named("SdkError", "Connection closed", { code: "CONNECTION_CLOSED" }), { kind: "unknown" }, 2],
])("a call without a result: %s", async (_case, failure, reply, connections) => {
  const warned = vi.spyOn(console, "warn").mockReturnValue();
  const server = new OwnClient();
  const remote = life(server);
  await remote.contact();
  server.answer = () => Promise.reject(failure);
  expect(await remote.call("a")).toMatchObject(reply);
  expect(server.calls.length).toBe(1);
  expect(warned.mock.calls.flat().join()).toMatch("kind" in reply ? /remote\.a \(call 3 of e1\).*not known/ : /^$/);
  warned.mockRestore();
  await remote.contact();
  expect(server.connections).toBe(connections);
});

test("what may be done twice is told as a failure, also when nobody knows its outcome", async () => {
  const server = new OwnClient();
  const remote = life(server);
  await remote.contact();
  server.answer = () => Promise.reject(named("SdkError", "Connection closed", { code: "CONNECTION_CLOSED" }));
  expect(await remote.call("a", {}, { readOnly: true })).toMatchObject({ code: "exception", error: { name: "UnknownOutcome", message: expect.stringContaining("is not known") } });
});

test.each<[string, Error]>([
  ["a server that was started anew", named("Error", "Streamable HTTP error: no such session", { code: 404 })],
  ["a closed connection", new Error("Not connected")],
  ["a refused one", new TypeError("fetch failed", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) })],
])("a call that was not taken goes out once more over a new connection: %s", async (_case, failure) => {
  const server = new OwnClient();
  const remote = life(server);
  await remote.contact();
  server.answer = () => (server.connections === 1 ? Promise.reject(failure) : Promise.resolve({ content: [{ type: "text", text: "yes" }] }));
  expect(await remote.call("a")).toEqual({ value: "yes" });
  server.answer = () => Promise.reject(failure);
  expect(await remote.call("a")).toMatchObject({ code: "exception" });
  expect([server.connections, server.calls.length]).toEqual([3, 4]);
});

class Hasty extends Connector {
  protected override readonly connectMs = 20;
  protected override readonly listMs = 30;
  protected override readonly callMs = 40;
  protected override toolMs(listed: McpTool): number {
    return listed.name === "slow" ? 60_000 : super.toolMs(listed);
  }
}

test("connecting, listing and calling have limits of their own, and a tool may have another (M11)", async () => {
  const never = () => new Promise<never>(() => {});
  const deaf = lifeOf(new Hasty(never));
  expect(await deaf.contact()).toMatchObject({ unavailable: "the server did not take a connection within 20 ms" });

  const server = new OwnClient();
  server.pages = [[tool("a"), tool("slow")]];
  const { listTools } = server;
  server.listTools = never;
  const remote = life(server, Hasty);
  expect(await remote.contact()).toMatchObject({ unavailable: "the server did not list its tools within 30 ms" });

  server.listTools = listTools;
  await remote.contact();
  const warned = vi.spyOn(console, "warn").mockReturnValue();
  server.answer = never;
  expect(await remote.call("a")).toEqual({ kind: "unknown" });
  expect(warned.mock.calls.flat().join()).toContain("the server did not answer within 40 ms; whether it did what it was asked is not known");
  warned.mockRestore();
  server.answer = async () => {
    await new Promise((resolve) => setTimeout(resolve, 80));
    return { content: [] };
  };
  expect(await remote.call("slow")).toEqual({ value: null });
  // A slow tool is no broken connection.
  const before = server.connections;
  await remote.contact();
  expect(server.connections).toBe(before);
});
