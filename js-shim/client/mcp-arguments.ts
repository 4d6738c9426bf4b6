/** A program's arguments as an MCP server takes them: JSON, or an error that names what JSON cannot carry. Pure. */

import { viewOf } from "./schema-view.ts";

/**
 * A program's arguments as JSON, or an error that names what JSON cannot carry. Nothing is changed on the quiet: a Date
 * would arrive as a text and a Map as `{}`.
 * @throws {TypeError | RangeError}
 */
export function jsonArguments(args: unknown): Record<string, unknown> {
  if (args === undefined || args === null) return {};
  if (typeof args !== "object" || Array.isArray(args)) throw new TypeError("the arguments of an MCP tool are one object");
  // Measures them: shared parts are written out at each place, and a few can stand for an endless tree.
  viewOf(args);
  return json(args, "args", []) as Record<string, unknown>;
}

function json(value: unknown, path: string, above: readonly object[]): unknown {
  switch (typeof value) {
    case "number":
      if (Number.isFinite(value)) return value;
      throw new TypeError(`${path} is ${value}; JSON has no such number`);
    case "bigint":
      if (BigInt.asIntN(54, value) === value && Number.isSafeInteger(Number(value))) return Number(value);
      throw new TypeError(`${path} is a bigint above 2^53, which would lose digits; pass it as a text if the tool takes one`);
    case "object":
      break;
    default:
      return value;
  }
  if (value === null) return null;
  if (above.includes(value)) throw new TypeError(`${path} contains itself; JSON cannot`);
  const inside = [...above, value];
  if (Array.isArray(value)) return Array.from(value, (item, index) => (item === undefined ? null : json(item, `${path}[${index}]`, inside)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    throw new TypeError(`${path} is a ${kind}; MCP takes JSON. ${ADVICE[kind] ?? "Pass plain objects, arrays, texts and numbers"}`);
  }
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    // Not by assignment: the key may be __proto__.
    Object.defineProperty(copy, key, { value: json(item, `${path}.${key}`, inside), enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

const ADVICE: Readonly<Record<string, string>> = {
  Date: "Pass date.toISOString()",
  Map: "Pass Object.fromEntries(map)",
  Set: "Pass [...set]",
  Uint8Array: "Pass base64 text",
};
