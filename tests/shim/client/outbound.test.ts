/** What an allow-list lets through, row by row, and what it adds on the way. */

import { expect, test } from "vitest";

import { allowOutbound, type AllowOutboundOptions, CodemodeError } from "../../../js-shim/client/index.ts";
import { refusalOf, rulesOf } from "../../../js-shim/client/outbound-rules.ts";

const NO_HOST = "is not on the list";

// A list of one host, a URL, and how the refusal begins; with nothing it is let through.
test.each([
  ["api.example.com", "https://api.example.com/a?b=c", ""],
  ["API.Example.com", "https://api.EXAMPLE.com/", ""],
  ["api.example.com", "https://api.example.com:443/", ""],
  ["api.example.com:443", "https://api.example.com/", ""],
  ["api.example.com", "https://%61pi.example.com/", ""],
  ["api.example.com", "https://api。example。com/", ""],
  ["bücher.example", "https://xn--bcher-kva.example/", ""],
  ["xn--bcher-kva.example", "https://BÜCHER.example/", ""],
  ["*.example.org", "https://a.example.org/", ""],
  ["*.example.org", "https://a.b.example.org/", ""],
  ["api.example.com:8443", "https://api.example.com:8443/", ""],
  ["192.0.2.1", "https://0xC0000201/", ""],
  ["[2001:db8::1]", "https://[2001:0db8:0:0::1]/", ""],
  ["api.example.com", "https://example.com/", NO_HOST],
  ["api.example.com", "https://api.example.com.evil.example/", NO_HOST],
  ["api.example.com", "https://evilapi.example.com/", NO_HOST],
  ["api.example.com", "https://api.example.com./", NO_HOST],
  ["api.example.com", "https://api.example.com:8443/", NO_HOST],
  ["api.example.com:8443", "https://api.example.com/", NO_HOST],
  ["api.example.com", "https://api.example.com%2eevil.example/", NO_HOST],
  ["api.example.com", "https://evil.example/api.example.com", NO_HOST],
  ["api.example.com", "https://evil.example/?https://api.example.com/", NO_HOST],
  ["api.example.com", "https://evil.example/#@api.example.com/", NO_HOST],
  ["api.example.com", "https://evil.example\\@api.example.com/", NO_HOST],
  ["api.example.com", "https://аpi.example.com/", NO_HOST],
  ["*.example.org", "https://example.org/", NO_HOST],
  ["*.example.org", "https://.example.org/", NO_HOST],
  ["*.example.org", "https://badexample.org/", NO_HOST],
  ["*.example.org", "https://a.example.org.evil.example/", NO_HOST],
  ["*.example.org", "https://a.example.org:8443/", NO_HOST],
  ["[::1]", "https://[::ffff:127.0.0.1]/", NO_HOST],
  ["127.0.0.1", "https://[::ffff:127.0.0.1]/", NO_HOST],
  ["api.example.com", "https://api.example.com@evil.example/", "a URL with a user name"],
  ["api.example.com", "https://user:secret@api.example.com/", "a URL with a user name"],
  ["api.example.com", "http://api.example.com/", "plain http is not sent over a network"],
  ["api.example.com:80", "http://api.example.com/", "plain http is not sent over a network"],
  ["localhost:8080", "http://localhost:8080/", "plain http is not allowed"],
  ["api.example.com", "ws://api.example.com/", "the scheme ws:"],
  ["api.example.com", "data:text/plain,api.example.com", "the scheme data:"],
  ["api.example.com", "blob:https://api.example.com/1", "the scheme blob:"],
])("a list with %s and %s: %s", (host, url, refusal) => {
  const said = refusalOf(rulesOf([host], ["get"], false), "GET", new URL(url));
  if (refusal === "") expect(said).toBeUndefined();
  else expect(said).toContain(refusal);
});

test.each([
  ["http://localhost:8080/", "localhost:8080", true],
  ["http://app.localhost/", "*.app.localhost", false],
  ["http://127.0.0.1/", "127.0.0.1", true],
  ["http://127.1/", "127.0.0.1", true],
  ["http://[::1]/", "[::1]", true],
  ["http://127.0.0.1.evil.example/", "*.evil.example", false],
  ["http://api.example.com/", "api.example.com", false],
])("plain http, when it is allowed: %s with a list of %s is sent: %s", (url, host, sent) => {
  expect(refusalOf(rulesOf([host], ["GET"], true), "GET", new URL(url)) === undefined).toBe(sent);
});

test("a method that is not on the list is refused", () => {
  const rules = rulesOf(["a.example"], ["GET", "post"], false);
  expect(["GET", "POST", "DELETE"].map((method) => refusalOf(rules, method, new URL("https://a.example/")) ?? "sent")).toEqual(["sent", "sent", "the method DELETE is not on the list"]);
});

test.each([
  [{ hosts: [] }, "hosts is empty"],
  [{ hosts: ["*"] }, "is not a host name"],
  [{ hosts: ["*.com"] }, "a whole top-level domain"],
  [{ hosts: ["*.10.0.0.1"] }, "a wildcard before an IP address"],
  [{ hosts: ["api.*.com"] }, "is not a host name"],
  [{ hosts: ["https://api.example.com"] }, "is not a host name"],
  [{ hosts: ["user@api.example.com"] }, "is not a host name"],
  [{ hosts: ["api.example.com/v1"] }, "is not a host name"],
  [{ hosts: ["api.example.com."] }, "ends in a dot"],
  [{ hosts: [""] }, "is not a host name"],
  [{ hosts: ["a.example"], methods: ["GET POST"] }, "is no HTTP method"],
  [{ hosts: ["a.example"], headers: { "b.example": { authorization: "x" } } }, "headers for b.example, which is not in hosts"],
  [{ hosts: ["a.example"], headers: { "a.example:8443": { authorization: "x" } } }, "headers for a.example:8443"],
] satisfies [AllowOutboundOptions, string][])("a list that is none is refused when it is made: %o", (options, text) => {
  expect(() => allowOutbound(options)).toThrow(CodemodeError);
  expect(() => allowOutbound(options)).toThrow(text);
});

/** The web behind the list: what arrived there, and answers by path. */
function web(): { seen: string[]; fetch: (request: Request) => Promise<Response> } {
  const seen: string[] = [];
  return {
    seen,
    fetch: async (request) => {
      const { host, pathname, searchParams } = new URL(request.url);
      const said = ["authorization", "cookie", "x-own", "content-type"].map((name) => request.headers.get(name) ?? "-").join(" ");
      seen.push(`${request.method} ${host}${pathname} ${said} ${await request.text()}`.trim());
      const at = searchParams.get("at");
      return at === null ? new Response("arrived") : new Response("on the way", { status: Number(searchParams.get("status") ?? 302), headers: { location: at } });
    },
  };
}

const HEADERS = { "a.example": { authorization: "Bearer a" }, "b.example": { authorization: "Bearer b", "x-own": "b" } };
const to = (host: string, at?: string, status = 302): string => `https://${host}/p${at === undefined ? "" : `?status=${status}&at=${encodeURIComponent(at)}`}`;

test("credentials are added to their own host, take the place of the program's, and follow no redirect", async () => {
  const via = web();
  const outbound = allowOutbound({ hosts: ["a.example", "b.example", "*.c.example"], methods: ["GET"], headers: HEADERS, via });
  const answer = await outbound.fetch(new Request(to("a.example", to("x.c.example", to("b.example"))), { headers: { authorization: "forged", cookie: "own" } }));
  expect([answer.status, answer.redirected, answer.url, await answer.text()]).toEqual([200, true, "https://b.example/p", "arrived"]);
  expect(via.seen).toEqual([
    "GET a.example/p Bearer a own - -",
    "GET x.c.example/p - - - -",
    "GET b.example/p Bearer b - b -",
  ]);
});

test("each hop is held against the list; a hop that is not on it is never asked", async () => {
  const via = web();
  const outbound = allowOutbound({ hosts: ["a.example"], headers: { "a.example": { authorization: "Bearer secret" } }, via });
  for (const target of ["https://evil.example/", "http://a.example/", "https://a.example:8443/", "//evil.example/x", "https://u:p@a.example/", "ftp://a.example/"]) {
    const answer = await outbound.fetch(new Request(to("a.example", target)));
    const text = await answer.text();
    expect([target, answer.status]).toEqual([target, 403]);
    expect(text).toContain("it was redirected to");
    expect(text).toContain("Allowed here: GET, HEAD to a.example");
    expect(text).not.toContain("secret");
  }
  expect(new Set(via.seen)).toEqual(new Set(["GET a.example/p Bearer secret - - -"]));
});

test("a redirect that is not to be followed is the answer, and an endless one ends", async () => {
  const via = web();
  const outbound = allowOutbound({ hosts: ["a.example"], via });
  const answer = await outbound.fetch(new Request(to("a.example", "https://evil.example/"), { redirect: "manual" }));
  expect([answer.status, answer.headers.get("location"), answer.redirected]).toEqual([302, "https://evil.example/", false]);
  const loop: string = "https://a.example/p?at=" + encodeURIComponent("/p?at=/p");
  const round = allowOutbound({ hosts: ["a.example"], via: { fetch: async (request) => (await via.fetch(request), new Response(null, { status: 302, headers: { location: loop } })) } });
  const before = via.seen.length;
  expect(await (await round.fetch(new Request(loop))).text()).toContain("redirected more than 5 times");
  expect(via.seen.length - before).toBe(6);
});

test("a redirect keeps method and body, or makes a GET of them, as the web does", async () => {
  const via = web();
  const outbound = allowOutbound({ hosts: ["a.example"], methods: ["GET", "POST"], via });
  for (const status of [302, 303, 307, 308]) {
    await outbound.fetch(new Request(to("a.example", "/end", status), { method: "POST", body: "form", headers: { "content-type": "text/x" } }));
  }
  expect(via.seen.filter((line) => line.includes("/end"))).toEqual([
    "GET a.example/end - - - -", "GET a.example/end - - - -", "POST a.example/end - - - text/x form", "POST a.example/end - - - text/x form",
  ]);
});

test("a refusal says what is allowed, and repeats nothing that could be a secret of the URL", async () => {
  const answer = await allowOutbound({ hosts: ["a.example", "*.b.example"], via: web() }).fetch(new Request("https://evil.example/path?token=abc"));
  expect([answer.status, await answer.text()]).toEqual([
    403,
    "GET https://evil.example/path was not sent on: the host evil.example is not on the list. Allowed here: GET, HEAD to a.example, *.b.example. " +
      "Use one of these, or a connector; the application can change the list (allowOutbound)",
  ]);
});
