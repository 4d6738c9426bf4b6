/** The canonical form: deaf to the order of object keys, to nothing else. */
import { expect, test } from "vitest";

import { canonical, decode, encode } from "../../../js-shim/value/index.ts";
import { values } from "../../fixtures/values/table.ts";

const form = (value: unknown): string => canonical(encode(value, "args"));

test("the order of keys does not matter in plain JSON", () => {
  expect(form({ a: 1, b: { c: 2, d: [3] } })).toBe(form({ b: { d: [3], c: 2 }, a: 1 }));
});

test("nor in a table, where another order means other node numbers", () => {
  const shared = { n: 1n };
  const one = encode({ x: [undefined], y: { p: shared, q: new Date(1) }, z: shared }, "args");
  const other = encode({ z: shared, y: { q: new Date(1), p: shared }, x: [undefined] }, "args");
  expect(one).not.toBe(other);
  expect(canonical(one)).toBe(canonical(other));
});

test("nor in objects that refer to each other", () => {
  const ring = (first: "in" | "out") => {
    const a: Record<string, unknown> = {};
    const b: Record<string, unknown> = {};
    for (const key of first === "in" ? ["in", "out"] : ["out", "in"]) {
      a[key] = key === "in" ? a : b;
      b[key] = key === "in" ? b : a;
    }
    return { list: [a, b, a] };
  };
  expect(form(ring("in"))).toBe(form(ring("out")));
});

test("nor in the properties of an Error", () => {
  expect(form(Object.assign(new Error("e"), { a: 1, b: 2 }))).toBe(form(Object.assign(new Error("e"), { b: 2, a: 1 })));
});

test("a plain tree is the same value in either form", () => {
  expect(canonical('@[[0],[{"a":[1]},["Array",[1,2]]]]')).toBe(canonical('{"a":[1,2]}'));
});

test.each([
  ["order of a list", [1, 2], [2, 1]],
  ["order of a Map", new Map([[1, 1], [2, 2]]), new Map([[2, 2], [1, 1]])],
  ["order of a Set", new Set([1, 2]), new Set([2, 1])],
  ["a key more", { a: 1 }, { a: 1, b: undefined }],
  ["number and text", { a: 1 }, { a: "1" }],
  ["number and bigint", { a: 1 }, { a: 1n }],
  ["zero and minus zero", { a: 0 }, { a: -0 }],
  ["a hole and undefined", [, 1], [undefined, 1]],
  ["a list and an object", { 0: "a" }, ["a"]],
  ["nothing and null", undefined, null],
])("%s does matter", (_name, a, b) => {
  expect(form(a)).not.toBe(form(b));
});

test("one object twice is not two objects that look alike", () => {
  const one = { a: 1 };
  expect(form([one, one])).not.toBe(form([{ a: 1 }, { a: 1 }]));
});

test.each(values)("the canonical form of $name is a text of the value, and its own canonical form", ({ make }) => {
  const text = form(make());
  expect(canonical(text)).toBe(text);
  expect(() => decode(text)).not.toThrow();
});

test.each(["!too_large the arguments", "@nonsense", "{"])("%s is no value, and equal only to itself", (text) => {
  expect(canonical(text)).toBe(text);
});
