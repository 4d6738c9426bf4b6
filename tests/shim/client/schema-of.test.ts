/** Schemas of whatever library, in the place of a JSON Schema: what discovery is told, and what a method is given. */

import { jsonSchema, zodSchema } from "ai";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";

import { accepted, jsonSchemaOf, type StandardSchemaLike } from "../../../js-shim/client/schema-of.ts";

/** A Standard Schema by hand: takes texts of digits, gives their number. */
function digits(more: object = {}): StandardSchemaLike {
  return {
    "~standard": {
      version: 1,
      vendor: "by-hand",
      validate: (value: unknown) => (typeof value === "string" && /^\d+$/.test(value) ? { value: Number(value) } : { issues: [{ message: "digits only" }] }),
      ...more,
    },
  } as StandardSchemaLike;
}

async function refused(schema: unknown, args: unknown): Promise<string | undefined> {
  const verdict = await accepted(schema, args);
  return verdict.kind === "refused" ? verdict.reason : undefined;
}

const user = z.object({ name: z.string(), tags: z.array(z.object({ id: z.number() })).default([]), since: z.date().optional() });

test("zod is told by its two sides, and what JSON lacks is left open", async () => {
  const both = z.object({ n: z.string().transform(Number).pipe(z.number()), at: z.date() });
  expect(await jsonSchemaOf(both, "input")).toMatchObject({ properties: { n: { type: "string" }, at: {} }, required: ["n", "at"] });
  expect(await jsonSchemaOf(both, "output")).toMatchObject({ properties: { n: { type: "number" }, at: {} } });
  expect(await jsonSchemaOf(user, "input")).toMatchObject({ required: ["name"] });
  expect(await jsonSchemaOf(user, "output")).toMatchObject({ required: ["name", "tags"] });
});

test("zod's defaults and transformations hold, and values keep their types", async () => {
  const at = new Date(7);
  expect(await accepted(user, { name: "a", since: at })).toEqual({ kind: "accepted", value: { name: "a", tags: [], since: at } });
  expect(await accepted(z.object({ n: z.string().transform(async (text) => text.length) }), { n: "abc" })).toEqual({ kind: "accepted", value: { n: 3 } });
  expect(await accepted(z.object({ m: z.map(z.string(), z.bigint()) }), { m: new Map([["a", 1n]]) })).toEqual({ kind: "accepted", value: { m: new Map([["a", 1n]]) } });
});

const shape = z.discriminatedUnion("kind", [z.object({ kind: z.literal("circle"), r: z.number() }), z.object({ kind: z.literal("box"), w: z.number() })]);

test.each<[string, unknown, unknown, string]>([
  ["missing", user, {}, "args.name is required"],
  ["missing in a list", user, { name: "a", tags: [{}] }, "args.tags[0].id is required"],
  ["of another type", user, { name: null }, "args.name must be string, not null"],
  ["a text for a Date", user, { name: "a", since: "2026" }, "args.since must be date, not string"],
  ["unknown", user.strict(), { name: "a", nam: 1, x: 1 }, "args.nam is not accepted; args.x is not accepted; accepted are name, tags, since"],
  ["several", user, { name: 1, tags: "x" }, "args.name must be string, not number; args.tags must be array, not string"],
  ["an enum", z.object({ a: z.enum(["x", "y"]) }), { a: "z" }, 'args.a must be one of ["x","y"]'],
  ["a limit", z.object({ a: z.string().min(3) }), { a: "x" }, "args.a: Too small: expected string to have >=3 characters"],
  ["a union of types", z.object({ a: z.union([z.string(), z.number()]) }), { a: true }, "args.a must be string or number, not boolean"],
  ["a union where one form was meant", z.object({ a: z.union([z.string(), z.object({ id: z.number() })]) }), { a: {} }, "args.a.id is required"],
  ["an unknown tag", z.object({ s: shape }), { s: { kind: "line" } }, 'args.s.kind must be one of ["circle","box"]'],
  ["what a tag asks for", z.object({ s: shape }), { s: { kind: "box" } }, "args.s.w is required"],
  ["a rule of the application on a property that need not be there", z.object({ a: z.string().optional() }).refine(({ a }) => a, { path: ["a"], message: "give a or b" }), {}, "args.a: give a or b"],
  ["version 3: missing", z3.object({ name: z3.string() }), {}, "args.name is required"],
  ["version 3: unknown", z3.object({}).strict(), { x: 1 }, "args.x is not accepted"],
  ["version 3: a union", z3.object({ a: z3.union([z3.string(), z3.object({ id: z3.number() })]) }), { a: {} }, "args.a.id is required"],
  ["a library that tells a message", digits(), "x", "args: digits only"],
])("what zod finds is said in the style of every connector (K01): %s", async (_case, schema, args, expected) => {
  expect(await refused(schema, args)).toBe(expected);
});

test("a Standard Schema that cannot tell itself is unknown to discovery, and checks all the same", async () => {
  expect(await jsonSchemaOf(digits(), "input")).toBeUndefined();
  expect(await accepted(digits(), "42")).toEqual({ kind: "accepted", value: 42 });
  // A method takes an object, where nothing else is known.
  expect(await accepted(digits({ validate: (value: unknown) => ({ value }) }), undefined)).toEqual({ kind: "accepted", value: {} });
});

test("a Standard Schema that can is asked for the draft it knows", async () => {
  const asked: string[] = [];
  const side = (name: string) => ({ target }: { target: string }) => {
    asked.push(target);
    if (target !== "draft-07") throw new Error("draft-07 only");
    return { type: name };
  };
  const schema = digits({ jsonSchema: { input: side("string"), output: side("number") } });
  expect([await jsonSchemaOf(schema, "input"), await jsonSchemaOf(schema, "output")]).toEqual([{ type: "string" }, { type: "number" }]);
  await jsonSchemaOf(schema, "input");
  // Read once per side.
  expect(asked).toEqual(["draft-2020-12", "draft-07", "draft-2020-12", "draft-07"]);
});

test("a schema that is a function, as some libraries have it, is that schema", async () => {
  const callable = Object.assign(() => { throw new Error("called"); }, digits());
  expect(await accepted(callable, "7")).toEqual({ kind: "accepted", value: 7 });
});

test("an issue without a code tells what is missing and what the library says of it", async () => {
  const schema = digits({ validate: () => ({ issues: [{ message: "Invalid key: Expected \"city\"", path: [{ key: "list" }, { key: 0 }, { key: "city" }] }] }) });
  expect(await refused(schema, { list: [{}] })).toBe('args.list[0].city is required (Invalid key: Expected "city")');
  expect(await refused(schema, { list: [{ city: 1 }] })).toBe('args.list[0].city: Invalid key: Expected "city"');
});

test.each([
  ["plain", jsonSchema({ type: "object", required: ["a"] })],
  ["a promise", jsonSchema(Promise.resolve({ type: "object", required: ["a"] }))],
  ["a function", jsonSchema(async () => ({ type: "object", required: ["a"] }))],
  ["lazy", () => jsonSchema({ type: "object", required: ["a"] })],
])("jsonSchema() of the AI SDK: %s", async (_case, schema) => {
  expect(await jsonSchemaOf(schema, "input")).toEqual({ type: "object", required: ["a"] });
  expect(await refused(schema, undefined)).toBe("args.a is required");
  expect(await accepted(schema, { a: 1 })).toEqual({ kind: "accepted", value: { a: 1 } });
});

test("jsonSchema() with a validator of its own is checked by that one alone", async () => {
  const validate = vi.fn(async (value: unknown) =>
    typeof value === "object" && value !== null && "a" in value ? { success: true as const, value: { ...value, more: 1 } } : { success: false as const, error: new Error("a, please") },
  );
  const schema = jsonSchema({ type: "object", properties: { a: { type: "string" } } }, { validate });
  expect(await accepted(schema, { a: 1 })).toEqual({ kind: "accepted", value: { a: 1, more: 1 } });
  expect(await refused(schema, undefined)).toBe("args: a, please");
  // Also where the JSON Schema cannot be had.
  const untold = jsonSchema(() => Promise.reject(new Error("no such file")), { validate });
  expect(await jsonSchemaOf(untold, "input")).toBeUndefined();
  expect(await accepted(untold, { a: 1 })).toEqual({ kind: "accepted", value: { a: 1, more: 1 } });
});

test("zodSchema() of the AI SDK tells zod 3, whose errors are read as well", async () => {
  const schema = zodSchema(z3.object({ n: z3.number().default(1), s: z3.string() }));
  expect(await jsonSchemaOf(schema, "input")).toMatchObject({ required: ["s"] });
  expect(await accepted(schema, { s: "x" })).toEqual({ kind: "accepted", value: { n: 1, s: "x" } });
  expect(await refused(schema, { s: 1 })).toBe("args.s must be string, not number");
});

test("a JSON Schema is itself, and what is no schema refuses calls and says so", async () => {
  const schema = { type: "object", required: ["a"] };
  expect(await jsonSchemaOf(schema, "input")).toBe(schema);
  expect(await accepted(schema, { a: 1 })).toEqual({ kind: "accepted", value: { a: 1 } });
  for (const nothing of [undefined, null, true]) expect(await accepted(nothing, 5)).toEqual({ kind: "accepted", value: 5 });
  expect(await refused("object", {})).toBe("the input schema cannot be used, so args cannot be checked: it is object, and a schema is an object. The application has to correct it");
});

test.each([
  ["throws", () => { throw new Error("out of order"); }, "args could not be checked: out of order"],
  ["gives no answer", () => undefined, "args could not be checked: its validator gave no answer"],
  ["gives no issue", () => ({ issues: [] }), "args is not accepted"],
  ["gives issues that are none", () => ({ issues: [null] }), "args: it does not fit"],
])("a validator that %s refuses the call", async (_case, validate, expected) => {
  expect(await refused(digits({ validate }), {})).toBe(expected);
});
