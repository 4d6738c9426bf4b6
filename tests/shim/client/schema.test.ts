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
  ["a limit that is itself not in the range", { properties: { a: { exclusiveMinimum: 3, exclusiveMaximum: 9 } } }, { a: 3 }, "args.a must be greater than 3"],
  ["a limit above", { properties: { a: { exclusiveMaximum: 9 } } }, { a: 9 }, "args.a must be less than 9"],
  ["too many properties", { maxProperties: 1 }, { a: 1, b: 2 }, "args has more than 1 properties"],
  ["a pattern", { $defs: { id: { pattern: "^[a-z]+$" } }, properties: { a: { $ref: "#/$defs/id" } } }, { a: "A" }, "args.a must match ^[a-z]+$"],
  ["a name with another", { dependentRequired: { card: ["address"] } }, { card: 1 }, "args.address is required (because card is given)"],
  ["a name that has the wrong form", { propertyNames: { pattern: "^[a-z]+$" } }, { A1: 1 }, 'args has a property named "A1", and such a name is not accepted'],
  ["an item that is missing", { properties: { a: { contains: { type: "number" } } } }, { a: ["x", "y"] }, "args.a: Array does not contain item matching schema"],
  ["a form that is shut out", { properties: { a: { not: { type: "null" } } } }, { a: null }, "args.a has a form that is not accepted"],
  ["an enum of one", { properties: { a: { enum: ["x"] } } }, { a: 1 }, 'args.a must be "x"'],
  ["two unknown names", { properties: { a: true }, additionalProperties: false }, { b: 1, c: 2 }, "args.b is not accepted; args.c is not accepted; accepted are a"],
  ["an unknown name deeper down, with the names that are known there", { properties: { a: { properties: { b: true }, additionalProperties: false } } }, { a: { c: 1 } }, "args.a.c is not accepted; accepted are b"],
  ["a name that is forbidden", { properties: { a: false } }, { a: 1 }, "args.a is not accepted"],
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

const user = { type: "object", properties: { id: { type: "number" } }, required: ["id"] };
const kind = (name: string, more: object) => ({ type: "object", properties: { kind: { const: name }, ...more }, required: ["kind", ...Object.keys(more)] });

test.each<[string, object, unknown, string | undefined]>([
  ["every form is of another type", { anyOf: [string, { type: "number" }] }, true, "args.u must be string or number, not boolean"],
  ["one form is of the type that came", { anyOf: [string, user, { type: "null" }] }, {}, "args.u.id is required"],
  ["one form has the tag that came", { oneOf: [kind("a", { x: string }), kind("b", { y: string })] }, { kind: "b" }, "args.u.y is required"],
  ["no form has the tag that came", { oneOf: [kind("a", {}), kind("b", {})] }, { kind: "c" }, 'args.u.kind must be one of ["a","b"]'],
  ["literals", { anyOf: [{ const: "text" }, { const: "json" }] }, "xml", 'args.u must be one of ["text","json"]'],
  ["two forms were meant", { anyOf: [{ required: ["a"] }, { required: ["b"] }] }, {}, "args.u fits none of 2 forms: (1) args.u.a is required, (2) args.u.b is required"],
  ["many forms were meant", { anyOf: ["a", "b", "c", "d"].map((name) => ({ required: [name] })) }, {}, "args.u fits none of 4 forms: (1) args.u.a is required, (2) args.u.b is required, (3) args.u.c is required, and 1 more"],
  ["a union in a union", { anyOf: [{ type: "null" }, { anyOf: [string, { type: "boolean" }] }] }, 1, "args.u must be null or string or boolean, not number"],
  ["a form without unknown names", { anyOf: [{ ...user, additionalProperties: false }, string] }, { id: 1, di: 2 }, "args.u.di is not accepted; accepted are id"],
  ["a form that takes nothing", { anyOf: [false, user] }, {}, "args.u.id is required"],
  ["no form takes anything", { anyOf: [false, false] }, 1, "args.u is not accepted"],
  ["more than one form fits", { oneOf: [string, { minLength: 1 }, { type: "number" }] }, "x", "args.u fits 2 of its forms at once, and may fit only one"],
])("a union: %s", (_case, schema, u, expected) => {
  expect(complaint({ type: "object", properties: { u: schema } }, { u })).toBe(expected);
});

const draft = (name: string) => ({ $schema: `http://json-schema.org/${name}/schema#` });

test.each<[string, object, unknown, string | undefined]>([
  ["draft 4: an exclusive limit, inside", { ...draft("draft-04"), properties: { a: { minimum: 3, exclusiveMinimum: true } } }, { a: 4 }, undefined],
  ["draft 4: an exclusive limit, on it", { ...draft("draft-04"), properties: { a: { minimum: 3, exclusiveMinimum: true } } }, { a: 3 }, "args.a must be greater than 3"],
  ["draft 4: an inclusive limit", { ...draft("draft-04"), properties: { a: { maximum: 3, exclusiveMaximum: false } } }, { a: 3 }, undefined],
  ["draft 4: an id that is referred to", { ...draft("draft-04"), id: "http://x.test/s", definitions: { n: { id: "#n", type: "number" } }, properties: { a: { $ref: "#n" } } }, { a: "1" }, "args.a must be number, not string"],
  ["draft 4 without its name", { properties: { a: { minimum: 3, exclusiveMinimum: true } } }, { a: 3 }, "args.a must be greater than 3"],
  ["draft 6: exclusive limits are numbers", { ...draft("draft-06"), properties: { a: { exclusiveMinimum: 3 } } }, { a: 3 }, "args.a must be greater than 3"],
  ["draft 7: beside $ref nothing counts", { ...draft("draft-07"), definitions: { n: { type: "number" } }, properties: { a: { $ref: "#/definitions/n", minimum: 5 } } }, { a: 1 }, undefined],
  ["2020-12: beside $ref everything counts", { $defs: { n: { type: "number" } }, properties: { a: { $ref: "#/$defs/n", minimum: 5 } } }, { a: 1 }, "args.a: 1 is less than 5"],
  ["draft 7: items by place and the rest", { ...draft("draft-07"), properties: { a: { items: [string], additionalItems: false } } }, { a: ["x", 1] }, "args.a[1] is not accepted"],
  ["draft 7: dependencies", { ...draft("draft-07"), dependencies: { card: ["address"], id: { required: ["name"] } } }, { id: 1 }, "args.name is required"],
  ["2019-09: recursive references", { $schema: "https://json-schema.org/draft/2019-09/schema", $recursiveAnchor: true, properties: { v: string, next: { $recursiveRef: "#" } } }, { next: { next: { v: 1 } } }, "args.next.next.v must be string, not number"],
  ["2019-09: unevaluated properties", { $schema: "https://json-schema.org/draft/2019-09/schema", allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1, b: 1 }, "args.b is not accepted"],
  ["a property that is called id", { properties: { id: { type: "number" } } }, { id: "1" }, "args.id must be number, not string"],
  ["examples and defaults are data", { properties: { a: { type: "object", example: { $id: "1", $ref: "#/no" } }, b: { example: { $id: "1" }, default: { $id: "1" } } } }, { a: 1 }, "args.a must be object, not number"],
  ["a part of a part that is wrong", { properties: { a: { type: "int", $defs: { n: string } }, b: { $ref: "#/properties/a/$defs/n" } } }, { b: 1 }, "args.b must be string, not number"],
  ["a property that is called example", { properties: { example: string } }, { example: 1 }, "args.example must be string, not number"],
  ["a boolean required, from before draft 4", { properties: { a: { type: "string", required: true } } }, { a: "x" }, undefined],
  ["an escape that escapes nothing", { properties: { a: { pattern: "^\\w+\\@x\\.test$" } } }, { a: "ab@x.test" }, undefined],
])("%s", (_case, schema, args, expected) => {
  expect(complaint(schema, args)).toBe(expected);
});

test.each<[string, object, string]>([
  ["an unknown type", { type: "objekt" }, 'args cannot be checked, the input schema is wrong: at #: the type is "objekt"; there are string, number'],
  ["an unknown type among others", { properties: { a: { type: ["string", "any"] } } }, 'at #/properties/a: the type is "any"'],
  ["properties that are none", { properties: 5 }, "at #: properties is 5 and has to be an object"],
  ["a text for a list of names", { properties: { a: { type: "object", required: "name" } } }, 'at #/properties/a: required is "name" and has to be a list of names'],
  ["an enum that is no list", { properties: { a: { enum: "x" } } }, 'enum is "x" and has to be a list'],
  ["forms that are no list", { properties: { a: { anyOf: { type: "string" } } } }, "anyOf is"],
  ["a limit that is a text", { properties: { a: { minimum: "3" } } }, 'minimum is "3" and has to be a number'],
  ["a pattern that is none", { properties: { a: { pattern: "(" } } }, "a pattern is no regular expression of JavaScript"],
  ["a reference that is no text", { properties: { a: { $ref: 5 } } }, "$ref is 5 and has to be a text"],
  ["a part that is pointed at", { $defs: { n: { type: "int" } }, properties: { a: { $ref: "#/$defs/n" } } }, 'at #/$defs/n: the type is "int"'],
  ["a reference to nowhere", { properties: { a: { $ref: "#/nowhere" } } }, 'the input schema cannot be used, so args cannot be checked: Unresolved $ref "#/nowhere"'],
])("a schema that is wrong in parts says so where a value reaches them, and nowhere else (T16): %s", (_case, schema, expected) => {
  expect(complaint(schema, { a: { name: 1 } })).toContain(expected);
  expect(complaint(schema, { a: { name: 1 } })).toContain("The application has to correct it");
  if ("properties" in schema && typeof schema.properties === "object") expect(complaint(schema, { b: 1 })).toBeUndefined();
});

test("a schema that cannot be used refuses its own method and says so, every time", () => {
  for (const schema of [{ $ref: "#/nowhere" }, { properties: { a: { pattern: "(?i)x" } } }]) {
    for (let time = 0; time < 2; time += 1) expect(complaint(schema, { a: "x" })).toMatch(/the input schema (cannot be used|is wrong)/);
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
  for (const bad of ["text", 1, null, [], { $ref: "#/nowhere" }, { properties: { a: { type: "objekt" } } }]) expect(schemaFault(bad), JSON.stringify(bad)).toMatch(/^inputSchema /);
  for (const good of [true, {}, { type: "object" }, { $ref: "#/$defs/A", $defs: { A: { type: "string" } } }]) expect(schemaFault(good)).toBeUndefined();
});
