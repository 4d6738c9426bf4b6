/** Texts that are odd or long beside values: half surrogates, errors, console, names. */

import { expect, test } from "vitest";

import { completed, failed, newLab, paused } from "./values-lab.ts";

const HALF = "half \ud83d";

test("half a surrogate pair crosses unchanged in values, keys and texts of errors, and replays", async () => {
  const lab = newLab({
    make: { execute: () => ({ [HALF]: [HALF] }) },
    fail: {
      execute: () => {
        throw Object.assign(new Error(HALF), { [HALF]: HALF });
      },
    },
  });
  const program = `async () => {
    const half = "half \\ud83d";
    const all = [await lab.echo({ [half]: half }), await lab.make(), await codemode.step(half, () => [half])];
    try { await lab.fail(); } catch (error) { all.push([error.message, error[half]]); }
    await lab.gate(all);
    return all;
  }`;
  const all = [{ [HALF]: HALF }, { [HALF]: [HALF] }, [HALF], [HALF, HALF]];
  const first = paused(await lab.run(program));
  expect(first.pending[0]?.args).toEqual(all);
  expect(completed(await lab.runtime.approve({ executionId: first.executionId })).result).toEqual(all);
  expect((await lab.entry(first, 2)).args).toBe(HALF);
  expect((await lab.entry(first, 3)).error).toBe("half \ufffd");
});

test.each([
  ["the console", `async () => { console.log("half \\ud83d"); }`, "completed"],
  ["a thrown text", `async () => { throw "half \\ud83d"; }`, "error"],
  ["a thrown error", `async () => { throw new Error("half \\ud83d"); }`, "error"],
  ["a method's name", `async () => lab["half \\ud83d"]()`, "error"],
  ["a search", `async () => codemode.search("half \\ud83d")`, "completed"],
  ["a search's options", `async () => codemode.search("x", { connector: "half \\ud83d" }).catch(() => 1)`, "completed"],
  ["a description's target", `async () => codemode.describe("half \\ud83d").catch(() => 1)`, "completed"],
  ["a snippet's name", `async () => codemode.run("half \\ud83d")`, "completed"],
  ["the program's own text", `async () => { const half = "half \ud83d"; return half.length; }`, "completed"],
])("half a surrogate pair in %s breaks nothing", async (_where, code, status) => {
  const lab = newLab();
  const output = await lab.run(code);
  expect([output.status, output.status === "error" ? output.error : ""]).toEqual([status, status === "error" ? expect.stringContaining("half \ufffd") : ""]);
  if (code.includes("console")) expect(output.logs).toEqual(["half \ufffd"]);
  expect((await lab.runtime.executions()).length).toBe(1);
});

test("half a surrogate pair in what a connector says of itself costs nothing else", async () => {
  const lab = newLab({ cut: { description: "A description that was cut in a face: \ud83d", execute: () => "ran" } });
  expect(await lab.result(`async () => lab.cut()`)).toBe("ran");
  expect((await lab.runtime.describe("lab.cut")).description).toContain("cut in a face: \ufffd");
});

test("half a surrogate pair in a key names the same run again", async () => {
  const lab = newLab();
  const first = completed(await lab.runtime.execute({ code: `async () => lab.echo(1)`, key: HALF }));
  const again = completed(await lab.runtime.execute({ code: `async () => lab.echo(1)`, key: HALF }));
  expect(again.executionId).toBe(first.executionId);
  expect(lab.count("echo")).toBe(1);
});

test("an error with a message of 2 MB is recorded and the run goes on", async () => {
  const lab = newLab({
    fail: {
      execute: () => {
        throw Object.assign(new Error("m".repeat(2_000_000)), { name: "n".repeat(2_000_000), data: "d".repeat(2_000_000) });
      },
    },
  });
  const program = `async () => {
    const told = [];
    try { await lab.fail(); } catch (error) { told.push(error.message.length); }
    try { await codemode.step("s", () => { throw new Error("e".repeat(2_000_000)); }); } catch (error) { told.push(error.message.length); }
    await lab.gate(told);
    return told;
  }`;
  const first = paused(await lab.run(program));
  const told = first.pending[0]?.args as number[];
  for (const length of told) expect(length).toBeGreaterThan(50_000);
  expect(completed(await lab.runtime.approve({ executionId: first.executionId })).result).toEqual(told);
  const entry = await lab.entry(first, 0);
  expect(entry).toMatchObject({ state: "error", code: "exception" });
  expect(entry.error?.length).toBeLessThan(1_100);
});

test("an error of 2 MB that ends the run is cut with a mark, and the run is on record", async () => {
  const lab = newLab();
  const output = failed(await lab.run(`async () => { throw new Error("漢".repeat(2_000_000)); }`));
  expect(output.error.length).toBeLessThan(17_000);
  expect(output.error).toMatch(/bytes in all\)$/);
  expect(await lab.runtime.execution(output.executionId)).toMatchObject({ status: "error", error: output.error });
});

test("console output beyond the limit is cut with a mark", async () => {
  const lab = newLab({}, { logBytes: 1_000 });
  const output = completed(await lab.run(`async () => { for (let i = 0; i < 1000; i++) console.log("漢".repeat(100)); console.log("x".repeat(5_000_000)); return 1; }`));
  const text = output.logs?.join("\n") ?? "";
  expect(new TextEncoder().encode(text).length).toBeLessThan(1_100);
  expect(output.logs?.at(-1)).toBe("[console output cut at 1000 bytes]");
  expect(new Set(output.logs?.slice(0, 3))).toEqual(new Set(["漢".repeat(100)]));
});

test.each([
  ["of 5,000 characters", "m".repeat(5_000), "at most 200 characters"],
  ["of 200 characters", "漢".repeat(200), "no such method|has no|not"],
  ["with a null character", "ec\0ho", "null character"],
  ["with a line break", "ec\nho", "echo"],
  ["like a path", "../lab/echo", "echo"],
  ["that is empty", "", "lab"],
  ["that is a number", "0", "lab"],
  ["that the language has", "__proto__.x", "lab"],
])("a method's name %s is a failed call that reaches no one", async (_what, name, text) => {
  const lab = newLab();
  const output = completed(await lab.run(`async () => lab[${JSON.stringify(name)}]({ a: 1 }).catch((error) => error.message)`));
  expect(output.result).toMatch(new RegExp(text));
  expect(lab.ran).toEqual([]);
  expect(output.calls).toMatchObject([{ state: "error" }]);
  expect((await lab.entry(output, 0)).attempt).toBe(0);
});

test.each(["then", "catch", "finally", "toJSON", "constructor", "__proto__", "hasOwnProperty", "valueOf"])(
  "reading lab.%s makes no call",
  async (name) => {
    const lab = newLab();
    const output = completed(await lab.run(`async () => { const kind = typeof lab.${name}; return [kind, await lab === lab]; }`));
    expect(output.result).toEqual(["undefined", true]);
    expect(output.calls).toEqual([]);
  },
);
