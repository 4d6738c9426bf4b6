/** docs/globals.md against what a program really finds, and against all that the platform would have. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { ALLOWED_GLOBALS } from "../../js-shim/harness/globals.ts";
import { ROOT } from "../support/wrangler-config.ts";
import { type Attempt, LAST } from "./attempt.ts";
import { World } from "./world.ts";

/** Every name that can be said without more, in this object and what it inherits from. */
const looksAround: Attempt = {
  name: "all there is",
  body: `const all = new Set();
    for (let at = globalThis; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) for (const key of ownKeys(at)) all.add(text(typeof key === "symbol" ? "Symbol " + key.description : key));
    loot = [...all];`,
  obtained: () => false,
  without: { defence: "the realm is closed", patches: [{ file: "js-shim/harness/index.ts", from: "\n  closeRealm();", to: "" }] },
};

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const absent = quoted(readFileSync(join(ROOT, "docs/globals.md"), "utf8").split("\n## Not there")[1] ?? "").filter((name) => name !== "import");

test("a program finds the list, codemode and its connectors, and nothing else", async () => {
  const { told } = await world.shipped(looksAround);
  expect(told.filter((name) => name !== LAST).sort()).toEqual([...ALLOWED_GLOBALS, "codemode", "lab", "Symbol Symbol.toStringTag"].sort());
});

test("what the page says is not there is not there", async () => {
  expect(absent.length).toBeGreaterThan(70);
  const { output } = await world.shipped({ ...looksAround, body: `loot = ${JSON.stringify(absent)}.filter((name) => name in globalThis || globalThis[name] !== undefined);` });
  expect(output).toMatchObject({ status: "completed", result: [] });
});

test("the page names everything that the platform has and a program does not", async () => {
  const { told } = await world.without(looksAround);
  const named = new Set([...ALLOWED_GLOBALS, ...absent, "codemode", "lab", "constructor"]);
  expect(told.length).toBeGreaterThan(140);
  expect(told.filter((name) => /^\w+$/.test(name) && !named.has(name))).toEqual([]);
});

function quoted(text: string): string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, name = ""]) => name);
}
