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

test("there are fixtures of every kind", () => {
  expect(Object.keys(files).length).toBeGreaterThanOrEqual(4);
});

test("a program that is refused is on record and leaves the runtime as it was", async () => {
  const agent = newAgent();
  const { executionId } = await agent.failed("import fs from 'node:fs'");
  expect(await agent.execution(executionId)).toMatchObject({ code: "import fs from 'node:fs'", status: "error", errorCode: "invalid_input", log: [] });
});
