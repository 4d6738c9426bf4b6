/** Properties that hold for any value that crosses, on graphs made from seeds. A failing test names its seed. */
import { expect, test } from "vitest";

import { canonical, decode, encode, encodeError, shown } from "../../../js-shim/value/index.ts";
import { difference } from "./sameValue.ts";
import { randomValue, seeded } from "./seeded.ts";
import type { Random } from "./seeded.ts";

const SEEDS = 3000;

function everySeed(body: (random: Random, seed: number) => void): void {
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      body(seeded(seed), seed);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
}

test("a value comes back as the same graph, and as the same text", () => {
  everySeed((random) => {
    const value = randomValue(random, "any");
    const text = encode(value, "result");
    const back = decode(text);
    expect(difference(value, back)).toBeUndefined();
    expect(encode(back, "result")).toBe(text);
  });
});

test("a plain tree is what JSON.stringify writes", () => {
  everySeed((random) => {
    const value = randomValue(random, "plain");
    expect(encode(value, "result")).toBe(JSON.stringify(value));
  });
});

test("one value has one canonical form in whatever order its keys were added", () => {
  everySeed((random) => {
    const value = randomValue(random, "any");
    const text = encode(value, "result");
    const shuffled = encode(reordered(value, random), "result");
    expect(canonical(shuffled)).toBe(canonical(text));
    expect(difference(sorted(value), decode(canonical(text)))).toBeUndefined();
  });
});

test("different values have different canonical forms", () => {
  const forms = new Map<string, unknown>();
  everySeed((random) => {
    const value = randomValue(random, "any");
    const form = canonical(encode(value, "result"));
    const known = forms.get(form);
    if (known !== undefined) expect(difference(sorted(known), sorted(value))).toBeUndefined();
    forms.set(form, value);
  });
});

test("the shown form of any value is JSON, and what was thrown is always an Error's text", () => {
  everySeed((random) => {
    const value = randomValue(random, "any");
    const form = shown(value);
    expect(JSON.parse(JSON.stringify(form))).toEqual(form);
    expect(decode(encodeError(value))).toBeInstanceOf(Error);
  });
});

const shuffledKeys = (keys: string[], random: Random) => keys.map((key) => [random(), key] as const).sort((a, b) => a[0] - b[0]).map(([, key]) => key);
const reordered = (value: unknown, random: Random) => rebuilt(value, (keys) => shuffledKeys(keys, random));
const sorted = (value: unknown) => rebuilt(value, (keys) => keys.sort());

/** The same graph with the keys of its objects and the properties of its Errors added in another order. */
function rebuilt(top: unknown, order: (keys: string[]) => string[]): unknown {
  const known = new Map<object, object>();
  const copyProperties = (from: object, to: object) => {
    for (const key of order(Object.getOwnPropertyNames(from).filter((name) => !["stack", "message", "name", "length"].includes(name) || isPlain(from)))) {
      const descriptor = Object.getOwnPropertyDescriptor(from, key) as PropertyDescriptor;
      Object.defineProperty(to, key, { ...descriptor, value: visit(descriptor.value) });
    }
  };
  const isPlain = (value: object) => Object.getPrototypeOf(value) === Object.prototype;
  const visit = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const before = known.get(value);
    if (before !== undefined) return before;
    const remember = <Made extends object>(made: Made): Made => {
      known.set(value, made);
      return made;
    };
    if (Array.isArray(value)) {
      const array = remember(new Array(value.length));
      copyProperties(value, array);
      return array;
    }
    if (value instanceof Map) {
      const map = remember(new Map());
      for (const [key, item] of value) map.set(visit(key), visit(item));
      return map;
    }
    if (value instanceof Set) {
      const set = remember(new Set());
      for (const item of value) set.add(visit(item));
      return set;
    }
    if (value instanceof Error) {
      const error = remember(new (value.constructor as ErrorConstructor)(value.message));
      if (!Object.hasOwn(value, "message")) Reflect.deleteProperty(error, "message");
      copyProperties(value, error);
      return error;
    }
    if (!isPlain(value)) return value;
    const object = remember({});
    copyProperties(value, object);
    return object;
  };
  return visit(top);
}
