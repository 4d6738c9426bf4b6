/** Spec §10: the HTTP door of the runtime Worker. It only reads, and answers nobody who might be a web page. */

import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import worker from "./worker.ts";
import { newAgent } from "./story.ts";

async function ask(path: string, init: RequestInit & { host?: string; token?: string } = {}): Promise<{ status: number; body: unknown }> {
  const { host = "http://localhost:8787", token, ...rest } = init;
  const request = new Request(`${host}${path}`, rest) as Parameters<typeof worker.fetch>[0];
  const door = token === undefined ? env : { ...env, CODEMODE_TOKEN: token };
  const response = await worker.fetch(request, door);
  return { status: response.status, body: await response.json() };
}

const runtime = "nobody/default";
const pending = `/pending?runtime=${runtime}`;

describe("without a token", () => {
  test.each(["http://localhost:8787", "http://127.0.0.1", "http://[::1]:1"])("%s is let in", async (host) => {
    expect(await ask(pending, { host })).toEqual({ status: 200, body: [] });
  });

  test.each(["https://codemode.example.workers.dev", "http://localhost.evil.example", "http://127.0.0.1.nip.io", "http://0.0.0.0:8787"])("%s is not, and is told why", async (host) => {
    expect(await ask(pending, { host })).toEqual({ status: 403, body: { error: expect.stringContaining("CODEMODE_TOKEN") } });
  });

  test("another origin is refused, its own is not", async () => {
    expect((await ask(pending, { headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect((await ask(pending, { headers: { origin: "null" } })).status).toBe(403);
    expect((await ask(pending, { headers: { origin: "http://localhost:8787" } })).status).toBe(200);
  });

  test("a body that is not JSON is refused before anything else", async () => {
    const post = { method: "POST", body: "{}" };
    expect((await ask(pending, { ...post, headers: { "content-type": "text/plain" } })).status).toBe(403);
    expect((await ask(pending, { ...post, headers: { "content-type": "application/x-www-form-urlencoded" } })).status).toBe(403);
    expect((await ask(pending, { ...post, headers: { "content-type": "application/json" } })).status).toBe(405);
  });
});

describe("with a token", () => {
  const token = "secret";
  test.each([undefined, "Bearer wrong", "Bearer secre", "Basic secret", "secret", "Bearer ", "Bearer secret2"])("Authorization %s is refused, also on localhost", async (authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    expect(await ask(pending, { token, headers })).toEqual({ status: 403, body: { error: expect.any(String) } });
  });

  test("the right one is let in from anywhere", async () => {
    const headers = { authorization: "Bearer secret", origin: "https://console.example" };
    expect(await ask(pending, { token, headers, host: "https://codemode.example.com" })).toEqual({ status: 200, body: [] });
  });

  test("an empty token is no token", async () => {
    expect((await ask(pending, { token: "", host: "https://codemode.example.com", headers: { authorization: "Bearer " } })).status).toBe(403);
  });
});

test("it tells pending calls, executions and single calls in the shown form", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => { await t.echo(new Map([["big", 10n]])); await t.gate({ at: new Date(0) }) }`);
  const query = `runtime=${agent.stub.id.toString()}/default`;
  expect(await ask(`/pending?${query}`)).toEqual({ status: 200, body: [{ executionId, seq: 1, connector: "t", method: "gate", args: { at: "1970-01-01T00:00:00.000Z" } }] });
  expect(await ask(`/executions?${query}&limit=1`)).toMatchObject({ status: 200, body: [{ id: executionId, status: "paused" }] });
  expect(await ask(`/executions/${executionId}?${query}`)).toMatchObject({ status: 200, body: { id: executionId, log: [{ seq: 0 }, { seq: 1 }] } });
  expect(await ask(`/executions/${executionId}?${query}&seq=0`)).toMatchObject({ status: 200, body: { seq: 0, result: [["big", "10"]] } });
});

test("what is not there is 404, what cannot be read is 400, what is not served is 405", async () => {
  const query = `runtime=${runtime}`;
  expect((await ask(`/?${query}`)).status).toBe(404);
  expect((await ask(`/approve?${query}`)).status).toBe(404);
  expect((await ask(`/executions/exec_00000000000000000000000000000000?${query}`)).status).toBe(404);
  expect((await ask(`/executions/a/b?${query}`)).status).toBe(404);
  expect((await ask(`/pending`)).status).toBe(400);
  expect((await ask(`/pending?runtime=nameless`)).status).toBe(400);
  expect((await ask(`/executions?${query}&limit=many`)).status).toBe(400);
  expect((await ask(pending, { method: "DELETE" })).status).toBe(405);
});
