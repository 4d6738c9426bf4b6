/** What a model sees of a large result: valid JSON of the same shape, never above the budget, and every cut says how much. */

import { expect, test } from "vitest";

import { truncateResponse, truncateResult } from "../../../js-shim/client/index.ts";

const MARK = "--- TRUNCATED ---";
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

function jsonOf(value: unknown): string {
  return JSON.stringify(value);
}

test("what fits is returned as it is, the same object with its types", () => {
  const value = { at: new Date(0), big: 1n, list: [1, 2], nothing: undefined };
  expect(truncateResult(value)).toBe(value);
  expect(truncateResult(undefined)).toBe(undefined);
  expect(truncateResponse("x".repeat(24_000))).toHaveLength(24_000);
});

test.each([
  ["6000 tokens of 4 characters by default", {}, 24_000],
  ["maxTokens", { maxTokens: 100 }, 400],
  ["maxChars, which counts when both are given", { maxTokens: 5, maxChars: 300 }, 300],
  ["at least 48, the room for a mark", { maxChars: 1 }, 48],
])("the budget is %s", (_what, options, budget) => {
  const text = truncateResponse("x".repeat(30_000), options);
  expect(text.length).toBeLessThanOrEqual(budget);
  expect(text.length).toBeGreaterThan(budget - 8);
  expect(text).toMatch(/^x+ --- TRUNCATED --- \d+ chars$/);
  const long = Array.from({ length: 30_000 }, (_, n) => n);
  const shortened = jsonOf(truncateResult(long, options)).length;
  expect(shortened).toBeLessThanOrEqual(budget);
  expect(shortened).toBeGreaterThan(budget * 0.7);
});

test("a budget that is no number is refused", () => {
  expect(() => truncateResult([], { maxChars: Number.NaN })).toThrow(/maxChars/);
});

test("a long field is cut, and its small neighbours are not", () => {
  const value = { id: 7, title: "a title", body: "b".repeat(5000), tags: ["x", "y"] };
  const seen = truncateResult(value, { maxChars: 500 }) as typeof value;
  expect(seen).toMatchObject({ id: 7, title: "a title", tags: ["x", "y"] });
  const [, kept = "", count] = /^(b+) --- TRUNCATED --- (\d+) chars$/.exec(seen.body) ?? [];
  expect(kept.length + Number(count)).toBe(5000);
  expect(jsonOf(seen).length).toBeGreaterThan(450);
});

test("of many records the first ones stay whole, and the mark counts the others", () => {
  const records = Array.from({ length: 1000 }, (_, id) => ({ id, name: `record number ${id}` }));
  const seen = truncateResult(records, { maxChars: 2000 }) as unknown[];
  const kept = seen.slice(0, -1);
  expect(kept).toEqual(records.slice(0, kept.length));
  expect(seen.at(-1)).toBe(`${MARK} ${1000 - kept.length} more items`);
  expect(kept.length).toBeGreaterThan(40);
});

test("an object with too many keys names some that are missing", () => {
  const value = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`key${n}`, n]));
  const seen = truncateResult(value, { maxChars: 1000 }) as Record<string, unknown>;
  const kept = Object.keys(seen).length - 1;
  expect(seen[MARK]).toMatch(new RegExp(`^${500 - kept} more keys: key${kept}, key${kept + 1}, .*, …$`));
});

test("a mark does not take the place of data of the same name", () => {
  const value = { [MARK]: "mine", ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`key${n}`, n])) };
  const seen = truncateResult(value, { maxChars: 300 }) as Record<string, unknown>;
  expect(seen[MARK]).toBe("mine");
  expect(seen[`${MARK}-`]).toMatch(/more keys/);
});

test("what is not JSON is cut in its shown form", () => {
  const value = { at: new Date(0), map: new Map([["a", 1n]]), text: "x".repeat(1000) };
  expect(truncateResult(value, { maxChars: 300 })).toMatchObject({ at: "1970-01-01T00:00:00.000Z", map: [["a", "1"]], text: expect.stringContaining(MARK) });
  const cycle: { self?: unknown; text: string } = { text: "x".repeat(1000) };
  cycle.self = cycle;
  expect(jsonOf(truncateResult(cycle, { maxChars: 200 })).length).toBeLessThanOrEqual(200);
});

test("no character is cut in half", () => {
  for (let room = 60; room < 70; room += 1) {
    expect(truncateResponse("😀".repeat(100), { maxChars: room }).isWellFormed()).toBe(true);
    expect((truncateResult("😀".repeat(100), { maxChars: room }) as string).isWellFormed()).toBe(true);
  }
});

test("a deep value keeps its shape as far as there is room", () => {
  let value: unknown = "x".repeat(1000);
  for (let depth = 0; depth < 150; depth += 1) value = [value];
  expect(jsonOf(truncateResult(value, { maxChars: 1000 }))).toMatch(/^\[{150}"x+ --- TRUNCATED --- \d+ chars"\]{150}$/);
  expect(jsonOf(truncateResult(value, { maxChars: 100 }))).toMatch(/^\[+"--- TRUNCATED --- 1 more items"\]+$/);
});

/** The same numbers in every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function anyValue(roll: () => number, depth: number): Json {
  const kind = Math.floor(roll() * (depth > 4 ? 5 : 8));
  const count = Math.floor(roll() ** 4 * 30);
  if (kind === 0) return null;
  if (kind === 1) return roll() < 0.5;
  if (kind === 2) return roll() * 1e9;
  if (kind < 5) return Array.from({ length: Math.floor(roll() ** 6 * 1500) }, () => 'abc "\\\n\u0001é😀'.charAt(Math.floor(roll() * 13))).join("");
  if (kind < 6) return Array.from({ length: count }, () => anyValue(roll, depth + 1));
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [roll() < 0.05 ? MARK : `k${n}"`, anyValue(roll, depth + 1)]));
}

/** What remains of a value is a part of it, and every mark counts what is missing. */
function follows(seen: Json, whole: Json): boolean {
  if (jsonOf(seen) === jsonOf(whole)) return true;
  if (typeof whole === "string" && typeof seen === "string") {
    const [, count] = / --- TRUNCATED --- (\d+) chars$/.exec(seen) ?? [];
    const kept = seen.slice(0, seen.lastIndexOf(` ${MARK}`));
    return whole.startsWith(kept) && kept.length + Number(count) === whole.length;
  }
  if (Array.isArray(whole) && Array.isArray(seen)) {
    const last = seen.at(-1);
    const [, count = "0"] = /^--- TRUNCATED --- (\d+) more items$/.exec(typeof last === "string" ? last : "") ?? [];
    const kept = count === "0" ? seen : seen.slice(0, -1);
    return kept.length + Number(count) === whole.length && kept.every((item, index) => follows(item, whole[index] ?? null));
  }
  if (typeof whole !== "object" || whole === null || typeof seen !== "object" || seen === null || Array.isArray(whole) || Array.isArray(seen)) return false;
  const added = Object.keys(seen).filter((key) => !Object.hasOwn(whole, key));
  const [, count = "0"] = /^(\d+) more keys/.exec(String(seen[added[0] ?? ""])) ?? [];
  const kept = Object.keys(seen).filter((key) => !added.includes(key));
  return added.length <= 1 && kept.length + Number(count) === Object.keys(whole).length && kept.every((key) => follows(seen[key] ?? null, whole[key] ?? null));
}

test("of any value: valid JSON, within the budget, a part of the whole, and the marks add up", () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const roll = dice(seed);
    const value = anyValue(roll, 0);
    const maxChars = 48 + Math.floor(roll() ** 2 * 5000);
    const seen = truncateResult(value, { maxChars }) as Json;
    const json = jsonOf(seen);
    expect(json.length, `seed ${seed}`).toBeLessThanOrEqual(maxChars);
    expect(JSON.parse(json), `seed ${seed}`).toEqual(seen);
    expect(follows(seen, value), `seed ${seed}: ${json.slice(0, 300)}`).toBe(true);
    expect(truncateResult(seen, { maxChars }), `seed ${seed}`).toBe(seen);
  }
});
