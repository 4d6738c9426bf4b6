/** The connector: its source, its tools, whose credentials go where, and what an application may override. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { OpenApiConnector, OpenApiError, type OpenApiRequestOptions } from "../../../js-shim/client/index.ts";
import type { MethodRecord, Operation } from "../../../js-shim/wire.ts";
import { context } from "./double.ts";
import { type Answer, CALL, Client, json, Service, service, thrownBy } from "./openapi-service.ts";

const server = service();
const other = new Service();
beforeAll(() => other.start());
afterAll(() => other.stop());
const GET: Operation = { verb: "GET", path: "/start" };

test("a document is one source until it is another", async () => {
  const client = new Client();
  const document = { openapi: "3.1.0", paths: { "/a": {} } };
  client.document = document;
  const first = await client.source_();
  expect(first).toEqual({ format: "openapi", text: '{"openapi":"3.1.0","paths":{"/a":{}}}' });
  expect(await client.source_()).toBe(first);
  client.document = structuredClone(document);
  expect(await client.source_()).toBe(first);
  client.document = JSON.stringify(document);
  expect(await client.source_()).toBe(first);
  client.document = '{"openapi":"3.0.0"}';
  expect(await client.source_()).toEqual({ format: "openapi", text: '{"openapi":"3.0.0"}' });
});

test("the same document is written out once", async () => {
  let read = 0;
  const client = new Client();
  client.document = { openapi: "3.1.0", toJSON: () => (read += 1) };
  await client.source_();
  await client.source_();
  expect(read).toBe(1);
});

test("what is no document is said so", async () => {
  const client = new Client();
  client.document = undefined as unknown as object;
  expect((await thrownBy(client.source_())).message).toContain("spec() has to give the OpenAPI document");
});

test("the document itself is a method only where the application wants it", async () => {
  class Open extends Client {
    protected override exposeSpec(): boolean {
      return true;
    }
  }
  expect(new Client().tools_()).toEqual({});
  const open = new Open();
  open.document = '{"openapi":"3.1.0","x":12345678901234567890}';
  expect(await open.tools_()["spec"]?.execute({}, CALL)).toEqual({ openapi: "3.1.0", x: 12345678901234567890n });
});

test("a tool says what its record says", () => {
  const record: MethodRecord = {
    name: "del", original: "things/del", description: "Delete.", inputSchema: { type: "object" }, outputSchema: { type: "null" }, requiresApproval: true, readOnly: true, idempotent: true, replay: "reexecute",
    operation: { verb: "DELETE", path: "/x" },
  };
  const { execute, ...said } = new Client().tool_(record);
  const { name: _name, operation: _operation, ...expected } = record;
  expect(said).toEqual(expected);
  expect(typeof execute).toBe("function");
  expect(new Client().tool_({ name: "x", requiresApproval: false, operation: GET })).toMatchObject({ requiresApproval: false, inputSchema: { type: "object" } });
});

test("an application that moved over has what it had: path, method, params, body, headers", async () => {
  const seen: OpenApiRequestOptions[] = [];
  class Moved extends OpenApiConnector {
    name(): string {
      return "api";
    }
    protected spec(): object {
      return {};
    }
    protected override request(options: OpenApiRequestOptions): Promise<unknown> {
      seen.push(options);
      return Promise.resolve({ own: true });
    }
    once(operation: Operation, args: unknown): unknown {
      return this.toolFor({ name: "m", requiresApproval: false, operation }).execute(args, CALL);
    }
  }
  const operation: Operation = {
    verb: "post",
    path: "/repos/{owner}",
    parameters: [{ key: "owner", in: "path" }, { key: "labels", in: "query", explode: false }, { key: "trace", name: "X-Trace", in: "header" }],
    body: { type: "application/json" },
  };
  const body = { title: "t" };
  // No server is named, and none is needed by an override that has its own.
  expect(await new Moved(context, undefined).once(operation, { owner: "a b", labels: ["x", "y"], trace: 1, body })).toEqual({ own: true });
  const [options] = seen;
  expect(options).toMatchObject({ path: "/repos/a%20b", method: "POST", params: { labels: ["x", "y"] }, body, headers: { "X-Trace": "1" }, query: "labels=x,y", call: CALL });
  expect(options?.content).toEqual({ type: "application/json", data: new TextEncoder().encode('{"title":"t"}') });
  expect(options?.signal?.aborted).toBe(false);
});

test("an override adds to a request and has it sent", async () => {
  class Keyed extends Client {
    protected override request(options: OpenApiRequestOptions): Promise<unknown> {
      return super.request({ ...options, headers: { ...options.headers, "Idempotency-Key": options.call?.idempotencyKey ?? "" } });
    }
  }
  server.answer = () => json({});
  await new Keyed(server.origin).call(GET);
  expect(server.last().headers["idempotency-key"]).toBe("e1/0");
});

test("a revert can make a request of its own in few words", async () => {
  server.answer = () => json({ ok: 1n.toString() });
  await new Client(`${server.origin}/v1`).request_({ method: "PATCH", path: "/things/1", params: { force: true, ids: [1, 2] }, body: { n: 9007199254740993n } });
  const { method, url, body, headers } = server.last();
  expect([method, url, body, headers["content-type"]]).toEqual(["PATCH", "/v1/things/1?force=true&ids=1&ids=2", '{"n":9007199254740993}', "application/json"]);
  expect((await thrownBy(new Client(server.origin).request_({ path: "/a/../b" }))).message).toContain("a step to another place");
  expect((await thrownBy(new Client(server.origin).request_({ path: "@evil.example/" }))).message).toContain("not one that stays as it is written");
});

describe("credentials", () => {
  const OWN = { headers: { Authorization: "Bearer secret", "X-Api-Key": "k1" }, query: { api_key: "k2" }, cookies: { session: "k3" } };
  const said = (one: Service) => one.seen.map(({ method, url, headers }) => [method, url, headers["authorization"] ?? "-", headers["x-api-key"] ?? "-", headers["cookie"] ?? "-"].join(" "));

  /** Where the two services send who asks, by path; anything else is the end. */
  async function walk(hops: Record<string, Answer | (() => Answer)>, operation: Operation = GET, args: unknown = {}): Promise<unknown> {
    server.seen.length = 0;
    other.seen.length = 0;
    for (const one of [server, other]) {
      one.answer = ({ url }) => {
        const found = hops[`${one === server ? "" : "other"}${url.split("?", 1)[0] ?? ""}`];
        return (typeof found === "function" ? found() : found) ?? json({ end: url.split("?", 1)[0] });
      };
    }
    const client = new Client(server.origin);
    client.own = OWN;
    return client.call(operation, args);
  }
  const to = (location: string, status = 302): Answer => ({ status, headers: { location } });

  test("reach the server, and take the place of what a program says", async () => {
    const parameters = [{ key: "api_key", in: "query" }, { key: "q", in: "query" }, { key: "X-API-key", in: "header" }, { key: "session", in: "cookie" }, { key: "theme", in: "cookie" }] as const;
    await walk({}, { ...GET, parameters: [...parameters] }, { api_key: "forged", q: 1, "X-API-key": "forged", session: "forged", theme: "dark" });
    expect(said(server)).toEqual(["GET /start?q=1&api_key=k2 Bearer secret k1 theme=dark; session=k3"]);
  });

  test("go along within the server's origin", async () => {
    expect(await walk({ "/start": to("/end?a=1") })).toEqual({ end: "/end" });
    expect(said(server)).toEqual(["GET /start?api_key=k2 Bearer secret k1 session=k3", "GET /end?a=1&api_key=k2 Bearer secret k1 session=k3"]);
  });

  test("go to no other origin, nor do header parameters, and they do not come back", async () => {
    const parameters = [{ key: "X-Token", in: "header" as const }];
    expect(await walk({ "/start": () => to(`${other.origin}/mid`), "other/mid": () => to(`${server.origin}/end`) }, { ...GET, parameters }, { "X-Token": "t" })).toEqual({ end: "/end" });
    expect(said(other)).toEqual(["GET /mid - - -"]);
    expect(said(server)).toEqual(["GET /start?api_key=k2 Bearer secret k1 session=k3", "GET /end - - -"]);
    expect(other.last().headers).toMatchObject({ accept: "application/json, */*;q=0.5", "user-agent": "codemode-rs" });
    expect(other.last().headers["x-token"]).toBeUndefined();
  });

  test.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "POST", "GET", ""],
    [307, "POST", "POST", '{"a":1}'],
    [308, "POST", "POST", '{"a":1}'],
    [303, "PUT", "GET", ""],
    [302, "PUT", "PUT", '{"a":1}'],
    [307, "DELETE", "DELETE", '{"a":1}'],
  ])("after %s a %s is a %s", async (status, verb, then, body) => {
    await walk({ "/start": to("/end", status) }, { verb, path: "/start", body: { type: "application/json" } }, { body: { a: 1 } });
    const last = server.last();
    expect([last.method, last.url, last.body, last.headers["content-type"]]).toEqual([then, "/end?api_key=k2", body, body === "" ? undefined : "application/json"]);
  });

  test("five redirects are followed, and a sixth ends the call", async () => {
    let left = 5;
    expect(await walk({ "/start": () => (left-- > 0 ? to("/start") : json("there")) })).toBe("there");
    const error = await thrownBy(walk({ "/start": to("/start") }));
    expect(error).toBeInstanceOf(OpenApiError);
    expect(error.message).toContain("redirected more than 5 times");
    expect(server.seen.length).toBe(6);
  });

  test.each(["file:///etc/passwd", "data:application/json,1", "ftp://127.0.0.1/"])("a redirect to %s is not followed", async (location) => {
    expect((await thrownBy(walk({ "/start": to(location) }))).message).toContain("which is not followed");
    expect(server.seen.length).toBe(1);
  });

  test("a redirect from https to plain http is not followed", async () => {
    class Encrypted extends Client {
      sent: string[] = [];
      protected override send(request: Request): Promise<Response> {
        this.sent.push(`${request.url} ${request.headers.get("authorization")}`);
        return Promise.resolve(new Response(null, { status: 302, headers: { location: "http://api.example/x" } }));
      }
    }
    const client = new Encrypted("https://api.example");
    client.own = { headers: { authorization: "Bearer secret" } };
    expect((await thrownBy(client.call(GET))).message).toContain("the way would no longer be encrypted");
    expect(client.sent).toEqual(["https://api.example/start Bearer secret"]);
  });

  test("are not sent in clear because a document says http, unless the application does", async () => {
    class Clear extends Client {
      sent: string[] = [];
      protected override send(request: Request): Promise<Response> {
        this.sent.push(request.url);
        return Promise.resolve(Response.json(1));
      }
    }
    const client = new Clear();
    client.own = OWN;
    const error = await thrownBy(client.call({ ...GET, server: "http://api.example" }));
    expect(error.message).toContain("is plain http, and credentials would be readable on the way");
    expect(error.message).not.toContain("secret");
    expect(client.sent).toEqual([]);
    client.base = "http://api.example";
    expect(await client.call({ ...GET, server: "https://other.example" })).toBe(1);
    client.base = undefined;
    client.own = {};
    expect(await client.call({ ...GET, server: "http://api.example" })).toBe(1);
    expect(client.sent).toEqual(["http://api.example/start?api_key=k2", "http://api.example/start"]);
  });

  test("are in no error", async () => {
    for (const answer of [json({ message: "no" }, 500), to("ftp://x"), { cut: true } as const]) {
      const error = await thrownBy(walk({ "/start": answer }));
      expect(JSON.stringify({ ...error, message: error.message })).not.toMatch(/secret|k1|k2|k3/);
    }
  });

  test("that cannot be had are a failure and nothing is sent", async () => {
    class Broken extends Client {
      protected override credentials(): never {
        throw new Error("no vault");
      }
    }
    const before = server.seen.length;
    expect((await thrownBy(new Broken(server.origin).call(GET))).message).toBe("no vault");
    expect(server.seen.length).toBe(before);
  });

  test("a header parameter that would carry some is refused (O18)", async () => {
    for (const name of ["Authorization", "Cookie", "Host"]) {
      const error = await thrownBy(walk({}, { ...GET, parameters: [{ key: "h", name, in: "header" }] }, { h: "x" }));
      expect(error.message).toContain(`args.h would be the header ${name}`);
    }
    await walk({}, { ...GET, parameters: [{ key: "Accept", in: "header" }, { key: "Content-Length", in: "header" }] }, { Accept: "text/evil", "Content-Length": 99 });
    expect(server.last().headers["content-length"]).toBeUndefined();
    expect(server.last().headers["accept"]).toBe("application/json, */*;q=0.5");
  });
});
