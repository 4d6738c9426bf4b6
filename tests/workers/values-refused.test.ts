/** What cannot cross is an error that names the path, wherever it stands; as arguments it reaches no one. */

import { expect, test } from "vitest";

import { refused } from "../fixtures/values/table.ts";
import { completed, failed, newLab, pasted, paused } from "./values-lab.ts";

const named = (root: string, { message }: { message: string }): string => message.replace(/^result/, root);

test("arguments that cannot cross fail that call alone, with the path, on both passes", async () => {
  const lab = newLab();
  const program = `async () => {
    const told = [];
    for (const [name, make] of ${pasted(refused)}) {
      try { await lab.echo(make()); told.push([name, "was sent"]); }
      catch (error) { told.push([name, error.message, error.code, error instanceof Error]); }
    }
    await lab.gate(told);
    return told;
  }`;
  const told = refused.map((value) => [value.name, `lab.echo: ${named("args", value)}`, "not_serializable", true]);
  const first = paused(await lab.run(program));
  expect((await lab.entry(first, refused.length)).args).toEqual(told);
  const last = completed(await lab.runtime.approve({ executionId: first.executionId }));
  expect(last.result).toEqual(told);
  expect(lab.ran.map(({ method }) => method)).toEqual(["gate"]);

  for (const [at, value] of refused.entries()) {
    const entry = await lab.entry(last, at);
    const text = `lab.echo: ${named("args", value)}`;
    expect(entry).toMatchObject({ state: "error", code: "not_serializable", error: text, attempt: 0, args: { refused: `not_serializable ${text}` } });
    expect(entry).not.toHaveProperty("result");
  }
});

test("a refused argument that nobody catches ends the run with its code", async () => {
  const output = failed(await newLab().run(`async () => { await lab.echo({ files: [{ read() {} }] }); }`));
  expect(output.code).toBe("not_serializable");
  expect(output.error).toContain("lab.echo: args.files[0].read is a function");
});

test("the path of a refused argument may be long: the call is still one that reached no one", async () => {
  const lab = newLab();
  const key = "漢".repeat(70);
  const program = `async () => {
    let args = () => 1;
    for (let i = 0; i < 20; i++) args = { ["${key}"]: args };
    return lab.echo(args).catch((error) => error.message);
  }`;
  const output = completed(await lab.run(program));
  expect(output.result).toMatch(/is a function; only data can cross$/);
  expect(output.calls).toMatchObject([{ state: "error", args: { refused: expect.stringContaining(key) } }]);
  expect(lab.ran).toEqual([]);
});

test("a result that cannot cross is a failure after the effect: the entry counts as applied", async () => {
  const lab = newLab({ make: { execute: (at) => refused[at as number]?.make() } });
  const program = `async () => {
    const told = [];
    for (let i = 0; i < ${refused.length}; i++) {
      try { await lab.make(i); told.push("came"); } catch (error) { told.push([error.message, error.code]); }
    }
    await lab.gate(null);
    return told;
  }`;
  const first = paused(await lab.run(program));
  const { result } = completed(await lab.runtime.approve({ executionId: first.executionId })) as { result: unknown[] };
  expect(lab.count("make")).toBe(refused.length);
  for (const [at, value] of refused.entries()) {
    const entry = await lab.entry(first, at);
    // What has a \`then\` is awaited at the host, as it is anywhere; what comes of it is the result.
    if (value.message.startsWith("result is a") && value.message.includes("await")) continue;
    const text = `lab.make did act, but its result cannot be passed on: ${value.message}`;
    expect([value.name, entry.state, entry.code, entry.error, entry.attempt]).toEqual([value.name, "applied", "not_serializable", text, 1]);
    expect(result[at]).toEqual([text, "not_serializable"]);
  }
});

test("what a connector has not read is named for what it is, and how one gets at it", async () => {
  const unread: [unknown, string][] = [
    [{ response: new Response("x") }, "result.response is a Response, whose content is not read; pass what text(), json() or arrayBuffer() gives"],
    [[new Request("https://example.com")], "result[0] is a Request, whose content is not read"],
    [new Map([["file", new Blob(["x"])]]), 'result.get("file") is a Blob, whose content is not read'],
    [{ body: new ReadableStream() }, "result.body is a stream; read it to its end and pass what came"],
    [{ headers: new Headers() }, "result.headers is a Headers object; pass Object.fromEntries() of it"],
    [new URLSearchParams("a=1"), "result is a URLSearchParams object; pass Object.fromEntries() of it"],
    [{ link: new URL("https://example.com") }, "result.link is a URL object; pass its href"],
  ];
  const lab = newLab({ make: { execute: (at) => unread[at as number]?.[0] } });
  const output = completed(await lab.run(`async () => { const told = []; for (let i = 0; i < ${unread.length}; i++) await lab.make(i).catch((error) => told.push(error.code, error.message)); return told }`));
  const told = output.result as string[];
  for (const [at, [, text]] of unread.entries()) {
    expect(told[at * 2]).toBe("not_serializable");
    expect(told[at * 2 + 1]).toContain(`lab.make did act, but its result cannot be passed on: ${text}`);
  }
});

test("a step's result that cannot cross is the step's failure and does not run again", async () => {
  const lab = newLab({ tick: { execute: () => lab.ran.length } });
  const program = `async () => {
    const told = [];
    for (const [name, make] of ${pasted(refused)}) {
      let ran = 0;
      try { await codemode.step(name, () => { ran++; return make(); }); told.push([name, "came"]); }
      catch (error) { told.push([name, error.message]); }
      told.push(ran);
    }
    await lab.gate(null);
    return told;
  }`;
  const first = paused(await lab.run(program));
  const { result } = completed(await lab.runtime.approve({ executionId: first.executionId })) as { result: unknown[] };
  for (const [at, value] of refused.entries()) {
    // A step may return a promise, and \`await\` unwraps a thenable; one that never calls back is another matter.
    if (value.name === "thenable") continue;
    expect(result[at * 2]).toEqual([value.name, value.message]);
    expect(await lab.entry(first, at)).toMatchObject({ method: "step", code: "not_serializable" });
  }
});

test.each([
  ["a function", "() => () => 1", "result is a function"],
  ["a nested Promise", "() => ({ files: [Promise.resolve(1)] })", "result.files[0] is a Promise; await it first"],
  ["a class instance", "() => new (class User {})()", "result is an instance of User"],
  ["a symbol", "() => [Symbol('s')]", "result[0] is a symbol"],
  ["a Proxy that refuses", "() => [Proxy.revocable({}, {})].map(({ proxy, revoke }) => (revoke(), proxy))", "result[0] cannot be read"],
  ["a method toJSON", "() => ({ toJSON: () => 1 })", "result.toJSON is a function"],
  ["a namespace", "async () => [lab]", "result[0] is the namespace lab"],
  ["a namespace in a Map", "async () => new Map([['k', lab]])", "the namespace lab"],
  ["a method", "() => ({ m: lab.echo })", "result.m is a function"],
  ["codemode", "() => codemode", "result.search is a function"],
  ["the global object", "() => ({ all: globalThis })", "result.all is a namespace of the platform, not data"],
  ["Math", "() => [Math]", "result[0] is a namespace of the platform, not data"],
  ["a generator", "() => ({ g: (function* () {})() })", "result.g has a prototype of its own"],
  ["an iterator", "() => [[1].values()]", "result[0] has a prototype of its own"],
  ["a URL", "() => ({ u: new URL('https://example.com') })", "result.u is a URL object; pass its href"],
  ["a key of the platform", "async () => crypto.subtle.importKey('raw', new Uint8Array(16), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign'])", "result is an instance of CryptoKey"],
  ["a getter that throws", "() => ({ get a() { throw new Error('x') } })", "result.a cannot be read: its getter throws"],
  ["a namespace in the cause of an error", "() => ({ e: new Error('x', { cause: lab }) })", "result.e.cause is the namespace lab"],
  ["a call that was not awaited", "() => ({ list: [lab.echo(1)] })", "result.list[0] is a Promise; await it first"],
])("a final result with %s is the run's error, with the path", async (_name, code, text) => {
  const lab = newLab();
  const output = failed(await lab.run(code));
  expect(output.code).toBe("not_serializable");
  expect(output.error).toContain(text);
  expect(await lab.runtime.execution(output.executionId)).toMatchObject({ status: "error", errorCode: "not_serializable" });
});

test("a getter of a result is read once, and a call that it makes is made and recorded like any other", async () => {
  const lab = newLab();
  const output = completed(await lab.run(`async () => { let reads = 0; return { get late() { lab.echo("late"); return ++reads; } }; }`));
  expect(output.result).toEqual({ late: 1 });
  expect(lab.ran).toEqual([{ method: "echo", args: "late" }]);
  expect(output.calls).toMatchObject([{ method: "echo", state: "applied", result: "late" }]);
});
