/**
 * From a method's arguments to its request, by the operation that came with its record. Pure: nothing is sent. What is not
 * declared is not sent, and what is missing or cannot be said is an error that names the argument.
 */

import type { MethodRecord, Operation, OperationParameter } from "../../wire.ts";
import type { ToolExecuteContext } from "../connector.ts";
import { CodemodeError, messageOf } from "../errors.ts";
import { jsonText } from "../json-text.ts";
import { type Content, contentOf } from "./body.ts";
import { forbiddenHeader, unsendable } from "./headers.ts";
import { kindOf } from "./media.ts";
import { substituted } from "./path.ts";
import { type Encoder, expanded, type Pair, pairsOf, plain, reserved, strict, type Styled, textOf } from "./style.ts";

/**
 * A request before credentials. The first five are what earlier versions of `request()` were given; `params` and `body` hold
 * the values, and count in `super.request()` only where `query` and `content`, which are ready to be sent, are absent.
 */
export type OpenApiRequestOptions = {
  /** Behind the server, with the path values in it, encoded. */
  path: string;
  /** Default GET. */
  method?: string;
  /** Query values by name. */
  params?: Record<string, unknown>;
  body?: unknown;
  /** The header parameters. */
  headers?: Record<string, string>;
  /** Serialised by the parameters' styles, without `?`. */
  query?: string;
  /** The cookie parameters, as the value of a Cookie header. */
  cookies?: string;
  /** The body serialised by its media type. */
  content?: Content;
  /** The server that the document names for this operation; may be relative. `baseUrl()` has the last word. */
  server?: string;
  /** Media types of the answer that is wanted. Default JSON before anything else. */
  accept?: string;
  /** Which call this is. Its `idempotencyKey` is for services that take one. */
  call?: ToolExecuteContext;
  /** Aborted when the call has taken too long. */
  signal?: AbortSignal;
};

/** @throws {CodemodeError} `invalid_input` naming the argument. */
export function requestOf({ operation, inputSchema }: Pick<MethodRecord, "operation" | "inputSchema">, args: unknown): OpenApiRequestOptions {
  if (operation === undefined) throw new CodemodeError("internal", "this method has no operation, so no request can be made of it");
  const input = typeof args === "object" && args !== null ? (args as Record<string, unknown>) : {};
  try {
    return built(operation, input, inputSchema);
  } catch (thrown) {
    throw new CodemodeError("invalid_input", `nothing was sent to ${operation.verb} ${operation.path}: ${messageOf(thrown)}`);
  }
}

function built(operation: Operation, input: Record<string, unknown>, schema: unknown): OpenApiRequestOptions {
  const places = new Map<string, string>();
  const params: [string, unknown][] = [];
  const query: Pair[] = [];
  const cookies: Pair[] = [];
  const headers: [string, string][] = [];
  for (const parameter of operation.parameters ?? []) {
    const { key, name = key } = parameter;
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    const where = `args.${key}`;
    if (value === null || value === undefined) {
      if (parameter.required === true || parameter.in === "path") throw new TypeError(`${where} is ${value === null ? "null" : "missing"}; the ${parameter.in} parameter ${name} is required`);
      continue;
    }
    switch (parameter.in) {
      case "path":
        places.set(name, pathText(parameter, name, value, propertyOf(schema, key), where));
        break;
      case "query":
        params.push([name, value]);
        query.push(...pairs(parameter, name, value, parameter.allowReserved === true ? reserved : strict, where));
        break;
      case "header":
        headers.push(...headerOf(parameter, name, value, where));
        break;
      case "cookie":
        cookies.push(...pairs(parameter, name, value, strict, where));
        break;
      default: {
        const never: never = parameter.in;
        throw new TypeError(`the document puts ${name} into ${String(never)}, which is no place of a request`);
      }
    }
  }
  const { path, query: fixed } = substituted(operation.path, places);
  const search = [fixed, ...query.map((pair) => pair.join("="))].filter((text) => text !== "").join("&");
  const content = bodyOf(operation, input);
  return {
    path,
    method: operation.verb.toUpperCase(),
    ...(params.length > 0 && { params: Object.fromEntries(params) }),
    ...(content !== undefined && { body: input["body"], content }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(search !== "" && { query: search }),
    ...(cookies.length > 0 && { cookies: cookies.map((pair) => pair.join("=")).join("; ") }),
    ...(operation.server !== undefined && { server: operation.server }),
    ...(operation.accept !== undefined && { accept: operation.accept }),
  };
}

/** Which styles a place has; one that it has not is read as its first. */
const STYLES = { path: ["simple", "label", "matrix"], header: ["simple"], query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"], cookie: ["form"] };

function styled({ in: place, style: declared, explode }: OperationParameter): Styled {
  const known = STYLES[place];
  const style = declared !== undefined && known.includes(declared) ? declared : (known[0] ?? "simple");
  return { style, explode: explode ?? style === "form" };
}

function pairs(parameter: OperationParameter, name: string, value: unknown, encode: Encoder, where: string): Pair[] {
  if (parameter.content !== undefined) return [[strict(name), encode(asContent(parameter.content, value, where))]];
  return pairsOf(name, value, styled(parameter), encode, where);
}

function asContent(type: string, value: unknown, where: string): string {
  return kindOf(type) === "json" ? jsonText(value, where) : textOf(value, where);
}

function pathText(parameter: OperationParameter, name: string, value: unknown, schema: unknown, where: string): string {
  if (parameter.content !== undefined) return strict(asContent(parameter.content, value, where));
  const style = styled(parameter);
  if (typeof value === "object" && !(value instanceof Date) && !takes(schema, Array.isArray(value) ? "array" : "object")) {
    throw new TypeError(`${where} is ${Array.isArray(value) ? "an array" : "an object"}, and the path has room for one value; make one call for each`);
  }
  const text = expanded(name, value, style, strict, where);
  if (text === undefined || (text === "" && style.style === "simple")) throw new TypeError(`${where} is empty, and a place of the path cannot be; the path parameter ${name} is required`);
  return text;
}

function propertyOf(schema: unknown, key: string): unknown {
  const properties: unknown = typeof schema === "object" && schema !== null && "properties" in schema ? schema.properties : undefined;
  return typeof properties === "object" && properties !== null && Object.hasOwn(properties, key) ? Reflect.get(properties, key) : undefined;
}

/** A schema that says nothing of types takes anything. */
function takes(schema: unknown, type: string): boolean {
  if (typeof schema !== "object" || schema === null || !("type" in schema)) return true;
  return Array.isArray(schema.type) ? schema.type.includes(type) : schema.type === type;
}

function headerOf(parameter: OperationParameter, name: string, value: unknown, where: string): [string, string][] {
  // Said by the body and by what the answer is read as; the specification has the first two ignored.
  if (/^(?:accept|content-type|content-length)$/i.test(name)) return [];
  const reason = forbiddenHeader(name);
  if (reason !== undefined) throw new TypeError(`${where} would be the header ${name}, ${reason}`);
  const text = parameter.content === undefined ? expanded(name, value, styled(parameter), plain, where) : asContent(parameter.content, value, where);
  if (text === undefined) return [];
  const fault = unsendable(name, text);
  if (fault !== undefined) throw new TypeError(`${where}: ${fault}`);
  return [[name, text]];
}

function bodyOf(operation: Operation, input: Record<string, unknown>): Content | undefined {
  if (operation.body === undefined) return undefined;
  const value = Object.hasOwn(input, "body") ? input["body"] : undefined;
  // Some documents declare one all the same, with nothing in it.
  const bodiless = /^(?:GET|HEAD)$/i.test(operation.verb);
  if (bodiless && value !== undefined && value !== null) throw new TypeError(`a ${operation.verb} request cannot carry a body; leave args.body out`);
  if (bodiless) return undefined;
  const content = contentOf(operation.body, value, "args.body");
  if (content === undefined && operation.body.required === true) throw new TypeError(`args.body is ${value === null ? "null" : "missing"}; the body (${operation.body.type}) is required`);
  return content;
}
