/** Values between programs and MCP servers, as tables. */

import { describe, expect, test } from "vitest";

import type { McpResult } from "../../../js-shim/client/index.ts";
import { jsonArguments } from "../../../js-shim/client/mcp-arguments.ts";
import { valueOfResult } from "../../../js-shim/client/mcp-value.ts";

const text = (value: string) => ({ type: "text", text: value });
const image = { type: "image", mimeType: "image/png", data: "AQI=" };
const bytes = { type: "image", mimeType: "image/png", data: new Uint8Array([1, 2]) };

describe("results (M01, M07)", () => {
  test.each<[string, McpResult, unknown]>([
    ["JSON in a text", { content: [text(" [1,2]")] }, [1, 2]],
    ["a text", { content: [text("42")] }, "42"],
    ["a text that only begins like JSON", { content: [text("{not json")] }, "{not json"],
    ["digits of large integers in a text", { content: [text('{"id":9007199254740993}')] }, { id: 9007199254740993n }],
    ["structured content", { content: [], structuredContent: { ok: true } }, { ok: true }],
    ["structured content that is false or zero", { content: [], structuredContent: 0 }, 0],
    ["digits of large integers in structured content, from its text", { content: [text('{"b":1,"id":9007199254740993}')], structuredContent: { id: 9007199254740992, b: 1 } }, { b: 1, id: 9007199254740993n }],
    ["digits in a part of it that is told as a text", { content: [text('{"id":9007199254740993}')], structuredContent: { result: { id: 9007199254740992 }, ok: true } }, { result: { id: 9007199254740993n }, ok: true }],
    ["no structured content where null stands for it", { content: [text("x")], structuredContent: null }, "x"],
    ["several blocks", { content: [text("a"), text("[1]")] }, ["a", [1]]],
    ["an image", { content: [{ type: "image", mimeType: "image/png", data: "AQI=" }] }, { type: "image", mimeType: "image/png", data: new Uint8Array([1, 2]) }],
    ["audio that is no base64", { content: [{ type: "audio", mimeType: "audio/wav", data: "?" }] }, { type: "audio", mimeType: "audio/wav", data: "?" }],
    ["a resource of bytes", { content: [{ type: "resource", resource: { uri: "a:b", mimeType: "x/y", blob: "AA==" } }] }, { type: "resource", uri: "a:b", mimeType: "x/y", data: new Uint8Array(1) }],
    ["a resource of text", { content: [{ type: "resource", resource: { uri: "a:b", text: "t" } }] }, { type: "resource", uri: "a:b", text: "t" }],
    ["a link", { content: [{ type: "resource_link", uri: "a:b" }] }, { type: "resource_link", uri: "a:b" }],
    ["a resource with what is said around it", { content: [{ type: "resource", annotations: { priority: 1 }, resource: { uri: "a:b", text: "t" } }] }, { type: "resource", annotations: { priority: 1 }, uri: "a:b", text: "t" }],
    ["a kind of block that is not known", { content: [{ type: "hologram", depth: 3 }] }, { type: "hologram", depth: 3 }],
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
    ["data from both", { isError: true, content: [text("bad"), { type: "resource_link", uri: "a:b" }], structuredContent: { field: "a" } }, "bad", { field: "a", _content: [{ type: "resource_link", uri: "a:b" }] }],
    ["no text", { isError: true }, "the tool failed and the server gave no reason", undefined],
  ])("isError throws: %s", (_case, result, message, data) => {
    expect(() => valueOfResult(result)).toThrow(expect.objectContaining({ name: "McpToolError", message, data }));
  });
});

describe("blocks beside structured content are not lost, and where they say more they are under a key of their own (M02, M03)", () => {
  test.each<[string, unknown, object[], unknown]>([
    ["a document beside its metadata", { pages: 2 }, [text("Once upon a time")], { pages: 2, _content: [text("Once upon a time")] }],
    ["a summary beside the data", { body: "Once upon a time" }, [text("a tale")], { body: "Once upon a time", _content: [text("a tale")] }],
    ["an image", { ok: true }, [text('{"ok":true}'), image], { ok: true, _content: [bytes] }],
    ["several", { ok: true }, [text("one"), { type: "resource_link", uri: "a:b" }], { ok: true, _content: [text("one"), { type: "resource_link", uri: "a:b" }] }],
    ["the same as a text", { a: 1, b: [2] }, [text('{ "b": [2], "a": 1 }')], { a: 1, b: [2] }],
    ["a part as a text", { content: "the file\n" }, [text("the file\n")], { content: "the file\n" }],
    ["a part that looks like JSON", { content: "[1]" }, [text("[1]")], { content: "[1]" }],
    ["a part as JSON", { result: [1, 2] }, [text("[1,2]")], { result: [1, 2] }],
    ["a number as a text", { sum: 3 }, [text("3")], { sum: 3 }],
    ["a block that is in it", { content: [image] }, [image], { content: [image] }],
    ["a text of nothing", { ok: true }, [text(" ")], { ok: true }],
    ["an array, alone", [1], [text("[1]")], [1]],
    ["an array, and more", [1], [text("one")], { structuredContent: [1], _content: [text("one")] }],
    ["the key is taken by the value", { _content: 1 }, [text("x")], { _content: 1, __content: [text("x")] }],
  ])("%s", (_case, structuredContent, content, value) => {
    expect(valueOfResult({ structuredContent, content })).toEqual(value);
  });

  test("a result nested without end is left to whoever writes it down", () => {
    let deep: unknown[] = [];
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    expect(valueOfResult({ structuredContent: { deep }, content: [text("[]")] })).toMatchObject({ _content: [text("[]")] });
  });

  test("the key is the one that was described, also where the promised one is left out", () => {
    const schema = { type: "object", properties: { _content: {} } };
    expect(valueOfResult({ structuredContent: { a: 1 }, content: [text("x")] }, schema)).toEqual({ a: 1, __content: [text("x")] });
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
