/** Which parts of the harness go along with a pass: what may be asked for is always there, and nothing else is sent. */

import { expect, test } from "vitest";

import { HARNESS, PARTS } from "../../gen/harness.ts";
import { harnessFor } from "../../js-shim/parts.ts";

const FIRST = { order: [], rows: [], pages: 1, calls: 0, lookups: 0, namespaces: [], egress: false, bindings: {}, audit: false };

function sent(text: string, manifest: object = FIRST, more: Record<string, string> = {}): string[] {
  const harness = harnessFor({ "program.js": text, ...more }, JSON.stringify(manifest));
  expect(harness.endsWith(HARNESS)).toBe(true);
  return Object.keys(PARTS).filter((part) => harness.includes(PARTS[part] as string));
}

test("a first pass that names nothing has no part", () => {
  expect(sent("export default async () => github.list({ page: 1 })")).toEqual([]);
});

test.each([
  ["codemode.step", "codemode"],
  ["console.log", "console"],
  ["crypto.subtle", "crypto"],
  ["setTimeout", "timers"],
  ["setInterval", "timers"],
  ["clearTimeout", "timers"],
  ["clearInterval", "timers"],
])("who names %s has it", (name, part) => {
  expect(sent(`export default async () => ${name}()`)).toEqual([part]);
  expect(sent("export default async () => 1", FIRST, { "snippet-0.js": name })).toEqual([part]);
  expect(sent("export default async () => 1", FIRST, { "modules/lib.js": name })).toEqual([part]);
});

test.each([`globalThis["con" + "sole"]`, String.raw`\u0063onsole`, String.raw`\u{63}onsole`])("who may ask for anything has all that can be asked for: %s", (text) => {
  expect(sent(text)).toEqual(["codemode", "console", "crypto", "timers"]);
});

test.each([
  [{ order: [0, 0] }], [{ rows: [[0, "a\0b\0", "v", "1"]] }], [{ pages: 2 }], [{ calls: 1 }], [{ lookups: 1 }], [{ audit: true }],
  // What is in a text is no field.
  [{ order: [1, 2], rows: [[0, JSON.stringify(FIRST), "v", JSON.stringify(FIRST)]] }],
])("what is recorded is never met without what repeats it: %j", (more) => {
  expect(sent("", { ...FIRST, ...more })).toEqual(["replay"]);
});

test("what a step reaches goes along where the application gives any", () => {
  expect(sent("", { ...FIRST, egress: true })).toEqual(["network"]);
  expect(sent("", { ...FIRST, bindings: { DB: null } })).toEqual(["bindings"]);
  expect(sent("", { ...FIRST, bindings: { egress: '"egress":false,' }, egress: true })).toEqual(["bindings", "network"]);
});
