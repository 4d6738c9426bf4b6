/** Bodies as they stand on the line, by their media type. */

import { expect, test } from "vitest";

import type { OperationBody } from "../../../js-shim/wire.ts";
import { complaint } from "../../../js-shim/client/schema.ts";
import { Client, json, type Seen, service, thrownBy } from "./openapi-service.ts";

const server = service();

async function sent(body: OperationBody, value: unknown): Promise<Seen> {
  await new Client(server.origin).call({ verb: "POST", path: "/x", body }, value === undefined ? {} : { body: value });
  return server.last();
}

test.each([
  ["application/json", { a: 1 }, '{"a":1}'],
  ["application/json", [1, "two", null, true], '[1,"two",null,true]'],
  ["application/json", "text", '"text"'],
  ["application/json", 5, "5"],
  ["application/json", false, "false"],
  ["application/json", null, "null"],
  ["application/json", { id: 12345678901234567890n, n: -0, at: new Date(0), gone: undefined, list: [undefined] }, '{"id":12345678901234567890,"n":0,"at":"1970-01-01T00:00:00.000Z","list":[null]}'],
  ["application/json", JSON.parse('{"__proto__":{"a":1},"é\\u2028":"\\ud800"}'), '{"__proto__":{"a":1},"é\u2028":"\\ud800"}'],
  ["application/vnd.api+json", { data: [] }, '{"data":[]}'],
  ["application/json; charset=utf-8", { a: "é" }, '{"a":"é"}'],
  ["application/merge-patch+json", { a: null }, '{"a":null}'],
  ["text/plain", "hello", "hello"],
  ["text/plain", 5n, "5"],
  ["text/csv", "a,b\n1,2\n", "a,b\n1,2\n"],
  ["application/xml", "<a>é</a>", "<a>é</a>"],
  ["application/x-ndjson", '{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":2}\n'],
] as const)("%s with %o is sent as it is declared (O05, O06)", async (type, value, expected) => {
  const { body, headers } = await sent({ type }, value);
  expect([headers["content-type"], body]).toEqual([type, expected]);
});

test.each([
  ["application/octet-stream", new Uint8Array([0, 255, 1]), "application/octet-stream"],
  ["application/octet-stream", new Uint8Array([9, 0, 255, 1, 9]).subarray(1, 4), "application/octet-stream"],
  ["image/png", new Uint8Array([0, 255, 1]).buffer, "image/png"],
  ["image/*", { data: new Uint8Array([0, 255, 1]), mimeType: "image/webp" }, "image/webp"],
  ["*/*", { data: new Uint8Array([0, 255, 1]), mimeType: "audio/ogg" }, "audio/ogg"],
  ["*/*", new Uint8Array([0, 255, 1]), "application/octet-stream"],
  ["image/png", { data: new Uint8Array([0, 255, 1]), mimeType: "image/webp" }, "image/png"],
  ["application/zip", { data: new Uint8Array([0, 255, 1]), mimeType: "x/y\r\nx-evil: 1" }, "application/zip"],
  ["image/*", { data: new Uint8Array([0, 255, 1]), mimeType: "x/y\r\nx-evil: 1" }, "application/octet-stream"],
])("%s takes bytes: %o", async (type, value, said) => {
  const { bytes, headers } = await sent({ type }, value);
  expect([headers["content-type"], [...bytes]]).toEqual([said, [0, 255, 1]]);
});

test.each([
  ["text", "text/plain; charset=utf-8", "text"],
  [{ a: 1 }, "application/json", '{"a":1}'],
])("a body of any type is said by its value: %o", async (value, type, body) => {
  const seen = await sent({ type: "*/*" }, value);
  expect([seen.headers["content-type"], seen.body]).toEqual([type, body]);
});

test.each([
  [{}, { id: "f81d4fae", address: { streetAddress: "123 Example Dr.", zip: "99999+1234" } }, "id=f81d4fae&address=%7B%22streetAddress%22%3A%22123+Example+Dr.%22%2C%22zip%22%3A%2299999%2B1234%22%7D"],
  [{}, { a: [1, 2], b: true, c: null, d: undefined, e: "", n: 9007199254740993n }, "a=1&a=2&b=true&e=&n=9007199254740993"],
  [{ a: { explode: false } }, { a: [1, 2] }, "a=1,2"],
  [{ a: { style: "pipeDelimited" } }, { a: [1, 2] }, "a=1%7C2"],
  [{ a: { style: "spaceDelimited" } }, { a: [1, 2] }, "a=1+2"],
  [{ a: { style: "deepObject", explode: true } }, { a: { b: { c: 1 }, d: ["x"] } }, "a%5Bb%5D%5Bc%5D=1&a%5Bd%5D%5B%5D=x"],
  [{ a: { style: "form" } }, { a: { b: 1, c: 2 } }, "b=1&c=2"],
  [{ a: { allowReserved: true } }, { a: "x/y&z" }, "a=x/y%26z"],
  [{ a: { contentType: "application/json" } }, { a: "x" }, "a=%22x%22"],
  [{}, { "a b": "c+d e" }, "a+b=c%2Bd+e"],
  [{}, { file: new Uint8Array([255, 254]) }, "file=%2F%2F4%3D"],
] satisfies [OperationBody["encoding"], unknown, string][])("a form with the encoding %j: %o is %s (O06)", async (encoding, value, expected) => {
  const { body, headers } = await sent({ type: "application/x-www-form-urlencoded", encoding }, value);
  expect([headers["content-type"], body]).toEqual(["application/x-www-form-urlencoded", expected]);
});

/** The parts of a multipart body: what stands before the empty line, and behind it. */
function parts({ headers, bytes }: Seen): [string, string][] {
  const boundary = /^multipart\/form-data; boundary=([\w-]+)$/.exec(headers["content-type"] ?? "")?.[1] ?? "(none)";
  const text = bytes.toString("latin1");
  expect(text.endsWith(`\r\n--${boundary}--\r\n`)).toBe(true);
  return text.split(new RegExp(`(?:^|\r\n)--${boundary}(?:\r\n|--\r\n)`)).slice(1, -1).map((part) => {
    const at = part.indexOf("\r\n\r\n");
    return [part.slice(0, at), part.slice(at + 4)];
  });
}

test("multipart has a part for each field, file and item, of its own type (O06)", async () => {
  const seen = await sent(
    { type: "multipart/form-data", encoding: { meta: { contentType: "application/xml; charset=utf-8" }, photo: { contentType: "image/png, image/jpeg" }, icon: { contentType: "image/gif" } } },
    {
      id: "7",
      address: { zip: 1n },
      children: ["a", "b"],
      addresses: [{ a: 1 }, { a: 2 }],
      meta: "<m/>",
      photo: { data: new Uint8Array([137, 0, 13, 10]), mimeType: "image/jpeg", filename: 'my "photo"\r\n.jpg' },
      icon: { data: new Uint8Array([71]), mimeType: "image/png" },
      raw: new Uint8Array([1, 2]).buffer,
      none: null,
      gone: undefined,
      at: new Date(0),
    },
  );
  const field = (name: string): string => `Content-Disposition: form-data; name="${name}"`;
  expect(parts(seen)).toEqual([
    [field("id"), "7"],
    [`${field("address")}\r\nContent-Type: application/json`, '{"zip":1}'],
    [field("children"), "a"],
    [field("children"), "b"],
    [`${field("addresses")}\r\nContent-Type: application/json`, '{"a":1}'],
    [`${field("addresses")}\r\nContent-Type: application/json`, '{"a":2}'],
    [`${field("meta")}\r\nContent-Type: application/xml; charset=utf-8`, "<m/>"],
    [`${field("photo")}; filename="my %22photo%22%0D%0A.jpg"\r\nContent-Type: image/jpeg`, "\x89\0\r\n"],
    [`${field("icon")}; filename="icon"\r\nContent-Type: image/gif`, "G"],
    [`${field("raw")}; filename="raw"\r\nContent-Type: application/octet-stream`, "\x01\x02"],
    [field("at"), "1970-01-01T00:00:00.000Z"],
  ]);
});

test("multipart is read by a form reader as it was meant", async () => {
  const { bytes, headers } = await sent({ type: "multipart/form-data" }, { 'a"b': "é\r\nx", file: { data: new Uint8Array([1]), filename: "ü.bin" } });
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": headers["content-type"] ?? "" } }).formData();
  expect([...form.keys()]).toEqual(['a"b', "file"]);
  expect(form.get('a"b')).toBe("é\r\nx");
  expect((form.get("file") as File).name).toBe("ü.bin");
});

test("multipart with a style stands as the style says, unescaped", async () => {
  const encoding = { a: { explode: false }, b: { style: "deepObject" }, c: { style: "form" } };
  const seen = await sent({ type: "multipart/form-data", encoding }, { a: ["x y", "z&"], b: { c: 1 }, c: { d: 1, e: 2 } });
  expect(parts(seen).map(([head, text]) => [/name="(.*)"/.exec(head)?.[1], text])).toEqual([["a", "x y,z&"], ["b[c]", "1"], ["d", "1"], ["e", "2"]]);
});

test("only what is declared is sent: the path's and the query's values are in no body (O04)", async () => {
  const operation = {
    verb: "PUT",
    path: "/users/{id}",
    parameters: [{ key: "id", in: "path", required: true }, { key: "dry", in: "query" }],
    body: { type: "application/json", required: true },
  } as const;
  await new Client(server.origin).call({ ...operation, parameters: [...operation.parameters] }, { id: 1, dry: true, body: { name: "n" }, stray: "x" });
  expect(server.last()).toMatchObject({ method: "PUT", url: "/users/1?dry=true", body: '{"name":"n"}' });
  expect(JSON.stringify(server.last())).not.toContain("stray");
});

test("without a body there is no content type, and without an operation's body no body", async () => {
  const none = await sent({ type: "application/json" }, undefined);
  expect([none.headers["content-type"], none.headers["content-length"], none.body]).toEqual([undefined, "0", ""]);
  await new Client(server.origin).call({ verb: "POST", path: "/x" }, { body: { a: 1 } });
  expect(server.last().body).toBe("");
});

test.each([
  [{ type: "application/json", required: true }, undefined, "args.body is missing; the body (application/json) is required"],
  [{ type: "text/plain", required: true }, null, "args.body is null; the body (text/plain) is required"],
  [{ type: "application/json" }, { a: { b: [new Uint8Array(1)] } }, "args.body.a.b[0] is a Uint8Array, which JSON has not; pass base64 text"],
  [{ type: "application/json" }, { a: new Map() }, "args.body.a is a Map"],
  [{ type: "application/json" }, { a: Number.NaN }, "args.body.a is NaN"],
  [{ type: "application/json" }, { a: new Date(Number.NaN) }, "args.body.a is an invalid Date"],
  [{ type: "application/x-www-form-urlencoded" }, [1], "args.body is sent as a form; pass an object with its fields"],
  [{ type: "multipart/form-data" }, "text", "args.body is sent as a form"],
  [{ type: "application/xml" }, { a: 1 }, "args.body is sent as application/xml; pass the whole document as a text"],
  [{ type: "image/png" }, { a: 1 }, "args.body is sent as image/png; pass a Uint8Array"],
] satisfies [OperationBody, unknown, string][])("a body of %j is refused before anything is sent: %o, %s", async (body, value, text) => {
  const before = server.seen.length;
  const error = await thrownBy(sent(body, value));
  expect(error["code"]).toBe("invalid_input");
  expect(error.message).toContain(`nothing was sent to POST /x: ${text}`);
  expect(server.seen.length).toBe(before);
});

test("a body that contains itself is refused", async () => {
  const cycle: Record<string, unknown> = {};
  cycle["a"] = [cycle];
  expect((await thrownBy(sent({ type: "application/json" }, cycle))).message).toContain("args.body.a[0] contains itself");
});

test("a GET that wants a body says so", async () => {
  const work = new Client(server.origin).call({ verb: "GET", path: "/x", body: { type: "application/json" } }, { body: {} });
  expect((await thrownBy(work)).message).toContain("a GET request cannot carry a body");
  await new Client(server.origin).call({ verb: "GET", path: "/get", body: { type: "application/json", required: true } });
  expect([server.last().url, server.last().body]).toEqual(["/get", ""]);
});

test("what a schema calls a binary text may be bytes or a text, and elsewhere bytes are still none", async () => {
  const properties = { body: { type: "object", properties: { file: { type: "string", format: "binary" }, name: { type: "string" } } } };
  const inputSchema = { type: "object", properties };
  const schemaFor = (type: string) => new Client().tool_({ name: "m", requiresApproval: false, inputSchema, operation: { verb: "POST", path: "/x", body: { type } } }).inputSchema ?? true;
  expect(complaint(schemaFor("multipart/form-data"), { body: { file: new Uint8Array(1), name: "n" } })).toBeUndefined();
  expect(complaint(schemaFor("multipart/form-data"), { body: { file: "text" } })).toBeUndefined();
  expect(complaint(schemaFor("multipart/form-data"), { body: { name: new Uint8Array(1) } })).toContain("args.body.name must be string");
  expect(complaint(schemaFor("application/json"), { body: { file: new Uint8Array(1) } })).toContain("args.body.file must be string");
});

test("XML is passed as a text, also where the schema has a tree", () => {
  const inputSchema = { type: "object", properties: { id: { type: "integer" }, body: { type: "object" } }, required: ["body"] };
  const schema = new Client().tool_({ name: "m", requiresApproval: false, inputSchema, operation: { verb: "POST", path: "/x", body: { type: "text/xml" } } }).inputSchema ?? true;
  expect(complaint(schema, { id: 1, body: "<a/>" })).toBeUndefined();
  expect(complaint(schema, { id: "x", body: "<a/>" })).toContain("args.id must be integer");
  expect(complaint(schema, { id: 1 })).toContain("args.body is required");
});

test("a file that one call gave is what another takes", async () => {
  server.answer = () => ({ headers: { "content-type": "image/png" }, body: new Uint8Array([137, 80]) });
  const client = new Client(server.origin);
  const image = await client.call({ verb: "GET", path: "/image" });
  server.answer = () => json({});
  await client.call({ verb: "POST", path: "/x", body: { type: "multipart/form-data" } }, { body: { image } });
  expect(parts(server.last())).toEqual([['Content-Disposition: form-data; name="image"; filename="image"\r\nContent-Type: image/png', "\x89P"]]);
});
