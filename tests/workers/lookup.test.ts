/** Spec §4: searches and steps are recorded, so that a replay sees what the program saw. */

import { describe, expect, test } from "vitest";

import { completed, newAgent } from "./story.ts";

describe("search and describe", () => {
  test("take no number and are not among the calls", async () => {
    const output = completed(await newAgent().execute(`async () => { await codemode.search("echo"); await codemode.describe("t"); return t.echo(1) }`));
    expect(output.calls).toMatchObject([{ seq: 0, method: "echo" }]);
  });

  test("are not looked up again by a replay: a list that has changed changes nothing", async () => {
    const agent = newAgent();
    const { executionId } = await agent.paused(`async () => {
      const found = await codemode.search("echo", { limit: 3 });
      const described = await codemode.describe("t.echo");
      const unknown = await codemode.describe("t.fresh").catch((error) => error.message);
      await t.gate({ found, described, unknown });
      const now = await codemode.search("echo that was not there before");
      return { before: found.results.map(({ path }) => path), now: now.results.map(({ path }) => path), description: (await codemode.describe("t.echo")).description };
    }`);
    const output = completed(await agent.with({ twist: { t: { changed: true } } }).approve(executionId));
    const { before, now, description } = output.result as { before: string[]; now: string[]; description: string };
    expect(before).not.toContain("t.fresh");
    // What is asked for after the pause is asked of the list as it is then.
    expect(now).toContain("t.fresh");
    expect(description).toContain("Changed:");
  });

  test("what is found can be called as it is named", async () => {
    const agent = newAgent();
    const paths = (await agent.result(`async () => {
      const { results } = await codemode.search("returns its argument");
      const [connector, method] = results[0].path.split(".");
      return [results[0].path, await globalThis[connector][method]("called")];
    }`)) as unknown[];
    expect(paths).toEqual([expect.stringMatching(/^(t|side)\.echo$/), "called"]);
  });

  test("are plain data, wherever they stand", async () => {
    const result = await newAgent().result(`async () => ({ hits: await Promise.all([codemode.search("echo"), codemode.search("count", { connector: "t", limit: 1 })]), t: await codemode.describe(t) })`);
    expect(result).toMatchObject({ hits: [{ results: [{ kind: "method" }, { kind: "method" }] }, { results: [{ connector: "t" }] }], t: { kind: "connector", path: "t" } });
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  test("wrong arguments are an error that can be caught", async () => {
    const texts = (await newAgent().result(`async () => Promise.all(
      [() => codemode.search(), () => codemode.search("a", 1), () => codemode.describe(1), () => codemode.describe("t.nothing"), () => codemode.search("echo", { limit: -1 })].map((ask) => ask().catch((error) => error.message)),
    )`)) as string[];
    for (const text of texts) expect(text).toEqual(expect.any(String));
  });

  test.each([
    ["search()", "takes a text to search for, not undefined"],
    ["search(1)", "takes a text to search for, not number"],
    ["search('a', 1)", "takes options { limit?, offset?, connector? }, not number"],
    ["search('a', { limit: -1 })", "codemode.search: options.limit is a whole number from 0 to 4294967295, and -1 was given"],
    ["search('a', { limit: 1.5 })", "options.limit is a whole number from 0 to 4294967295, and 1.5 was given"],
    ["search('a', { offset: '2' })", 'options.offset is a whole number from 0 to 4294967295, and "2" was given'],
    ["search('a', { limit: 5e9 })", "options.limit is a whole number from 0 to 4294967295, and 5000000000 was given"],
    ["search('a', { limit: NaN })", "codemode.search: the arguments must be plain JSON"],
    ["search('a', { connector: 5 })", "options.connector is the name of a connector, and 5 was given"],
    ["describe(1)", 'takes a name such as "github.create", not number'],
    ["run(1)", "takes a snippet's name, not number"],
    ["step('', () => 1)", "takes a name of 1 to 200 characters first"],
    ["step('s', 1)", "takes a function second, not number"],
    ["step('s', () => codemode.search('a'))", "inside codemode.step nothing else of the program's world is reached"],
    ["step('s', () => t.echo(1))", "inside codemode.step nothing else of the program's world is reached"],
    ["step('s', () => codemode.step('t', () => 1))", "inside codemode.step nothing else of the program's world is reached"],
  ])("codemode.%s rejects with what is expected, and with its code", async (call, text) => {
    const asked = await newAgent().result(`async () => codemode.${call}.then(() => "went", (error) => [error instanceof Error, error.code, error.message])`);
    expect(asked).toEqual([true, "invalid_input", expect.stringContaining(text)]);
    expect(await newAgent().failed(`async () => codemode.${call}`)).toMatchObject({ code: "invalid_input", error: expect.stringContaining(text) });
  });

  test("what is too large for a step, or cannot leave it, has its code too", async () => {
    const codes = await newAgent().result(`async () => Promise.all([() => "x".repeat(1_000_001), () => () => 1, () => { throw Object.assign(new Error("own"), { code: "E1" }) }]
      .map((work) => codemode.step("s", work).catch((error) => [error.code, error.message.slice(0, 40)])))`);
    expect(codes).toEqual([["too_large", "the step's result: 1,000,003 UTF-16 unit"], ["not_serializable", "result is a function; only data can cros"], ["E1", "own"]]);
  });
});

describe("codemode.step", () => {
  test("runs once; a replay has its result and does not run it", async () => {
    const agent = newAgent();
    const { executionId } = await agent.paused(`async () => {
      let ran = 0;
      const value = await codemode.step("compute", () => { ran += 1; return { map: new Map([["a", 1n]]), random: Math.random() } });
      await t.gate({ value });
      return { value, ran };
    }`);
    const { value, ran } = completed(await agent.approve(executionId)).result as { value: unknown; ran: number };
    expect(value).toMatchObject({ map: new Map([["a", 1n]]) });
    // What it changed outside itself is lost on the replay; the description says so.
    expect(ran).toBe(0);
  });

  test("is in the log under its name, in its number", async () => {
    const { calls } = completed(await newAgent().execute(`async () => { await t.echo(1); await codemode.step("sum", () => 1 + 1); await t.echo(2) }`));
    expect(calls).toMatchObject([{ seq: 0 }, { seq: 1, connector: "codemode", method: "step", args: "sum", result: 2, state: "applied" }, { seq: 2 }]);
  });

  test("that fails fails the same way on the replay", async () => {
    const agent = newAgent();
    const { executionId, calls } = await agent.paused(`async () => {
      const error = await codemode.step("fails", async () => { throw Object.assign(new RangeError("too far"), { by: Math.random() }) }).catch((thrown) => thrown);
      return t.gate({ name: error.name, message: error.message, by: error.by, is: error instanceof RangeError });
    }`);
    expect(calls?.[0]).toMatchObject({ state: "error", error: "too far" });
    expect(completed(await agent.approve(executionId)).result).toMatchObject({ name: "RangeError", message: "too far", is: true });
  });

  test.each([
    ["a connector", `t.echo(1)`],
    ["search", `codemode.search("echo")`],
    ["another step", `codemode.step("inner", () => 1)`],
    ["a connector after a wait", `new Promise((resolve) => setTimeout(resolve, 5)).then(() => t.echo(1))`],
  ])("refuses what is called inside it: %s", async (_what, expression) => {
    const agent = newAgent();
    const output = completed(await agent.execute(`async () => [await codemode.step("outer", () => ${expression}).catch((error) => error.message), await t.echo("after")]`));
    expect(output.result).toEqual([expect.stringContaining("inside codemode.step"), "after"]);
    expect(output.calls?.map(({ seq, method }) => [seq, method])).toEqual([[0, "step"], [1, "echo"]]);
    expect(await agent.counters()).toEqual({ "t.echo": 1 });
  });

  test("does not keep other chains from calling meanwhile", async () => {
    const result = await newAgent().result(`async () => Promise.all([
      codemode.step("slow", async () => { await new Promise((resolve) => setTimeout(resolve, 40)); return "step" }),
      t.echo("call"),
      t.sleep({ ms: 10 }).then(() => t.echo("later")),
    ])`);
    expect(result).toEqual(["step", "call", "later"]);
  });

  test("has chance of its own: skipping it moves nobody else's", async () => {
    const agent = newAgent();
    const { executionId } = await agent.paused(`async () => {
      const before = Math.random();
      const inside = await codemode.step("dice", () => [Math.random(), crypto.randomUUID(), Math.random()]);
      return t.gate({ before, inside, after: [Math.random(), crypto.randomUUID()] });
    }`);
    expect(completed(await agent.approve(executionId)).status).toBe("completed");
  });

  test("returns only what can cross, and takes a name and a function", async () => {
    const texts = (await newAgent().result(`async () => Promise.all(
      [() => codemode.step("f", () => () => 1), () => codemode.step("big", () => "x".repeat(1_000_001)), () => codemode.step(), () => codemode.step("no function"), () => codemode.step("", () => 1)].map((ask) => ask().catch((error) => error.message)),
    )`)) as string[];
    expect(texts).toEqual([expect.stringContaining("result"), expect.stringContaining("1,000,000"), ...texts.slice(2).map(() => expect.stringContaining("codemode.step takes"))]);
  });
});
