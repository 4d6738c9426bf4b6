/**
 * Results of MCP tools as a program wants them: nothing lost, and of one shape per tool. Pure.
 *
 * | the server's result | the program's value |
 * | --- | --- |
 * | `structuredContent`, an object | that object; blocks that say more than it are under one more key, `_content` |
 * | `structuredContent`, anything else | that value; with such blocks `{ structuredContent, _content }` |
 * | one text block | a JSON object or array parsed, any other text as it is |
 * | one image, audio, resource or link | `{ type, mimeType?, data?: Uint8Array, text?, uri?, … }` |
 * | several blocks | an array of those |
 * | no block | `null` |
 *
 * A block says more unless it is the structured result, or a part of it, once again: servers repeat it as a text for clients
 * of before. Such a text has the digits of integers beyond 2^53, which an SDK has lost in what it parsed.
 */

import { parseJson } from "../value/index.ts";

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

/**
 * `outputSchema` is the server's own: where it promises a property `_content`, the blocks are under `__content`.
 * @throws {McpToolError} when the server says `isError`.
 */
export function valueOfResult(result: McpResult, outputSchema?: object): unknown {
  const blocks = blocksOf(result);
  if (result.isError === true) throw errorOf(result, blocks, outputSchema);
  const { structuredContent } = result;
  if (structuredContent !== undefined && structuredContent !== null) return structured(structuredContent, blocks, outputSchema);
  // A result of the protocol's first version has its value under this name.
  if (blocks.length === 0) return result.toolResult ?? null;
  const values = blocks.map(valueOfBlock);
  return values.length === 1 ? values[0] : values;
}

function blocksOf({ content }: McpResult): McpBlock[] {
  if (!Array.isArray(content)) return [];
  return content.filter((block): block is McpBlock => typeof block === "object" && block !== null && typeof block.type === "string");
}

function errorOf(result: McpResult, blocks: readonly McpBlock[], outputSchema: object | undefined): McpToolError {
  const texts = blocks.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
  const others = blocks.filter(({ type }) => type !== "text");
  const message = texts.join("\n").trim();
  const { structuredContent } = result;
  const hasData = structuredContent !== undefined && structuredContent !== null;
  const data = hasData ? structured(structuredContent, others, outputSchema) : others.length === 0 ? undefined : others.map(typed);
  return new McpToolError(message === "" ? "the tool failed and the server gave no reason" : message, data);
}

function structured(content: {}, blocks: readonly McpBlock[], outputSchema: object | undefined): unknown {
  const said = new Said(content);
  const more = blocks.filter((block) => !said.has(block)).map(typed);
  const { value } = said;
  if (more.length === 0) return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { structuredContent: value, _content: more };
  let key = "_content";
  while (Object.hasOwn(value, key) || promises(outputSchema, key)) key = `_${key}`;
  return { ...value, [key]: more };
}

function promises(schema: object | undefined, key: string): boolean {
  const properties: unknown = schema !== undefined && schema !== null && "properties" in schema ? schema.properties : undefined;
  return typeof properties === "object" && properties !== null && Object.hasOwn(properties, key);
}

/** What a structured result says, to find the blocks that say no more: those that are it, or what lies at most two deep in it. */
class Said {
  /** With the digits of large integers, from the texts that were met. */
  value: unknown;
  readonly #whole: string;
  // From a part as canonical JSON to the keys that lead to it; made when a block is not the whole.
  #parts: Map<string, string[]> | undefined;

  constructor(content: {}) {
    this.value = content;
    this.#whole = canonical(content);
  }

  has(block: McpBlock): boolean {
    const { type, text } = block;
    if (type !== "text" || typeof text !== "string") return this.#pathOf(canonical(block)) !== undefined;
    if (text.trim() === "") return true;
    let part: unknown;
    try {
      part = JSON.parse(text);
    } catch {
      return this.#pathOf(JSON.stringify(text)) !== undefined;
    }
    const path = this.#pathOf(canonical(part));
    if (path === undefined) return this.#pathOf(JSON.stringify(text)) !== undefined;
    if (/\d{16}/.test(text)) this.value = replaced(this.value, path, parseJson(text));
    return true;
  }

  #pathOf(part: string): string[] | undefined {
    if (part === this.#whole) return [];
    if (this.#parts === undefined) {
      const parts = (this.#parts = new Map<string, string[]>());
      note(parts, this.value, [], 2);
    }
    return this.#parts.get(part);
  }
}

function note(parts: Map<string, string[]>, value: unknown, path: string[], depth: number): void {
  if (depth === 0 || typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    const here = [...path, key];
    parts.set(canonical(item), here);
    note(parts, item, here, depth - 1);
  }
}

function replaced(value: unknown, [key, ...path]: string[], part: unknown): unknown {
  if (key === undefined) return part;
  if (typeof value !== "object" || value === null) return value;
  const inside = replaced(Reflect.get(value, key), path, part);
  if (Array.isArray(value)) return value.map((item: unknown, index) => (String(index) === key ? inside : item));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, name === key ? inside : item]));
}

/** What is too deep to be written is refused with the value; here it is like whatever else is too deep. */
function canonical(value: unknown): string {
  try {
    return JSON.stringify(value, sorted) ?? "";
  } catch {
    return "";
  }
}

function sorted(_key: string, item: unknown): unknown {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
  return Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function valueOfBlock(block: McpBlock): unknown {
  return block.type === "text" && typeof block["text"] === "string" ? valueOfText(block["text"]) : typed(block);
}

/** Bytes where the protocol has base64. */
function typed(block: McpBlock): McpBlock {
  switch (block.type) {
    case "image":
    case "audio":
      return withBytes(block, "data");
    case "resource": {
      const { resource, ...around } = block;
      if (typeof resource !== "object" || resource === null) return block;
      return { ...around, ...withBytes(resource as Record<string, unknown>, "blob"), type: "resource" };
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
function withBytes<Block extends Record<string, unknown>>(block: Block, key: string): Block {
  const { [key]: encoded, ...rest } = block;
  if (typeof encoded !== "string") return block;
  try {
    return { ...rest, data: Uint8Array.from(atob(encoded), (unit) => unit.charCodeAt(0)) } as unknown as Block;
  } catch {
    return block;
  }
}
