/** Complaints about arguments: each names the place and what would be right. */

import { expect, test } from "vitest";

import { complaint, schemaFault } from "../../../js-shim/client/schema.ts";

const string = { type: "string" };

test.each<[string, object | boolean, unknown, string | undefined]>([
  ["fits", { type: "object", properties: { a: string } }, { a: "x" }, undefined],
  ["true", true, 1, undefined],
  ["false", false, {}, "args is not accepted: the schema forbids every call"],
  ["a nested place", { properties: { list: { items: { required: ["name"] } } } }, { list: [{ name: 1 }, {}] }, "args.list[1].name is required"],
  ["a key that is no identifier", { properties: { "a/b c": string } }, { "a/b c": 1 }, 'args["a/b c"] must be string, not number'],
  ["several missing", { type: "object", required: ["a", "b"] }, {}, "args.a is required; args.b is required"],
  ["an inherited name is not there", { type: "object", required: ["constructor"] }, {}, "args.constructor is required"],
  ["undefined is not there", { type: "object", required: ["a"] }, { a: undefined }, "args.a is required"],
  ["several types", { properties: { a: { type: ["string", "null"] } } }, { a: 1 }, "args.a must be string or null, not number"],
  ["an enum", { properties: { a: { enum: ["x", "y"] } } }, { a: "z" }, 'args.a must be one of ["x","y"]'],
  ["a const", { properties: { a: { const: 1 } } }, { a: 2 }, "args.a must be 1"],
  ["a range", { properties: { a: { minimum: 3 } } }, { a: 2 }, "args.a: 2 is less than 3"],
  ["anyOf tells what each form wants", { properties: { a: { anyOf: [string, { type: "number" }] } } }, { a: true }, "args.a must be string, not boolean; args.a must be number, not boolean"],
  ["a null", { properties: { a: string } }, { a: null }, "args.a must be string, not null"],
  ["an array for an object", { type: "object" }, [], "args must be object, not array"],
  ["an unknown name deeper down", { properties: { a: { additionalProperties: false } } }, { a: { b: 1 } }, "args.a.b is not accepted"],
  ["draft-07 definitions", { $schema: "http://json-schema.org/draft-07/schema#", definitions: { n: { type: "number" } }, properties: { a: { $ref: "#/definitions/n" } } }, { a: "1" }, "args.a must be number, not string"],
  ["2020-12 $defs and prefixItems", { $defs: { n: { type: "number" } }, properties: { a: { prefixItems: [{ $ref: "#/$defs/n" }] } } }, { a: ["1"] }, "args.a[0] must be number, not string"],
  ["a bigint is a number", { properties: { a: { type: "integer" } } }, { a: 2n ** 60n }, undefined],
  ["bytes where anything passes", { properties: { a: true } }, { a: new Uint8Array(2) }, undefined],
  ["bytes where a text is wanted", { properties: { a: string } }, { a: new Uint8Array(2) }, "args.a must be string, not uint8array"],
  ["a Map has no properties", { properties: { a: { type: "object", required: ["k"] } } }, { a: new Map([["k", 1]]) }, "args.a.k is required"],
])("%s", (_case, schema, args, expected) => {
  expect(complaint(schema, args)).toBe(expected);
});

test("a schema that cannot be used refuses its own method and says so, every time", () => {
  for (const schema of [{ $ref: "#/nowhere" }, { properties: { a: { pattern: "(?i)x" } } }]) {
    for (let time = 0; time < 2; time += 1) expect(complaint(schema, { a: "x" })).toMatch(/^the input schema cannot be used/);
  }
});

test("a schema is left as it was, frozen or with shared parts", () => {
  const shared = Object.freeze({ type: "string" });
  const schema = Object.freeze({ type: "object", properties: Object.freeze({ a: shared, b: shared }) });
  expect(complaint(schema, { a: "1", b: 2 })).toBe("args.b must be string, not number");
  expect(Reflect.ownKeys(schema)).toEqual(["type", "properties"]);
});

test("keys such as __proto__ are data", () => {
  const args: unknown = JSON.parse('{"__proto__":{"a":1}}');
  expect(complaint({ type: "object", additionalProperties: false }, args)).toBe("args.__proto__ is not accepted");
});

test("arguments that contain themselves, or stand for an endless tree, do not keep the host busy", () => {
  const tree = { type: "array", items: { $ref: "#" } };
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  expect(complaint(tree, cyclic)).toMatch(/must be array/);
  let shared: unknown[] = [];
  for (let level = 0; level < 60; level += 1) shared = [shared, shared];
  expect(complaint(tree, shared)).toMatch(/20,000 values are met again/);
  let deep: unknown[] = [];
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(complaint(tree, deep)).toMatch(/nested more than 500 levels/);
});

test("a long list is checked in time, also for unique items", () => {
  const many = Array.from({ length: 300_000 }, (_unused, index) => index);
  expect(complaint({ properties: { a: { uniqueItems: true, items: { type: "number" } } } }, { a: many })).toBeUndefined();
  expect(complaint({ properties: { a: { items: { type: "string" } } } }, { a: many })).toBe("args.a[0] must be string, not number");
  expect(complaint({ properties: { a: { uniqueItems: true } } }, { a: [1, 1] })).toMatch(/^args\.a: Duplicate items/);
});

test("a complaint is never longer than a model reads", () => {
  const names = Array.from({ length: 5000 }, (_unused, index) => `choice_${index}`);
  expect(complaint({ enum: names }, "none")?.length).toBeLessThan(1100);
});

test("paths begin with the name of what is checked", () => {
  const schema = { type: "object", required: ["team"], properties: { list: { items: { type: "number" } } } };
  expect(complaint(schema, {}, "input")).toBe("input.team is required");
  expect(complaint(schema, { team: 1, list: [1, "x"] }, "input")).toBe("input.list[1] must be number, not string");
});

test("what cannot be a schema is told before it is kept", () => {
  for (const bad of ["text", 1, null, [], { $ref: "#/nowhere" }]) expect(schemaFault(bad), JSON.stringify(bad)).toMatch(/^inputSchema /);
  for (const good of [true, {}, { type: "object" }, { $ref: "#/$defs/A", $defs: { A: { type: "string" } } }]) expect(schemaFault(good)).toBeUndefined();
});
