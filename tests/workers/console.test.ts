/** The console of a program: every method is there, none throws whatever it is given, and what it writes can be read. */

import { describe, expect, test } from "vitest";

import { completed, newAgent, paused } from "./story.ts";

/** Those of the platform, and so of whatever a model has seen. */
const METHODS = [
  "assert", "clear", "count", "countReset", "debug", "dir", "dirxml", "error", "group", "groupCollapsed", "groupEnd", "info", "log", "profile",
  "profileEnd", "table", "time", "timeEnd", "timeLog", "timeStamp", "trace", "warn",
];

test("every method is there, and there are no others", async () => {
  expect(await newAgent().result(`async () => Object.keys(console).filter((name) => typeof console[name] === "function").sort()`)).toEqual(METHODS);
  // What the platform itself has, asked here, where nothing was removed.
  for (const name of Object.getOwnPropertyNames(console).filter((name) => !["context", "createTask", "memory"].includes(name))) {
    expect(METHODS).toContain(name);
  }
});

test("no method throws, whatever it is given, and the program goes on", async () => {
  const output = await newAgent().execute(`async () => {
    const revoked = Proxy.revocable({}, {}); revoked.revoke();
    const thrower = () => { throw new Error("asked") };
    const everyTrap = new Proxy({}, Object.fromEntries(Reflect.ownKeys(Reflect).map((name) => [name, thrower])));
    const cycle = { list: [] }; cycle.list.push(cycle, new Map([[cycle, cycle]]));
    let deep = {}; for (let i = 0; i < 20_000; i++) deep = { deep };
    class Odd { static get name() { return thrower() } get [Symbol.toStringTag]() { return thrower() } }
    const values = [
      undefined, null, true, -0, NaN, 10n ** 400n, "%s %d %o %% %", "\\ud800", Symbol("s"), Symbol.iterator, thrower, class {}, Odd, new Odd(),
      revoked.proxy, everyTrap, cycle, deep, new Array(2 ** 32 - 1), Object.create(null), Object.create(new Proxy({}, { get: thrower })),
      { get a() { return thrower() }, set b(_) {} }, { toString: thrower, valueOf: thrower, [Symbol.toPrimitive]: thrower, toJSON: thrower },
      Object.assign(new Error("e"), { stack: 5, cause: everyTrap }), Object.create(Error.prototype, { message: { get: thrower }, name: { get: thrower }, stack: { get: thrower } }),
      new Date(NaN), /x/g, new Map([[{}, new Set([1])]]), new Uint8Array(200_000), new ArrayBuffer(8), Promise.resolve(), new WeakMap(), new URL("https://example.com/"), new DOMException("d", "AbortError"),
      t, codemode, globalThis, function* () {}, async () => {}, new (class extends Map {})([[1, 2]]), Object.freeze([1]), new Proxy([1], {}), (function () { return arguments })(1),
    ];
    const failed = [];
    for (const name of Object.keys(console)) {
      for (let i = 0; i < values.length; i++) {
        try { if (console[name](values[i], values[(i + 7) % values.length]) !== undefined) failed.push([name, i, "gave something"]) } catch (error) { failed.push([name, i, String(error)]) }
      }
      try { console[name]() } catch (error) { failed.push([name, String(error)]) }
    }
    return failed;
  }`);
  expect(completed(output).result).toEqual([]);
  expect(output.logs?.at(-1)).toBe("[console output cut at 65536 bytes]");
});

describe("a value is shown", () => {
  test.each([
    ["texts as they are, and inside others as literals", `console.log("a\\nb", ["a\\nb"])`, ["a", `b ["a\\nb"]`]],
    ["primitives", `console.log(undefined, null, true, 1.5, -0, NaN, 5n, Symbol("s"))`, ["undefined null true 1.5 -0 NaN 5n Symbol(s)"]],
    ["objects to a depth", `console.log({ a: { b: { c: { d: { e: 1 } } } } })`, ["{ a: { b: { c: { d: {…} } } } }"]],
    ["cycles", `const a = { list: [] }; a.list.push(a); console.log(a)`, ["{ list: [[circular]] }"]],
    ["what is shared but no cycle", `const b = {}; console.log([b, b])`, ["[{}, {}]"]],
    ["names of classes", `console.log(new (class User { id = 1 })(), class Admin {}, function named() {}, () => {}, Object.create(null))`, ["User { id: 1 } [class Admin] [Function named] [Function] [Object: null prototype] {}"]],
    ["collections", `console.log(new Map([["a", { b: 1 }]]), new Set([1, "x"]), new (class Bag extends Set {})([1]))`, [`Map(1) { "a" => { b: 1 } } Set(2) { 1, "x" } Bag(1) { 1 }`]],
    ["long lists cut", `console.log(Array.from({ length: 150 }, (_, i) => i))`, [`[${Array.from({ length: 100 }, (_, i) => i).join(", ")}, … 50 more]`]],
    ["holes and typed arrays", `console.log([1, , 3], new Uint8Array([1, 2]), new ArrayBuffer(3))`, ["[1, <empty>, 3] Uint8Array(2) [1, 2] ArrayBuffer(3)"]],
    ["dates, expressions, addresses", `console.log(new Date(0), new Date(NaN), /a/gi, new URL("https://example.com/a"), new URLSearchParams("q=1"))`, [`1970-01-01T00:00:00.000Z Invalid Date /a/gi URL https://example.com/a URLSearchParams "q=1"`]],
    ["getters, unread", `console.log({ get a() { throw 1 }, set b(_) {} })`, ["{ a: [Getter], b: [Setter] }"]],
    ["a call that was not awaited", `const call = t.echo(1); console.log(call); await call`, ["Promise { await it to see its value }"]],
    ["an error with its place and what it carries", `console.log(Object.assign(new TypeError("bad"), { status: 404, body: { a: [1] } }))`, ["TypeError: bad", expect.stringMatching(/^ {4}at .*\(1:\d+\)$/), "  { status: 404, body: { a: [1] } }"]],
    ["an error inside a value", `console.log([Object.assign(new Error("in"), { code: 7, cause: "why" })])`, [`[[Error: in] { code: 7 } cause: "why"]`]],
    ["a failure with its code", `console.log([await t.nothing().catch((error) => error)])`, [expect.stringMatching(/^\[\[Error: t has no method "nothing".*\] \{ code: "not_found" \}\]$/)]],
    ["a DOMException", `console.log([new DOMException("gone", "AbortError")])`, ["[[AbortError: gone]]"]],
    ["an AggregateError", `console.log([new AggregateError([new Error("one")], "all")])`, ["[[AggregateError: all] errors: [[Error: one]]]"]],
    ["namespaces", `console.log(t, [t.echo])`, ["[namespace t] [[Function echo]]"]],
  ])("%s", async (_what, statement, lines) => {
    const { logs } = await newAgent().execute(`async () => { ${statement} }`);
    expect(logs?.filter((line) => !line.startsWith("    at default"))).toEqual(lines);
  });
});

describe("methods", () => {
  test.each([
    ["log, info, warn, error and debug in order", `console.log(1); console.warn(2); console.error(3); console.info(4); console.debug(5); console.dirxml(6)`, ["1", "2", "3", "4", "5", "6"]],
    ["a format string", `console.log("%s is %d of %i%% %o %j %c!", "x", "1.5", 7.9, { a: 1 }, [1], "color: red", "rest")`, [`x is 1.5 of 7% { a: 1 } [1] ! rest`]],
    ["dir", `console.dir({ a: "b" }, { depth: 0 })`, [`{ a: "b" }`]],
    ["group", `console.group("outer"); console.log("a\\nb"); console.groupCollapsed("inner"); console.log(1); console.groupEnd(); console.groupEnd(); console.groupEnd(); console.log("out")`, ["outer", "  a", "  b", "  inner", "    1", "out"]],
    ["count", `console.count(); console.count("x"); console.count(); console.countReset(); console.count()`, ["default: 1", "x: 1", "default: 2", "default: 1"]],
    ["assert", `console.assert(true, "no"); console.assert(false); console.assert(0, "what", { a: 1 })`, ["Assertion failed", "Assertion failed: what { a: 1 }"]],
    ["time, by the program's clock", `console.time(); console.timeLog("default", "so far"); console.timeEnd(); console.timeEnd()`, ["default: 0ms so far", "default: 0ms", "default: no such timer"]],
    ["table", `console.table([{ a: 1, b: "x" }, { a: 2 }]); console.table([[1, 2]], ["1"]); console.table(5)`, ["  | a | b", `0 | 1 | "x"`, "1 | 2 | ", "  | 1", "0 | 2", "5"]],
    ["trace", `const traced = () => console.trace("here", 1); traced()`, ["Trace: here 1", expect.stringMatching(/^ {4}at traced \(1:/)]],
    ["those without output", `console.clear(); console.timeStamp("x"); console.profile("x"); console.profileEnd("x")`, []],
  ])("%s", async (_what, statement, lines) => {
    const { logs } = await newAgent().execute(`async () => { ${statement} }`);
    expect(logs?.slice(0, lines.length)).toEqual(lines);
  });
});

test("inside a step the console is silent, on the first pass as on the replay, and leaves no group open", async () => {
  const agent = newAgent();
  const output = paused(await agent.execute(`async () => {
    console.log("before");
    await codemode.step("s", () => { for (const name of Object.keys(console)) console[name]("inside") });
    console.log("after");
    await t.gate(1);
  }`));
  expect(output.logs).toEqual(["before", "after"]);
  expect(completed(await agent.approve(output.executionId)).logs).toEqual(["before", "after"]);
});

test("a replay prints the same lines, once", async () => {
  const agent = newAgent();
  const output = paused(await agent.execute(`async () => { console.time(); console.log(await t.echo({ a: 1 })); console.timeEnd(); console.count(); await t.gate(1); console.log("end") }`));
  expect(completed(await agent.approve(output.executionId)).logs).toEqual([...(output.logs ?? []), "end"]);
});
