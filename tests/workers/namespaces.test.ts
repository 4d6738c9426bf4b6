/** Spec §3: a namespace is an object on which names are methods, and which the language may look at without making a call. */

import { describe, expect, test } from "vitest";

import { newAgent } from "./story.ts";

describe("looking at a namespace makes no call", () => {
  test.each([
    ["await", `const same = (await t) === t; return same`, true],
    ["Promise.resolve", `return (await Promise.resolve(t)) === t`, true],
    ["then, catch, finally, toJSON", `return [t.then, t.catch, t.finally, t.toJSON].every((value) => value === undefined)`, true],
    ["symbols", `return [t[Symbol.iterator], t[Symbol.asyncIterator], t[Symbol("own")]].every((value) => value === undefined)`, true],
    ["inherited names", `return [t.constructor, t.hasOwnProperty, t.__proto__, t.valueOf].every((value) => typeof value !== "object" && value === undefined)`, true],
    ["String", `return String(t)`, "[namespace t]"],
    ["a template", "return `${t}`", "[namespace t]"],
    ["JSON.stringify", `return JSON.stringify({ t })`, '{"t":{}}'],
    ["Object.keys", `return [Object.keys(t), { ...t }]`, [[], {}]],
    ["instanceof, in, typeof", `return [t instanceof Object, "echo" in t, "then" in t, typeof t]`, [false, true, false, "object"]],
    ["comparison", `return [t == t, t === side, t == "[namespace t]"]`, [true, false, true]],
    ["a method that is only read", `const { echo } = t; return typeof echo`, "function"],
    ["codemode", `return (await codemode) === codemode && codemode.then === undefined`, true],
  ])("%s", async (_what, body, value) => {
    const agent = newAgent();
    const { executionId } = await agent.paused(`async () => { const result = await (async () => { ${body} })(); return t.gate(result) }`);
    expect(await agent.pending(executionId)).toMatchObject([{ seq: 0, args: value }]);
  });
});

test("printing a namespace makes no call", async () => {
  const agent = newAgent();
  const output = await agent.execute(`async () => console.log(t, [side], codemode)`);
  expect(output).toMatchObject({ status: "completed", calls: [] });
  expect(output.logs?.[0]).toContain("[namespace t]");
});

test("a namespace as a value is refused with its path", async () => {
  const agent = newAgent();
  expect(await agent.failed(`async () => t`)).toMatchObject({ code: "not_serializable", error: expect.stringContaining("result is the namespace t") });
  expect(await agent.failed(`async () => ({ list: [side] })`)).toMatchObject({ error: expect.stringContaining("result.list[0] is the namespace side") });
  expect(await agent.failed(`async () => t.echo({ who: t })`)).toMatchObject({ code: "not_serializable", error: expect.stringContaining("args.who is the namespace t") });
  expect(await agent.counters()).toEqual({});
});

test("a namespace cannot be written to", async () => {
  const agent = newAgent();
  expect(
    await agent.result(`async () => {
      const tried = [() => { t.echo = 1 }, () => { delete t.echo }, () => Object.defineProperty(t, "echo", { value: 1 }), () => Object.setPrototypeOf(t, {}), () => { t = 1 }, () => { codemode.step = 1 }];
      const refused = tried.map((act) => { try { act(); return "did" } catch (error) { return error.name } });
      return [refused, await t.echo("still")];
    }`),
  ).toEqual([Array.from({ length: 6 }, () => "TypeError"), "still"]);
});

test("an unknown method rejects with the nearest names, and can be caught", async () => {
  const agent = newAgent();
  expect(await agent.failed(`async () => t.ecko({})`)).toMatchObject({ code: "not_found", error: expect.stringContaining("echo") });
  expect(await agent.result(`async () => t.gatte({}).catch((error) => [error.code, error.message.includes("gate")])`)).toEqual(["not_found", true]);
  expect(await agent.counters()).toEqual({});
});

test("an unknown global is told what there is", async () => {
  const output = await newAgent().failed(`async () => github.create({})`);
  expect(output).toMatchObject({ code: "exception", error: expect.stringContaining("github is not defined") });
  expect(output.error).toContain("codemode, t, side");
});

test.each([
  ["a slip of the pen", "sid.echo(1)", ["there is no sid.", "Nearest: side."]],
  ["another spelling", "side_.echo(1)", ["Nearest: side."]],
  ["letters that changed places", "cnosole.log(1)", ["Nearest: console."]],
  ["a tool of the conversation", "functions.write({ a: 1 })", ["there is no functions. That is of the conversation and not of the program.", "other tools of the conversation cannot be called from a program"]],
  ["a tool that finds tools", "discover_tools()", ["Find methods with codemode.search("]],
  ["Node.js", `fs.readFile("x")`, ["Node.js is not there"]],
  ["require", "require.cache", ["Node.js is not there"]],
  ["the network", "new WebSocket('ws://x')", ["There is no network"]],
  ["what would differ in a replay", "new WeakRef({})", ["when the program is replayed"]],
])("an unknown global is told why, and what may have been meant: %s", async (_what, call, texts) => {
  const output = await newAgent().failed(`async () => ${call}`);
  expect(output).toMatchObject({ code: "exception", error: expect.stringMatching(/^ReferenceError: \w+ is not defined\n {4}at /) });
  for (const text of [...texts, "Beside standard JavaScript there are: codemode, t, side."]) expect(output.error).toContain(text);
  expect(output.error.match(/there is no/g)).toHaveLength(1);
});

test("the names are told wherever the failure comes from, and not where a program says the same", async () => {
  const agent = newAgent();
  expect((await agent.failed(`async () => codemode.step("s", () => sid.echo(1))`)).error).toContain("Nearest: side.");
  expect((await agent.failed(`async () => { sid.echo(1).catch(() => {}) }`)).error).toContain("Nearest: side.");
  expect((await agent.failed(`async () => { (async () => sid.echo(1))(); await t.echo(1) }`)).error).toContain("Nearest: side.");
  expect((await agent.failed(`async () => { throw "ReferenceError: sid is not defined" }`)).error).not.toContain("Nearest");
});

test.each([
  ["codemode.serch('x')", "codemode has search, describe, step and run; connectors are globals of their own"],
  ["Object.keyz({})", "Nearest: keys"],
  ["JSON.stringfy({})", "Nearest: stringify"],
  ["Promise.al([])", "Nearest: all"],
])("an unknown method of %s is told the nearest", async (call, text) => {
  expect((await newAgent().failed(`async () => ${call}`)).error).toContain(text);
});

test("more than one argument is an error and no loss", async () => {
  const agent = newAgent();
  expect(await agent.failed(`async () => t.echo("a", "b")`)).toMatchObject({
    code: "invalid_input",
    error: expect.stringContaining("t.echo takes one argument, an object, and was given 2"),
  });
  expect(await agent.counters()).toEqual({});
});

test("arguments are checked against the method's schema before anyone acts", async () => {
  const agent = newAgent();
  const texts = (await agent.result(`async () => Promise.all(
    [undefined, {}, { id: "7" }, { id: 0 }, { id: 1, more: 1 }, [1]].map((args) => t.typed(args).catch((error) => error.code + ": " + error.message)),
  )`)) as string[];
  for (const text of texts) expect(text).toMatch(/^invalid_input: t\.typed was not called: args/);
  expect(texts[2]).toContain("args.id must be");
  expect(await agent.counters()).toEqual({});
  expect(await agent.result(`async () => t.typed({ id: 7, label: "x" })`)).toBe("7:x");
});

test("arguments that cannot cross name the path, and reach no one", async () => {
  const agent = newAgent();
  const texts = (await agent.result(`async () => Promise.all(
    [{ f: () => 1 }, { list: [Symbol("s")] }, { p: Promise.resolve() }, { c: new (class Foo { x = 1 })() }].map((args) => t.echo(args).catch((error) => error.code + ": " + error.message)),
  )`)) as string[];
  expect(texts.map((text) => text.slice(0, 18))).toEqual(texts.map(() => "not_serializable: "));
  expect(texts[0]).toContain("args.f");
  expect(texts[1]).toContain("args.list[0]");
  expect(texts[2]).toContain("args.p");
  expect(await agent.counters()).toEqual({});
});

test("a method may be taken from its namespace, renamed and passed on", async () => {
  expect(await newAgent().result(`async () => { const { echo: say } = t; return Promise.all([1, 2].map((n) => say(n))) }`)).toEqual([1, 2]);
});

test("a connector's failure is an Error with its name, message and data", async () => {
  expect(
    await newAgent().result(`async () => t.fail({ message: "", data: { status: 500 } }).catch((error) => ({ is: error instanceof Error, name: error.name, message: error.message, data: error.data, text: String(error) }))`),
  ).toMatchObject({ is: true, name: "Error", data: { status: 500 } });
  const output = await newAgent().failed(`async () => t.fail({ message: "" })`);
  expect(output.error).not.toBe("");
});
