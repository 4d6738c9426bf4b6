/** Parameters as they stand on the line. The first tables are the style examples of the OpenAPI specification (3.1.1), value by value. */

import { expect, test } from "vitest";

import type { OperationParameter } from "../../../js-shim/wire.ts";
import { Client, service, thrownBy } from "./openapi-service.ts";

const server = service();

/** What the service got: the target of the request line, or a header. */
async function sent(parameter: Partial<OperationParameter>, value: unknown, path = "/x{color}"): Promise<string> {
  const place = parameter.in ?? "query";
  const full = { key: "color", in: place, ...parameter } as OperationParameter;
  await new Client(server.origin).call({ verb: "GET", path: place === "path" ? path : "/x", parameters: [full] }, { color: value });
  const { url, headers } = server.last();
  return place === "header" ? (headers[full.name ?? full.key] ?? "(none)") : place === "cookie" ? (headers["cookie"] ?? "(none)") : url.slice("/x".length);
}

const EMPTY = "";
const STRING = "blue";
const ARRAY = ["blue", "black", "brown"];
const OBJECT = { R: 100, G: 200, B: 150 };

test.each([
  ["path", "matrix", false, EMPTY, ";color"],
  ["path", "matrix", false, STRING, ";color=blue"],
  ["path", "matrix", false, ARRAY, ";color=blue,black,brown"],
  ["path", "matrix", false, OBJECT, ";color=R,100,G,200,B,150"],
  ["path", "matrix", true, EMPTY, ";color"],
  ["path", "matrix", true, STRING, ";color=blue"],
  ["path", "matrix", true, ARRAY, ";color=blue;color=black;color=brown"],
  ["path", "matrix", true, OBJECT, ";R=100;G=200;B=150"],
  ["path", "label", false, EMPTY, "."],
  ["path", "label", false, STRING, ".blue"],
  ["path", "label", false, ARRAY, ".blue,black,brown"],
  ["path", "label", false, OBJECT, ".R,100,G,200,B,150"],
  ["path", "label", true, EMPTY, "."],
  ["path", "label", true, STRING, ".blue"],
  ["path", "label", true, ARRAY, ".blue.black.brown"],
  ["path", "label", true, OBJECT, ".R=100.G=200.B=150"],
  ["path", "simple", false, STRING, "blue"],
  ["path", "simple", false, ARRAY, "blue,black,brown"],
  ["path", "simple", false, OBJECT, "R,100,G,200,B,150"],
  ["path", "simple", true, STRING, "blue"],
  ["path", "simple", true, ARRAY, "blue,black,brown"],
  ["path", "simple", true, OBJECT, "R=100,G=200,B=150"],
  ["header", "simple", false, EMPTY, ""],
  ["header", "simple", false, STRING, "blue"],
  ["header", "simple", false, ARRAY, "blue,black,brown"],
  ["header", "simple", false, OBJECT, "R,100,G,200,B,150"],
  ["header", "simple", true, ARRAY, "blue,black,brown"],
  ["header", "simple", true, OBJECT, "R=100,G=200,B=150"],
  ["query", "form", false, EMPTY, "?color="],
  ["query", "form", false, STRING, "?color=blue"],
  ["query", "form", false, ARRAY, "?color=blue,black,brown"],
  ["query", "form", false, OBJECT, "?color=R,100,G,200,B,150"],
  ["query", "form", true, EMPTY, "?color="],
  ["query", "form", true, STRING, "?color=blue"],
  ["query", "form", true, ARRAY, "?color=blue&color=black&color=brown"],
  ["query", "form", true, OBJECT, "?R=100&G=200&B=150"],
  ["query", "spaceDelimited", false, ARRAY, "?color=blue%20black%20brown"],
  ["query", "spaceDelimited", false, OBJECT, "?color=R%20100%20G%20200%20B%20150"],
  ["query", "pipeDelimited", false, ARRAY, "?color=blue%7Cblack%7Cbrown"],
  ["query", "pipeDelimited", false, OBJECT, "?color=R%7C100%7CG%7C200%7CB%7C150"],
  ["query", "deepObject", true, OBJECT, "?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  // The specification leaves these open.
  ["query", "spaceDelimited", true, ARRAY, "?color=blue&color=black&color=brown"],
  ["query", "pipeDelimited", true, ARRAY, "?color=blue&color=black&color=brown"],
  ["query", "deepObject", false, OBJECT, "?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  ["query", "deepObject", true, STRING, "?color=blue"],
  ["query", "deepObject", true, ARRAY, "?color%5B%5D=blue&color%5B%5D=black&color%5B%5D=brown"],
  ["cookie", "form", false, STRING, "color=blue"],
  ["cookie", "form", false, ARRAY, "color=blue,black,brown"],
  ["cookie", "form", false, OBJECT, "color=R,100,G,200,B,150"],
  ["cookie", "form", true, STRING, "color=blue"],
  ["cookie", "form", true, ARRAY, "color=blue; color=black; color=brown"],
  ["cookie", "form", true, OBJECT, "R=100; G=200; B=150"],
] as const)("%s, %s, explode %s, %o stands as %s (O07)", async (place, style, explode, value, expected) => {
  expect(await sent({ in: place, style, explode }, value)).toBe(expected);
});

test.each([
  ["query", "?color=blue&color=black&color=brown"],
  ["path", "blue,black,brown"],
  ["header", "blue,black,brown"],
  ["cookie", "color=blue; color=black; color=brown"],
] as const)("without a style a list in the %s stands as %s (O07)", async (place, expected) => {
  expect(await sent({ in: place }, ARRAY)).toBe(expected);
});

test("a style other than form does not explode by itself", async () => {
  expect(await sent({ style: "pipeDelimited" }, ["a", "b"])).toBe("?color=a%7Cb");
});

test("a style that its place has not is read as the place's own", async () => {
  expect(await sent({ in: "path", style: "form" }, ["a", "b"])).toBe("a,b");
  expect(await sent({ style: "simple" }, ["a", "b"])).toBe("?color=a&color=b");
});

// The example of the specification's Appendix C.
test("formulas exploded and words not stand as in the specification", async () => {
  const parameters: OperationParameter[] = [{ key: "formulas", in: "query" }, { key: "words", in: "query", explode: false }];
  await new Client(server.origin).call({ verb: "GET", path: "/x", parameters }, { formulas: { a: "x+y", b: "x/y", c: "x^y" }, words: ["math", "is", "fun"] });
  expect(server.last().url).toBe("/x?a=x%2By&b=x%2Fy&c=x%5Ey&words=math,is,fun");
});

test.each([
  [{ allowReserved: true }, "x/y:z?@!$'()*,;", "?color=x/y:z?@!$%27()*,;"],
  [{ allowReserved: true }, "a+b&c=d#e[f]", "?color=a%2Bb%26c%3Dd%23e%5Bf%5D"],
  [{ allowReserved: true }, "50%25 of 100%", "?color=50%25%20of%20100%25"],
  [{ allowReserved: true }, "x^é", "?color=x%5E%C3%A9"],
  [{}, "x/y?a=b&c#d", "?color=x%2Fy%3Fa%3Db%26c%23d"],
  [{}, "it's (so) *good*!", "?color=it%27s%20%28so%29%20%2Agood%2A%21"],
  [{}, "日本 €", "?color=%E6%97%A5%E6%9C%AC%20%E2%82%AC"],
  [{}, "\ud800", "?color=%EF%BF%BD"],
  [{ name: "❤️" }, "love!", "?%E2%9D%A4%EF%B8%8F=love%21"],
  [{ name: "id[]" }, ["a", "b"], "?id%5B%5D=a&id%5B%5D=b"],
  [{ name: "a&b=c" }, "d", "?a%26b%3Dc=d"],
] satisfies [Partial<OperationParameter>, unknown, string][])("%j with %o stands as %s", async (parameter, value, expected) => {
  expect(await sent(parameter, value)).toBe(expected);
});

test.each([
  [true, "?color=true"],
  [false, "?color=false"],
  [0, "?color=0"],
  [-0, "?color=0"],
  [1e21, "?color=1e%2B21"],
  [1.5, "?color=1.5"],
  [9007199254740993n, "?color=9007199254740993"],
  [new Date(0), "?color=1970-01-01T00%3A00%3A00.000Z"],
  [null, ""],
  [undefined, ""],
  [[], ""],
  [{}, ""],
  [[null, undefined], ""],
  [["a", null, "b", undefined], "?color=a&color=b"],
  [{ a: null, b: 1 }, "?b=1"],
  [[{ a: 1n }], "?color=%7B%22a%22%3A1%7D"],
])("an optional value %o stands as %s", async (value, expected) => {
  expect(await sent({}, value)).toBe(expected);
});

test.each([
  [{ a: { b: { c: 1 } } }, "color[a][b][c]=1"],
  [{ a: ["x", "y"] }, "color[a][]=x&color[a][]=y"],
  [{ a: [{ b: 1, c: 2 }, { b: 3 }] }, "color[a][0][b]=1&color[a][0][c]=2&color[a][1][b]=3"],
  [{ a: null, b: undefined, c: false, d: {}, e: [] }, "color[c]=false"],
  [{ "a b": "c&d" }, "color[a%20b]=c%26d"],
  [{ at: new Date(0), n: 12345678901234567890n }, "color[at]=1970-01-01T00%3A00%3A00.000Z&color[n]=12345678901234567890"],
])("deepObject says %o as %s", async (value, expected) => {
  expect((await sent({ style: "deepObject" }, value)).slice(1).replaceAll("%5B", "[").replaceAll("%5D", "]")).toBe(expected);
});

test.each([
  ["query", { lat: 1.5, long: 9007199254740993n }, "?color=%7B%22lat%22%3A1.5%2C%22long%22%3A9007199254740993%7D"],
  ["query", "text", "?color=%22text%22"],
  ["header", { a: [1] }, '{"a":[1]}'],
  ["path", { a: 1 }, "%7B%22a%22%3A1%7D"],
  ["cookie", { a: 1 }, "color=%7B%22a%22%3A1%7D"],
] as const)("JSON as content in the %s: %o stands as %s", async (place, value, expected) => {
  expect(await sent({ in: place, content: "application/json" }, value)).toBe(expected);
});

test("text as content stands as it is", async () => {
  expect(await sent({ in: "header", content: "text/plain" }, 'W/"a,b"; c=1')).toBe('W/"a,b"; c=1');
});

test("cookies of several parameters are one header, escaped (O18)", async () => {
  const parameters: OperationParameter[] = [
    { key: "sid", in: "cookie", required: true },
    { key: "theme", in: "cookie" },
    { key: "none", in: "cookie" },
  ];
  await new Client(server.origin).call({ verb: "GET", path: "/x", parameters }, { sid: "a;b=c d", theme: "dark" });
  expect(server.last().headers["cookie"]).toBe("sid=a%3Bb%3Dc%20d; theme=dark");
});

test.each([
  ["query", Number.NaN, "args.color is NaN"],
  ["query", [1, Infinity], "args.color[1] is Infinity"],
  ["query", new Uint8Array(2), "args.color is bytes"],
  ["query", [{ a: new Map() }], "args.color[0].a is a Map"],
  ["query", new Map([[1, 2]]), "args.color is a Map"],
  ["query", new Date(Number.NaN), "args.color is an invalid Date"],
  ["header", "a\r\nx-evil: 1", "can carry neither line breaks nor characters beyond Latin-1"],
  ["header", "€", "can carry neither line breaks nor characters beyond Latin-1"],
] as const)("in the %s %o is refused before anything is sent: %s", async (place, value, text) => {
  const before = server.seen.length;
  const error = await thrownBy(sent({ in: place }, value));
  expect(error["code"]).toBe("invalid_input");
  expect(error.message).toContain(text);
  expect(server.seen.length).toBe(before);
});

test("a value that contains itself is refused in every style", async () => {
  const cycle: Record<string, unknown> = {};
  cycle["a"] = cycle;
  expect((await thrownBy(sent({ style: "deepObject" }, cycle))).message).toContain("nested more than 32 levels");
  expect((await thrownBy(sent({}, cycle))).message).toContain("contains itself");
});

test.each(["query", "header", "cookie", "path"] as const)("a required %s parameter that is missing or null is named, and nothing is sent (O11)", async (place) => {
  const before = server.seen.length;
  const parameters: OperationParameter[] = [{ key: "color", in: place, required: true, name: "Color" }];
  for (const [args, state] of [[{}, "missing"], [{ color: null }, "null"], [undefined, "missing"]] as const) {
    const error = await thrownBy(new Client(server.origin).call({ verb: "GET", path: place === "path" ? "/x/{Color}" : "/x", parameters }, args));
    expect(error.message).toContain(`args.color is ${state}; the ${place} parameter Color is required`);
    expect(error["code"]).toBe("invalid_input");
  }
  expect(server.seen.length).toBe(before);
});
