/**
 * The host's side of a step that reaches out: a request that goes to the application's Fetcher, a method of a binding. The
 * messages come from a sandbox and may be forged: what is not a request or a binding of this contact reaches neither.
 */

import { decodeBase64, encodeBase64 } from "../value/base64.ts";
import { decode, encodeError } from "../value/index.ts";
import type { HostMessage, HostReply, WireRequest, WireResponse } from "../wire.ts";
import { boundedBytes, MAX_BODY_BYTES } from "./bounded.ts";
import { messageOf } from "./errors.ts";
import type { Outbound } from "./executor.ts";
import { failure, resultReply } from "./replies.ts";

/** What belongs to one connection and not to a request. */
const OF_THE_CONNECTION = ["host", "connection", "keep-alive", "upgrade", "te", "trailer", "transfer-encoding", "proxy-connection", "proxy-authorization", "content-length"];

export async function fetched(outbound: Outbound | undefined, text: string): Promise<HostReply> {
  if (outbound === undefined) return failure("invalid_input", "fetch: the application gives steps no network at this contact (globalOutbound); use a connector");
  let request: Request;
  try {
    request = requestOf(JSON.parse(text) as Partial<WireRequest>);
  } catch (thrown) {
    return failure("invalid_input", `fetch: this is no request that can be sent: ${messageOf(thrown)}`);
  }
  const what = `${request.method} ${request.url}`;
  let response: Response;
  try {
    response = await outbound.fetch(request);
  } catch (thrown) {
    return failure("exception", `fetch: ${what} got no response: ${messageOf(thrown)}`);
  }
  try {
    const body = await boundedBytes(response);
    if (body === "too long") {
      return failure("too_large", `fetch: the response to ${what} is longer than ${MAX_BODY_BYTES} bytes, the most a step can take in; ask for a page, a range or fewer fields`);
    }
    return { kind: "value", value: JSON.stringify(wireOf(response, request.url, body)) };
  } catch (thrown) {
    return failure("exception", `fetch: the response to ${what} broke off: ${messageOf(thrown)}`);
  }
}

export async function used(bindings: ReadonlyMap<string, object>, message: HostMessage & { kind: "binding" }): Promise<HostReply> {
  const path = `env.${message.binding}.${message.method}`;
  const binding = bindings.get(message.binding);
  if (binding === undefined) return failure("invalid_input", `${path}: the application gives no binding of this name at this contact`);
  let result: unknown;
  try {
    const args = decode(message.args);
    if (!Array.isArray(args)) return failure("invalid_input", `${path}: the arguments are not readable`);
    const method: unknown = message.method in Object.prototype ? undefined : Reflect.get(binding, message.method);
    if (typeof method !== "function") return failure("not_found", `there is no method ${path}`);
    // Through the object: a stub's methods are not functions that could be called without it.
    result = await (binding as Record<string, (...args: unknown[]) => unknown>)[message.method]?.(...(args as unknown[]));
  } catch (thrown) {
    return { kind: "failure", code: "exception", error: encodeError(thrown) };
  }
  return resultReply(path, result);
}

/** @throws {TypeError} */
function requestOf({ method, url, redirect, headers, body }: Partial<WireRequest>): Request {
  if (typeof method !== "string" || typeof url !== "string" || !Array.isArray(headers)) throw new TypeError("method, url or headers are missing");
  const { protocol } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw new TypeError(`the scheme ${protocol} is not one of the web`);
  const kept = new Headers();
  for (let index = 0; index + 1 < headers.length; index += 2) kept.append(String(headers[index]), String(headers[index + 1]));
  for (const name of OF_THE_CONNECTION) kept.delete(name);
  const bytes = typeof body === "string" ? decodeBase64(body) : null;
  if (bytes === undefined) throw new TypeError("its body is not readable");
  if (bytes !== null && bytes.length > MAX_BODY_BYTES) throw new TypeError(`its body is ${bytes.length} bytes long and the limit is ${MAX_BODY_BYTES}; send it in parts`);
  return new Request(url, { method, headers: kept, body: bytes, redirect: redirect === "manual" ? "manual" : "follow" });
}

/** @throws {TypeError} for a response that is more than data. */
function wireOf(response: Response, url: string, body: Uint8Array | undefined): WireResponse {
  const { status, statusText, redirected } = response;
  if (status < 200 || status > 599) throw new TypeError(`its status is ${status}, and a socket cannot be opened from here`);
  const headers: string[] = [];
  // The platform has decoded the body, and its old length and coding would be untrue.
  const decoded = response.headers.has("content-encoding");
  response.headers.forEach((value, name) => {
    if (!decoded || (name !== "content-encoding" && name !== "content-length")) headers.push(name, value);
  });
  return { status, statusText, url: response.url === "" ? url : response.url, redirected, headers, ...(body !== undefined && body.length > 0 && { body: encodeBase64(body) }) };
}
