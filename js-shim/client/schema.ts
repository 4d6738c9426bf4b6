/**
 * Are these arguments what the method's JSON Schema asks for? Answers with a text for the model that names the place
 * (`args.text is required`), or with nothing. It compiles no code, so it works where `eval` does not.
 */

import { type OutputUnit, type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";

import type { JsonSchema } from "./connector.ts";
import { messageOf } from "./errors.ts";
import { type View, viewOf } from "./schema-view.ts";

/** More complaints than this do not help to repair a call. */
const MAX_COMPLAINTS = 3;
/** UTF-16 units of the whole text; an enum of a thousand names is read better with `describe`. */
const MAX_TEXT = 1000;

// Keywords that only say "something inside did not fit"; what did not fit is in the list too.
const WRAPPERS: ReadonlySet<string> = new Set(
  "$ref $recursiveRef allOf anyOf oneOf if then else properties patternProperties additionalProperties unevaluatedProperties propertyNames items prefixItems additionalItems unevaluatedItems contains dependentSchemas".split(" "),
);

/** Above this length `uniqueItems` is not checked: the validator compares every item with every other. */
const MAX_UNIQUE_ITEMS = 10_000;

// A schema object is compiled once; connectors keep theirs between calls.
const compiled = { whole: new WeakMap<object, Validator>(), withoutUnique: new WeakMap<object, Validator>() };

/**
 * Says why `args` do not fit `schema`, or `undefined` when they do; `name` is what its paths begin with. A schema that cannot be used refuses every call of its
 * own method and says so; it costs no other method.
 */
export function complaint(schema: JsonSchema, args: unknown, name: "args" | "input" | "structuredContent" = "args"): string | undefined {
  if (schema === true) return undefined;
  if (schema === false) return `${name} is not accepted: the schema forbids every call`;
  let view: View;
  try {
    view = viewOf(args);
  } catch (thrown) {
    return messageOf(thrown);
  }
  let errors: OutputUnit[];
  try {
    errors = validatorOf(schema, view.longest > MAX_UNIQUE_ITEMS ? "withoutUnique" : "whole").validate(view.value).errors;
  } catch (thrown) {
    return `the input schema cannot be used, so ${name} cannot be checked: ${firstLine(messageOf(thrown))}`;
  }
  if (errors.length === 0) return undefined;
  const precise = errors.filter((error) => !WRAPPERS.has(error.keyword));
  const texts = new Set((precise.length === 0 ? errors : precise).map((error) => sentence(error, schema, args, name)));
  const shown = [...texts].slice(0, MAX_COMPLAINTS).join("; ");
  return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown;
}

/** Why a schema cannot be used to check anything, or `undefined`. */
export function schemaFault(schema: unknown): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return "inputSchema has to be a JSON Schema: an object";
  try {
    validatorOf(schema, "whole").validate({});
    return undefined;
  } catch (thrown) {
    return `inputSchema cannot be used: ${firstLine(messageOf(thrown))}`;
  }
}

function validatorOf(schema: object, part: keyof typeof compiled): Validator {
  const known = compiled[part].get(schema);
  if (known !== undefined) return known;
  // The validator writes into what it is given and refuses an object that is used in two places; it gets a copy.
  const without = (key: string, value: unknown): unknown => (part === "withoutUnique" && key === "uniqueItems" && value === true ? undefined : value);
  const copy = JSON.parse(JSON.stringify(schema), without) as Schema;
  // Stops at the first part that does not fit: an argument may hold half a million bad items.
  const validator = new Validator(copy, draftOf(copy), true);
  compiled[part].set(schema, validator);
  return validator;
}

function draftOf(schema: Schema): SchemaDraft {
  const uri = typeof schema.$schema === "string" ? schema.$schema : "";
  if (uri.includes("draft-07") || uri.includes("draft-06")) return "7";
  if (uri.includes("draft-04")) return "4";
  return uri.includes("2019-09") ? "2019-09" : "2020-12";
}

function sentence(error: OutputUnit, schema: object, args: unknown, name: string): string {
  const keys = keysOf(error.instanceLocation);
  const path = pathOf(keys, name);
  const quoted = /"((?:[^"\\]|\\.)*)"/.exec(error.error)?.[1];
  switch (error.keyword) {
    case "required":
      return `${pathOf([...keys, quoted ?? "?"], name)} is required`;
    case "type":
      return `${path} must be ${expected(error.error)}, not ${kindOf(valueAt(args, keys))}`;
    case "enum":
    case "const":
      return `${path} must be ${error.error.includes("any of") ? "one of " : ""}${error.error.replace(/^Instance does not match (any of )?/, "").replace(/\.$/, "")}`;
    case "false":
      return `${path} is not accepted${known(schema, keys)}`;
    default:
      return `${path}: ${error.error.replace(/\.$/, "").replace(/^Instance/, "it")}`;
  }
}

/** The names that are accepted, where that is easy to say: beside an unknown name at the top. */
function known(schema: object, keys: readonly string[]): string {
  const properties: unknown = keys.length === 1 && "properties" in schema ? schema.properties : undefined;
  if (typeof properties !== "object" || properties === null) return "";
  const names = Object.keys(properties);
  return names.length === 0 ? "; it takes an empty object" : `; accepted are ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}`;
}

function expected(text: string): string {
  const types = /Expected (.*)\.$/s.exec(text)?.[1] ?? "another type";
  return types.replaceAll('"', "").replaceAll(", ", " or ");
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return typeof value;
  return Object.prototype.toString.call(value).slice(8, -1).toLowerCase();
}

function valueAt(args: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined), args);
}

/** A pointer as a fragment of a URI: `#/list/0/a~1b%20c` → `["list", "0", "a/b c"]`. */
function keysOf(location: string): string[] {
  return location.split("/").slice(1).map((key) => decodeURI(key).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function pathOf(keys: readonly string[], name: string): string {
  return keys.reduce((path, key) => {
    if (/^\d+$/.test(key)) return `${path}[${key}]`;
    return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
  }, name);
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
