/** The shown form: what models and people see of a value. */
import { describe, expect, test } from "vitest";

import { decode, encode, shown } from "../../../js-shim/value/index.ts";
import { refused, values } from "../../fixtures/values/table.ts";

const bytes = (length: number) => new Uint8Array(length).fill(255);

test.each<[string, unknown, unknown]>([
  ["plain JSON", { a: [1, "x", null, true], b: {} }, { a: [1, "x", null, true], b: {} }],
  ["undefined at the top", undefined, null],
  ["undefined as a property", { a: undefined, b: 1 }, { b: 1 }],
  ["undefined as an element", [undefined, 1], [null, 1]],
  ["a hole", [, 1], [null, 1]],
  ["bigint", { n: 9007199254740993n }, { n: "9007199254740993" }],
  ["NaN and infinities", [NaN, Infinity, -Infinity], ["NaN", "Infinity", "-Infinity"]],
  ["minus zero", [-0], [0]],
  ["Date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ["Date, invalid", [new Date(NaN)], ["Invalid Date"]],
  ["RegExp", /a\/b/gi, "/a\\/b/gi"],
  ["Map", new Map<unknown, unknown>([["a", 1], [{ k: 1n }, undefined]]), [["a", 1], [{ k: "1" }, null]]],
  ["Set", new Set([1, "a", undefined]), [1, "a", null]],
  ["Error", new TypeError("bad"), { name: "TypeError", message: "bad" }],
  ["Error with more", Object.assign(new Error("bad", { cause: new RangeError("why") }), { code: 5n }), { name: "Error", message: "bad", code: "5", cause: { name: "RangeError", message: "why" } }],
  ["AggregateError", new AggregateError([new Error("a")], "all"), { name: "AggregateError", message: "all", errors: [{ name: "Error", message: "a" }] }],
  ["few bytes", bytes(2), { bytes: 2, base64: "//8=" }],
  ["no bytes", new ArrayBuffer(0), { bytes: 0, base64: "" }],
  ["bytes of a view", new DataView(new Uint8Array([1, 2, 3]).buffer, 1, 1), { bytes: 1, base64: "Ag==" }],
  ["bytes of numbers", new Uint16Array([1]), { bytes: 2, base64: "AQA=" }],
  ["4096 bytes", bytes(4096), { bytes: 4096, base64: `${"/".repeat(5461)}w==` }],
  ["4097 bytes", bytes(4097), { bytes: 4097 }],
  ["function", [() => 1], ["[function]"]],
  ["symbol", [Symbol("s")], ["Symbol(s)"]],
  ["instance", { u: new WeakMap() }, { u: "[instance of WeakMap]" }],
])("%s", (_name, value, form) => {
  expect(shown(value)).toEqual(form);
});

test("a cycle names the place that it leads back to", () => {
  const value: Record<string, unknown> = { list: [{}] };
  (value["list"] as object[])[0] = { up: value, self: value["list"] };
  expect(shown(value)).toEqual({ list: [{ up: "[circular: result]", self: "[circular: result.list]" }] });
  expect(shown(value, "args")).toEqual({ list: [{ up: "[circular: args]", self: "[circular: args.list]" }] });
});

test("what is shared but no cycle is shown each time", () => {
  const one = { n: 1 };
  expect(shown([one, one])).toEqual([{ n: 1 }, { n: 1 }]);
});

test("keys that are data stay data", () => {
  const form = shown(JSON.parse('{"__proto__":{"polluted":1},"toJSON":"x"}'));
  expect(JSON.stringify(form)).toBe('{"__proto__":{"polluted":1},"toJSON":"x"}');
  expect("polluted" in (form as object)).toBe(false);
});

test("a getter that throws costs only itself", () => {
  expect(shown({ get a() { throw new Error("no"); }, b: 1 })).toEqual({ a: "[cannot be read]", b: 1 });
});

describe("is JSON of bounded size", () => {
  test.each([...values, ...refused])("for $name", ({ make }) => {
    const form = shown(make());
    expect(JSON.parse(JSON.stringify(form))).toEqual(form);
  });

  test("when shared parts would double at every level", () => {
    let value: unknown = "x".repeat(1000);
    for (let i = 0; i < 60; i++) value = [value, value];
    expect(JSON.stringify(shown(value)).length).toBeLessThan(2_000_000);
  });

  test("when one long text is shared ten thousand times", () => {
    const one = { text: "x".repeat(50_000) };
    const form = shown(Array(10_000).fill(one));
    expect(JSON.stringify(form).length).toBeLessThan(2_000_000);
    expect((form as unknown[])[9999]).toBe("[repeated: result[0]]");
  });

  test("when a forged text nests without end", () => {
    const deep = decode("[".repeat(300_000) + "]".repeat(300_000));
    expect(JSON.stringify(shown(deep))).toContain("[deeper than 200 levels]");
  });

  test("when an array has more holes than memory", () => {
    expect(shown(Object.assign([], { length: 4_000_000_000 }))).toBe("[array with holes: 4000000000 places, 0 elements]");
  });

  test("and never read back: showing a shown form changes nothing", () => {
    for (const { make } of values) {
      const form = shown(make());
      expect(shown(form)).toEqual(form);
      expect(decode(encode(form, "result"))).toEqual(form);
    }
  });
});
