/** The same request by `swagger-client`: an independent reading of the same document, told the same arguments. */

import { buildRequest } from "swagger-client/es/execute/index.js";

import type { MethodRecord, Operation } from "../../js-shim/wire.ts";

type Node = Record<string, unknown>;
/** A request as it would be sent. `form` is a multipart body, part by part. */
export type Request = { method: string; url: string; headers: Record<string, string>; body: string | undefined; form: Part[] | undefined };
export type Part = { name: string; type: string; filename: string | undefined; text: string };

/** What relative servers are relative to, on both sides. */
export const ORIGIN = "https://example.test";

/** @throws when the operation is not in the document, or swagger-client refuses it. */
export async function theirs(document: Node, record: MethodRecord, args: Record<string, unknown>): Promise<Request> {
  const { operation } = record;
  if (operation === undefined) throw new Error("no operation");
  const { item, raw, verb } = find(document, operation);
  const swagger2 = typeof document["swagger"] === "string";
  const parameters = [...list(raw["parameters"]), ...list(item["parameters"])].map((parameter) => flattened(document, parameter));
  const requestBody = raw["requestBody"] === undefined ? undefined : bodyOf(document, raw["requestBody"]);
  const small = {
    ...picked(document, "openapi swagger servers host basePath schemes consumes produces"),
    paths: {
      [operation.path]: {
        ...picked(item, "servers"),
        [verb]: { ...picked(raw, "servers consumes produces"), operationId: "op", parameters, responses: responsesOf(document, raw["responses"]), ...(requestBody !== undefined && { requestBody }) },
      },
    },
  };
  const values: Node = {};
  for (const { key, name = key, in: place } of operation.parameters ?? []) if (args[key] !== undefined) values[`${place}.${name}`] = args[key];
  const body = args["body"];
  if (swagger2 && body !== undefined) {
    const whole = parameters.find((parameter) => parameter["in"] === "body");
    if (whole !== undefined) values[`body.${String(whole["name"])}`] = body;
    else for (const [name, value] of Object.entries(body as Node)) values[`formData.${name}`] = value;
  }
  const built = buildRequest({
    spec: small,
    operationId: "op",
    parameters: values,
    contextUrl: `${ORIGIN}/`,
    ...(operation.body !== undefined && body !== undefined && { requestContentType: operation.body.type, ...(!swagger2 && { requestBody: body }) }),
  }) as { method: string; url: string; headers: Record<string, string>; body?: unknown };
  const headers = Object.fromEntries(Object.entries(built.headers).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(",") : String(value)]));
  const form = built.body instanceof FormData ? await partsOf(built.body) : undefined;
  return { method: built.method.toUpperCase(), url: built.url, headers, form, body: form === undefined ? textOf(built.body) : undefined };
}

/** As its own `execute` does: what is no text is sent as JSON. */
function textOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  return typeof body === "string" ? body : JSON.stringify(body);
}

export async function partsOf(form: FormData): Promise<Part[]> {
  const parts: Part[] = [];
  for (const [name, value] of form.entries() as unknown as Iterable<[string, string | File]>) {
    if (typeof value === "string") parts.push({ name, type: "", filename: undefined, text: value });
    else parts.push({ name, type: value.type, filename: value.name, text: await value.text() });
  }
  return parts;
}

/** The operation as it stands in the document, references of its frame followed. */
export function find(document: Node, { path, verb }: Operation): { item: Node; raw: Node; verb: string } {
  const item = followed(document, (document["paths"] as Node | undefined)?.[path]);
  const raw = followed(document, item[verb.toLowerCase()]);
  if (Object.keys(raw).length === 0) throw new Error(`the document has no ${verb} ${path}`);
  return { item, raw, verb: verb.toLowerCase() };
}

export function followed(document: Node, node: unknown): Node {
  let at = node;
  for (let hop = 0; hop < 20; hop += 1) {
    if (typeof at !== "object" || at === null) return {};
    const { $ref } = at as Node;
    if (typeof $ref !== "string") return at as Node;
    if (!$ref.startsWith("#/")) return {};
    at = $ref.slice(2).split("/").reduce<unknown>((inner, key) => (inner as Node | undefined)?.[decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")], document);
  }
  return {};
}

/** Swagger-client looks at the type of a parameter's schema, so that is followed too. */
function flattened(document: Node, parameter: unknown): Node {
  const plain = followed(document, parameter);
  return plain["schema"] === undefined ? plain : { ...plain, schema: followed(document, plain["schema"]) };
}

function bodyOf(document: Node, body: unknown): Node {
  return followed(document, body);
}

function responsesOf(document: Node, responses: unknown): Node {
  return Object.fromEntries(Object.entries((responses ?? {}) as Node).map(([status, response]) => [status, picked(followed(document, response), "content")]));
}

function picked(node: Node, names: string): Node {
  return Object.fromEntries(names.split(" ").flatMap((name) => (node[name] === undefined ? [] : [[name, node[name]]])));
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
