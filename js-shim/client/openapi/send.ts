/**
 * Sends a request of an OpenAPI connector. Credentials are added here and belong to one origin: they go along a redirect within it,
 * and once a redirect has left it they never come back, also when it returns.
 */

import { messageOf, UnknownOutcome } from "../errors.ts";
import { isLoopback } from "../outbound-rules.ts";
import { following, type Hop, MAX_REDIRECTS, targetOf } from "../redirects.ts";
import type { Content } from "./body.ts";
import { OpenApiError, toldOf } from "./error.ts";
import { checkPath } from "./path.ts";
import { strict } from "./style.ts";

/** What the application adds to each request to its service. It takes the place of what a program or a parameter sets. */
export type OpenApiCredentials = {
  headers?: HeadersInit | undefined;
  query?: Record<string, string> | undefined;
  cookies?: Record<string, string> | undefined;
};

/** All of it, ready to be sent. `server` is absolute; `chosen` says that the application named it and not the document. */
export type Outgoing = {
  server: URL;
  chosen: boolean;
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  cookies: string;
  content: Content | undefined;
  accept: string;
  signal: AbortSignal | undefined;
};

/** Headers that say nothing of who asks, and may go to another origin. */
const TRAVELS: ReadonlySet<string> = new Set(["accept", "accept-language", "content-type", "content-encoding", "content-language", "user-agent", "range"]);

/** @throws {TypeError} for a server that nothing can be sent to. */
export function serverOf(server: string | undefined, told: string): URL {
  const url = server === undefined ? null : URL.parse(server);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    const why = server === undefined ? "the document names no server" : `the document's server ${JSON.stringify(server)} is not an absolute http(s) URL`;
    throw new TypeError(`${told} was not sent: ${why}. The application has to say where the service is: override baseUrl() of this connector`);
  }
  if (url.username !== "" || url.password !== "") throw new TypeError(`${told} was not sent: its server's URL holds a user name or password; the application gives them by credentials()`);
  return url;
}

/** The last response, and whether credentials went out. @throws {OpenApiError} when there is none. */
export async function delivered(out: Outgoing, credentials: OpenApiCredentials, send: (request: Request) => Promise<Response>): Promise<Response> {
  const told = toldOf(out);
  const first = urlOf(out, told);
  const added = [...new Headers(credentials.headers)];
  const keys = Object.entries(credentials.query ?? {});
  const jar = Object.entries(credentials.cookies ?? {});
  if (added.length + keys.length + jar.length > 0 && first.protocol === "http:" && !out.chosen && !isLoopback(first.hostname)) {
    throw new TypeError(`${told} was not sent: the document's server ${first.origin} is plain http, and credentials would be readable on the way. The application can name an https address, or this one, by baseUrl()`);
  }
  const personal = (hop: Hop): Hop => {
    const headers = new Headers(hop.headers);
    for (const [name, value] of added) headers.set(name, value);
    const cookies = [out.cookies.split("; ").filter((pair) => pair !== "" && !jar.some(([name]) => pair.startsWith(`${name}=`))), jar.map(([name, value]) => `${name}=${value}`)].flat();
    if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
    const url = new URL(hop.url);
    const pairs = url.search.slice(1).split("&").filter((pair) => pair !== "" && !keys.some(([name]) => nameIn(pair) === name));
    url.search = [...pairs, ...keys.map(([name, value]) => `${strict(name)}=${strict(value)}`)].join("&");
    return { ...hop, url, headers };
  };
  let hop: Hop = { url: first, method: out.method, headers: headersOf(out), body: out.content?.data ?? null };
  let own = true;
  for (let redirects = 0; ; redirects += 1) {
    const sent = own ? personal(hop) : hop;
    const response = await asked(sent, out.signal, send, told);
    const target = targetOf(response, hop.url);
    if (target === undefined) return response;
    await response.body?.cancel();
    if (redirects === MAX_REDIRECTS) throw new OpenApiError(`${told} was redirected more than ${MAX_REDIRECTS} times, last to ${target.origin}; the service is in a loop, tell the user`);
    if (target.protocol !== "https:" && (target.protocol !== "http:" || (hop.url.protocol === "https:" && !isLoopback(target.hostname)))) {
      throw new OpenApiError(`${told} was redirected to ${target.protocol}//${target.host}, which is not followed: the way would no longer be encrypted`);
    }
    own &&= target.origin === first.origin;
    hop = following(hop, target, response.status, (name) => TRAVELS.has(name));
  }
}

function headersOf({ headers, accept, content }: Outgoing): Headers {
  const all = new Headers({ accept, "user-agent": "codemode-rs" });
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  if (content !== undefined) all.set("content-type", content.type);
  return all;
}

/** Written so that the parser has nothing to resolve; that it had nothing is checked. */
function urlOf({ server, path, query }: Outgoing, told: string): URL {
  checkPath(path);
  const prefix = server.pathname.replace(/\/+$/, "");
  const search = [server.search.slice(1), query].filter((part) => part !== "").join("&");
  const url = URL.parse(`${server.origin}${prefix}${path}${search === "" ? "" : `?${search}`}`);
  if (url === null || url.origin !== server.origin || url.pathname !== `${prefix}${path}` || url.hash !== "") {
    throw new TypeError(`${told} was not sent: its path is not one that stays as it is written below ${server.origin}${prefix}`);
  }
  return url;
}

function nameIn(pair: string): string {
  try {
    return decodeURIComponent((pair.split("=", 1)[0] ?? "").replaceAll("+", " "));
  } catch {
    return "";
  }
}

async function asked({ url, method, headers, body }: Hop, signal: AbortSignal | undefined, send: (request: Request) => Promise<Response>, told: string): Promise<Response> {
  // What cannot be made a request is the caller's fault and no failure of the network.
  const request = new Request(url, { method, headers, body: body as BodyInit | null, redirect: "manual", ...(signal !== undefined && { signal }) });
  try {
    return await send(request);
  } catch (thrown) {
    throw unanswered(told, method, thrown);
  }
}

/** No answer, or one that broke off. Of a request that may have acted nobody knows then whether it did. */
export function unanswered(told: string, method: string, thrown: unknown): OpenApiError | UnknownOutcome {
  const what = `${told} got no whole answer (${messageOf(thrown)})`;
  const safe = method === "GET" || method === "HEAD" || method === "OPTIONS";
  if (safe) return new OpenApiError(`${what}; try again later`, { cause: thrown });
  return new UnknownOutcome(`${what}; whether the service acted is not known: read before you repeat it`, { cause: thrown });
}
