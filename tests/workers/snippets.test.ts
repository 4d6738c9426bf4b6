/** Spec §8: programs that worked, kept under a name, found and run by other programs. */

import { evictAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";

import { completed, newAgent, paused } from "./story.ts";

const REPORT = `async (input) => {
  console.log("report of", input?.team);
  const lines = await t.echo([input?.team, "open"]);
  return { lines, count: await t.count({ key: "reports" }) };
}`;
const SCHEMA = { type: "object", properties: { team: { type: "string", description: "Whose report." } }, required: ["team"], additionalProperties: false };

describe.each(["bound", "embedded"] as const)("%s", (placement) => {
  test("a saved program is run by name with its input, in the same run and log", async () => {
    const agent = newAgent({ placement });
    const saved = await agent.save("weekly-report", REPORT, { description: "Writes the weekly report.", inputSchema: SCHEMA });
    expect(saved).toMatchObject({ name: "weekly-report", description: "Writes the weekly report.", code: REPORT, inputSchema: SCHEMA, connectors: ["t", "side"] });
    const output = completed(await agent.execute(`async () => {
      const first = await t.echo("first");
      const report = await codemode.run("weekly-report", { team: "core" });
      return [first, report, await t.echo("last")];
    }`));
    expect(output.result).toEqual(["first", { lines: ["core", "open"], count: 2 }, "last"]);
    expect(output.calls?.map(({ seq, method }) => [seq, method])).toEqual([[0, "echo"], [1, "echo"], [2, "count"], [3, "echo"]]);
    expect(output.logs).toEqual(["report of core"]);
  });

  test("it is there after an eviction, and gone after it was deleted", async () => {
    const agent = newAgent({ placement });
    await agent.save("kept", "async (input) => [input, 1]");
    await evictAllDurableObjects();
    expect(await agent.result(`async () => codemode.run("kept", "in")`)).toEqual(["in", 1]);
    expect((await agent.snippets()).map(({ name }) => name)).toEqual(["kept"]);
    expect([await agent.deleteSnippet("kept"), await agent.deleteSnippet("kept")]).toEqual([true, false]);
    expect(await agent.snippets()).toEqual([]);
    expect(await agent.result(`async () => codemode.run("kept")`)).toEqual({ error: expect.stringContaining('no snippet "kept"') });
  });
});

describe("discovery", () => {
  test("a snippet is found among the methods, with its signature, and described with types and text", async () => {
    const agent = newAgent();
    await agent.save("weekly-report", REPORT, { description: "Writes the weekly report of a team.", inputSchema: SCHEMA });
    const found = (await agent.result(`async () => (await codemode.search("weekly report")).results[0]`)) as object;
    expect(found).toMatchObject({
      path: "weekly-report",
      connector: "snippet",
      method: "weekly-report",
      kind: "snippet",
      description: "Writes the weekly report of a team.",
      signature: 'codemode.run("weekly-report", input: { team: string }): Promise<unknown>',
    });
    const described = (await agent.result(`async () => codemode.describe("weekly-report")`)) as { types: string };
    expect(described).toMatchObject({ path: "weekly-report", kind: "snippet", code: REPORT });
    expect(described.types).toContain('run(name: "weekly-report", input: {');
    expect(described.types).toContain("/** Whose report. */");
    expect((await agent.search("weekly report")).results[0]).toMatchObject({ kind: "snippet" });
    expect(await agent.describe("weekly-report")).toEqual(described);
  });

  test("a search within one connector leaves snippets out, and `snippet` gives them alone", async () => {
    const agent = newAgent();
    await agent.save("echo-twice", "async (input) => [await t.echo(input), await t.echo(input)]", { description: "Returns its argument twice." });
    const paths = await agent.result(`async () => Promise.all(["t", "snippet"].map(async (connector) =>
      (await codemode.search("argument", { connector })).results.map(({ path }) => path)))`);
    const [ofT, ofSnippets] = paths as string[][];
    expect(ofT).toContain("t.echo");
    expect(ofT).not.toContain("echo-twice");
    expect(ofSnippets).toEqual(["echo-twice"]);
  });

  test("what is saved while a runtime lives is found by the next program", async () => {
    const agent = newAgent();
    const count = () => agent.result(`async () => (await codemode.search("zebra")).total`);
    expect(await count()).toBe(0);
    await agent.save("zebra", "async () => 1", { description: "Counts stripes." });
    expect(await count()).toBe(1);
    await agent.deleteSnippet("zebra");
    expect(await count()).toBe(0);
  });
});

describe("what a program hears when one cannot be run", () => {
  test("an unknown name is an object with `error` that offers the nearest", async () => {
    const agent = newAgent();
    await agent.save("weekly-report", "async () => 1");
    expect(await agent.result(`async () => codemode.run("weekly-repot")`)).toEqual({ error: expect.stringContaining("weekly-report") });
  });

  test("a missing connector is named", async () => {
    const agent = newAgent();
    await agent.save("both", "async () => [await t.echo(1), await side.echo(2)]");
    const { error } = (await agent.with({ without: ["side"] }).result(`async () => codemode.run("both")`)) as { error: string };
    expect(error).toContain("side");
    expect(error).not.toMatch(/\bt\b,/);
  });

  test("an input that does not fit is refused with the path, and is an error the program can catch", async () => {
    const agent = newAgent();
    await agent.save("weekly-report", REPORT, { inputSchema: SCHEMA });
    const caught = await agent.result(`async () => {
      const told = [];
      for (const input of [{ team: 3 }, {}, { team: "x", extra: 1 }, undefined, new Map()]) {
        await codemode.run("weekly-report", input).catch((error) => told.push([error.code, error.message]));
      }
      return told;
    }`);
    expect(caught).toEqual([
      ["invalid_input", expect.stringContaining("input.team must be string, not number")],
      ["invalid_input", expect.stringContaining("input.team is required")],
      ["invalid_input", expect.stringContaining("input.extra is not accepted")],
      ["invalid_input", expect.stringContaining("input")],
      ["invalid_input", expect.stringContaining("input")],
    ]);
    expect(await agent.counters()).toMatchObject({ "t.count": 1 });
    expect((await agent.failed(`async () => codemode.run("weekly-report", { team: 3 })`)).code).toBe("invalid_input");
  });

  test("what it throws is the caller's to catch, with the place in the snippet's own text", async () => {
    const agent = newAgent();
    await agent.save("broken", "async (input) => {\n  if (input) throw new Error(`no ${input}`);\n}");
    expect(await agent.result(`async () => codemode.run("broken", "luck").catch((error) => error.message)`)).toBe("no luck");
    const { error } = await agent.failed(`async () => codemode.run("broken", "way")`);
    expect(error).toContain("no way");
    expect(error).toContain("(broken 2:20)");
  });

  test("inside a step none is run, and no function or namespace is an input", async () => {
    const agent = newAgent();
    await agent.save("s", "async (input) => input");
    expect(
      await agent.result(`async () => Promise.all([
        codemode.step("x", () => codemode.run("s")), codemode.run("s", () => 1), codemode.run("s", { t }), codemode.run("s", 1, 2), codemode.run(1),
      ].map((it) => it.catch((error) => error.message)))`),
    ).toEqual([
      expect.stringContaining("inside codemode.step"),
      expect.stringContaining("input"),
      expect.stringContaining("input.t is the namespace t"),
      expect.stringContaining("2 inputs"),
      expect.stringContaining("number"),
    ]);
  });
});

describe("nesting", () => {
  test("snippets run snippets; the input is a copy, the result is as it was returned", async () => {
    const agent = newAgent();
    await agent.save("inner", "async (input) => { if (input) input.seen = true; return new Map([[input, await t.count({ key: 'c' })]]); }");
    await agent.save("outer", `async (input) => codemode.run("inner", input)`);
    const result = await agent.result(`async () => {
      const mine = { a: 1 };
      const [[key, count]] = await codemode.run("outer", mine);
      return { mine, key, count };
    }`);
    expect(result).toEqual({ mine: { a: 1 }, key: { a: 1, seen: true }, count: 3 });
  });

  test("it ends at the depth limit with an error that says the number", async () => {
    const agent = newAgent({ limits: { snippetDepth: 3 } });
    await agent.save("endless", `async (input) => input === undefined ? 0 : codemode.run("endless", input + 1).catch((error) => [input, error.message])`);
    const told = await agent.result(`async () => codemode.run("endless", 1)`);
    expect(told).toEqual([3, expect.stringContaining("3 deep (limits.snippetDepth)")]);
    await agent.save("ever", `async () => codemode.run("ever")`);
    expect(await agent.failed(`async () => codemode.run("ever")`)).toMatchObject({ code: "call_limit" });
    // Beside each other they are not deep.
    expect(await agent.result(`async () => { for (let i = 0; i < 5; i++) await codemode.run("endless"); return (await Promise.all([1, 2, 3, 4, 5].map(() => codemode.run("endless")))).length; }`)).toBe(5);
  });
});

describe("the loop budget", () => {
  test("is one for the program and its snippets: a snippet that never ends is stopped, at its own place", async () => {
    const agent = newAgent({ limits: { loopBudget: 100_000 } });
    await agent.save("spin", `async (input) => {\n  while (input) {}\n}`);
    const { code, error } = await agent.failed(`async () => { try { await codemode.run("spin", 1); } catch {} return "went on"; }`);
    expect([code, error]).toEqual(["cpu_limit", expect.stringContaining("(spin 2:")]);
  });

  test("is not used up by running a small one often", async () => {
    const agent = newAgent({ limits: { loopBudget: 1_000_000 } });
    await agent.save("small", "async (input) => input + 1");
    expect(await agent.result(`async () => { let n = 0; for (let i = 0; i < 300; i++) n = await codemode.run("small", n); return n; }`)).toBe(300);
  });
});

describe("replay", () => {
  test("a paused run replays the text that it recorded, whatever was saved since", async () => {
    const agent = newAgent();
    await agent.save("versioned", `async () => ["first", await t.echo(1)]`);
    const { executionId } = await agent.paused(`async () => {
      const before = await codemode.run("versioned");
      await t.gate({});
      return [before, await codemode.run("versioned")];
    }`);
    await agent.save("versioned", `async () => ["second", await t.echo(2), await t.echo(3)]`);
    await evictAllDurableObjects();
    const output = completed(await agent.approve(executionId));
    expect(output.result).toEqual([["first", 1], ["first", 1]]);
    expect(await agent.result(`async () => codemode.run("versioned")`)).toEqual(["second", 2, 3]);
  });

  test("it goes on with its text although the snippet was deleted, and pauses inside of one", async () => {
    const agent = newAgent();
    await agent.save("gated", `async (input) => input && [input, await t.gate(input), await t.count({ key: "after" })]`);
    const { executionId } = paused(await agent.execute(`async () => codemode.run("gated", { x: 1n })`));
    await agent.deleteSnippet("gated");
    expect(completed(await agent.approve(executionId)).result).toEqual([{ x: 1n }, { x: 1n }, 1]);
    expect(await agent.counters()).toMatchObject({ "t.gate": 1, "t.count": 1 });
  });

  test("one whose name is computed starts another pass, and nothing runs twice", async () => {
    const agent = newAgent();
    await agent.save("one", `async (input) => ["one", input, await t.count({ key: "n" })]`);
    await agent.save("two", `async (input) => ["two", input, await t.count({ key: "n" })]`);
    const output = completed(await agent.execute(`async () => {
      console.log("begin");
      const before = await t.count({ key: "n" });
      const slow = t.sleep({ ms: 60, value: "slow" });
      const all = [];
      for (const name of ["o" + "ne", "tw" + "o", "o" + "ne", "thr" + "ee"]) all.push(await codemode.run(name, Math.floor(Math.random() * 1e9)));
      return [before, all, await slow, Date.now() > 0];
    }`));
    const [before, all, slow] = output.result as [number, unknown[][], string];
    expect([before, slow]).toEqual([3, "slow"]);
    expect(all.map((one) => (Array.isArray(one) ? [one[0], one[2]] : one))).toEqual([["one", 4], ["two", 5], ["one", 6], { error: expect.stringContaining("three") }]);
    expect(output.logs).toEqual(["begin"]);
    expect(await agent.counters()).toMatchObject({ "t.count": 6, "t.sleep": 1 });
    // The run has it all on record: it replays with nobody asked.
    const audit = await agent.runtime.audit(output.executionId, JSON.stringify({ contact: { connectors: [{ name: "t", digest: "" }, { name: "side", digest: "" }] } }));
    expect(audit).toContain('"end":"done"');
  });

  test("a snippet that was computed and a call that waits for a person get on together", async () => {
    const agent = newAgent();
    await agent.save("quiet", `async () => t.count({ key: "q" })`);
    const { executionId, pending } = await agent.paused(`async () => Promise.all([t.gate("yes"), codemode.run("qui" + "et")])`);
    expect(pending).toHaveLength(1);
    expect(await agent.counters()).toMatchObject({ "t.count": 2 });
    expect(completed(await agent.approve(executionId)).result).toEqual(["yes", 2]);
  });
});

describe("saving", () => {
  test("a name that a namespace or its methods have, or could have, is refused; so is one that is no name", async () => {
    const agent = newAgent();
    const { executionId } = await agent.execute("async () => 1");
    for (const name of ["t", "codemode", "t.echo", "side.fresh", "codemode.run", "a b", "", "x".repeat(101)]) {
      expect(await agent.refusal("saveSnippet", { name, executionId }), name).toMatchObject({ code: "invalid_input" });
    }
    expect(await agent.snippets()).toEqual([]);
  });

  test("a method that came later with a name of its own is not hidden by a snippet", async () => {
    const agent = newAgent();
    await agent.with({ without: ["side"] }).save("side", "async () => 1");
    expect(await agent.describe("side")).toMatchObject({ kind: "connector" });
    expect(await agent.with({ without: ["side"] }).describe("side")).toMatchObject({ kind: "snippet" });
  });

  test("only a run that has ended is saved, and only one there is", async () => {
    const agent = newAgent();
    const { executionId } = await agent.paused("async () => t.gate(1)");
    expect(await agent.refusal("saveSnippet", { name: "early", executionId })).toMatchObject({ code: "invalid_input", error: expect.stringContaining("is paused") });
    expect(await agent.refusal("saveSnippet", { name: "none", executionId: "exec_0" })).toMatchObject({ code: "not_found" });
    const { executionId: bad } = await agent.failed("async () => { return ...x }");
    expect(await agent.refusal("saveSnippet", { name: "bad", executionId: bad })).toMatchObject({ code: "syntax" });
  });

  test("a schema needs a program that takes an input, and has to be one", async () => {
    const agent = newAgent();
    const { executionId } = await agent.execute("const x = 1; return x");
    expect(await agent.refusal("saveSnippet", { name: "x", executionId, inputSchema: SCHEMA })).toMatchObject({ code: "invalid_input", error: expect.stringContaining("async (input)") });
    expect(await agent.refusal("saveSnippet", { name: "x", executionId, inputSchema: "text" })).toMatchObject({ code: "invalid_input" });
    const { executionId: taking } = await agent.execute("async (input) => input");
    expect(await agent.refusal("saveSnippet", { name: "x", executionId: taking, inputSchema: { $ref: "#/nowhere" } })).toMatchObject({ code: "invalid_input" });
  });
});
