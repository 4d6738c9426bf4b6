/** What an answer is for a program: a value, or an error that it can act on. */

import { expect, test } from "vitest";

import { type ConnectorTool, OpenApiError, type OpenApiRequestOptions, UnknownOutcome } from "../../../js-shim/client/index.ts";
import { MAX_BODY_BYTES } from "../../../js-shim/client/bounded.ts";
import { hostFunction } from "../../../js-shim/client/host.ts";
import { decode } from "../../../js-shim/value/index.ts";
import type { HostFunction, Operation } from "../../../js-shim/wire.ts";
import { ask, callMessage, told } from "./double.ts";
import { type Answer, Client, json, service, thrownBy } from "./openapi-service.ts";

const server = service();
const GET: Operation = { verb: "GET", path: "/things/1" };

async function answer(with_: Answer, operation: Operation = GET): Promise<unknown> {
  server.answer = () => with_;
  return new Client(server.origin).call(operation);
}

function typed(type: string | undefined, body: string | Uint8Array, status = 200): Answer {
  return { status, body, headers: type === undefined ? {} : { "content-type": type } };
}

test.each([
  ["application/json", '{"id":12345678901234567890,"n":1.5}', { id: 12345678901234567890n, n: 1.5 }],
  ["application/json; charset=utf-8", '\ufeff[1,"é"]', [1, "é"]],
  ["application/vnd.api+json", '{"data":null}', { data: null }],
  ["application/problem+json", "true", true],
  ["text/json", "5", 5],
  ["application/json", "", null],
  ["application/json", " \n", null],
  ["text/plain", "é", "é"],
  ["text/plain", "", null],
  ["text/csv; charset=iso-8859-1", new Uint8Array([0xe9]), "é"],
  ["text/plain; charset=never-heard-of", "é", "é"],
  ["application/xml", "<a/>", "<a/>"],
  ["image/svg+xml", "<svg/>", "<svg/>"],
  ["application/x-ndjson", '{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":2}\n'],
  ["application/yaml", "a: 1", "a: 1"],
  ["image/png", new Uint8Array([137, 0, 255]), { mimeType: "image/png", data: new Uint8Array([137, 0, 255]) }],
  ["Application/PDF; x=y", "%PDF", { mimeType: "application/pdf", data: new Uint8Array([37, 80, 68, 70]) }],
  ["application/octet-stream", "{}", { mimeType: "application/octet-stream", data: new Uint8Array([123, 125]) }],
  [undefined, '{"a":1}', { a: 1 }],
  [undefined, "plain", "plain"],
  [undefined, new Uint8Array([255, 254]), { mimeType: "application/octet-stream", data: new Uint8Array([255, 254]) }],
])("an answer of %s with %o is %o (O19)", async (type, body, value) => {
  expect(await answer(typed(type, body))).toEqual(value);
});

test.each([204, 205])("%s is null (O19)", async (status) => {
  expect(await answer({ status })).toBeNull();
});

test("HEAD is null", async () => {
  expect(await answer(json({ a: 1 }), { verb: "HEAD", path: "/x" })).toBeNull();
});

test("201 and 206 are values as 200 is", async () => {
  expect(await answer(json({ id: 1 }, 201))).toEqual({ id: 1 });
  expect(await answer(typed("text/plain", "part", 206))).toBe("part");
});

test("the wanted type is asked for", async () => {
  await answer(json({}));
  expect(server.last().headers).toMatchObject({ accept: "application/json, */*;q=0.5", "user-agent": "codemode-rs" });
  await answer(json({}), { ...GET, accept: "image/png" });
  expect(server.last().headers["accept"]).toBe("image/png");
});

test("JSON that is none is an error that shows how it begins", async () => {
  const error = await thrownBy(answer(typed("application/json", "<html>Login</html>")));
  expect(error).toBeInstanceOf(OpenApiError);
  expect(error.message).toMatch(/^GET \/things\/1 was done \(200\), but its answer is said to be application\/json and cannot be read as that: .*It begins with "<html>Login<\/html>"$/);
  expect(error["body"]).toBe("<html>Login</html>");
});

test("an answer that is too large is refused with its size", async () => {
  const body = new Uint8Array(MAX_BODY_BYTES + 1);
  const told = await thrownBy(answer({ body, headers: { "content-type": "text/plain", "content-length": String(body.length) } }));
  expect(told["code"]).toBe("too_large");
  expect(told.message).toBe(`GET /things/1 was done, but its answer is ${MAX_BODY_BYTES + 1} bytes long, and ${MAX_BODY_BYTES} bytes is the most that is taken in; ask for a page, a filter, a range or fewer fields`);
  expect((await thrownBy(answer(typed("text/plain", body)))).message).toContain(`its answer is longer, and ${MAX_BODY_BYTES} bytes is the most`);
  expect(((await answer(typed("text/plain", "x".repeat(MAX_BODY_BYTES)))) as string).length).toBe(MAX_BODY_BYTES);
});

const TELL = "tell the user";
test.each([
  [json({ message: "Not Found", documentation_url: "https://docs.example" }, 404), "GET /things/1 answered 404 Not Found. Nothing is there under these values"],
  [json({ message: "No such thing" }, 404), "GET /things/1 answered 404 Not Found: No such thing. Nothing is there"],
  [json({ type: "about:blank", title: "Out of credit", detail: "Your balance is 30." }, 403, { "content-type": "application/problem+json" }), `403 Forbidden: Your balance is 30. The application's credentials do not allow this; a program cannot give others, so ${TELL}`],
  [json({ error: "invalid_token", error_description: "expired" }, 401), "401 Unauthorized: expired; invalid_token. The application's credentials were not accepted"],
  [json({ error: { code: 400, message: "bad date", status: "INVALID" } }, 400), "400 Bad Request: bad date. Correct the arguments"],
  [json({ message: "Validation Failed", errors: [{ resource: "Issue", field: "title", code: "missing_field" }, "other"] }, 422), "422 Unprocessable Entity: Validation Failed; Issue.title (missing_field); other. Correct the arguments"],
  [json({ detail: [{ loc: ["body", "price"], msg: "field required", type: "value_error.missing" }] }, 422), "422 Unprocessable Entity: body.price: field required. Correct"],
  [json({ errors: { name: ["is taken", "is short"] } }, 422), "name: is taken; name: is short."],
  [json({ errors: [{ title: "Invalid", detail: "too short", source: { pointer: "/data/name" } }] }, 422), "/data/name: too short"],
  [json(["one", "two"], 400), "one; two."],
  [typed("text/plain", "  no   such\nthing. ", 404), "404 Not Found: no such thing. Nothing"],
  [typed("text/html", "<!doctype html><html><title>502 Bad Gateway</title><body>x</body></html>", 502), "502 Bad Gateway: 502 Bad Gateway. The service has trouble; try again later"],
  [json({}, 409), "409 Conflict. It is in another state"],
  [json({}, 418), "418 I'm a Teapot. Change the call before you repeat it"],
  [json({}, 500), "500 Internal Server Error. The service has trouble; try again later"],
  [json({}, 429), "429 Too Many Requests. Too many requests. Wait, then try again with fewer calls at once"],
  [json({}, 429, { "retry-after": "7" }), "Too many requests. Try again after 7 s"],
  [json({}, 503, { "retry-after": "120" }), "Try again after 120 s"],
  [{ status: 304 }, "304 Not Modified. The answer is neither a result nor a failure"],
  [{ status: 302 }, "302 Found. The answer is neither"],
] satisfies [Answer, string][])("a failure says what the server said and what to do: %j", async (with_, text) => {
  const error = await thrownBy(answer(with_));
  expect(error).toBeInstanceOf(OpenApiError);
  expect(error.message).toContain(text);
  expect(error["status"]).toBe(with_.status);
});

test("a failure of a write that may have acted says so", async () => {
  const error = await thrownBy(answer(json({}, 500, { "retry-after": "3" }), { verb: "POST", path: "/x" }));
  expect(error.message).toBe("POST /x answered 500 Internal Server Error. The service has trouble, and whether it acted is not known: read before you repeat it. Try again after 3 s");
});

const AT = Date.now();
test.each([
  ["seconds", 429, { "retry-after": "7" }, 7000],
  ["a date", 503, { "retry-after": new Date(AT + 3_600_000).toUTCString() }, 3_600_000],
  ["a date that is over", 503, { "retry-after": new Date(0).toUTCString() }, 0],
  ["milliseconds", 429, { "retry-after-ms": "250", "retry-after": "1" }, 250],
  ["a time, at a limit that is used up", 403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Math.floor((AT + 600_000) / 1000)) }, 600_000],
  ["a time in milliseconds", 429, { "x-ratelimit-reset": String(AT + 600_000) }, 600_000],
  ["seconds until the reset", 429, { "ratelimit-remaining": "0", "ratelimit-reset": "30" }, 30_000],
  ["a structured field", 429, { ratelimit: '"default";r=0;t=30' }, 30_000],
  ["an older structured field", 429, { ratelimit: "limit=10, remaining=0, reset=30" }, 30_000],
  ["a limit that is not used up", 403, { "x-ratelimit-remaining": "5", "x-ratelimit-reset": "30" }, undefined],
  ["nonsense", 429, { "retry-after": "soon" }, undefined],
  ["nothing", 503, {}, undefined],
] as const)("when to try again is read from %s", async (_what, status, headers, ms) => {
  const { retryAfterMs } = (await thrownBy(answer(json({}, status, headers)))) as unknown as OpenApiError;
  if (ms === undefined) expect(retryAfterMs).toBeUndefined();
  // Dates have seconds, and the test takes some time.
  else expect(Math.abs((retryAfterMs ?? -1e9) - ms)).toBeLessThan(ms > 100_000 ? 10_000 : 1);
});

test("a failure's body comes parsed, with its digits, and bounded", async () => {
  expect((await thrownBy(answer(typed("application/problem+json", '{"id":12345678901234567890}', 400))))["body"]).toEqual({ id: 12345678901234567890n });
  expect((await thrownBy(answer(typed("application/json", "<oops>", 500))))["body"]).toBe("<oops>");
  expect((await thrownBy(answer(typed("image/png", new Uint8Array([1]), 500))))["body"]).toBeUndefined();
  const long = await thrownBy(answer(json({ message: "m".repeat(200_000) }, 500)));
  expect(JSON.stringify(long["body"]).length).toBeLessThan(110_000);
  expect(long.message.length).toBeLessThan(800);
  const longer = await thrownBy(answer(typed("text/plain", "x".repeat(MAX_BODY_BYTES + 1), 500)));
  expect([longer["status"], longer["body"]]).toEqual([500, undefined]);
});

function hostOf(tools: ReadonlyMap<string, ConnectorTool>): HostFunction {
  const methods = { source: { format: "openapi", text: "" }, digest: "", tool: (name: string) => tools.get(name) } as const;
  return hostFunction(new Map([["api", { kind: "ready", name: "api", instructions: undefined, methods }]]), []);
}

test("a program gets the error with its facts", async () => {
  server.answer = () => ({ status: 429, headers: { "content-type": "application/json", "retry-after": "2" }, body: '{"message":"slow down","n":9007199254740993}' });
  const tool = new Client(server.origin).tool_({ name: "m", requiresApproval: false, operation: GET });
  const host = hostOf(new Map([["m", tool]]));
  const reply = await ask(host, callMessage("api", "m", {}));
  expect(reply).toMatchObject({ kind: "failure", code: "exception" });
  const error = reply.kind === "failure" ? (decode(reply.error) as Record<string, unknown>) : {};
  expect([error["name"], error["status"], error["retryAfterMs"], error["body"]]).toEqual(["OpenApiError", 429, 2000, { message: "slow down", n: 9007199254740993n }]);
});

test("what is refused before or after has its own code", async () => {
  server.answer = () => typed("text/plain", new Uint8Array(MAX_BODY_BYTES + 1));
  const client = new Client(server.origin);
  const tools = new Map([
    ["large", client.tool_({ name: "large", requiresApproval: false, operation: GET })],
    ["one", client.tool_({ name: "one", requiresApproval: false, operation: { verb: "GET", path: "/{id}", parameters: [{ key: "id", in: "path" }] } })],
  ]);
  const host = hostOf(tools);
  expect(told(await ask(host, callMessage("api", "large", {})))).toMatchObject({ code: "too_large" });
  expect(told(await ask(host, callMessage("api", "one", { id: ".." })))).toMatchObject({ code: "invalid_input" });
});

test("no answer is an error that says whether it may have acted", async () => {
  const gone = new Client("http://127.0.0.1:1");
  const read = await thrownBy(gone.call(GET));
  expect(read).toBeInstanceOf(OpenApiError);
  expect(read.message).toMatch(/^GET \/things\/1 got no whole answer \(.+\); try again later$/);
  expect(read["status"]).toBeUndefined();
  const write = await thrownBy(gone.call({ verb: "POST", path: "/x" }));
  expect(write).toBeInstanceOf(UnknownOutcome);
  expect(write.message).toContain("whether the service acted is not known: read before you repeat it");
});

test("an answer that breaks off is no value", async () => {
  const error = await thrownBy(answer({ headers: { "content-type": "application/json" }, cut: true }));
  expect(error).toBeInstanceOf(OpenApiError);
  expect(error.message).toContain("got no whole answer");
});

test("a call that takes too long ends with the limit in its text, also in an override that does not listen", async () => {
  server.answer = () => ({ hang: true });
  const client = new Client(server.origin);
  client.limit = 50;
  const error = await thrownBy(client.call({ verb: "POST", path: "/x" }));
  expect(error.message).toBe("POST /x got no whole answer (it took more than 50 ms); whether the service acted is not known: read before you repeat it");
  const signals: (AbortSignal | undefined)[] = [];
  class Deaf extends Client {
    protected override request({ signal }: OpenApiRequestOptions): Promise<unknown> {
      signals.push(signal);
      return new Promise(() => {});
    }
  }
  const deaf = new Deaf(server.origin);
  deaf.limit = 50;
  expect((await thrownBy(deaf.call(GET))).message).toContain("it took more than 50 ms");
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

test("one failing call costs the next nothing", async () => {
  await thrownBy(answer(json({}, 500)));
  expect(await answer(json([1]))).toEqual([1]);
});
