/** The two-way table: what `encode` writes, `decode` reads as the same graph; what cannot cross is refused by its path. */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";

import { decode, encode, NotSerializable } from "../../../js-shim/value/index.ts";
import { refused, values } from "../../fixtures/values/table.ts";
import { difference } from "./sameValue.ts";

const texts = JSON.parse(readFileSync(new URL("../../fixtures/values/texts.json", import.meta.url), "utf8")) as {
  name: string;
  text: string;
  malformed?: true;
}[];

/** Values of the table that are too long for a file that people read. */
const MAX_FIXTURE = 2000;

describe("every type comes back", () => {
  test.each(values)("$name", ({ make, check }) => {
    const text = encode(make(), "result");
    const back = decode(text);
    expect(difference(make(), back)).toBeUndefined();
    if (check !== undefined) expect(check(back as never)).toBe(true);
  });

  test.each(values)("$name, nested in an object and in a Map", ({ make }) => {
    const one = make();
    const value = { at: [one, one], map: new Map([[one, one]]) };
    const expected = { at: [one, one], map: new Map([[one, one]]) };
    if (!hasGetter(one)) expect(difference(expected, decode(encode(value, "result")))).toBeUndefined();
  });

  test.each(values)("$name, encoded again, is the same text", ({ make }) => {
    const text = encode(make(), "result");
    expect(encode(decode(text), "result")).toBe(text);
  });

  test.each(values)("$name, as a well-formed text", ({ make }) => {
    expect(encode(make(), "result").isWellFormed()).toBe(true);
  });
});

/** The fixture is for readers in other languages. A new value of the table needs its text there, as `encode` gives it. */
describe("the texts in the fixture are the codec's own", () => {
  const valid = new Map(texts.filter(({ malformed }) => malformed !== true).map(({ name, text }) => [name, text]));

  test.each(values.filter(({ make }) => encode(make(), "result").length <= MAX_FIXTURE))("$name", ({ name, make }) => {
    expect(valid.get(name)).toBe(encode(make(), "result"));
  });
});

describe("what cannot cross is refused", () => {
  test.each(refused)("$name", ({ make, message }) => {
    const refusal = refusalOf(make());
    expect(refusal.message).toBe(message);
    expect(message.startsWith(refusal.path)).toBe(true);
    expect(refusal.name).toBe("NotSerializable");
  });

  test("also when the rest is long gone into the copy", () => {
    expect(refusalOf({ a: [{ b: { c: 1 } }], z: { f() {} } }).message).toBe("result.z.f is a function; only data can cross");
  });

  test("and a path that is very long loses its middle", () => {
    let value: unknown = () => 1;
    for (let i = 0; i < 50_000; i++) value = [value];
    const { path } = refusalOf({ deep: value });
    expect(path).toMatch(/^result\.deep(\[0\])+…(\[0\])+$/);
    expect(path.length).toBeLessThan(200);
  });
});

describe("plain trees stay plain JSON", () => {
  test.each([
    ["object", { a: [1, "x", null, { b: true }] }],
    ["text with a mark", "@x"],
    ["key __proto__", JSON.parse('{"__proto__":[1]}')],
    ["object without a prototype", Object.assign(Object.create(null), { a: 1 })],
  ])("%s", (_name, value) => {
    expect(encode(value, "result")).toBe(JSON.stringify(value));
  });

  test("and undefined is the empty text", () => {
    expect(encode(undefined, "result")).toBe("");
    expect(decode("")).toBeUndefined();
  });
});

describe("values that a host hands out", () => {
  test("a Buffer crosses as its own bytes, without its pool", () => {
    const buffer = Buffer.from("hi");
    expect(buffer.buffer.byteLength).toBeGreaterThan(2);
    const back = decode(encode([buffer, buffer], "result")) as Uint8Array[];
    expect(back[0]).toEqual(new Uint8Array([104, 105]));
    expect(back[0]?.buffer.byteLength).toBe(2);
    expect(back[1]).toBe(back[0]);
  });

  test("a DOMException crosses as an Error with its code", () => {
    const back = decode(encode(new DOMException("stop", "AbortError"), "result")) as Error & { code: number };
    expect([back.name, back.message, back.code]).toEqual(["AbortError", "stop", 20]);
  });

  test("intrinsics of another realm are what they are here", () => {
    const foreign = runInNewContext(
      `({ o: { a: undefined }, l: [1, [2]], m: new Map([[1, new Set([2])]]), d: new Date(5), r: /x/g, e: new TypeError("t"),
          b: new Uint8Array([1, 2]), v: new DataView(new ArrayBuffer(2)) })`,
    ) as Record<string, unknown>;
    const back = decode(encode(foreign, "result"));
    const local = {
      o: { a: undefined }, l: [1, [2]], m: new Map([[1, new Set([2])]]), d: new Date(5), r: /x/g, e: new TypeError("t"),
      b: new Uint8Array([1, 2]), v: new DataView(new ArrayBuffer(2)),
    };
    expect(difference(local, back)).toBeUndefined();
  });

  test("classes of another realm are refused all the same", () => {
    const made = runInNewContext("class Map2 extends Map {} class Object2 {}; [[new Map2()], [new Object2()], [Promise.resolve()]]") as unknown[];
    expect(refusalOf(made[0]).message).toContain("Map2");
    expect(refusalOf(made[1]).message).toContain("Object2");
    expect(refusalOf(made[2]).message).toBe("result[0] is a thenable; await it first");
  });

  test("a namesake of Object is a class", () => {
    const Namesake = { Object: class Object {} }.Object;
    expect(refusalOf(new Namesake()).message).toContain("convert it to a plain object first");
  });
});

describe("a value is read once", () => {
  test("by each getter, whatever the form", () => {
    for (const rest of [undefined, 1, new Date(0)]) {
      let reads = 0;
      const value = { deep: { get n() { return ++reads; } }, rest };
      expect((decode(encode(value, "result")) as typeof value).deep.n).toBe(1);
      expect(reads).toBe(1);
    }
  });

  test("so a Proxy that answers differently the second time changes nothing", () => {
    let asked = 0;
    const shifty = new Proxy({ a: 1 }, { get: (target, key) => (asked++ === 0 ? Reflect.get(target, key) : () => 1) });
    expect(encode([shifty], "result")).toBe('[{"a":1}]');
  });

  test("and a toJSON that a getter leaves behind is not asked", () => {
    const value = { get a() { Reflect.set(Object.prototype, "toJSON", () => "forged"); return 1; } };
    try {
      const text = encode(value, "result");
      Reflect.deleteProperty(Object.prototype, "toJSON");
      expect(decode(text)).toEqual({ a: 1 });
    } finally {
      Reflect.deleteProperty(Object.prototype, "toJSON");
    }
  });
});

function refusalOf(value: unknown): NotSerializable {
  try {
    encode(value, "result");
  } catch (error) {
    if (error instanceof NotSerializable) return error;
    throw error;
  }
  throw new Error("was not refused");
}

function hasGetter(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(Object.getOwnPropertyDescriptors(value)).some((d) => d.get !== undefined);
}
