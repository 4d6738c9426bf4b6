/**
 * A JSON Schema as the validator can use it. It comes from anywhere and in any draft; the validator writes into what it is
 * given, reads annotations as if they were schemas and falls silent over garbage. So it gets a copy in which
 *
 * - draft 4 is said in the words of later drafts (`exclusiveMinimum: true`), and `id` is kept only where it is draft 4's;
 * - examples and defaults are gone: they are data, and an `id` or `$ref` in them would be followed;
 * - a part that nobody can check says so wherever a value reaches it. A typing error must not pass as a rule that no
 *   value fits, nor as one that all do.
 */

import { messageOf } from "./errors.ts";

/** What is wrong with this part of a schema. A symbol: no keyword of anyone's can be it, and no walk over keys meets it. */
const FAULT = Symbol("fault");

export type Copy = { schema: SchemaObject | boolean; draft: "7" | "2019-09" | "2020-12"; faults: readonly string[] };
export type SchemaObject = Record<string, unknown>;

const TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const NOT_CHECKED = ["example", "examples", "default"];
/** What a part keeps that nobody can check: others may point into it. */
const KEPT = new Set(["$defs", "definitions", "$id", "id"]);
const NUMBERS = "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains".split(" ");
const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"]);
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
/** Data, or names: nothing below is a schema. */
const DATA = new Set(["enum", "const", "required", "dependentRequired", "type"]);

/**
 * @param without keywords that this copy does not have.
 * @throws what `JSON.stringify` throws: a schema that contains itself is none.
 */
export function copyOf(schema: object, without: readonly string[]): Copy {
  const copy = JSON.parse(JSON.stringify(schema)) as SchemaObject;
  const uri = typeof copy["$schema"] === "string" ? copy["$schema"] : "";
  const faults: string[] = [];
  adapt(copy, "#", { removed: [...NOT_CHECKED, ...without, ...(uri.includes("draft-04") ? [] : ["id"])], faults });
  // Draft 4 is said in the words of draft 7 by now. 6 and 7 differ in nothing that is checked.
  const draft = /draft-0[467]/.test(uri) ? "7" : uri.includes("2019-09") ? "2019-09" : "2020-12";
  return { schema: copy, draft, faults };
}

/** Why nobody can check this part, or `undefined`. */
export function faultOf(schema: unknown): string | undefined {
  return typeof schema === "object" && schema !== null && FAULT in schema ? String(schema[FAULT]) : undefined;
}

type Copying = { removed: readonly string[]; faults: string[] };

function adapt(schema: SchemaObject, place: string, copying: Copying): void {
  for (const key of copying.removed) delete schema[key];
  // What `required: true` at a property meant before draft 4; since then the list beside `properties` says it.
  if (typeof schema["required"] === "boolean") delete schema["required"];
  inclusive(schema, "minimum", "exclusiveMinimum");
  inclusive(schema, "maximum", "exclusiveMaximum");
  relax(schema);
  const fault = wrong(schema);
  if (fault !== undefined) {
    copying.faults.push(`at ${place}: ${fault}`);
    // Fits nothing, so that it is met; who meets it reads why.
    for (const key of Object.keys(schema)) if (!KEPT.has(key)) delete schema[key];
    Object.assign(schema, { enum: [], [FAULT]: `at ${place}: ${fault}` });
  }
  for (const [key, part] of Object.entries(schema)) {
    if (DATA.has(key)) continue;
    const below = `${place}/${key}`;
    if (MAPS.has(key)) {
      if (!isObject(part)) continue;
      for (const [name, inner] of Object.entries(part)) each(inner, `${below}/${name}`, copying);
    } else if (Array.isArray(part)) {
      if (LISTS.has(key) || key === "items") part.forEach((inner, index) => each(inner, `${below}/${index}`, copying));
    } else each(part, below, copying);
  }
}

function each(part: unknown, place: string, copying: Copying): void {
  if (isObject(part)) adapt(part, place, copying);
}

/** `minimum: 3, exclusiveMinimum: true` is `exclusiveMinimum: 3`. No later draft has the boolean, so nobody can mean another thing. */
function inclusive(schema: SchemaObject, limit: string, exclusive: string): void {
  const flag = schema[exclusive];
  if (typeof flag !== "boolean") return;
  delete schema[exclusive];
  if (!flag || schema[limit] === undefined) return;
  schema[exclusive] = schema[limit];
  delete schema[limit];
}

/** The validator reads patterns in Unicode mode, which forbids an escape that escapes nothing (`\@`); many write it. */
function relax(schema: SchemaObject): void {
  const { pattern } = schema;
  if (typeof pattern === "string" && isPattern(pattern) !== undefined) schema["pattern"] = pattern.replace(/\\([^\p{L}\p{N}^$\\.*+?()[\]{}|/-])/gu, "$1");
}

/** What of the schema's own words cannot be checked; nothing is said of the schemas below. */
function wrong(schema: SchemaObject): string | undefined {
  const { type, pattern, patternProperties } = schema;
  const types: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const odd = types.find((one) => !TYPES.has(one));
  if (odd !== undefined || (Array.isArray(type) && type.length === 0)) return `the type is ${JSON.stringify(odd ?? type)}; there are ${[...TYPES].join(", ")}`;
  for (const key of [...MAPS, "dependentRequired"]) {
    if (schema[key] !== undefined && !isObject(schema[key])) return `${key} is ${brief(schema[key])} and has to be an object`;
  }
  for (const key of [...LISTS, "enum"]) {
    if (schema[key] !== undefined && !Array.isArray(schema[key])) return `${key} is ${brief(schema[key])} and has to be a list`;
  }
  for (const key of NUMBERS) {
    if (schema[key] !== undefined && typeof schema[key] !== "number") return `${key} is ${brief(schema[key])} and has to be a number`;
  }
  if (schema["required"] !== undefined && !isNames(schema["required"])) return `required is ${brief(schema["required"])} and has to be a list of names`;
  if (schema["$ref"] !== undefined && typeof schema["$ref"] !== "string") return `$ref is ${brief(schema["$ref"])} and has to be a text`;
  if (pattern !== undefined && typeof pattern !== "string") return `pattern is ${brief(pattern)} and has to be a text`;
  const patterns = [...(typeof pattern === "string" ? [pattern] : []), ...(isObject(patternProperties) ? Object.keys(patternProperties) : [])];
  return patterns.map(isPattern).find((reason) => reason !== undefined);
}

function isPattern(pattern: string): string | undefined {
  try {
    void new RegExp(pattern, "u");
    return undefined;
  } catch (thrown) {
    return `a pattern is no regular expression of JavaScript (${messageOf(thrown)})`;
  }
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function isObject(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
