/** Spec §3: what a program finds around it, what it does not, and how its failures read. */

import { describe, expect, test } from "vitest";

import { completed, newAgent } from "./story.ts";

test("what reaches out, and what is not standard JavaScript, is not there", async () => {
  const names = [
    "process", "require", "module", "exports", "Buffer", "global", "self", "caches", "WebSocket", "EventSource", "Request", "Response", "Headers",
    "navigator", "WebAssembly", "SharedArrayBuffer", "Atomics", "WeakRef", "FinalizationRegistry", "scheduler", "addEventListener", "dispatchEvent",
    "Blob", "File", "ReadableStream", "MessageChannel", "Worker", "importScripts", "Cloudflare", "HTMLRewriter", "AbortSignal", "setImmediate", "origin",
  ];
  const found = await newAgent().result(`async () => ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] !== "undefined")`);
  expect(found).toEqual([]);
});

test("what a program is promised is there", async () => {
  const used = await newAgent().result(`async () => [
    new URL("/a?b=c", "https://example.com").href, new URLSearchParams({ q: "é" }).toString(), btoa("a") + atob("YQ=="),
    new TextDecoder().decode(new TextEncoder().encode("é")), structuredClone({ d: new Date(1) }).d.getTime(),
    new Intl.NumberFormat("en").format(1234.5), [3, 1].toSorted(), Object.groupBy([1, 2, 3], (n) => (n % 2 ? "odd" : "even")).odd,
    await new Promise((resolve) => queueMicrotask(() => resolve("micro"))), encodeURIComponent("ü"), typeof performance.now(),
  ]`);
  expect(used).toEqual([
    "https://example.com/a?b=c", "q=%C3%A9", "YQ==a", "é", 1, "1,234.5", [1, 3], [1, 3], "micro", "%C3%BC", "number",
  ]);
});

test.each([
  ["put together", `globalThis["con" + "sole"].log("told"); return typeof globalThis["set" + "Timeout"] + typeof globalThis["cry" + "pto"].subtle`],
  ["written with escapes", String.raw`\u0063onsole.log("told"); return typeof s\u0065tTimeout + typeof cr\u{79}pto.subtle`],
  ["of the application's own module", `tools.say("told"); return typeof setTimeout + typeof crypto.subtle`],
])("a global is there by whatever name it is asked for: %s", async (_how, body) => {
  const agent = newAgent({ sandbox: { modules: { tools: `export const say = (text) => console.log(text)` } } });
  expect(await agent.execute(`async () => { ${body} }`)).toMatchObject({ status: "completed", result: "functionobject", logs: ["told"] });
});

test.each(["fetch", "connect"])("%s rejects and says what to use instead", async (name) => {
  const output = await newAgent().failed(`async () => ${name}("https://example.com")`);
  expect(output.code).not.toBe("internal");
  expect(output.error).toMatch(new RegExp(`${name}.*(not available|no network|connector)`, "s"));
  expect(await newAgent().result(`async () => { try { await ${name}("example.com:443"); return "went" } catch (error) { return error instanceof Error } }`)).toBe(true);
});

test.each(["node:process", "node:fs", "cloudflare:workers", "cloudflare:sockets", "./harness.js", "https://example.com/a.js", "data:text/javascript,1"])("no form of import loads %s", async (specifier) => {
  const agent = newAgent();
  for (const code of [`import * as m from "${specifier}"; m`, `async () => import("${specifier}")`, `async () => { const load = (s) => import(s); return load("${specifier}") }`]) {
    expect(await agent.failed(code)).toMatchObject({ code: "invalid_input", error: expect.stringContaining("`import` is not available") });
  }
});

test.each([
  ["eval", `eval("import('node:process')")`],
  ["Function", `new Function("return import('node:process')")()`],
  ["an async function's constructor", `(async () => {}).constructor("return import('cloudflare:workers')")()`],
])("code made at run time cannot import either: %s", async (_what, expression) => {
  const output = await newAgent().failed(`async () => { const m = await ${expression}; return Object.keys(m) }`);
  expect(output.error).not.toBe("");
});

test("a program sees nothing of the harness", async () => {
  const names = ["bridge", "manifest", "pass", "HARNESS", "issuer", "run", "pump", "__bridge", "__pass", "__connectors", "__logs", "env", "ctx"];
  expect(await newAgent().result(`async () => [${names.map((name) => `typeof ${name}`).join()}]`)).toEqual(names.map(() => "undefined"));
  expect(await newAgent().result(`async () => [typeof this, typeof arguments === "object" ? arguments.length : -1]`)).not.toContain("bridge");
});

test("what one run does to its realm is invisible to the next", async () => {
  const agent = newAgent();
  const code = `async () => {
    const before = [globalThis.left, [].left, RegExp.$1];
    globalThis.left = 1; Array.prototype.left = 2; /(a)/.exec("a");
    Array.prototype.push = () => { throw new Error("patched") };
    return before;
  }`;
  for (let n = 0; n < 3; n++) expect(await agent.result(code)).toEqual([undefined, undefined, ""]);
});

test("a program that breaks its own built-ins does not break the record", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    Object.prototype.then = function () { throw new Error("a then that everything has") };
    Promise.prototype.then = () => { throw new Error("patched then") };
    for (const name of ["get", "set", "has"]) Map.prototype[name] = () => { throw new Error("patched") };
    for (const name of ["push", "shift", "map", Symbol.iterator]) Array.prototype[name] = () => { throw new Error("patched") };
    JSON.stringify = JSON.parse = () => { throw new Error("patched") };
    delete Object.prototype.then;
    return await t.gate(await t.echo({ list: [1, { a: 2 }] }));
  }`);
  expect(completed(await agent.approve(executionId)).result).toEqual({ list: [1, { a: 2 }] });
});

describe("whatever is thrown, the run is an error with a text", () => {
  test.each([
    ["a string", `throw "boom"`, /^boom/],
    ["an empty string", `throw ""`, /./],
    ["an object", `throw { code: 42 }`, /42/],
    ["null", `throw null`, /null/],
    ["undefined", `throw undefined`, /undefined/],
    ["a number", `throw 7`, /7/],
    ["a symbol", `throw Symbol("s")`, /s/],
    ["a function", `throw () => 1`, /./],
    ["an error without a message", `throw new Error("")`, /Error/],
    ["an error without anything", `throw Object.create(Error.prototype)`, /./],
    ["an error of a class of its own", `throw new (class QuotaError extends Error { name = "QuotaError" })("used up")`, /QuotaError: used up/],
    ["an error with a cause", `throw new Error("outer", { cause: new Error("inner") })`, /outer[^]*inner/],
    ["an AggregateError", `await Promise.any([Promise.reject(new Error("one")), Promise.reject(new Error("two"))])`, /one[^]*two/],
    ["an AggregateError of nothing", `throw new AggregateError([], "none of them")`, /^AggregateError: none of them/],
    ["a DOMException", `throw new DOMException("gone", "AbortError")`, /^AbortError: gone\n {4}at .*\d+:\d+/],
    ["a DOMException of the platform", `structuredClone(() => {})`, /^DataCloneError: .*could not be cloned/],
    ["an error with fields", `throw Object.assign(new Error("bad"), { status: 404, body: { list: [1] } })`, /^Error: bad\n[^]*\nwith \{ status: 404, body: \{ list: \[1\] \} \}/],
    ["a cause that is no error", `throw new Error("outer", { cause: { status: 500 } })`, /caused by: \{ status: 500 \}/],
    ["a chain of causes without an end", `const error = new Error("round"); error.cause = error; throw error`, /caused by: Error: round/],
    ["a failure of a connector with its data", `await t.fail({ message: "no", data: { status: 409, list: ["a"] } })`, /^Error: no\n {4}at [^]*\nwith \{ data: \{ status: 409, list: \["a"\] \} \}/],
    ["a failure of a connector without a text", `await t.fail({ message: "" })`, /^Error/],
    ["an object that became a text", `throw new Error("failed: " + { status: 1 })`, /\[object Object\] is what an object becomes where a text is made of it/],
    ["an error whose message is an object", `throw Object.assign(new Error(), { message: { status: 3 } })`, /./],
    ["an object with a message", `throw { message: "plain", code: 3 }`, /message: "plain", code: 3/],
    ["a Response-like object", `throw { ok: false, status: 503, json() {} }`, /status: 503/],
    ["an array", `throw [1, { a: 2 }]`, /\[1, \{ a: 2 \}\]/],
    ["a Map", `throw new Map([["status", 4]])`, /"status" => 4/],
    ["a promise", `throw Promise.resolve(1)`, /Promise/],
    ["a rejection without a reason", `await Promise.reject()`, /undefined/],
    ["an object whose text throws", `throw { get message() { throw 1 }, toString() { throw 2 } }`, /./],
    ["a proxy", `throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 } })`, /./],
  ])("%s", async (_what, statement, text) => {
    const output = await newAgent().failed(`async () => { console.log("before"); ${statement} }`);
    expect(output).toMatchObject({ code: "exception", logs: ["before"] });
    expect(output.error).toMatch(text);
  });
});

test.each([
  ["a message of 40 million characters", `throw new Error("x".repeat(40_000_000))`, /^Error: x{9}/],
  ["a text of 40 million characters", `throw "y".repeat(40_000_000)`, /^y{9}/],
  ["fields of 40 million characters", `throw Object.assign(new Error("m"), { big: "z".repeat(40_000_000) })`, /^Error: m\n[^]*with \{ big: "z{9}/],
  ["a stack of 40 million characters", `throw Object.defineProperty(new Error("s"), "stack", { value: "\\n    at " + "s".repeat(40_000_000) })`, /^Error: s\n {4}at s{9}/],
  ["errors that hold each other", `const a = new AggregateError([], "a"); a.errors = Array(20).fill(a); a.cause = a; throw a`, /^AggregateError: a/],
  ["a hundred thousand errors", `throw new AggregateError(Array.from({ length: 100_000 }, (_, i) => new Error("e" + i)))`, /\(and 99980 more errors\)/],
])("what is thrown may be large without end: %s", async (_what, statement, text) => {
  const output = await newAgent().failed(`async () => { console.log("before"); ${statement} }`);
  expect(output).toMatchObject({ code: "exception", logs: ["before"], error: expect.stringMatching(text) });
  expect(output.error.length).toBeLessThan(101_000);
});

test("console output is there on every outcome", async () => {
  const agent = newAgent({ limits: { passMs: 500, calls: 2 } });
  const said = `console.log("said", [1], new Map([["a", 1]]))`;
  const outcomes = [`return 1`, `throw 1`, `await t.gate(1)`, `await new Promise(() => {})`, `return () => {}`, `await t.echo(1); await t.echo(2); await t.echo(3)`, `await t.sleep({ ms: 900 })`];
  for (const statement of outcomes) {
    const { logs } = await agent.execute(`async () => { ${said}; ${statement} }`);
    expect([statement, logs]).toEqual([statement, ['said [1] Map(1) { "a" => 1 }']]);
  }
});

test("stack positions are the program's own", async () => {
  const agent = newAgent();
  const code = `async () => {\n  const deep = () => {\n    throw new TypeError("here");\n  };\n  deep();\n}`;
  const { error } = await agent.failed(code);
  expect(error).toMatch(/TypeError: here/);
  expect(error).toMatch(/deep \(3:11\)/);
  expect(error).toMatch(/\(5:3\)/);
  expect(error).not.toMatch(/harness|program\.js/);
  expect(error).toMatch(/\n3 \|     throw new TypeError\("here"\);\n {14}\^$/);
  expect((await agent.failed("const a = 1;\nnull.x;")).error).toMatch(/\(2:6\)\n2 \| null\.x;\n {9}\^$/);
  expect((await agent.failed(`async () => {\n  await t.fail({ message: "no" });\n}`)).error).toMatch(/2:11\)[^]*\n2 \|   await t\.fail\(\{ message: "no" \}\);\n {14}\^$/);
  expect((await agent.failed(`async () => {\n  const done = t.echo(1);\n  (async () => { undefinedName() })();\n}`)).error).toContain("\n3 |   (async () => { undefinedName() })();\n");
  expect((await agent.failed(`async () => {\n  throw "no error"\n}`)).error).toBe("no error");
  for (const [code, place] of [["nothing.add(1)", "1:1"], ["nothing", "1:1"], ["  nothing()", "1:3"], ["1;\nnothing()", "2:1"], ["(() => nothing)()", "1:8"]] as const) {
    expect((await agent.failed(code)).error).toMatch(new RegExp(`^ReferenceError: nothing is not defined\n {4}at .*\\(${place}\\)`));
  }
});

test("the program's stack trace reads the same on the replay", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => { const caught = await t.fail({ message: "no" }).catch((error) => error.stack); return t.gate(caught) }`);
  expect(completed(await agent.approve(executionId)).result).toContain("no");
});

test("a stack that overflows is an error of the program like any other", async () => {
  expect(await newAgent().failed(`async () => { const down = () => down() + 1; return down() }`)).toMatchObject({ code: "exception", error: expect.stringContaining("Maximum call stack") });
});

test.each([0, 40])("what a program begins where its stack ends is begun whole or not at all, after %i others", async (others) => {
  const output = await newAgent().execute(`async () => {
    const acts = {
      call: (n) => t.echo(n), search: (n) => codemode.search("x" + n), step: (n) => codemode.step("s" + n, () => n),
      timer: (n) => { const { promise, resolve } = Promise.withResolvers(); setTimeout(resolve, 1, n); return promise }, digest: () => crypto.subtle.digest("SHA-256", new Uint8Array(1)),
    };
    const told = {};
    for (const [name, act] of Object.entries(acts)) {
      for (let n = 0; n < ${others}; n++) await act(n);
      const begun = [];
      let failed = 0;
      const down = () => { try { down() } catch (error) { if (begun.length < 30) try { begun.push(act(begun.length)) } catch { failed++ } throw error } };
      try { down() } catch {}
      const settled = await Promise.allSettled(begun);
      told[name] = [failed > 0, settled.filter(({ status }) => status === "fulfilled").length];
    }
    return told;
  }`);
  const whole = [true, 30];
  expect(completed(output).result).toEqual({ call: whole, search: whole, step: whole, timer: whole, digest: whole });
});
