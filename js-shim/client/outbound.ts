/**
 * `allowOutbound`: a Fetcher for `globalOutbound` that lets through what is on a list. It runs on the host's side: credentials are
 * added here, to the host they belong to and at no other hop, and the sandbox never sees them. A request that is not let
 * through is answered with 403 and a text that says what is allowed.
 */

import { CodemodeError, messageOf } from "./errors.ts";
import type { Outbound } from "./executor.ts";
import { type Host, hostOf, matches, refusalOf, type Rules, rulesOf, told } from "./outbound-rules.ts";
import { following, type Hop, MAX_REDIRECTS, targetOf } from "./redirects.ts";

export type AllowOutboundOptions = {
  /** `api.example.com`, `*.example.org` for every name below it (not itself), `localhost:8080`. Without a port the usual one. */
  hosts: readonly string[];
  /** Default GET and HEAD. */
  methods?: readonly string[] | undefined;
  /** Headers that are added on the way, by host as in `hosts`; they take the place of the program's. */
  headers?: Record<string, Record<string, string>> | undefined;
  /** Plain http too, to a loopback host. Everything else is https in any case. */
  allowHttp?: boolean | undefined;
  /** Who sends it in the end. Default the platform's `fetch`; a service binding for example. */
  via?: Outbound | undefined;
};

/** What a program may have set for one host and must not be carried to another. */
const PERSONAL = ["authorization", "cookie", "proxy-authorization"];

/** @throws {CodemodeError} `invalid_input` naming the rule that is none. */
export function allowOutbound(options: AllowOutboundOptions): Outbound {
  const { hosts, methods = ["GET", "HEAD"], headers = {}, allowHttp = false, via = { fetch: (request: Request) => fetch(request) } } = options;
  let rules: Rules;
  let added: { host: Host; headers: [string, string][] }[];
  try {
    rules = rulesOf(hosts, methods, allowHttp);
    added = Object.entries(headers).map(([host, values]) => ({ host: hostOf(host), headers: [...new Headers(values)] }));
  } catch (thrown) {
    throw new CodemodeError("invalid_input", `allowOutbound: ${messageOf(thrown)}`);
  }
  for (const { host } of added) {
    if (!rules.hosts.some(({ name, port }) => name === host.name && port === host.port)) {
      throw new CodemodeError("invalid_input", `allowOutbound: there are headers for ${host.written}, which is not in hosts`);
    }
  }
  const send = (hop: Hop): Promise<Response> => {
    const out = new Headers(hop.headers);
    for (const { host, headers: values } of added) if (matches(host, hop.url)) for (const [name, value] of values) out.set(name, value);
    return via.fetch(new Request(hop.url, { method: hop.method, headers: out, body: hop.body, redirect: "manual" }));
  };
  return { fetch: (request) => follow(rules, request, send) };
}

async function follow(rules: Rules, request: Request, send: (hop: Hop) => Promise<Response>): Promise<Response> {
  let hop: Hop = { url: new URL(request.url), method: request.method, headers: new Headers(request.headers), body: null };
  for (let redirects = 0; ; redirects += 1) {
    const refusal = refusalOf(rules, hop.method, hop.url);
    if (refusal !== undefined) return refused(rules, request, redirects > 0 ? `it was redirected to ${hop.url.origin}, and ${refusal}` : refusal);
    // Read once, and only what is let through: a redirect may need it again.
    if (redirects === 0 && request.body !== null) hop.body = await request.arrayBuffer();
    const response = await send(hop);
    const target = request.redirect === "follow" ? targetOf(response, hop.url) : undefined;
    if (target === undefined) return arrived(response, hop.url, redirects > 0);
    await response.body?.cancel();
    if (redirects === MAX_REDIRECTS) return refused(rules, request, `it was redirected more than ${MAX_REDIRECTS} times`);
    hop = following(hop, target, response.status, (name) => !PERSONAL.includes(name));
  }
}

/** The url is the last hop's as the program would see it, whatever `via` made of the request. */
function arrived(response: Response, url: URL, redirected: boolean): Response {
  Object.defineProperty(response, "url", { value: url.href, configurable: true });
  Object.defineProperty(response, "redirected", { value: redirected, configurable: true });
  return response;
}

function refused(rules: Rules, { method, url }: Request, why: string): Response {
  const { origin, pathname } = new URL(url);
  const text = `${method} ${origin}${pathname} was not sent on: ${why}. Allowed here: ${told(rules)}. Use one of these, or a connector; the application can change the list (allowOutbound)`;
  return new Response(text, { status: 403, headers: { "content-type": "text/plain; charset=utf-8" } });
}
