/** Names: which a connector may have, and what becomes of a server's. */

import { expect, test } from "vitest";

import { createCodemodeRuntime } from "../../../js-shim/client/index.ts";
import { identifiersFor } from "../../../js-shim/client/names.ts";
import { context, RuntimeDouble, Table } from "./double.ts";

const create = (...names: string[]) =>
  createCodemodeRuntime({ ctx: context, binding: new RuntimeDouble().binding, connectors: names.map((name) => new Table(name, {})) });

test.each([
  ["class", "reserved word"],
  ["await", "reserved word"],
  ["codemode", "meaning of its own"],
  ["text", "meaning of its own"],
  ["image", "meaning of its own"],
  ["then", "meaning of its own"],
  ["JSON", "would hide a global"],
  ["console", "would hide a global"],
  ["constructor", "inherits"],
  ["__proto__", "inherits"],
  ["my-api", "JavaScript identifier"],
  ["1st", "JavaScript identifier"],
  ["a.b", "JavaScript identifier"],
  ["", "JavaScript identifier"],
])("the connector name %j is refused at construction", (name, reason) => {
  expect(() => create(name)).toThrow(reason);
});

test("two connectors of one name are refused", () => {
  expect(() => create("notes", "github", "notes")).toThrow(/"notes" is used twice/);
});

test.each(["github", "$", "_a1", "заметки", "メモ"])("the connector name %j is fine", (name) => {
  expect(() => create(name)).not.toThrow();
});

test.each([
  ["characters that identifiers lack", ["get-user", "a.b", "a/b c"], ["get_user", "a_b", "a_b_c"]],
  ["words of any script", ["查询", "获取", "créer-note"], ["查询", "获取", "créer_note"]],
  ["a digit in front", ["2fa"], ["_2fa"]],
  ["reserved words", ["class", "delete"], ["class_", "delete_"]],
  ["names that are never a call", ["then", "toString"], ["then_", "toString_"]],
  ["nothing", ["", "-"], ["_", "__2"]],
  ["a clash of two that change", ["a-b", "a.b"], ["a_b", "a_b_2"]],
  ["a clash with one that does not change, in either order", ["a-b", "a_b"], ["a_b_2", "a_b"]],
  ["a clash with a suffix", ["a-b", "a_b", "a_b_2"], ["a_b_3", "a_b", "a_b_2"]],
  ["the same name twice", ["a", "a", "a"], ["a", "a_2", "a_3"]],
  ["outside the basic plane", ["𝒳-1", "a😀"], ["𝒳_1", "a_"]],
])("identifiers: %s", (_case, originals, expected) => {
  expect(identifiersFor(originals)).toEqual(expected);
  expect(new Set(expected).size).toBe(expected.length);
});

test("a clash touches only the ones that clash", () => {
  const many = Array.from({ length: 2000 }, (_unused, index) => `tool-${index % 1000}`);
  const names = identifiersFor(many);
  expect(new Set(names).size).toBe(2000);
  expect(names.slice(0, 1000)).toEqual(many.slice(0, 1000).map((name) => name.replace("-", "_")));
});
