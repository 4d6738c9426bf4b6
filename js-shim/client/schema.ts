/**
 * Are these arguments what the method's JSON Schema asks for? Answers with a text for the model that names the place
 * (`args.text is required`), or with nothing. It compiles no code, so it works where `eval` does not.
 */

import { dereference, type OutputUnit, type Schema, validate } from "@cfworker/json-schema";

import { inWords, type Keys, MAX_PROBLEMS, type Problem } from "./complaints.ts";
import type { JsonSchema } from "./connector.ts";
import { messageOf } from "./errors.ts";
import { type Copy, copyOf, faultOf, type SchemaObject } from "./schema-copy.ts";
import { type View, viewOf } from "./schema-view.ts";

/** Above this length `uniqueItems` is not checked: the validator compares every item with every other. */
const MAX_UNIQUE_ITEMS = 10_000;

/** Keywords that only say "something inside did not fit"; what did not fit follows. */
const WRAPPERS: ReadonlySet<string> = new Set(
  "$ref $recursiveRef allOf if then else properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems dependentSchemas".split(" "),
);

/** Keywords that speak for what follows: it belongs to one form of several, to a name, or to an item that did not count. */
const HOLDERS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "contains", "propertyNames"]);

type Compiled = Copy & { lookup: Record<string, Schema | boolean> };

// A schema object is compiled once; connectors keep theirs between calls.
const compiled = { whole: new WeakMap<object, Compiled>(), withoutUnique: new WeakMap<object, Compiled>() };

/**
 * Says why `args` do not fit `schema`, or `undefined` when they do; `name` is what its paths begin with. A schema that cannot be used refuses every call of its
 * own method and says so; it costs no other method. One that is wrong in parts refuses what reaches them.
 */
export function complaint(schema: JsonSchema, args: unknown, name = "args"): string | undefined {
  if (schema === true) return undefined;
  if (schema === false) return `${name} is not accepted: the schema forbids every call`;
  let view: View;
  try {
    view = viewOf(args);
  } catch (thrown) {
    return messageOf(thrown);
  }
  try {
    const known = compiledOf(schema, view.longest > MAX_UNIQUE_ITEMS ? "withoutUnique" : "whole");
    const errors = errorsOf(known, view.value);
    return errors.length === 0 ? undefined : inWords(problemsOf(errors, known), args, name);
  } catch (thrown) {
    return unusable(name, firstLine(messageOf(thrown)));
  }
}

/** The refusal where nothing can be checked. */
export function unusable(name: string, reason: string): string {
  return `the input schema cannot be used, so ${name} cannot be checked: ${reason}. The application has to correct it`;
}

/** Why a schema cannot be used to check anything, or `undefined`. */
export function schemaFault(schema: unknown): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return "inputSchema has to be a JSON Schema: an object";
  try {
    const known = compiledOf(schema, "whole");
    errorsOf(known, {});
    const [fault] = known.faults;
    return fault === undefined ? undefined : `inputSchema cannot be used: ${fault}`;
  } catch (thrown) {
    return `inputSchema cannot be used: ${firstLine(messageOf(thrown))}`;
  }
}

function compiledOf(schema: object, part: keyof typeof compiled): Compiled {
  const known = compiled[part].get(schema);
  if (known !== undefined) return known;
  const copy = copyOf(schema, part === "withoutUnique" ? ["uniqueItems"] : []);
  const fresh = { ...copy, lookup: dereference(copy.schema) };
  compiled[part].set(schema, fresh);
  return fresh;
}

/** Stops at the first part that does not fit: an argument may hold half a million bad items. */
function errorsOf({ schema, draft, lookup }: Compiled, value: unknown): OutputUnit[] {
  return validate(value, schema, draft, lookup, true).errors;
}

/** The validator's flat list as the tree that it was: what stands below a union belongs to one of its forms. */
function problemsOf(errors: readonly OutputUnit[], known: Compiled): Problem[] {
  const problems: Problem[] = [];
  for (let index = 0; problems.length < MAX_PROBLEMS; ) {
    const error = errors[index];
    if (error === undefined) break;
    const before = errors[index - 1];
    index += 1;
    if (WRAPPERS.has(error.keyword) || (error.keyword === "dependencies" && error.error.endsWith("dependant schema."))) continue;
    if (!HOLDERS.has(error.keyword)) {
      problems.push(problemOf(error, before, known));
      continue;
    }
    const first = index;
    // The location of "false" is wrong in the validator; it always stands behind what it belongs to.
    const inside = ({ keyword, keywordLocation }: OutputUnit): boolean => keyword === "false" || keywordLocation.startsWith(`${error.keywordLocation}/`);
    for (let next = errors[index]; next !== undefined && inside(next); next = errors[index]) index += 1;
    problems.push(/^(any|one)Of$/.test(error.keyword) ? union(error, errors.slice(first, index), known) : problemOf(error, before, known));
  }
  return problems;
}

function union(error: OutputUnit, below: readonly OutputUnit[], known: Compiled): Problem {
  const keys = keysOf(error.instanceLocation);
  const matches = Number(/\((\d+) matches\)/.exec(error.error)?.[1] ?? 0);
  if (matches > 1) return { kind: "other", keys, text: ` fits ${matches} of its forms at once, and may fit only one` };
  const branches: OutputUnit[][] = [];
  let last = "";
  for (const inner of below) {
    const form = inner.keyword === "false" ? last : (inner.keywordLocation.slice(error.keywordLocation.length + 1).split("/", 1)[0] ?? "");
    if (form !== last || branches.length === 0) branches.push([]);
    last = form;
    branches.at(-1)?.push(inner);
  }
  return { kind: "union", keys, branches: branches.map((branch) => problemsOf(branch, known)) };
}

function problemOf(error: OutputUnit, before: OutputUnit | undefined, known: Compiled): Problem {
  const keys = keysOf(error.instanceLocation);
  const schema = schemaAt(error.keywordLocation, known);
  const fault = faultOf(schema);
  if (fault !== undefined) return { kind: "other", keys, text: ` cannot be checked, the input schema is wrong: ${fault}. The application has to correct it` };
  const names = Array.from(error.error.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, name = ""]) => name);
  // The last number: `3 is less than 3.`
  const limit = /(-?[\d.e+-]*\d)\D*$/.exec(error.error)?.[1] ?? "the limit";
  switch (error.keyword) {
    case "required":
      return { kind: "required", keys: [...keys, names[0] ?? "?"] };
    case "dependentRequired":
    case "dependencies":
      return { kind: "required", keys: [...keys, names[1] ?? "?"], note: `because ${names[0] ?? "another"} is given` };
    case "type":
      return { kind: "type", keys, expected: names.slice(1) };
    case "enum":
    case "const": {
      const said: unknown = JSON.parse(/^Instance does not match (?:any of )?(.*)\.$/s.exec(error.error)?.[1] ?? "null");
      return { kind: "value", keys, accepted: error.keyword === "enum" && Array.isArray(said) ? said : [said] };
    }
    case "false":
      return { kind: "unknown", keys, ...knownNames(before, known) };
    case "propertyNames":
      return { kind: "other", keys, text: ` has a property named ${JSON.stringify(names[0] ?? "?")}, and such a name is not accepted` };
    case "exclusiveMinimum":
      return { kind: "other", keys, text: ` must be greater than ${limit}` };
    case "exclusiveMaximum":
      return { kind: "other", keys, text: ` must be less than ${limit}` };
    case "maxProperties":
      return { kind: "other", keys, text: ` has more than ${limit} properties` };
    case "pattern":
      return { kind: "other", keys, text: ` must match ${String(schema?.["pattern"] ?? "its pattern")}` };
    case "not":
      return { kind: "other", keys, text: " has a form that is not accepted" };
    default:
      return { kind: "other", keys, text: `: ${error.error.replace(/\.$/, "").replace(/^Instance/, "it")}` };
  }
}

/** The names that are accepted beside an unknown one, where the schema lists them. */
function knownNames(before: OutputUnit | undefined, known: Compiled): { known?: string[] } {
  if (before === undefined || !/^(additional|unevaluated)Properties$/.test(before.keyword)) return {};
  const properties = schemaAt(before.keywordLocation, known)?.["properties"];
  return typeof properties === "object" && properties !== null ? { known: Object.keys(properties) } : {};
}

/** The schema that a keyword stands in: `#/properties/a/$ref/pattern` is a word of what `a` refers to. */
function schemaAt(keywordLocation: string, { schema, lookup }: Compiled): SchemaObject | undefined {
  let current: unknown = schema;
  for (const key of keysOf(keywordLocation).slice(0, -1)) {
    if (typeof current !== "object" || current === null) return undefined;
    const at: SchemaObject = current as SchemaObject;
    current = key === "$ref" && typeof at["$ref"] === "string" ? lookup[String(at["__absolute_ref__"] ?? at["$ref"])] : Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return typeof current === "object" && current !== null ? (current as SchemaObject) : undefined;
}

/** A pointer as a fragment of a URI: `#/list/0/a~1b%20c` → `["list", "0", "a/b c"]`. */
function keysOf(location: string): Keys {
  return location.split("/").slice(1).map((key) => decodeURI(key).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
