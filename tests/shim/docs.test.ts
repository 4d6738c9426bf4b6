/** The pages that list things list what there is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { ERROR_CODES } from "../../js-shim/client/index.ts";
import { ALLOWED_GLOBALS, STEP_GLOBALS } from "../../js-shim/harness/globals.ts";
import { ROOT } from "../support/wrangler-config.ts";

test("docs/globals.md names every allowed global and no other", () => {
  const [, ...sections] = page("docs/globals.md").split("\n## ");
  const lists = sections.filter((section) => /^(The language|The platform|There, and refused)/.test(section));
  expect(lists.flatMap(quoted)).toEqual(ALLOWED_GLOBALS);
});

test("docs/globals.md names what is there inside steps only", () => {
  const section = page("docs/globals.md").split("\n## ").find((text) => text.startsWith("Inside a step")) ?? "";
  expect(quoted(section.split("\n\n")[1] ?? "")).toEqual(STEP_GLOBALS);
});

test("docs/errors.md has a row for every error code and no other", () => {
  expect(Array.from(page("docs/errors.md").matchAll(/^\| `(\w+)` \|/gm), ([, code]) => code)).toEqual(ERROR_CODES);
});

test("ARCHITECTURE.md says of every dependency why it is there", () => {
  const { dependencies, devDependencies } = JSON.parse(page("package.json")) as Record<string, Record<string, string>>;
  const crates = ["Cargo.toml", "xtask/Cargo.toml"].flatMap((file) =>
    page(file).split(/^\[/m).filter((section) => /^(target\..*)?(dev-)?dependencies\]/.test(section)),
  );
  const names = crates.flatMap((section) => Array.from(section.matchAll(/^([\w-]+) = /gm), ([, name = ""]) => name));
  const told = new Set(quoted(page("ARCHITECTURE.md").split("## Dependencies")[1] ?? ""));
  const wanted = [...names, ...Object.keys({ ...dependencies, ...devDependencies })];
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((name) => !told.has(name))).toEqual([]);
});

test("the documents link to files that exist", () => {
  for (const name of ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "STYLE.md", "docs/connectors.md", "docs/errors.md", "docs/operating.md", "docs/programs.md", "docs/replay.md"]) {
    for (const [, target = ""] of page(name).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)) {
      expect(() => page(join(name, "..", target)), `${name} links to ${target}`).not.toThrow();
    }
  }
});

function page(name: string): string {
  return readFileSync(join(ROOT, name), "utf8");
}

function quoted(text: string): string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, name = ""]) => name);
}
