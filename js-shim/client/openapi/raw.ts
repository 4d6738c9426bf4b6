/**
 * The escape hatch `request`: verb and path are in the arguments, so its policy is asked of them, and they are held to what a
 * document would never say: another server, a step upwards, credentials, a verb in disguise.
 */

import type { Operation } from "../../wire.ts";
import { CodemodeError, messageOf } from "../errors.ts";
import { type Content, contentOf } from "./body.ts";
import { forbiddenFreely, unsendable } from "./headers.ts";
import { checkPath, literal } from "./path.ts";
import type { OpenApiRequestOptions } from "./request.ts";
import { type Pair, pairsOf, strict, textOf } from "./style.ts";

const VERBS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Does this call wait for a person? As a method of that verb would; what cannot be read does. */
export function rawAsks(args: unknown): boolean {
  try {
    return verbOf(objectOf(args)) === "DELETE";
  } catch {
    return true;
  }
}

/** @throws {CodemodeError} `invalid_input` that says what is not sent. */
export function rawRequestOf({ server }: Pick<Operation, "server">, args: unknown): OpenApiRequestOptions {
  try {
    return built(server, objectOf(args));
  } catch (thrown) {
    throw new CodemodeError("invalid_input", `nothing was sent: ${messageOf(thrown)}`);
  }
}

function built(server: string | undefined, input: Record<string, unknown>): OpenApiRequestOptions {
  const method = verbOf(input);
  const { path, query: written } = placeOf(input["path"]);
  // `params` is what this was called in programs that are older than this connector.
  const params = recordOf(input["query"] ?? input["params"], "args.query");
  const headers = headersOf(recordOf(input["headers"], "args.headers"));
  const query = [written, ...Object.entries(params).flatMap(([name, value]) => freePairs(name, value).map((pair) => pair.join("=")))].filter((text) => text !== "").join("&");
  const content = bodyOf(method, input);
  const accept = Object.entries(headers).find(([name]) => name.toLowerCase() === "accept")?.[1];
  checkDisguise(query, input["body"]);
  return {
    path,
    method,
    ...(Object.keys(params).length > 0 && { params }),
    ...(content !== undefined && { body: input["body"], content }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(query !== "" && { query }),
    ...(server !== undefined && { server }),
    ...(accept !== undefined && { accept }),
  };
}

/** Nothing declares a style here: lists repeat their name, objects are written in brackets. */
function freePairs(name: string, value: unknown): Pair[] {
  const style = typeof value === "object" && !Array.isArray(value) ? "deepObject" : "form";
  return pairsOf(name, value, { style, explode: true }, strict, `args.query.${name}`);
}

function verbOf({ method = "GET" }: Record<string, unknown>): string {
  const verb = typeof method === "string" ? method.toUpperCase() : "";
  if (!VERBS.includes(verb)) throw new TypeError(`args.method has to be one of ${VERBS.join(", ")}`);
  return verb;
}

function placeOf(path: unknown): { path: string; query: string } {
  if (typeof path !== "string") throw new TypeError("args.path has to be a text, the path behind the server, such as /users/1");
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith("//")) throw new TypeError(`args.path has to be the path behind the server, such as /users/1; the server is the application's choice, and ${path.slice(0, 100)} names one`);
  if (/[\\#]|[^\P{Cc}]/u.test(path)) throw new TypeError("args.path holds a backslash, a # or a control character; escape what belongs to a value with encodeURIComponent");
  const at = path.indexOf("?");
  const before = literal(at < 0 ? path : path.slice(0, at)).replace(/[{}]/g, encodeURIComponent);
  const rooted = before.startsWith("/") ? before : `/${before}`;
  if (rooted.includes("//")) throw new TypeError("args.path has an empty segment (//); leave none out");
  checkPath(rooted);
  return { path: rooted, query: at < 0 ? "" : literal(path.slice(at + 1)) };
}

function headersOf(given: Record<string, unknown>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    const reason = forbiddenFreely(name);
    if (reason !== undefined) throw new TypeError(`args.headers has ${name}, ${reason}`);
    const text = Array.isArray(value) ? value.map((item) => textOf(item, `args.headers.${name}`)).join(", ") : textOf(value, `args.headers.${name}`);
    const fault = unsendable(name, text);
    if (fault !== undefined) throw new TypeError(`args.headers: ${fault}`);
    // A body says its type itself.
    if (name.toLowerCase() !== "content-type") headers[name] = text;
  }
  return headers;
}

function bodyOf(method: string, input: Record<string, unknown>): Content | undefined {
  const { body, contentType } = input;
  if (body === undefined) return undefined;
  if (method === "GET" || method === "HEAD") throw new TypeError(`a ${method} request cannot carry a body; leave args.body out`);
  const header = Object.entries(recordOf(input["headers"], "args.headers")).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const type = contentType ?? header ?? (ArrayBuffer.isView(body) || body instanceof ArrayBuffer ? "application/octet-stream" : "application/json");
  if (typeof type !== "string" || unsendable("content-type", type) !== undefined) throw new TypeError("args.contentType has to be a media type, such as application/json");
  return contentOf({ type }, body, "args.body");
}

/** Frameworks take a verb from a field `_method` too, and what was agreed to was the verb of the request. */
function checkDisguise(query: string, body: unknown): void {
  const named = typeof body === "object" && body !== null && Object.hasOwn(body, "_method");
  const written = [query, typeof body === "string" ? body : ""].some((text) => new URLSearchParams(text).has("_method") || /"_method"/.test(text));
  if (named || written) throw new TypeError("_method would make another verb of this one; say that verb in args.method");
}

function objectOf(args: unknown): Record<string, unknown> {
  if (typeof args !== "object" || args === null) throw new TypeError("the arguments have to be an object with method and path");
  return args as Record<string, unknown>;
}

function recordOf(value: unknown, where: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw new TypeError(`${where} has to be an object`);
  return value as Record<string, unknown>;
}
