/** Where a request goes: never to another server, never upwards, whatever a program passes. */

import { describe, expect, test } from "vitest";

import type { Operation } from "../../../js-shim/wire.ts";
import { Client, json, service, thrownBy } from "./openapi-service.ts";

const server = service();
const ONE: Operation = { verb: "GET", path: "/users/{id}/posts", parameters: [{ key: "id", in: "path", required: true }] };
const SCHEMA = { inputSchema: { type: "object", properties: { id: { type: ["string", "integer"] } } } };

test.each([
  ["a/b", "a%2Fb"],
  ["?x=1", "%3Fx%3D1"],
  ["#f", "%23f"],
  ["@evil.example", "%40evil.example"],
  ["//evil.example", "%2F%2Fevil.example"],
  ["https://evil.example/x", "https%3A%2F%2Fevil.example%2Fx"],
  ["a\\b", "a%5Cb"],
  ["a b+c", "a%20b%2Bc"],
  ["日本", "%E6%97%A5%E6%9C%AC"],
  ["main...feature/x", "main...feature%2Fx"],
  ["...", "..."],
  ["v1..v2", "v1..v2"],
  ["100%", "100%25"],
  ["%41", "%2541"],
  ["{id}", "%7Bid%7D"],
  ["\u0000\n", "%00%0A"],
  [0, "0"],
  [false, "false"],
  [9007199254740993n, "9007199254740993"],
])("the path value %o stands as %s and stays below its server (O09)", async (id, expected) => {
  const inputSchema = { type: "object" };
  await new Client(`${server.origin}/api/v1/`).call(ONE, { id }, { inputSchema });
  expect([server.last().url, server.last().headers["host"]]).toEqual([`/api/v1/users/${expected}/posts`, new URL(server.origin).host]);
});

test.each([
  ["..", "a step to another place"],
  [".", "a step to another place"],
  ["%2e%2e", "a step to another place"],
  ["%2E.", "a step to another place"],
  ["%252e%252e", "a step to another place"],
  ["%25252525252e", "a step to another place"],
  ["../..", "a step to another place"],
  ["..\\admin", "a step to another place"],
  ["a/../../admin", "a step to another place"],
  ["..;x=1", "a step to another place"],
  ["..\u0000", "a step to another place"],
  [".. ", "a step to another place"],
  ["", "args.id is empty"],
  [null, "args.id is null"],
  [undefined, "args.id is missing"],
  [["a", "b"], "args.id is an array"],
  [[], "args.id is an array"],
  [{ a: 1 }, "args.id is an object"],
  [new Uint8Array(1), "args.id is "],
])("the path value %o is refused before any request: %s (O09)", async (id, text) => {
  const before = server.seen.length;
  const error = await thrownBy(new Client(server.origin).call(ONE, { id }, SCHEMA));
  expect(error["code"]).toBe("invalid_input");
  expect(error.message).toContain("nothing was sent to GET /users/{id}/posts");
  expect(error.message).toContain(text);
  expect(server.seen.length).toBe(before);
});

test.each([
  ["/a/{x}{y}", { x: ".", y: "." }],
  ["/a/{x}.", { x: "." }],
  ["/a/.{x}", { x: "" }],
  ["/a/../{x}", { x: "b" }],
])("two harmless values do not make a step together: %s with %j", async (path, args) => {
  const before = server.seen.length;
  const parameters = Object.keys(args).map((key) => ({ key, in: "path" as const }));
  await thrownBy(new Client(server.origin).call({ verb: "GET", path, parameters }, args));
  expect(server.seen.length).toBe(before);
});

test("a path parameter is required, whatever its document says (O11)", async () => {
  const error = await thrownBy(new Client(server.origin).call({ verb: "GET", path: "/users/{id}", parameters: [{ key: "id", in: "path" }] }));
  expect(error.message).toContain("args.id is missing; the path parameter id is required");
});

test("a place that no parameter is declared for is an error and never sent as {id} (O11)", async () => {
  const before = server.seen.length;
  expect((await thrownBy(new Client(server.origin).call({ verb: "GET", path: "/users/{id}" }, { id: 1 }))).message).toContain("a place {id}, for which the document declares no parameter");
  expect(server.seen.length).toBe(before);
});

test.each([
  ["/reports/{year}.{format}", { year: 2026, format: "csv" }, "/reports/2026.csv"],
  ["/objects?versions&x={y}", {}, "/objects?versions&x={y}"],
  ["/#X-Action=List", {}, "/"],
  ["relative/é x", {}, "/relative/%C3%A9%20x"],
  ["/a|b^c`", {}, "/a%7Cb%5Ec%60"],
  ["/{a}/{a}", { a: 1 }, "/1/1"],
  ["/{user-id}/{a.b}", { "user-id": 1, "a.b": 2 }, "/1/2"],
])("a template as documents write them: %s with %j", async (path, args, expected) => {
  const parameters = Object.keys(args).map((key) => ({ key, in: "path" as const }));
  await new Client(server.origin).call({ verb: "GET", path, parameters }, args);
  expect(server.last().url).toBe(expected);
});

test.each([
  [undefined, "the document names no server"],
  ["/api/v3", 'the document\'s server "/api/v3" is not an absolute http(s) URL'],
  ["", "is not an absolute http(s) URL"],
  ["ftp://example.com", "is not an absolute http(s) URL"],
  ["https://user:secret@example.com/", "holds a user name or password"],
])("a server that nothing can be sent to is named, with what to do: %s", async (named, text) => {
  const error = await thrownBy(new Client().call({ verb: "GET", path: "/x", ...(named !== undefined && { server: named }) }));
  expect(error.message).toContain(text);
  expect(error.message).not.toContain("secret");
});

test("the application's baseUrl has the last word, and is told what the document says", async () => {
  const asked: unknown[] = [];
  class Based extends Client {
    protected override baseUrl(named?: string): string {
      asked.push(named);
      return `${server.origin}${named ?? ""}`;
    }
  }
  await new Based().call({ verb: "GET", path: "/x", server: "/api/v3" });
  expect([asked, server.last().url]).toEqual([["/api/v3"], "/api/v3/x"]);
});

describe("request, the escape hatch", () => {
  const RAW: Operation = { verb: "GET", path: "/", raw: true };
  const raw = (args: unknown) => new Client(`${server.origin}/api`).call(RAW, args, { requiresApproval: "ask" });
  const asks = new Client().tool_({ name: "request", requiresApproval: "ask", operation: RAW }).requiresApproval as (args: unknown) => boolean;

  test("sends what it is told below the server", async () => {
    server.answer = () => json({ ok: true });
    expect(await raw({ method: "post", path: "/charges/a%2Fb?limit=3", query: { expand: ["x", "y"], f: { g: 1 }, none: null }, headers: { "X-One": 1, "X-Two": ["a", "b"] }, body: { n: 9007199254740993n } })).toEqual({ ok: true });
    const { method, url, headers, body } = server.last();
    expect([method, url, body]).toEqual(["POST", "/api/charges/a%2Fb?limit=3&expand=x&expand=y&f%5Bg%5D=1", '{"n":9007199254740993}']);
    expect([headers["x-one"], headers["x-two"], headers["content-type"]]).toEqual(["1", "a, b", "application/json"]);
  });

  test("takes what programs of an earlier time wrote", async () => {
    await raw({ path: "charges", params: { limit: 1 } });
    expect([server.last().method, server.last().url]).toEqual(["GET", "/api/charges?limit=1"]);
  });

  test.each([
    ["application/x-www-form-urlencoded", { a: "b c" }, "a=b+c"],
    ["text/plain", "text", "text"],
    [undefined, new Uint8Array([65]), "A"],
  ])("a body of the type %s", async (contentType, body, expected) => {
    await raw({ method: "PUT", path: "/x", body, contentType });
    expect([server.last().body, server.last().headers["content-type"]]).toEqual([expected, contentType ?? "application/octet-stream"]);
  });

  test.each([
    [{ path: "https://evil.example/x" }, "names one"],
    [{ path: "//evil.example/x" }, "names one"],
    [{ path: "HTTP:evil" }, "names one"],
    [{ path: "\\\\evil.example" }, "a backslash"],
    [{ path: "/\\evil.example" }, "a backslash"],
    [{ path: "/a\n/b" }, "a control character"],
    [{ path: "/a#b" }, "a #"],
    [{ path: "/../admin" }, "a step to another place"],
    [{ path: "/x/%2e%2E/admin" }, "a step to another place"],
    [{ path: "/x/..%2fadmin" }, "a step to another place"],
    [{ path: "/x/%252e%252e/admin" }, "a step to another place"],
    [{ path: "/x//y" }, "an empty segment"],
    [{ path: "///evil.example" }, "names one"],
    [{}, "args.path has to be a text"],
    [{ path: 1 }, "args.path has to be a text"],
    [{ path: "/x", method: "TRACE" }, "args.method has to be one of"],
    [{ path: "/x", method: "GET /y HTTP/1.1" }, "args.method has to be one of"],
    [{ path: "/x", method: 1 }, "args.method has to be one of"],
    [{ path: "/x", headers: { Authorization: "Bearer x" } }, "carries credentials"],
    [{ path: "/x", headers: { cookie: "a=b" } }, "carries credentials"],
    [{ path: "/x", headers: { "Proxy-Authorization": "x" } }, "carries credentials"],
    [{ path: "/x", headers: { HOST: "evil.example" } }, "belongs to the connection"],
    [{ path: "/x", headers: { "transfer-encoding": "chunked" } }, "belongs to the connection"],
    [{ path: "/x", headers: { "X-Forwarded-Host": "evil.example" } }, "the way that a request came"],
    [{ path: "/x", method: "POST", headers: { "X-HTTP-Method-Override": "DELETE" } }, "another verb"],
    [{ path: "/x", method: "POST", query: { _method: "DELETE" } }, "another verb"],
    [{ path: "/x?%5Fmethod=DELETE", method: "POST" }, "another verb"],
    [{ path: "/x", method: "POST", body: { _method: "DELETE" }, contentType: "application/x-www-form-urlencoded" }, "another verb"],
    [{ path: "/x", method: "POST", body: { _method: "DELETE" }, contentType: "multipart/form-data" }, "another verb"],
    [{ path: "/x", method: "POST", body: { _method: "DELETE" } }, "another verb"],
    [{ path: "/x", method: "POST", body: "a=b&_method=DELETE", contentType: "application/x-www-form-urlencoded" }, "another verb"],
    [{ path: "/x", headers: { "a b": "c" } }, "no name of a header"],
    [{ path: "/x", headers: { a: "b\r\nx-evil: 1" } }, "line breaks"],
    [{ path: "/x", headers: [] }, "args.headers has to be an object"],
    [{ path: "/x", query: "a=b" }, "args.query has to be an object"],
    [{ path: "/x", body: { a: 1 } }, "a GET request cannot carry a body"],
    [{ path: "/x", method: "POST", body: {}, contentType: 1 }, "args.contentType"],
    ["/x", "an object with method and path"],
  ])("refuses %j before any request: %s", async (args, text) => {
    const before = server.seen.length;
    const error = await thrownBy(raw(args));
    expect(error["code"]).toBe("invalid_input");
    expect(error.message).toContain(text);
    expect(server.seen.length).toBe(before);
  });

  test.each([
    [{ path: "/x" }, false],
    [{ path: "/x", method: "get" }, false],
    [{ path: "/x", method: "HEAD" }, false],
    [{ path: "/x", method: "POST" }, false],
    [{ path: "/x", method: "PATCH" }, false],
    [{ path: "/x", method: "DELETE" }, true],
    [{ path: "/x", method: "delete" }, true],
    [{ path: "/x", method: "CONNECT" }, true],
    [{ path: "/x", method: { toString: "DELETE" } }, true],
    [undefined, true],
  ])("its policy is that of the verb: %j waits: %s", (args, waits) => {
    expect(asks(args)).toBe(waits);
  });
});
