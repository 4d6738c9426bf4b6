/**
 * Every tool of the MCP project's own servers, called by programs in workerd through an Agent. A server that comes to list a
 * tool that is not called here fails its test.
 */

import { join } from "node:path";

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { CodemodeOutput, DescribeOutput, SearchOutput } from "../../js-shim/client/index.ts";
import { type ServedMcp, serveMcp } from "../support/mcp-http.ts";
import { type Runtime, startRuntime } from "../support/miniflare.ts";
import type { Ask } from "./agent.ts";
import { capableClient } from "./capable.ts";
import { PNG, type Servers, SERVERS, startServers } from "./processes.ts";

let servers: Servers;
let changing: ServedMcp;
/** The tools that the server `changing` has for whoever connects now; each destroys something, as it says itself. */
let present = ["drop", "purge"];
let runtime: Runtime;

beforeAll(async () => {
  servers = await startServers();
  changing = await serveMcp(() => {
    const server = new McpServer({ name: "changing", version: "1" });
    for (const name of present) server.registerTool(name, { annotations: { destructiveHint: true } }, () => ({ content: [{ type: "text", text: `did ${name}` }] }));
    return server;
  });
  runtime = await startRuntime({ worker: "tests/servers/agent.ts", agents: { AGENT: "ServersAgent" }, bindings: { URLS: { ...servers.urls, changing: changing.url.href } } });
}, 120_000);

afterAll(async () => {
  await runtime?.stop();
  await changing?.[Symbol.asyncDispose]();
  await servers?.[Symbol.asyncDispose]();
});

async function ask<T>(question: Ask): Promise<T> {
  const response = await fetch(runtime.url, { method: "POST", body: JSON.stringify(question) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as T;
}

async function run(code: string): Promise<unknown> {
  const output = await ask<CodemodeOutput>({ method: "execute", code });
  if (output.status !== "completed") throw new Error(JSON.stringify(output));
  return output.result;
}

/** A tool by the server's own name, its arguments, and what the program gets. */
type Row = [tool: string, args: object, value: unknown];

const bytes = (length: number) => ({ bytes: length, base64: expect.any(String) });
const link = { type: "resource_link", uri: expect.any(String), name: expect.any(String), mimeType: expect.any(String) };
const said = (text: string) => expect.stringContaining(text);

const everything = (): Row[] => [
  ["echo", { message: "hello" }, "Echo: hello"],
  ["get-annotated-message", { messageType: "error", includeImage: true }, ["Error: Operation failed", { type: "image", mimeType: "image/png", data: expect.objectContaining({ bytes: expect.any(Number) }), annotations: { priority: 0.5, audience: ["user"] } }]],
  ["get-env", {}, { PORT: "0" }],
  ["get-resource-links", { count: 2 }, [said("2 resource links"), expect.objectContaining(link), expect.objectContaining(link)]],
  ["get-resource-reference", { resourceType: "Blob", resourceId: 1 }, [expect.any(String), { type: "resource", uri: said("blob/1"), mimeType: "text/plain", data: expect.objectContaining({ bytes: expect.any(Number) }) }, expect.any(String)]],
  ["get-structured-content", { location: "Chicago" }, { temperature: expect.any(Number), conditions: expect.any(String), humidity: expect.any(Number) }],
  ["get-sum", { a: 2, b: 3 }, "The sum of 2 and 3 is 5."],
  ["get-tiny-image", {}, [expect.any(String), { type: "image", mimeType: "image/png", data: expect.objectContaining({ bytes: expect.any(Number) }) }, expect.any(String)]],
  ["gzip-file-as-resource", { name: "a.gz", data: "data:text/plain,hello", outputType: "resource" }, { type: "resource", uri: said("a.gz"), mimeType: "application/gzip", data: bytes(25) }],
  ["toggle-simulated-logging", {}, said("Started simulated")],
  ["toggle-subscriber-updates", {}, said("Started simulated")],
  ["trigger-long-running-operation", { duration: 0.2, steps: 2 }, said("completed")],
  ["get-roots-list", {}, said("file:///somewhere")],
  ["trigger-elicitation-request", {}, expect.arrayContaining([said("somebody")])],
  ["trigger-url-elicitation", { url: "https://example.com/" }, expect.arrayContaining([said("accept")])],
  ["trigger-sampling-request", { prompt: "hello" }, said("said")],
  ["simulate-research-query", { topic: "bees" }, said("bees")],
  ["trigger-sampling-request-async", { prompt: "hello" }, said("said")],
  ["trigger-elicitation-request-async", {}, expect.arrayContaining([said("somebody")])],
];

const filesystem = (): Row[] => {
  const at = (name: string) => join(servers.folder, name);
  const content = (text: string) => ({ content: said(text) });
  const pixel = { type: "image", mimeType: "image/png", data: PNG.toString("base64") };
  return [
    ["read_file", { path: at("note.txt"), head: 1 }, { content: "one" }],
    ["read_text_file", { path: at("note.txt") }, { content: "one\ntwo\nthree\n" }],
    ["read_media_file", { path: at("pixel.png") }, { content: [pixel] }],
    ["read_multiple_files", { paths: [at("note.txt")] }, content("two")],
    ["write_file", { path: at("new.txt"), content: "new" }, content("Successfully")],
    ["edit_file", { path: at("new.txt"), edits: [{ oldText: "new", newText: "newer" }] }, content("+newer")],
    ["create_directory", { path: at("deep/er") }, content("Successfully")],
    ["list_directory", { path: servers.folder }, content("[DIR] deep")],
    ["list_directory_with_sizes", { path: servers.folder }, content("Combined size")],
    ["directory_tree", { path: servers.folder }, content('"children"')],
    ["move_file", { source: at("new.txt"), destination: at("sub/old.txt") }, content("Successfully")],
    ["search_files", { path: servers.folder, pattern: "**/old.txt" }, content("old.txt")],
    ["get_file_info", { path: at("sub/old.txt") }, content("size: 5")],
    ["list_allowed_directories", {}, content(servers.folder)],
  ];
};

const memory = (): Row[] => {
  const ada = { name: "Ada", entityType: "person", observations: ["counts"] };
  const engine = { name: "Engine", entityType: "machine", observations: [] };
  const relation = { from: "Ada", to: "Engine", relationType: "programs" };
  const done = { success: true, message: said("successfully") };
  const graph = { entities: [{ ...ada, observations: ["counts", "writes"] }, engine], relations: [relation] };
  return [
    ["create_entities", { entities: [ada, engine] }, { entities: [ada, engine] }],
    ["create_relations", { relations: [relation] }, { relations: [relation] }],
    ["add_observations", { observations: [{ entityName: "Ada", contents: ["writes"] }] }, { results: [{ entityName: "Ada", addedObservations: ["writes"] }] }],
    ["read_graph", {}, graph],
    ["search_nodes", { query: "writes" }, { entities: [graph.entities[0]], relations: [relation] }],
    ["open_nodes", { names: ["Engine"] }, { entities: [engine], relations: [relation] }],
    ["delete_relations", { relations: [relation] }, done],
    ["delete_observations", { deletions: [{ entityName: "Ada", observations: ["writes"] }] }, done],
    ["delete_entities", { entityNames: ["Ada", "Engine"] }, done],
  ];
};

const TABLES = { everything, filesystem, memory };

test.each(SERVERS)("every tool that %s lists is called, and gives what it should", async (name) => {
  const rows = TABLES[name]();
  expect(rows.map(([tool]) => tool).sort()).toEqual((await listed(name)).sort());
  const calls = rows.map(([tool, args]) => `results.push(await ${name}.${tool.replaceAll("-", "_")}(${JSON.stringify(args)}));`);
  const results = await run(`async () => { const results = []; ${calls.join("\n")} return results; }`);
  const tools = rows.map(([tool]) => tool);
  expect(Object.fromEntries((results as unknown[]).map((value, index) => [tools[index], value]))).toEqual(Object.fromEntries(rows.map(([tool, , value]) => [tool, value])));
}, 60_000);

async function listed(name: (typeof SERVERS)[number]): Promise<string[]> {
  const client = capableClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(servers.urls[name])));
  try {
    return (await client.listTools()).tools.map((tool) => tool.name);
  } finally {
    await client.close();
  }
}

test("what a server says with isError reaches the program, which goes on", async () => {
  const code = `async () => {
    const message = await filesystem.read_text_file({ path: "/nowhere/else" }).catch((error) => error.name + ": " + error.message);
    return [message, await everything.get_sum({ a: 1, b: 1 })];
  }`;
  expect(await run(code)).toEqual([said("McpToolError: Access denied"), "The sum of 1 and 1 is 2."]);
});

test("a call that nobody answers is no failure: a person says what became of it, and the run goes on", async () => {
  const code = `async () => {
    const slow = await everything.trigger_long_running_operation({ duration: 60, steps: 1 }).catch(() => "caught");
    return [slow, await everything.get_sum({ a: 1, b: 1 })];
  }`;
  const lost = await ask<CodemodeOutput>({ method: "execute", code });
  expect(lost).toMatchObject({ status: "error", code: "interrupted", calls: [{ seq: 0, state: "executing" }] });
  const { executionId } = lost;
  expect(await ask<CodemodeOutput>({ method: "recover", executionId })).toMatchObject({ status: "paused", inDoubt: [{ seq: 0, method: "trigger_long_running_operation" }] });
  const done = await ask<CodemodeOutput>({ method: "resolve", executionId, seq: 0, result: "it did" });
  expect(done).toMatchObject({ status: "completed", result: ["it did", "The sum of 1 and 1 is 2."] });
});

test("arguments that do not fit never reach the server", async () => {
  expect(await run('async () => memory.open_nodes({ names: "Ada" }).catch((error) => error.message)')).toEqual(said("args.names must be array, not string"));
});

test("what is found is described with its types", async () => {
  const { results } = await ask<SearchOutput>({ method: "search", text: "add two numbers" });
  expect(results.slice(0, 3).map(({ path }) => path)).toContain("everything.get_sum");
  const { types } = await ask<DescribeOutput>({ method: "describe", text: "everything.get_structured_content" });
  expect(types).toMatch(/location: "New York" \| "Chicago" \| "Los Angeles"/);
  expect(types).toMatch(/temperature: number/);
  expect(types).toMatch(/_content\?: /);
});

test("a tool that goes away while its call waits for a person is a failure of that call, and the others go on (M14)", async () => {
  const code = `async () => {
    const outcome = (call) => call.catch((error) => [error.code, error.message]);
    return [await Promise.all([outcome(changing.drop({})), outcome(changing.purge({}))]), await everything.get_sum({ a: 1, b: 1 })];
  }`;
  const paused = await ask<CodemodeOutput>({ method: "execute", code });
  expect(paused).toMatchObject({ status: "paused", pending: [{ method: "drop" }, { method: "purge" }] });
  present = ["purge"];
  changing.sessions.clear();
  const done = await ask<CodemodeOutput>({ method: "approve", executionId: paused.executionId });
  expect(done).toMatchObject({ status: "completed", result: [[["invalid_input", said("changing.drop does not exist any more")], "did purge"], "The sum of 1 and 1 is 2."] });
});

test("a server that dies is described from its last list, fails alone, and is met again when it is back (M14)", async () => {
  await servers.kill("memory");
  const code = `async () => {
    const lost = await memory.read_graph({}).catch((error) => [error.name, error.code, error.message]);
    return [lost, (await filesystem.list_allowed_directories({})).content];
  }`;
  expect(await run(code)).toEqual([expect.anything(), said(servers.folder)]);
  expect((await ask<DescribeOutput>({ method: "describe", text: "memory.read_graph" })).types).toContain("entities");
  await servers.revive("memory");
  expect(await run("async () => memory.read_graph({})")).toEqual({ entities: [], relations: [] });
});
