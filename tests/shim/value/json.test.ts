/** Other people's JSON keeps its digits. */
import { expect, test } from "vitest";

import { parseJson } from "../../../js-shim/value/index.ts";

test.each<[string, unknown]>([
  ["9007199254740991", 9007199254740991],
  ["9007199254740992", 9007199254740992n],
  ["9007199254740993", 9007199254740993n],
  ["-9007199254740993", -9007199254740993n],
  ["7795506888185572399", 7795506888185572399n],
  ["1234567890123456", 1234567890123456],
  ["1.2345678901234567", 1.2345678901234567],
  ["12345678901234567.5", 12345678901234567.5],
  ["1e25", 1e25],
  ["1234567890123456789e2", 1234567890123456789e2],
  ['"9007199254740993"', "9007199254740993"],
  ['{"id":9007199254740993,"n":1,"list":[9007199254740993,"x"]}', { id: 9007199254740993n, n: 1, list: [9007199254740993n, "x"] }],
  ['{"9007199254740993":null}', { "9007199254740993": null }],
  ["[-0, 1234567890123456]", [-0, 1234567890123456]],
])("%s", (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test("a key __proto__ is data, also beside a long number", () => {
  const value = parseJson('{"__proto__":{"polluted":9007199254740993}}') as object;
  expect(Object.hasOwn(value, "__proto__")).toBe(true);
  expect("polluted" in value).toBe(false);
});

test.each(["{", "", "[9007199254740993", `${"[".repeat(200_000)}9007199254740993${"]".repeat(200_000)}`])("a broken text is a SyntaxError (case %#)", (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});
