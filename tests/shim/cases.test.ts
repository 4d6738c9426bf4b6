/** Inputs from the field that broke other runtimes: each has a test of ours, or where there is nothing to test a page that says so. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import cases from "../fixtures/cases.json" with { type: "json" };
import { ROOT } from "../support/wrangler-config.ts";

test.each(Object.entries(cases))("%s is held to by what it names", (_id, { file, says }) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  const named = file.endsWith(".rs") ? text.includes(`#[test]\nfn ${says}()`) : text.includes(file.endsWith(".md") ? `## ${says}` : `"${says}`);
  expect(named, `${file} says: ${says}`).toBe(true);
});
