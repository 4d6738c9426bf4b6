/** Who gets in at an HTTP door. */

import { expect, test } from "vitest";

import { httpDoor } from "../../../js-shim/client/index.ts";

type Knock = { url?: string; method?: string; headers?: Record<string, string>; body?: string };

async function knock({ url = "http://localhost:8787/run", method = "POST", headers = {}, body }: Knock, token?: string): Promise<string> {
  const answer = httpDoor(new Request(url, { method, headers, ...(body !== undefined && { body }) }), token);
  if (answer === null) return "in";
  const { error } = (await answer.json()) as { error: string };
  return `${answer.status} ${error}`;
}

const json = { "content-type": "application/json" };

test.each<[string, Knock]>([
  ["JSON from the same machine", { headers: json, body: "{}" }],
  ["a charset", { headers: { "content-type": "Application/JSON; charset=utf-8" }, body: "{}" }],
  ["127.0.0.1", { url: "http://127.0.0.1:1/", headers: json, body: "{}" }],
  ["[::1]", { url: "http://[::1]:1/", headers: json, body: "{}" }],
  ["no body, no content type", { method: "GET" }],
  ["a DELETE without a body", { method: "DELETE" }],
  ["its own origin", { headers: { ...json, origin: "http://localhost:8787" }, body: "{}" }],
])("without a token: %s gets in", async (_case, request) => {
  expect(await knock(request)).toBe("in");
});

test.each<[string, Knock, string]>([
  ["another host", { url: "http://codemode.example.com/", headers: json, body: "{}" }, "not on codemode.example.com"],
  ["a name that was rebound to this machine", { url: "http://localhost.evil.com:8787/", method: "GET" }, "not on localhost.evil.com"],
  ["another address of this machine", { url: "http://127.0.0.2/", method: "GET" }, "not on 127.0.0.2"],
  ["a form", { headers: { "content-type": "text/plain" }, body: "{}" }, "application/json"],
  ["a content type that only contains the right one", { headers: { "content-type": "text/plain; application/json" }, body: "{}" }, "application/json"],
  ["the origin null", { headers: { ...json, origin: "null" }, body: "{}" }, "the origin null"],
  ["another origin", { headers: { ...json, origin: "https://evil.com" }, body: "{}" }, "the origin https://evil.com"],
  ["another port as origin", { headers: { ...json, origin: "http://localhost:3000" }, body: "{}" }, "the origin http://localhost:3000"],
  ["another origin without a body", { method: "GET", headers: { origin: "https://evil.com" } }, "the origin https://evil.com"],
])("without a token: %s stays out and is told why", async (_case, request, reason) => {
  const answer = await knock(request);
  expect(answer).toMatch(/^403 /);
  expect(answer).toContain(reason);
});

test("an empty token is no token", async () => {
  expect(await knock({ method: "GET" }, "")).toBe("in");
  expect(await knock({ method: "GET", headers: { authorization: "Bearer " }, url: "https://a.example/" }, "")).toMatch(/^403/);
});

test.each<[string, string | undefined, string]>([
  ["the token", "Bearer s3cret", "in"],
  ["another case of the scheme", "bearer s3cret", "in"],
  ["no header", undefined, "403 "],
  ["another token", "Bearer s3creT", "403 "],
  ["the token and more", "Bearer s3cret1", "403 "],
  ["a part of it", "Bearer s3cre", "403 "],
  ["another scheme", "Basic s3cret", "403 "],
  ["the bare token", "s3cret", "403 "],
])("with a token: %s", async (_case, authorization, expected) => {
  const request: Knock = { url: "https://codemode.example.com/run", headers: { origin: "https://evil.com", ...(authorization !== undefined && { authorization }) }, body: "x" };
  expect((await knock(request, "s3cret")).startsWith(expected)).toBe(true);
});

test("with a token localhost needs it too", async () => {
  expect(await knock({ method: "GET" }, "s3cret")).toMatch(/^403 .*Bearer/);
});

test("a token of any script", async () => {
  // Headers carry bytes; a token outside ASCII cannot match by accident.
  expect(await knock({ method: "GET", headers: { authorization: "Bearer \u00e9" } }, "\u00ea")).toMatch(/^403/);
});
