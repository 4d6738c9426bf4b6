/**
 * Schemas as applications have them: JSON Schema, zod or any other Standard Schema, `jsonSchema()` of the AI SDK. Here they
 * are read once: as JSON Schema for discovery, and as a check of arguments. A schema with a validator of its own is checked
 * by that one alone, so its defaults and transformations hold, and what its input side takes passes.
 * None of those libraries is imported; only their shapes are known.
 */

import { inWords, MAX_PROBLEMS, type Problem } from "./complaints.ts";
import type { JsonSchema } from "./connector.ts";
import { messageOf } from "./errors.ts";
import { issuesOf, problemsOfIssue } from "./issues.ts";
import { complaint, unusable } from "./schema.ts";
import { viewOf } from "./schema-view.ts";

/** Standard Schema v1, with Standard JSON Schema where the library has it (zod from 4.2 on). */
export type StandardSchemaLike = {
  readonly "~standard": {
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly jsonSchema?: { readonly input: ToJsonSchema; readonly output: ToJsonSchema } | undefined;
  };
};
type ToJsonSchema = (options: { readonly target: string; readonly libraryOptions?: Record<string, unknown> | undefined }) => Record<string, unknown>;

/** Arguments as a method is given them, or why it is not. `given` are the program's own, `{}` where an object is taken and none was given. */
export type Accepted = { kind: "accepted"; value: unknown } | { kind: "refused"; given: unknown; reason: string };

/** The end that a schema describes: what a method takes, or what it gives. */
type Side = "input" | "output";

type Read = {
  /** `undefined` where a library cannot say it: then discovery tells nothing of it. */
  json: JsonSchema | undefined;
  /** Resolves to the value as the schema's own library wants it. Absent: the JSON Schema is what is checked. */
  validate?: (value: unknown) => Promise<{ value: unknown } | { issues: readonly unknown[] }>;
  /** Why there is nothing to check with. */
  fault?: string;
};

// By schema object: connectors keep theirs between calls, and a conversion may cost.
const reads: Record<Side, WeakMap<object, Promise<Read>>> = { input: new WeakMap(), output: new WeakMap() };

/** The schema as JSON Schema, or `undefined` where there is none to be had. Never rejects. */
export async function jsonSchemaOf(schema: unknown, side: Side): Promise<JsonSchema | undefined> {
  return (await readOf(schema, side)).json;
}

/** Never rejects. `name` is what the paths of a refusal begin with. */
export async function accepted(schema: unknown, args: unknown, name = "args"): Promise<Accepted> {
  const { json, validate, fault } = await readOf(schema, "input");
  const given = args === undefined && takesObject(json, validate !== undefined) ? {} : args;
  const reason = fault !== undefined ? unusable(name, fault) : validate === undefined ? complaint(json ?? true, given, name) : undefined;
  if (reason !== undefined) return { kind: "refused", given, reason };
  if (validate === undefined) return { kind: "accepted", value: given };
  try {
    // Measures them: a few shared references can stand for a tree that no validator would finish.
    viewOf(given);
    const verdict = await validate(given);
    if ("value" in verdict) return { kind: "accepted", value: verdict.value };
    const problems = verdict.issues.slice(0, MAX_PROBLEMS).flatMap((issue) => problemsOfIssue(issue, given)).map((problem) => withNames(problem, json));
    return { kind: "refused", given, reason: problems.length === 0 ? `${name} is not accepted` : inWords(problems, given, name) };
  } catch (thrown) {
    return { kind: "refused", given, reason: `${name} could not be checked: ${messageOf(thrown)}` };
  }
}

/** `notes.list()` is `notes.list({})` for a method that takes an object, as all do of which nothing else is known. */
function takesObject(json: JsonSchema | undefined, validated: boolean): boolean {
  if (typeof json !== "object" || json === null) return validated;
  return "type" in json && json.type === "object";
}

/** Libraries do not say which names would be known; the JSON Schema does, at the top. */
function withNames(problem: Problem, json: JsonSchema | undefined): Problem {
  if (problem.kind !== "unknown" || problem.keys.length !== 1 || typeof json !== "object" || json === null) return problem;
  const properties: unknown = "properties" in json ? json.properties : undefined;
  return typeof properties === "object" && properties !== null ? { ...problem, known: Object.keys(properties) } : problem;
}

function readOf(schema: unknown, side: Side): Promise<Read> {
  if (schema === undefined || schema === null) return Promise.resolve({ json: undefined });
  if (typeof schema === "boolean") return Promise.resolve({ json: schema });
  if (!isHeld(schema)) return Promise.resolve({ json: undefined, fault: `it is ${String(schema)}, and a schema is an object` });
  let read = reads[side].get(schema);
  if (read === undefined) reads[side].set(schema, (read = fresh(schema, side)));
  return read;
}

async function fresh(schema: object, side: Side): Promise<Read> {
  if (isStandard(schema)) {
    const standard = schema["~standard"];
    return { json: fromStandard(schema, side), validate: async (value) => verdictOf(await standard.validate(value)) };
  }
  try {
    // The AI SDK's lazy schema is a function that makes one.
    if (typeof schema === "function") return await readOf((schema as () => unknown)(), side);
    if (!isAiSchema(schema)) return { json: schema };
    const { validate } = schema;
    const own = typeof validate === "function" ? { validate: async (value: unknown) => verdictOf(await (validate as (value: unknown) => unknown)(value)) } : undefined;
    try {
      return { json: jsonOrNothing(await schema.jsonSchema), ...own };
    } catch (thrown) {
      if (own !== undefined) return { json: undefined, ...own };
      throw thrown;
    }
  } catch (thrown) {
    return { json: undefined, fault: messageOf(thrown) };
  }
}

function fromStandard(schema: StandardSchemaLike, side: Side): JsonSchema | undefined {
  const { vendor, jsonSchema } = schema["~standard"];
  // What zod cannot say in JSON Schema (a Date) is left open, and the rest of the schema is still told.
  const libraryOptions = vendor === "zod" ? { unrepresentable: "any" } : undefined;
  for (const target of ["draft-2020-12", "draft-07"]) {
    try {
      if (jsonSchema !== undefined) return jsonOrNothing(jsonSchema[side]({ target, ...(libraryOptions !== undefined && { libraryOptions }) }));
      if ("toJSONSchema" in schema && typeof schema.toJSONSchema === "function") return jsonOrNothing(schema.toJSONSchema({ io: side, ...libraryOptions }));
    } catch {
      // A library that does not know this draft may know the other; one that knows neither says nothing.
    }
  }
  return undefined;
}

function jsonOrNothing(value: unknown): JsonSchema | undefined {
  return typeof value === "boolean" || (typeof value === "object" && value !== null && !Array.isArray(value)) ? value : undefined;
}

/** Standard Schema answers `{ value }` or `{ issues }`, the AI SDK `{ success, value }` or `{ success, error }`. */
function verdictOf(answer: unknown): { value: unknown } | { issues: readonly unknown[] } {
  if (typeof answer !== "object" || answer === null) throw new TypeError("its validator gave no answer");
  if ("issues" in answer && answer.issues !== undefined && answer.issues !== null) return { issues: issuesOf(answer) };
  if ("success" in answer && answer.success === false) return { issues: issuesOf("error" in answer ? answer.error : undefined) };
  return { value: "value" in answer ? answer.value : undefined };
}

function isHeld(schema: unknown): schema is object {
  return (typeof schema === "object" && schema !== null) || typeof schema === "function";
}

function isStandard(schema: object): schema is StandardSchemaLike {
  if (!("~standard" in schema)) return false;
  const standard: unknown = schema["~standard"];
  return typeof standard === "object" && standard !== null && "validate" in standard && typeof standard.validate === "function";
}

const AI_SCHEMA = Symbol.for("vercel.ai.schema");

function isAiSchema(schema: object): schema is { readonly jsonSchema: unknown; readonly validate?: unknown } {
  return AI_SCHEMA in schema && "jsonSchema" in schema;
}
