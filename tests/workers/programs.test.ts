/** Every program of the fixtures, end to end: what Rust accepts runs to the value it promises, what it refuses never starts. */

import { describe, expect, test } from "vitest";

import { shown } from "../../js-shim/client/index.ts";
import { newAgent } from "./story.ts";

type Fixture = { name: string; code: string; outcome: { returns: unknown } | { error: { code: string; contains: string[] } } };

const files = import.meta.glob<Fixture[]>("../fixtures/programs/*.json", { eager: true, import: "default" });

describe.each(Object.keys(files))("%s", (file) => {
  const agent = newAgent();

  test.each(files[file] ?? [])("$name", async ({ code, outcome }) => {
    const output = await agent.execute(code);
    if ("returns" in outcome) {
      expect(output).toMatchObject({ status: "completed" });
      expect(output.status === "completed" ? shown(output.result) : output).toEqual(outcome.returns);
    } else {
      expect(output).toMatchObject({ status: "error", code: outcome.error.code });
      for (const part of outcome.error.contains) expect(output.status === "error" ? output.error : "").toContain(part);
    }
  });
});

/** What stands before; then beginning, middle and end, the first and the last repeated. Each is refused or run, and the core lives on. */
const nests: [before: string, begin: string, middle: string, end: string][] = [
  ["", "(", "1", ")"],
  ["", "() => ", "1", ""],
  ["", "async (a = async (", "1", "))"],
  ["", "x = class { a = ", "1", "}"],
  ["", "for (;;) while (1) ", ";", ""],
  ["let x: ", "A<", "B", ">"],
  ["let x: ", "(a: ", "B", ") => C"],
  ["let x: ", "{ a: [", "B", "] }"],
  ["let x: ", "keyof ", "B", ""],
  ["let x: ", "A extends B ? C : ", "D", ""],
  ["let x: ", "{ [K in ", "B", "]: C }"],
  ["let x: A; ", "<A>", "x", ""],
  ["let x: A; ", "<T>(a: T = ", "1", ") => 1"],
  ["let x: A; x", " as A", "", ""],
  ["namespace ", "a.", "b {}", ""],
  ["", "namespace a {", "", "}"],
  ["", "abstract class A<T> { m() { ", "1", "} }"],
];

test.each(nests)("no depth of %s%s exhausts the stack of the core", async (before, begin, middle, end) => {
  const agent = newAgent();
  for (const times of [90, 150, 200, 250, 300, 330, 480, 950]) {
    const output = await agent.execute(`return 1; ${before}${begin.repeat(times)}${middle}${end.repeat(times)}`);
    if (output.status === "error") expect(["syntax", "invalid_input"], output.error).toContain(output.code);
  }
  expect(await agent.result("1")).toBe(1);
});

test("there are fixtures of every kind", () => {
  expect(Object.keys(files).length).toBeGreaterThanOrEqual(9);
});

test("a program that is refused is on record and leaves the runtime as it was", async () => {
  const agent = newAgent();
  const { executionId } = await agent.failed("import fs from 'node:fs'");
  expect(await agent.execution(executionId)).toMatchObject({ code: "import fs from 'node:fs'", status: "error", errorCode: "invalid_input", log: [] });
});
