/** Texts that an attacker forged: a typed error, at once, without a trace on any prototype and without memory beyond their length. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { decode, encode, MalformedValue } from "../../../js-shim/value/index.ts";
import { seeded } from "./seeded.ts";

const texts = JSON.parse(readFileSync(new URL("../../fixtures/values/texts.json", import.meta.url), "utf8")) as {
  name: string;
  text: string;
  malformed?: true;
}[];

function refusal(text: string): unknown {
  try {
    return decode(text);
  } catch (error) {
    return error;
  }
}

test.each(texts.filter(({ malformed }) => malformed === true))("$name is refused", ({ text }) => {
  const error = refusal(text);
  expect(error).toBeInstanceOf(MalformedValue);
  expect((error as Error).message).toMatch(/^not a value text: /);
});

test.each(texts.filter(({ malformed }) => malformed !== true))("$name is read", ({ text }) => {
  expect(refusal(text)).not.toBeInstanceOf(MalformedValue);
});

test("what is no string is refused", () => {
  expect(refusal(undefined as unknown as string)).toBeInstanceOf(MalformedValue);
  expect(refusal({ length: 1, 0: "@" } as unknown as string)).toBeInstanceOf(MalformedValue);
});

test("no prototype is polluted", () => {
  const texts = [
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    '@[[0],[{"__proto__":[1],"constructor":[1]},{"polluted":1}]]',
    '@[[0],[["Error","Error",null,"m",{"__proto__":[1]}],{"polluted":1}]]',
    '@[[0],[["Map",["__proto__",[1]]],{"polluted":1}]]',
  ];
  for (const text of texts) {
    const value = decode(text) as object;
    expect("polluted" in {}).toBe(false);
    expect("polluted" in value).toBe(false);
  }
  const error = decode(texts[2] as string);
  expect(error).toBeInstanceOf(Error);
  expect(Object.hasOwn(error as object, "__proto__")).toBe(true);
});

describe("depth is no danger", () => {
  const depth = 400_000;

  test("in plain JSON", () => {
    const text = "[".repeat(depth) + "]".repeat(depth);
    expect(encode(decode(text), "result").startsWith("@")).toBe(true);
  });

  test("in a table", () => {
    const nodes = Array.from({ length: 60_000 }, (_, i) => `["Array",[[${i + 1}]]]`).join(",");
    expect(Array.isArray(decode(`@[[0],[${nodes},["Array",[]]]]`))).toBe(true);
  });

  test("in a slot", () => {
    expect(refusal(`@[${"[".repeat(depth)}${"]".repeat(depth)},[]]`)).toBeInstanceOf(MalformedValue);
    expect(refusal(`@[[0],[{"a":${"[".repeat(depth)}${"]".repeat(depth)}}]]`)).toBeInstanceOf(MalformedValue);
    expect(refusal(`@[[0],[["Array",${"[".repeat(depth)}${"]".repeat(depth)}]]]`)).toBeInstanceOf(MalformedValue);
  });
});

describe("memory is in proportion to the text", () => {
  const grown = (text: string): number => {
    const before = process.memoryUsage();
    const value = refusal(text);
    const after = process.memoryUsage();
    expect(value).toBeDefined();
    return after.heapUsed + after.external + after.arrayBuffers - before.heapUsed - before.external - before.arrayBuffers;
  };
  const list = (node: string, count: number) =>
    `@[[0],[["Array",[${Array.from({ length: count }, (_, i) => `[${i + 1}]`).join(",")}]],${Array(count).fill(node).join(",")}]]`;

  test.each([
    ["arrays of holes", '["Sparse",100000,{}]'],
    ["errors", '["Error","Error",null,null,{}]'],
    ["maps", '["Map",[]]'],
    ["patterns", '["RegExp","a","",0]'],
    ["empty buffers", '["ArrayBuffer",""]'],
  ])("for many %s", (_name, node) => {
    expect(grown(list(node, 20_000))).toBeLessThan(200_000_000);
  });

  test("and time, for bigints of many digits", () => {
    expect(decode(`@[["bigint","${"9".repeat(100_000)}"],[]]`)).toBe(10n ** 100_000n - 1n);
    expect(refusal(`@[["bigint","${"9".repeat(30_000_000)}"],[]]`)).toBeInstanceOf(MalformedValue);
  });
});

describe("damage anywhere is found or harmless", () => {
  const random = seeded(20_261);
  const pick = (length: number) => Math.floor(random() * length);
  const alphabet = '@[]{}",:0123456789-.eE+\\ nulltrueArrayMapSetDateBigUint8undefined';
  const sources = texts.map(({ text }) => text);

  test("in 20,000 edited texts", () => {
    for (let i = 0; i < 20_000; i++) {
      let text = sources[pick(sources.length)] as string;
      for (let edits = 1 + pick(3); edits > 0; edits--) {
        const at = pick(text.length + 1);
        text = text.slice(0, at) + (alphabet[pick(alphabet.length)] ?? "") + text.slice(at + pick(3));
      }
      const value = refusal(text);
      // What is read can be written; what is not read says so in its own type.
      if (!(value instanceof MalformedValue)) expect(() => encode(value, "result")).not.toThrow();
    }
  });
});
