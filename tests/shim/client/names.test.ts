/** Names: which a connector may have. */

import { expect, test } from "vitest";

import { createCodemodeRuntime } from "../../../js-shim/client/index.ts";
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
