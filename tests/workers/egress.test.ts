/** Spec §4, Egress: the network is there inside steps, where the application gives it, and nowhere else. */

import { describe, expect, test } from "vitest";

import { completed, failed, newAgent } from "./story.ts";
import type { Sandbox } from "./test-net.ts";

const LITTLE: Sandbox = { outbound: "little" };
const URL_A = "https://a.example/page";

describe.each(["bound", "embedded"] as const)("%s", (placement) => {
  test("a step fetches, its outcome is recorded, and a replay does not fetch again", async () => {
    const agent = newAgent({ placement, sandbox: LITTLE });
    const { executionId } = await agent.paused(`async () => {
      const page = await codemode.step("page", async () => {
        const response = await fetch("${URL_A}?q=1", { method: "POST", headers: { "x-a": "b" }, body: "hello" });
        return { ok: response.ok, type: response.headers.get("content-type"), url: response.url, told: await response.json() };
      });
      return t.gate(page);
    }`);
    const output = completed(await agent.approve(executionId));
    expect(output.result).toMatchObject({
      ok: true,
      type: "application/json",
      url: `${URL_A}?q=1`,
      told: { host: "a.example", method: "POST", body: "hello", headers: { "x-a": "b" } },
    });
    expect(await agent.counters()).toMatchObject({ net: 1 });
    expect(output.calls).toMatchObject([{ seq: 0, method: "step", state: "applied" }, { method: "gate" }]);
  });

  test("the Fetcher may be a stub of another Worker, and its properties stay there", async () => {
    const agent = newAgent({ placement, sandbox: { outbound: "stub" } });
    const told = await agent.result(`async () => codemode.step("s", async () => (await fetch("${URL_A}")).json())`);
    expect(told).toEqual({ by: "stub", url: URL_A, secret: 15 });
  });

  test("a binding is used in a step, and only there", async () => {
    const agent = newAgent({ placement, sandbox: { bindings: { kv: true, values: { REGION: "eu", LIMITS: { at: new Date(0) } } } } });
    const { executionId } = await agent.paused(`async () => {
      let kept;
      const seen = await codemode.step("use", async ({ env }) => {
        kept = env;
        await env.KV.put("k", new Map([["a", 1n]]));
        const failed = await env.KV.fails().catch((error) => error.name + ": " + error.message);
        const missing = await env.KV.nothing().catch((error) => error.message);
        const odd = await env.KV.odd().catch((error) => error.message);
        return { names: Object.keys(env), got: await env.KV.get("k"), failed, missing, odd, region: env.REGION, at: env.LIMITS.at };
      });
      const outside = kept === undefined ? "replayed" : await kept.KV.get("k").catch((error) => error.message);
      return t.gate({ seen, outside: outside.length > 0, global: typeof env });
    }`);
    const { result } = completed(await agent.approve(executionId));
    expect(result).toMatchObject({
      seen: {
        names: ["KV", "REGION", "LIMITS"].toSorted(),
        got: new Map([["a", 1n]]),
        failed: "RangeError: no room",
        missing: "there is no method env.KV.nothing",
        odd: expect.stringContaining("env.KV.odd did act, but its result cannot be passed on"),
        region: "eu",
        at: new Date(0),
      },
      outside: true,
      global: "undefined",
    });
    expect(await agent.counters()).toMatchObject({ "kv.put": 1 });
  });

  test("modules of the application are globals of the program, in every pass", async () => {
    const modules = { "words.js": `import { two } from "./numbers.js"; export const twice = (text) => text.repeat(two); export default 7;`, numbers: "export const two = 2;" };
    const agent = newAgent({ placement, sandbox: { modules } });
    const { executionId } = await agent.paused(`async () => t.gate([words.twice("ab"), words.default, numbers.two])`);
    expect(completed(await agent.approve(executionId)).result).toEqual(["abab", 7, 2]);
  });
});

describe("without a Fetcher nothing reaches out", () => {
  test.each([
    ["no executor", {}],
    ["an executor without the option", { sandbox: {} }],
    ["the option undefined", { sandbox: { outbound: "nothing" } }],
    ["the option null", { sandbox: { outbound: "null" } }],
  ] as const)("%s", async (_what, setup) => {
    const agent = newAgent(setup);
    const seen = await agent.result(`async () => {
      const tried = async (work) => { try { return ["went", await work()] } catch (error) { return error.message } };
      const all = () => Promise.all([
        tried(() => fetch("https://example.com")),
        tried(() => connect("example.com:443")),
        tried(() => new WebSocket("wss://example.com")),
        tried(() => new EventSource("https://example.com")),
        tried(() => eval("import('https://example.com/a.js')")),
        tried(() => new Response("a").text()),
      ]);
      return [await all(), await codemode.step("inside", all)];
    }`);
    const closed = [
      expect.stringMatching(/^fetch: .*no network/),
      expect.stringMatching(/^connect: .*no network/),
      expect.stringContaining("WebSocket is not defined"),
      expect.stringContaining("EventSource is not defined"),
      expect.stringContaining("Code generation"),
      expect.stringContaining("Response is not defined"),
    ];
    expect(seen).toEqual([closed, closed]);
    for (const code of [`async () => import("https://example.com/a.js")`, `import "https://example.com/a.js"`]) {
      expect(await agent.failed(code)).toMatchObject({ code: "invalid_input" });
    }
  });

  test("a step that goes on at a contact without one finds none, and is told so", async () => {
    const agent = newAgent({ sandbox: LITTLE });
    const { executionId } = await agent.paused(`async () => {
      await t.gate({});
      return codemode.step("later", () => fetch("${URL_A}"));
    }`);
    const output = failed(await agent.with({ sandbox: {} }).approve(executionId));
    expect(output.error).toMatch(/fetch: there is no network here/);
  });
});

describe("outside of the step", () => {
  const seen = (code: string, sandbox: Sandbox = LITTLE): Promise<unknown> => newAgent({ sandbox }).result(code);

  test("fetch rejects and says where it belongs, and the classes are not there", async () => {
    expect(await seen(`async () => [await fetch("${URL_A}").catch((error) => error.message), typeof Request, typeof Response, typeof Headers]`)).toEqual([
      expect.stringContaining("fetch is there inside a step only: do it inside the function of codemode.step"),
      "undefined", "undefined", "undefined",
    ]);
  });

  test("what was saved inside refuses outside: fetch, the classes, a body, a chain, a timer", async () => {
    const agent = newAgent({ sandbox: LITTLE });
    const result = await agent.result(`async () => {
      const say = (promise) => Promise.race([promise.then(() => "went", (error) => error.message), new Promise((done) => setTimeout(done, 30, "open"))]);
      let saved, go;
      await codemode.step("s", async () => {
        const waits = new Promise((resolve) => (go = resolve));
        saved = { fetch, Response, unread: await fetch("${URL_A}"), chain: waits.then(() => fetch("${URL_A}/chain")), bound: fetch.bind(null, "${URL_A}/bound") };
        setTimeout(() => fetch("${URL_A}/timer"), 10);
        return 1;
      });
      go();
      return [
        await say(saved.fetch("${URL_A}/saved")), await say(saved.bound()), await say(saved.chain),
        await say(saved.unread.text()), await say(new saved.Response("x").json()), await say(saved.unread.clone().arrayBuffer()),
      ];
    }`);
    expect(result).toEqual([
      expect.stringContaining("fetch is there inside a step only"),
      expect.stringContaining("fetch is there inside a step only"),
      expect.stringContaining("fetch: the step it belongs to has ended"),
      expect.stringContaining("text() of a body is there inside a step only"),
      expect.stringContaining("json() of a body is there inside a step only"),
      expect.stringContaining("arrayBuffer() of a body is there inside a step only"),
    ]);
    expect((await agent.heard()).filter(({ connector }) => connector === "net").map(({ what }) => what)).toEqual([`GET ${URL_A}`]);
  });

  test("another chain of the program has no network while a step is under way", async () => {
    expect(await seen(`async () => {
      const step = codemode.step("s", async () => { await new Promise((done) => setTimeout(done, 40)); return (await fetch("${URL_A}")).status });
      await new Promise((done) => setTimeout(done, 10));
      return [await fetch("${URL_A}").catch((error) => error.message), typeof Response, await step];
    }`)).toEqual([expect.stringContaining("inside a step only"), "undefined", 200]);
  });

  test("nothing of the classes leads to a stream, a signal, a socket or another class", async () => {
    expect(await seen(`async () => codemode.step("s", async () => {
      const request = new Request("${URL_A}", { method: "POST", body: "x" }), response = await fetch(request.clone());
      const reach = (object, path) => { try { return String(path.split(".").reduce((at, name) => at?.[name], object)) } catch (error) { return "refused" } };
      const names = (top) => { const all = []; for (let at = top; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) all.push(...Reflect.ownKeys(at).map(String)); return [...new Set(all)].sort().join() };
      return {
        signal: reach(request, "signal"), cf: reach(request, "cf"), socket: reach(response, "webSocket"), body: reach(response, "body.getReader"), stream: reach(request, "body.constructor"),
        blob: reach(response, "blob"), form: reach(request, "formData"),
        parent: reach(response, "constructor.__proto__.name"), request: names(request), response: names(response),
        statics: [Response.json({ a: 1 }).status, Response.redirect("https://a.example/", 302).headers.get("location"), Response.error().type],
        absent: [typeof WebSocket, typeof EventSource, typeof ReadableStream, typeof AbortSignal, typeof Blob, typeof FormData, typeof WebSocketPair],
        connect: await connect("a.example:443").catch((error) => error.message.slice(0, 8)),
      };
    })`)).toEqual({
      signal: "undefined", cf: "undefined", socket: "undefined", body: "refused", stream: "refused", blob: "refused", form: "refused",
      parent: expect.stringMatching(/^(Body|)$/),
      request: "Symbol(Symbol.toStringTag),Symbol(cloudflare:internal-class),arrayBuffer,blob,body,bodyUsed,bytes,clone,constructor,formData,headers,json,method,redirect,text,url",
      response: "Symbol(Symbol.toStringTag),Symbol(cloudflare:internal-class),arrayBuffer,blob,body,bodyUsed,bytes,clone,constructor,formData,headers,json,ok,redirected,status,statusText,text,type,url",
      statics: [200, "https://a.example/", "error"],
      absent: Array.from({ length: 7 }, () => "undefined"),
      connect: "connect:",
    });
  });
});

describe("a step and its requests", () => {
  const step = (code: string, sandbox: Sandbox = LITTLE): Promise<unknown> => newAgent({ sandbox }).result(`async () => codemode.step("s", async () => { ${code} })`);

  test("bytes, status and headers come as they were sent; an empty answer is one", async () => {
    expect(await step(`
      const made = await fetch(new URL("https://a.example/bytes")), none = await fetch(new Request("https://a.example/empty", { method: "DELETE" }));
      return [made.status, made.statusText, made.headers.get("X-One"), await made.bytes(), none.status, await none.text(), made instanceof Response, made.bodyUsed];
    `)).toEqual([201, "Made", "1", new Uint8Array([0, 255, 10]), 204, "", true, true]);
  });

  test("what is for the platform and not for the server does not leave; cookies stay apart, and a body has its own length", async () => {
    expect(await step(`
      const plain = await (await fetch("https://a.example/", { cf: { cacheEverything: true }, headers: { host: "evil.example", upgrade: "websocket", "x-b": "2" } })).json();
      const cookies = await fetch("https://a.example/cookies");
      return [plain.cf, plain.host, plain.headers.upgrade ?? "-", plain.headers["x-b"], cookies.headers.getSetCookie(), cookies.headers.get("content-encoding"), cookies.headers.get("content-length"), await cookies.text()];
    `)).toEqual([false, "a.example", "-", "2", ["a=1, 2", "b=2"], null, null, "two"]);
  });

  test("what is no request, and one that gets no answer, reject and can be caught", async () => {
    expect(await step(`
      const say = (...request) => fetch(...request).then(() => "went", (error) => error.name + ": " + error.message);
      return [await say("/page"), await say("ftp://a.example/"), await say("https://a.example/", { method: "GET", body: "x" }), await say("https://a.example/throws"), await say()];
    `)).toEqual([
      expect.stringContaining("TypeError"),
      expect.stringContaining("the scheme ftp: is not one of the web"),
      expect.stringContaining("TypeError"),
      "Error: fetch: GET https://a.example/throws got no response: the wire is cut",
      expect.stringContaining("TypeError"),
    ]);
  });

  test("a body of 4 MiB passes in both directions; one byte more is refused with its limit", async () => {
    expect(await step(`
      const size = 4 * 1024 * 1024, say = (promise) => promise.then((response) => response.status, (error) => error.message);
      const long = await fetch("https://a.example/long?bytes=" + size);
      return [(await long.bytes()).length, await say(fetch("https://a.example/long?bytes=" + (size + 1))),
        await say(fetch("https://a.example/empty", { method: "PUT", body: new Uint8Array(size) })), await say(fetch("https://a.example/empty", { method: "PUT", body: new Uint8Array(size + 1) }))];
    `)).toEqual([4194304, expect.stringContaining("longer than 4194304 bytes"), 204, expect.stringContaining("4194305 bytes long and the limit is 4194304")]);
  });

  test("requests that were not awaited are answered before the step's outcome is recorded", async () => {
    const agent = newAgent({ sandbox: LITTLE });
    const code = `async () => codemode.step("s", () => { for (let n = 0; n < 20; n++) void fetch("https://a.example/slow?" + n).then(() => { throw new Error("nothing runs any more") }); return 1 })`;
    const { result, calls } = completed(await agent.execute(code));
    expect(result).toBe(1);
    expect((await agent.counters())["net"]).toBe(20);
    // Sixteen at once, each 100 ms.
    const { startedAt = 0, endedAt = 0 } = calls?.[0] ?? {};
    expect(endedAt - startedAt).toBeGreaterThanOrEqual(150);
  });

  test("a response cannot be what a step returns", async () => {
    const output = await newAgent({ sandbox: LITTLE }).failed(`async () => codemode.step("s", () => fetch("${URL_A}"))`);
    expect(output).toMatchObject({ code: "not_serializable", error: expect.stringContaining("result") });
  });

  test("a program that breaks its built-ins hears its answer all the same, and nobody else does", async () => {
    expect(await step(`
      const stolen = [];
      Object.prototype.toJSON = function () { stolen.push("toJSON"); return "" };
      Array.prototype[Symbol.iterator] = function () { stolen.push("iterator"); return { next: () => ({ done: true }) } };
      Promise.prototype.then = function () { stolen.push("then") };
      Headers.prototype.append = Headers.prototype.forEach = () => stolen.push("headers");
      Request.prototype.arrayBuffer = () => stolen.push("body");
      JSON.parse = JSON.stringify = () => stolen.push("json");
      const response = await fetch("https://a.example/", { method: "POST", body: "x" });
      return [response.status, response.headers.get("content-type"), stolen.length];
    `)).toEqual([200, "application/json", 0]);
  });

  test("a loop of requests ends with the pass, and the executor's timeout is that of the pass", async () => {
    const agent = newAgent({ sandbox: { outbound: "little", timeout: 150 } });
    const output = await agent.failed(`async () => codemode.step("s", async () => { for (;;) await fetch("${URL_A}") })`);
    expect(output).toMatchObject({ code: "timeout", error: expect.stringContaining("150 ms") });
  });

  test("requests of one pass are counted", async () => {
    const agent = newAgent({ sandbox: LITTLE, limits: { calls: 3 } });
    const output = await agent.failed(`async () => codemode.step("s", async () => { try { for (;;) await fetch("${URL_A}") } catch { return "caught" } })`);
    expect(output).toMatchObject({ code: "call_limit", error: expect.stringContaining("more than 3 times") });
    expect((await agent.counters())["net"]).toBe(3);
  });
});

describe("through an allow-list", () => {
  const allow = { hosts: ["a.example", "*.b.example"], methods: ["GET"], headers: { "a.example": { authorization: "Bearer host-side" } } };
  const agent = newAgent({ sandbox: { outbound: "little", allow } });

  test("credentials are added behind the sandbox, which never sees them", async () => {
    const { told, own } = (await agent.result(`async () => codemode.step("s", async ({ env }) => {
      const request = new Request("https://a.example/bytes"), response = await fetch(request);
      return { told: JSON.stringify([[...request.headers], [...response.headers], Object.keys(env), response.url]), own: request.headers.has("authorization") };
    })`)) as { told: string; own: boolean };
    expect(told).not.toContain("host-side");
    expect(own).toBe(false);
    expect((await agent.heard()).find(({ connector }) => connector === "net")?.detail).toContain("Bearer host-side");
  });

  test("a refusal is an answer that says what is allowed, also behind a redirect", async () => {
    expect(await agent.result(`async () => codemode.step("s", async () => {
      const get = async (url, init) => { const response = await fetch(url, init); return [response.status, response.redirected, await response.text()] };
      return [await get("https://evil.example/"), await get("https://a.example/", { method: "POST", body: "x" }), await get("https://a.example/to?at=https://evil.example/"), (await get("https://a.example/to?at=https://x.b.example/end"))[1]];
    })`)).toEqual([
      [403, false, expect.stringContaining("the host evil.example is not on the list. Allowed here: GET to a.example, *.b.example")],
      [403, false, expect.stringContaining("the method POST is not on the list")],
      [403, false, expect.stringContaining("it was redirected to https://evil.example, and the host evil.example is not on the list")],
      true,
    ]);
    expect((await agent.heard()).filter(({ what }) => what.includes("evil.example/") && !what.includes("a.example"))).toEqual([]);
  });
});

describe("a module of the application", () => {
  test("is as confined as a program", async () => {
    const modules = { probe: `export const seen = [typeof process, typeof WebSocket, typeof Response, typeof t, typeof codemode]; export const out = () => fetch("${URL_A}");` };
    const agent = newAgent({ sandbox: { outbound: "little", modules } });
    expect(await agent.result(`async () => [probe.seen, await probe.out().catch((error) => error.message), await codemode.step("s", async () => (await probe.out()).status)]`)).toEqual([
      ["undefined", "undefined", "undefined", "object", "object"],
      expect.stringContaining("inside a step only"),
      200,
    ]);
  });

  test.each([
    ["does not parse", "export const = 1"],
    ["throws", "throw new Error('broken on purpose')"],
    ["imports what is not there", "import 'node:fs'"],
  ])("that %s ends the run, and no line of the program runs", async (_what, text) => {
    const agent = newAgent({ sandbox: { modules: { broken: text } } });
    const output = await agent.failed(`async () => t.echo(1)`);
    expect(output.error).not.toBe("");
    expect(await agent.counters()).toEqual({});
  });
});
