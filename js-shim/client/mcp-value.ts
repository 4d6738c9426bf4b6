/**
 * Values between programs and MCP servers: the result of a tool as a program wants it, and a program's arguments as JSON.
 * Pure; the connector in `mcp.ts` does the talking.
 *
 * | the server's result | the program's value |
 * | --- | --- |
 * | `structuredContent` | that value. Other blocks are left out (for now); one that is the same JSON gives the digits of large integers |
 * | one text block | a JSON object or array parsed, with the digits of large integers; any other text as it is |
 * | one image, audio, resource or link block | `{ type, mimeType?, data?: Uint8Array, text?, uri?, … }` |
 * | several blocks | an array of those |
 * | no block | `null` |
 */

import { parseJson } from "../value/index.ts";
import { viewOf } from "./schema-view.ts";

/** One block of a tool's result. Kinds that came after this was written pass through as they are. */
export type McpBlock = { type: string; [key: string]: unknown };

/** A tool's result as the SDKs give it; everything is optional because servers leave everything out. */
export type McpResult = { content?: unknown; structuredContent?: unknown; isError?: unknown; toolResult?: unknown };

/** What a tool answered with `isError`. `data` is what else the server said. */
export class McpToolError extends Error {
  override readonly name = "McpToolError";
  readonly data: unknown;

  constructor(message: string, data: unknown) {
    super(message);
    this.data = data;
  }
}

/** @throws {McpToolError} when the server says `isError`. */
export function valueOfResult(result: McpResult): unknown {
  const blocks = blocksOf(result);
  if (result.isError === true) throw errorOf(result, blocks);
  if (result.structuredContent !== undefined && result.structuredContent !== null) return structured(result.structuredContent, blocks);
  // A result of the protocol's first version has its value under this name.
  if (blocks.length === 0) return result.toolResult ?? null;
  const values = blocks.map(valueOfBlock);
  return values.length === 1 ? values[0] : values;
}

function blocksOf({ content }: McpResult): McpBlock[] {
  if (!Array.isArray(content)) return [];
  return content.filter((block): block is McpBlock => typeof block === "object" && block !== null && typeof block.type === "string");
}

function errorOf(result: McpResult, blocks: readonly McpBlock[]): McpToolError {
  const texts = blocks.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
  const others = blocks.filter(({ type }) => type !== "text").map(valueOfBlock);
  const message = texts.join("\n").trim();
  const data = result.structuredContent ?? (others.length === 0 ? undefined : others);
  return new McpToolError(message === "" ? "the tool failed and the server gave no reason" : message, data);
}

/** The same value from its text where there is one: an SDK has already parsed `structuredContent` and lost digits with it. */
function structured(content: unknown, blocks: readonly McpBlock[]): unknown {
  for (const { type, text } of blocks) {
    if (type !== "text" || typeof text !== "string" || !/\d{16}/.test(text)) continue;
    try {
      if (canonical(JSON.parse(text)) === canonical(content)) return parseJson(text);
    } catch {
      // Not JSON: then it is not the value's text.
    }
  }
  return content;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
      : item,
  );
}

function valueOfBlock(block: McpBlock): unknown {
  switch (block.type) {
    case "text":
      return typeof block["text"] === "string" ? valueOfText(block["text"]) : block;
    case "image":
    case "audio":
      return withBytes(block, "data");
    case "resource": {
      const { resource } = block;
      if (typeof resource !== "object" || resource === null) return block;
      return { type: "resource", ...withBytes(resource as Record<string, unknown>, "blob") };
    }
    default:
      return block;
  }
}

/** Only an object or an array is taken for JSON: the text `42` or `true` may be a text. */
function valueOfText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Base64 under `key` becomes bytes under `data`. What is no base64 stays as it came. */
function withBytes(block: Record<string, unknown>, key: string): Record<string, unknown> {
  const { [key]: encoded, ...rest } = block;
  if (typeof encoded !== "string") return block;
  try {
    return { ...rest, data: Uint8Array.from(atob(encoded), (unit) => unit.charCodeAt(0)) };
  } catch {
    return block;
  }
}

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
