/** Whatever is thrown arrives as an Error with a text. */
import { expect, test } from "vitest";

import { decode, encode, encodeError, MAX_VALUE_LENGTH } from "../../../js-shim/value/index.ts";
import { refused, values } from "../../fixtures/values/table.ts";

type Told = Error & Record<string, unknown>;
const told = (thrown: unknown): Told => decode(encodeError(thrown)) as Told;

test("an Error keeps its type, name, message, cause and properties", () => {
  const error = told(Object.assign(new TypeError("bad", { cause: new Error("why") }), { name: "ApiError", status: 404, at: new Date(0) }));
  expect(error).toBeInstanceOf(TypeError);
  expect([error.name, error.message, error["status"], error["at"]]).toEqual(["ApiError", "bad", 404, new Date(0)]);
  expect(error.cause).toBeInstanceOf(Error);
  expect(encodeError(error)).toBe(encode(error, "error"));
});

test("properties that cannot cross are left out, the rest goes", () => {
  const error = told(Object.assign(new Error("bad"), { request: new WeakMap(), retry: () => 1, code: "E1", [Symbol("s")]: 1 }));
  expect(Object.keys(error)).toEqual(["code"]);
});

test("a cause that has such properties goes without them", () => {
  const cause = Object.assign(new Error("inner"), { socket: new WeakMap(), code: 7 });
  const error = told(new Error("outer", { cause }));
  expect((error.cause as Told).message).toBe("inner");
  expect((error.cause as Told)["code"]).toBe(7);
});

test("an aggregate keeps the members that can cross", () => {
  const error = told(new AggregateError([new Error("a"), () => 1, Object.assign(new RangeError("b"), { f() {} }), "c"], "all"));
  expect(error).toBeInstanceOf(AggregateError);
  expect((error as unknown as AggregateError).errors.map(String)).toEqual(["Error: a", "RangeError: b", "c"]);
});

test("a message is never empty", () => {
  expect(told(new TypeError("")).message).toBe("TypeError");
  expect(told(Object.assign(new Error(), { name: "Gone" })).message).toBe("Gone");
  expect(told("").message).toBe("an empty string was thrown");
});

test.each<[string, unknown, string]>([
  ["text", "no such file", "no such file"],
  ["number", 404, "404"],
  ["bigint", 5n, "5"],
  ["undefined", undefined, "undefined"],
  ["null", null, "null"],
  ["symbol", Symbol("s"), "Symbol(s)"],
  ["function", () => 1, "[function]"],
  ["object", { code: 5n, why: "x" }, '{"code":"5","why":"x"}'],
  ["object with a message", { code: 5, message: "not found" }, "not found"],
  ["promise", Promise.resolve(), "[instance of Promise]"],
])("a thrown %s is wrapped", (_name, thrown, message) => {
  const error = told(thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error.message).toBe(message);
  if (["symbol", "function", "undefined"].includes(typeof thrown) || thrown instanceof Promise) expect(Object.hasOwn(error, "cause")).toBe(false);
  else expect(error.cause).toEqual(thrown);
});

test("a DOMException tells its name, message and code", () => {
  const error = told(new DOMException("too slow", "TimeoutError"));
  expect([error.name, error.message, error["code"]]).toEqual(["TimeoutError", "too slow", 23]);
});

test("the stack stays where it was made", () => {
  const error = new Error("bad");
  error.stack = "at secret place";
  expect(encodeError(error)).not.toContain("secret");
  expect(encodeError(Object.defineProperty(error, "stack", { value: "at secret place", enumerable: true }))).not.toContain("secret");
});

test("errors that refer to each other end", () => {
  const a = new Error("a");
  const b = new AggregateError([a], "b", { cause: a });
  a.cause = b;
  const error = told(a);
  expect((error.cause as AggregateError).errors[0]).toBe(error);
  const list: unknown[] = [a];
  list.push(list);
  expect(told(Object.assign(new Error("c"), { list })).message).toBe("c");
});

test("a chain of causes without end is cut, and the text stays within the limit", () => {
  let error = new Error("0");
  for (let i = 1; i < 100_000; i++) error = new Error(String(i), { cause: error });
  let depth = 0;
  for (let at: unknown = told(error); at instanceof Error; at = at.cause) depth++;
  expect(depth).toBe(64);
});

test.each<[string, unknown]>([
  ["property", Object.assign(new Error("bad"), { body: "x".repeat(2_000_000), code: 1 })],
  ["message", new Error("x\u0000".repeat(1_000_000))],
  ["text", "\u0001".repeat(3_000_000)],
  ["name", Object.assign(new Error("bad"), { name: "x".repeat(2_000_000) })],
  ["shared property", (() => { const body = "x".repeat(400_000); return Object.assign(new Error("bad"), { a: { body }, b: { body }, c: { body } }); })()],
])("a %s that is too long does not make the text too long", (_name, thrown) => {
  const text = encodeError(thrown);
  expect(text.length).toBeLessThanOrEqual(MAX_VALUE_LENGTH);
  expect((decode(text) as Error).message.length).toBeGreaterThan(2);
});

test("a thousand properties that hold one great object are not all tried", () => {
  const great = { text: "x".repeat(2_000_000) };
  const error = new Error("bad");
  let reads = 0;
  for (let i = 0; i < 1000; i++) Reflect.set(error, `p${i}`, { get great() { reads++; return great; } });
  expect(told(error).message).toBe("bad");
  expect(reads).toBeLessThan(10);
});

test.each<[string, () => unknown]>([
  ["an Error whose message cannot be read", () => Object.defineProperty(new Error(), "message", { get() { throw new Error("no"); } })],
  ["an Error whose message is an object", () => Object.assign(new Error(), { message: { toString() { throw new Error("no"); } } })],
  ["an Error whose name is a symbol", () => Object.assign(new Error("m"), { name: Symbol("n") })],
  ["an Error with a getter that throws", () => Object.defineProperty(new Error("m"), "x", { enumerable: true, get() { throw new Error("no"); } })],
  ["an Error without a prototype", () => Object.setPrototypeOf(new Error("m"), null)],
  ["an object whose message cannot be read", () => ({ get message() { throw new Error("no"); } })],
  ["a Proxy that refuses", () => new Proxy({}, { getPrototypeOf() { throw new Error("no"); }, getOwnPropertyDescriptor() { throw new Error("no"); } })],
  ["an Error with a Proxy among its prototypes", () => Object.setPrototypeOf(new Error("m"), new Proxy({}, { getOwnPropertyDescriptor() { throw new Error("no"); } }))],
  ["an Error whose list refuses", () => Object.assign(new Error("m"), { errors: (() => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return proxy; })() })],
])("%s is told somehow", (_name, make) => {
  const error = told(make());
  expect(error).toBeInstanceOf(Error);
  expect(error.message).not.toBe("");
});

test.each([...values, ...refused])("$name can be thrown", ({ make }) => {
  expect(told(make())).toBeInstanceOf(Error);
});
