/** The loop budget: what never ends is stopped here too, where the platform stops nothing; what ends is left alone. */

import { describe, expect, test } from "vitest";

import { completed, failed, newAgent } from "./story.ts";

const SMALL = { limits: { loopBudget: 20_000 } };

const endless: Record<string, string> = {
  while: "while (true) {}",
  "while without a body": "while (true);",
  for: "for (;;) {}",
  "for with a comma": "for (let i = 0, j = 0; ; i++, j--);",
  "do while": "do Math.abs(1)\nwhile (true)",
  "a label": "a: for (;;) { for (;;) { continue a } }",
  "if in while without braces": "while (true) if (false) break",
  "for of": "function* all() { let n = 0; while (true) yield n++ }\nfor (const x of all()) {}",
  "a spread of a generator": "function* all() { for (;;) yield 1 }\nMath.max(...all())",
  "an iterator of the program": "const it = { next: () => ({ done: false }), [Symbol.iterator]() { return this } };\nnew Set(it)",
  "for in with its own list": "const o = { a: 1 };\nfor (const k in o) for (;;) {}",
  "for await": "async function* all() { while (true) yield 1 }\nfor await (const x of all()) {}",
  "recursion of awaits": "const f = async () => { await null; return f() };\nawait f()",
  "a chain of promises": "const f = () => Promise.resolve().then(f);\nawait f()",
  "a thenable": "const p = { then(r) { r(p) } };\nawait p",
  "microtasks": "const f = () => queueMicrotask(f);\nf();\nawait new Promise(() => {})",
  "two functions": "const a = async () => { await null; return b() }, b = async () => a();\nawait a()",
  "a callback of sort": "Array.from({ length: 100_000 }, (_, i) => -i).sort((a, b) => Math.sign(a - b))",
  "arrows with a value": "const f = n => n > 1 ? f(n - 1) + f(n - 2) : 1;\nf(40)",
  "methods": "class A { m(n) { return n > 1 ? this.m(n - 1) + this.m(n - 2) : 1 } }\nnew A().m(40)",
  "a getter": "const o = { n: 0, get x() { return ++this.n } };\nwhile (o.x) {}",
  "a constructor": "class A { constructor(n) { this.a = n > 0 ? [new A(n - 1), new A(n - 1)] : 0 } }\nnew A(40)",
  "fields": "let d = 0;\nclass A { a = (d++, d < 40 ? [new A(), new A()] : 0, d--) }\nnew A()",
  "a static block": "class A { static { for (;;) {} } }",
  "a proxy": "const p = new Proxy({}, { get: (_, k) => k });\nwhile (p.x) {}",
  "a catch that goes on": "for (;;) { try { for (;;) {} } catch { continue } }",
  "a catch that looks at what it caught": "const f = () => { try { while (true) {} } catch ({ message }) { return f(message) } };\nf()",
  "a finally that returns": "function f() { try { while (true) {} } finally { return 1 } }\nwhile (f()) {}",
  "a finally that breaks": "for (;;) { while (true) try { while (true) {} } finally { break } }",
  "a catch of a promise": "const f = async () => { while (true) {} };\nfor (;;) await f().catch(() => {})",
  "recursion that catches the end of the stack": "function f() { try { f() } catch { f() } }\nf()",
  "recursion that catches it in an arrow": "const f = () => { try { f(); f() } finally { f() } };\ntry { f() } catch { f() }",
  "a step": "await codemode.step('s', () => { while (true) {} })",
  "TypeScript": "const f = (n: number): number => { while (n as any) {} return n };\nf(1)",
};

test("an arrow that calls nothing is not counted as an argument or a variable; any other is", async () => {
  const agent = newAgent({ limits: { loopBudget: 1_000 } });
  const each = (callback: string) => `async () => { const f = ${callback}; return Array.from({ length: 5_000 }, (_, i) => i).map(f).length }`;
  for (const bare of ["(x) => x * 2", "((x) => ({ x, y: [x] }))", "(x, i = x) => `${x} ${i}`"]) expect(await agent.result(each(bare)), bare).toBe(5_000);
  const counted = ["(x) => Math.abs(x)", "(x) => { return x }", "function (x) { return x }", "(x, y = Math.abs(x)) => y", "(x) => new Date(x)", "(x) => String.raw`${x}`", "{ f: (x) => x }.f"];
  for (const other of counted) expect((await agent.failed(each(other))).code, other).toBe("cpu_limit");
});

describe("what never ends is stopped", () => {
  const agent = newAgent(SMALL);

  test.each(Object.entries(endless))("%s", async (_, code) => {
    const output = await agent.failed(code);
    expect(output.code, output.error).toBe("cpu_limit");
    expect(output.error).toContain("20,000 rounds of loops");
  });

  test("nothing the program does afterwards is heard", async () => {
    const output = await agent.failed(`async () => {
      console.log("before");
      const spin = async () => { while (true) {} };
      const [first] = await Promise.allSettled([spin()]);
      console.log("after", first.status);
      t.count({ key: "after" });
      await t.count({ key: "after" });
      return "done";
    }`);
    expect(output).toMatchObject({ code: "cpu_limit", logs: ["before"], calls: [] });
    expect(await agent.counters()).not.toHaveProperty("after");
  });

  test("calls that were under way are recorded", async () => {
    const { executionId, code } = await agent.failed(`async () => { const held = t.echo(1); await t.echo(2); for (;;) {} }`);
    expect(code).toBe("cpu_limit");
    expect(await agent.execution(executionId)).toMatchObject({ status: "error", errorCode: "cpu_limit", log: [{ state: "applied" }, { state: "applied" }] });
  });

  test("a timer that spins, after calls", async () => {
    const output = await agent.failed(`async () => { await t.echo(1); setTimeout(() => { for (;;) {} }, 1); await new Promise(() => {}) }`);
    expect(output.code).toBe("cpu_limit");
  });

  test("the text shows where the program was, in its own text", async () => {
    const output = await agent.failed("```ts\ninterface A {}\nasync (): Promise<void> => {\n  const spin = (x: A) => {\n    while (true) {}\n  };\n  spin({});\n}\n```");
    expect(output.error).toContain("It was here:\n    at spin (5:19)\n");
  });

  test("embedded", async () => {
    expect(await newAgent({ ...SMALL, placement: "embedded" }).failed("for (;;);")).toMatchObject({ code: "cpu_limit" });
  });
});

describe("what ends is left alone", () => {
  test("as many rounds as the budget, and hardly more", async () => {
    const loop = (rounds: number): string => `let n = 0; while (n < ${rounds}) n++;\nreturn n`;
    const agent = newAgent({ limits: { loopBudget: 1_000 } });
    expect(await agent.result(loop(990))).toBe(990);
    expect(await agent.failed(loop(1_020))).toMatchObject({ code: "cpu_limit" });
  });

  test("the end of the stack is the program's to catch", async () => {
    expect(await newAgent().result("const f = () => f() + 1;\ntry { f() } catch (e) { e.name }")).toBe("RangeError");
  });

  test("each pass has its own", async () => {
    const agent = newAgent({ limits: { loopBudget: 1_000 } });
    const code = "async () => { for (let i = 0; i < 600; i++); await t.gate(1); for (let i = 0; i < 300; i++); return 'through' }";
    const { executionId } = await agent.paused(code);
    expect(completed(await agent.approve(executionId)).result).toBe("through");
  });

  test("the limit is that of the contact, the counting that of the first one", async () => {
    const agent = newAgent({ limits: { loopBudget: 1_000 } });
    const code = "async () => { for (let i = 0; i < 600; i++); await t.gate(1); for (let i = 0; i < 5000; i++); return 'through' }";
    const first = await agent.paused(code);
    expect(failed(await agent.approve(first.executionId))).toMatchObject({ code: "cpu_limit" });
    const second = await agent.paused(code);
    expect(completed(await agent.with({ limits: { loopBudget: 0 } }).approve(second.executionId)).result).toBe("through");
    const uncounted = agent.with({ limits: { loopBudget: 0 } });
    const third = await uncounted.paused(code);
    expect(completed(await agent.approve(third.executionId)).result).toBe("through");
  });

  test("with 0 a program does not count", async () => {
    const agent = newAgent({ limits: { loopBudget: 0 } });
    expect(await agent.result("const f = n => n;\nreturn f.toString()")).toBe("n => n");
  });

  test("names, values and text of functions are theirs", async () => {
    const code = `class A { arrow = () => 1; value = 2; static made = class {}; #hidden = (() => 3)(); get hidden() { return this.#hidden } }
      const a = new A(), { b = () => {} } = {};
      return [a.arrow.name, a.value, A.made.name, a.hidden, b.name, (x => ({ x }))(4), (() => void 0)(), [..."ab"].map((c, i) => c + i)]`;
    expect(await newAgent().result(code)).toEqual(["arrow", 2, "made", 3, "b", { x: 4 }, undefined, ["a0", "b1"]]);
  });
});
