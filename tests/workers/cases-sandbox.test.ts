/** Inputs that broke other runtimes, in their smallest form: what the sandbox and the codec make of them. The ids are those of `tests/fixtures/cases.json`. */

import { expect, test } from "vitest";

import { newLab } from "./values-lab.ts";
import { completed, failed, newAgent, paused } from "./story.ts";

test.each([`throw "boom"`, `throw { code: 42 }`, `throw null`, `return Promise.reject()`, `throw new Error("")`])("what is thrown is no success and has a text (S01): %s", async (statement) => {
  const { code, error } = failed(await newAgent().execute(`async () => { ${statement} }`));
  expect([code, error.trim().length > 0, error.includes("[object Object]")]).toEqual(["exception", true, false]);
});

test("a call that fails without a message rejects, and ends the run with a text (S02)", async () => {
  const agent = newAgent();
  expect(await agent.result(`async () => t.fail({ message: "" }).then((value) => ["came", value], (error) => ["rejected", error instanceof Error])`)).toEqual(["rejected", true]);
  expect((await agent.failed(`async () => t.fail({ message: "" })`)).error).toMatch(/^Error: Error\n {4}at /);
});

test("a write that nobody awaited and that fails is no success (S03)", async () => {
  const output = await newAgent().failed(`async () => { t.sleep({ ms: 20 }).then(() => t.fail({ message: "not written" })); return "done" }`);
  expect(output).toMatchObject({ code: "exception", error: expect.stringContaining("not written") });
  expect(output.error).toContain("nothing in the program handled this");
});

test("results with functions, cycles, collections and getters cross or name the path (S05)", async () => {
  const agent = newAgent();
  expect((await agent.failed(`async () => { const self = {}; return { f() {}, self } }`)).error).toBe("result.f is a function; only data can cross");
  expect(await agent.result(`async () => new Map([[1, { a: 1 }]])`)).toEqual(new Map([[1, { a: 1 }]]));
  const output = completed(await agent.execute(`async () => { const a = { get called() { t.echo("by a getter"); return 1 } }; a.a = a; return [a, a] }`));
  const [first, second] = output.result as [{ a: unknown; called: number }, unknown];
  expect([first === second, first.a === first, first.called]).toEqual([true, true, 1]);
  expect(output.calls).toMatchObject([{ method: "echo", state: "applied" }]);
});

test("awaiting, printing and returning a namespace makes no call and does not hang (S06)", async () => {
  const agent = newAgent();
  const output = completed(await agent.execute(`async () => { const same = await t; return [same === t, JSON.stringify(t), String(t), typeof t.then] }`));
  expect(output).toMatchObject({ result: [true, "{}", "[namespace t]", "undefined"], calls: [] });
  expect(await agent.failed(`async () => t`)).toMatchObject({ code: "not_serializable", error: expect.stringContaining("result is the namespace t") });
});

test("what goes wrong has codes that differ (S10)", async () => {
  const agent = newAgent({ limits: { passMs: 300, calls: 2 } });
  const codes = [];
  for (const code of ["", "const x = = 1", `async () => { throw 1 }`, `async () => t.sleep({ ms: 900 })`, `async () => { for (;;) await t.echo(1) }`, `async () => new Promise(() => {})`, `async () => () => 1`]) {
    codes.push(failed(await agent.execute(code)).code);
  }
  expect(codes).toEqual(["invalid_input", "syntax", "exception", "timeout", "call_limit", "stuck", "not_serializable"]);
});

test("one call to the host and back (S11)", async () => {
  expect(await newAgent().result(`async () => t.echo({ ok: true })`)).toEqual({ ok: true });
});

test("timers are there after an effect (S13)", async () => {
  const agent = newAgent();
  expect(await agent.result(`async () => { await t.echo({}); await new Promise((resolve) => setTimeout(resolve, 20)); return 1 }`)).toBe(1);
});

test("bytes are bytes on both ways, nested and empty (C01)", async () => {
  const given = { all: Uint8Array.from({ length: 256 }, (_, i) => i), none: new Uint8Array(0), many: new Uint8Array(700_000).fill(7) };
  const lab = newLab({ make: { execute: () => ({ nested: [given] }) } });
  const output = completed(await lab.run(`async () => { const got = await lab.make(); await lab.echo(got); return got }`));
  for (const got of [output.result, lab.ran.at(-1)?.args] as { nested: (typeof given)[] }[]) expect(got.nested[0]).toEqual(given);
});

test("a value is the same on the first pass and after the pause (C03)", async () => {
  const made = { d: new Date(5), m: new Map([[1, 2]]), s: new Set(["x"]), n: NaN, z: -0, u: undefined, re: /x/gi };
  const lab = newLab({ make: { execute: () => made } });
  const first = paused(await lab.run(`async () => { const r = await lab.make(); await lab.gate([r.d.getTime(), r.m.get(1), r.s.has("x"), r.n, Object.is(r.z, -0), "u" in r, r.re.test("X")]); return r }`));
  expect((await lab.runtime.pending(first.executionId))[0]?.args).toEqual([5, 2, true, NaN, true, true, true]);
  expect(completed(await lab.runtime.approve({ executionId: first.executionId })).result).toEqual(made);
});

test("a result that looks like a control message is data (C05)", async () => {
  for (const marker of [{ __codemode_control__: "pause" }, { __codemode_control__: "error", message: "x" }]) {
    const lab = newLab({ make: { execute: () => marker } });
    expect(completed(await lab.run(`async () => lab.make()`)).result).toEqual(marker);
  }
});

test("arguments that JSON changes cross as they are, and what cannot names its path (C06)", async () => {
  const lab = newLab();
  await lab.run(`async () => lab.echo({ a: 1n, n: NaN, u: undefined, m: new Map([[1, 2]]) })`);
  expect(lab.ran).toEqual([{ method: "echo", args: { a: 1n, n: NaN, u: undefined, m: new Map([[1, 2]]) } }]);
  expect(failed(await lab.run(`async () => lab.echo({ a: { f: () => 1 } })`)).error).toContain("lab.echo: args.a.f is a function; only data can cross");
  expect(lab.ran).toHaveLength(1);
});

test("a bigint in a result is kept, and shown to the model as its digits (C07)", async () => {
  const agent = newAgent();
  const output = completed(await agent.execute(`async () => ({ addr: 7795506888185572399n })`));
  expect(output.result).toEqual({ addr: 7795506888185572399n });
  expect(JSON.stringify(await agent.toModel(output))).toContain("7795506888185572399");
});

test("a cyclic result of a connector is one outcome, and a cycle (C09)", async () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const lab = newLab({ make: { execute: () => cycle } });
  const output = completed(await lab.run(`async () => { const made = await lab.make(); return made.self === made }`));
  expect([output.result, lab.ran.length, output.calls?.map(({ state }) => state)]).toEqual([true, 1, ["applied"]]);
});
