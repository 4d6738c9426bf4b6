/** The options of the sandbox: what is refused when it is given, what a contact is told, and how the host answers a sandbox. */

import { describe, expect, test } from "vitest";

import { CodemodeError, createCodemodeRuntime, DynamicWorkerExecutor, type DynamicWorkerExecutorOptions, type Limits } from "../../../js-shim/client/index.ts";
import { CLOSED, type Sandboxing } from "../../../js-shim/client/executor.ts";
import { hostFunction } from "../../../js-shim/client/host.ts";
import { encode } from "../../../js-shim/value/index.ts";
import type { HostMessage, HostReply } from "../../../js-shim/wire.ts";
import { Table } from "./double.ts";

const net = { fetch: async (request: Request) => Response.json({ url: request.url, upgrade: request.headers.get("upgrade"), x: request.headers.get("x") }) };

test("a contact is told what there is, and neither the Fetcher nor an object with methods crosses", () => {
  const { told } = new DynamicWorkerExecutor({
    globalOutbound: net,
    bindings: { KV: { get: () => 1 }, REGION: "eu", when: new Date(0), none: undefined },
    modules: { "math.js": "export const two = 2" },
  }).sandboxing;
  expect(JSON.parse(JSON.stringify(told))).toEqual({
    reach: { egress: true, bindings: { KV: null, REGION: '"eu"', when: expect.stringMatching(/^@/), none: "" } },
    modules: { math: "export const two = 2" },
  });
});

test.each([[undefined], [null]])("a globalOutbound of %s is no network", (globalOutbound) => {
  expect(new DynamicWorkerExecutor({ globalOutbound }).sandboxing.told).toEqual({ reach: { egress: false, bindings: {} } });
});

test.each([
  [{ globalOutbound: {} as never }, "globalOutbound has no method fetch"],
  [{ modules: { "a-b": "" } }, 'module name "a-b" is not allowed: it must be a JavaScript identifier'],
  [{ modules: { "Response.js": "" } }, "the sandbox gives that name a meaning"],
  [{ modules: { Map: "" } }, "would hide a global"],
  [{ modules: { codemode: "" } }, "the sandbox gives that name a meaning"],
  [{ modules: { a: "", "a.js": "" } }, "module a is given twice"],
  [{ modules: { a: 1 as never } }, "has to be the text of an ES module"],
  [{ modules: { a: "x".repeat(1_000_001) } }, "1000001 units long"],
  [{ bindings: { "a-b": 1 } }, "a name has to be an identifier"],
  [{ bindings: { a: Symbol("s") } }, "a symbol cannot be a binding"],
  [{ bindings: { a: "x".repeat(1_000_001) } }, "bindings.a is 1000003 units long"],
] satisfies [DynamicWorkerExecutorOptions, string][])("an option that is none is refused: %#", (options, text) => {
  expect(() => new DynamicWorkerExecutor(options)).toThrow(CodemodeError);
  expect(() => new DynamicWorkerExecutor(options)).toThrow(text);
});

test.each([
  [{ timeout: 5 }, { passMs: 6 }, "the executor's timeout (5) and limits.passMs (6) are the same limit; give one of them"],
  [{ timeout: 0 }, undefined, "timeout of the executor is 0"],
  [{ modules: { notes: "" } }, undefined, "module notes has the name of a connector"],
] satisfies [DynamicWorkerExecutorOptions, Partial<Limits> | undefined, string][])("so is one that contradicts the runtime's: %#", (options, limits, text) => {
  const make = (): unknown =>
    createCodemodeRuntime({ ctx: {}, id: "x", binding: { idFromName: String, get: () => ({}) }, connectors: [new Table("notes", {})], limits, executor: new DynamicWorkerExecutor(options) });
  expect(make).toThrow(text);
});

test("an executor of another kind is refused", () => {
  const executor = { execute: async () => ({}) } as never;
  expect(() => createCodemodeRuntime({ ctx: {}, id: "x", binding: { idFromName: String, get: () => ({}) }, connectors: [], executor })).toThrow("executor has to be a DynamicWorkerExecutor");
});

test("the tool tells a model what steps reach, and which globals there are", () => {
  const make = (executor?: DynamicWorkerExecutor): string =>
    createCodemodeRuntime({ ctx: {}, id: "x", binding: { idFromName: String, get: () => ({}) }, connectors: [], executor }).tool().description;
  expect(make()).toContain("\n- There is no fetch, import");
  expect(make(new DynamicWorkerExecutor())).toBe(make());
  const open = make(new DynamicWorkerExecutor({ globalOutbound: net, bindings: { KV: {}, REGION: "eu" }, modules: { "math.js": "" } }));
  expect(open).toContain("\n- fetch works inside step(name, fn) only");
  expect(open).toContain("\n- The function of a step is given { env } with KV, REGION.\n- Globals beside the namespaces: math.\n- Status");
  expect(open).not.toContain("There is no fetch");
});

describe("a host that a forged sandbox asks", () => {
  const ask = async (message: Partial<HostMessage>, sandboxing: Sandboxing = CLOSED): Promise<HostReply> =>
    JSON.parse(await hostFunction(new Map(), [], sandboxing)(JSON.stringify({ executionId: "e", seq: 0, ...message }))) as HostReply;
  const open = new DynamicWorkerExecutor({
    globalOutbound: net,
    bindings: { KV: { get: (key: string) => `got ${key}`, note: "no function" }, REGION: "eu" },
  }).sandboxing;
  const fetching = (request: unknown): Partial<HostMessage> => ({ kind: "fetch", request: typeof request === "string" ? request : JSON.stringify(request) });

  test("a request is sent without what belongs to the connection", async () => {
    const reply = await ask(fetching({ method: "GET", url: "https://a.example/", redirect: "follow", headers: ["upgrade", "websocket", "x", "1"] }), open);
    if (reply.kind !== "value") throw new Error(JSON.stringify(reply));
    const { body, status } = JSON.parse(reply.value) as { body: string; status: number };
    expect([status, JSON.parse(atob(body))]).toEqual([200, { url: "https://a.example/", upgrade: null, x: "1" }]);
  });

  test.each([
    ["no text of JSON", "{", "no request that can be sent"],
    ["null", "null", "no request that can be sent"],
    ["no method", { url: "https://a.example/", headers: [] }, "method, url or headers are missing"],
    ["headers of another shape", { method: "GET", url: "https://a.example/", headers: { x: 1 } }, "method, url or headers are missing"],
    ["a header that is none", { method: "GET", url: "https://a.example/", headers: ["a b", "x"] }, "no request that can be sent"],
    ["a scheme of this machine", { method: "GET", url: "file:///etc/passwd", headers: [] }, "the scheme file: is not one of the web"],
    ["a body that is no base64", { method: "PUT", url: "https://a.example/", headers: [], body: "?" }, "its body is not readable"],
    ["a body with GET", { method: "GET", url: "https://a.example/", headers: [], body: "YQ==" }, "no request that can be sent"],
  ])("%s is refused and not sent", async (_what, request, text) => {
    expect(await ask(fetching(request), open)).toMatchObject({ kind: "failure", code: "invalid_input", error: expect.stringContaining(text) });
  });

  test("what this contact does not give is not there", async () => {
    expect(await ask(fetching({ method: "GET", url: "https://a.example/", headers: [] }))).toMatchObject({ kind: "failure", error: expect.stringContaining("gives steps no network") });
    expect(await ask({ kind: "binding", binding: "KV", method: "get", args: encode(["k"], "args") })).toMatchObject({ kind: "failure", error: expect.stringContaining("no binding of this name") });
  });

  test.each([
    ["KV", "get", encode(["k"], "args"), { kind: "value", value: '"got k"' }],
    ["KV", "put", encode([], "args"), { kind: "failure", code: "not_found" }],
    ["KV", "note", encode([], "args"), { kind: "failure", code: "not_found" }],
    ["KV", "constructor", encode([], "args"), { kind: "failure", code: "not_found" }],
    ["KV", "__proto__", encode([], "args"), { kind: "failure", code: "not_found" }],
    ["KV", "get", encode({ 0: "k" }, "args"), { kind: "failure", code: "invalid_input" }],
    ["KV", "get", "@broken", { kind: "failure" }],
    ["REGION", "charAt", encode([0], "args"), { kind: "failure", code: "invalid_input" }],
    ["toString", "call", encode([], "args"), { kind: "failure", code: "invalid_input" }],
  ] as const)("env.%s.%s(%s)", async (binding, method, args, reply) => {
    expect(await ask({ kind: "binding", binding, method, args }, open)).toMatchObject(reply);
  });

  test("a response that is no data, and one that breaks off, are failures", async () => {
    const by = (response: () => Response): Sandboxing => new DynamicWorkerExecutor({ globalOutbound: { fetch: async () => response() } }).sandboxing;
    const get = fetching({ method: "GET", url: "https://a.example/", headers: [] });
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error("cut")) });
    expect(await ask(get, by(() => new Response(broken)))).toMatchObject({ kind: "failure", error: expect.stringContaining("broke off: cut") });
    expect(await ask(get, by(() => ({ status: 101, body: null, headers: new Headers() }) as Response))).toMatchObject({ kind: "failure", error: expect.stringContaining("a socket cannot be opened") });
    expect(await ask(get, by(() => undefined as never))).toMatchObject({ kind: "failure" });
  });
});
