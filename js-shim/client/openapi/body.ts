/**
 * The body of a request as bytes, by its media type. Only what the program passed as `body` is in it. A file is bytes, or
 * `{ data, mimeType?, filename? }`, which is also what a response of bytes becomes.
 */

import type { OperationBody } from "../../wire.ts";
import { encodeBase64 } from "../../value/base64.ts";
import { isBytes, jsonText } from "../json-text.ts";
import { essence, isConcrete, kindOf } from "./media.ts";
import { type Pair, pairsOf, plain, reserved, strict, textOf } from "./style.ts";

/** A body ready to be sent. */
export type Content = { type: string; data: Uint8Array };
type File = { data: Uint8Array; mimeType: string | undefined; filename: string | undefined };
type Encoding = NonNullable<OperationBody["encoding"]>[string];

const OCTETS = "application/octet-stream";

/** `undefined` when there is none. @throws {TypeError} naming the place under `where` for what this type cannot carry. */
export function contentOf({ type, encoding = {} }: Pick<OperationBody, "type" | "encoding">, value: unknown, where: string): Content | undefined {
  if (value === undefined) return undefined;
  const kind = kindOf(type);
  if (kind === "json") return content(type, jsonText(value, where));
  if (value === null) return undefined;
  const file = fileOf(value);
  switch (kind) {
    case "any":
      if (file !== undefined) return { type: file.mimeType ?? OCTETS, data: file.data };
      return typeof value === "string" ? content("text/plain; charset=utf-8", value) : content("application/json", jsonText(value, where));
    case "form":
      if (typeof value === "string") return content(type, value);
      // Form decoders take either for a space; RFC 1866 writes this one.
      return content(type, formPairs(value, encoding, where).map((pair) => pair.join("=")).join("&").replaceAll("%20", "+"));
    case "multipart":
      return multipart(type, properties(value, where), encoding, where);
    case "text":
      if (file !== undefined) return { type, data: file.data };
      if (typeof value === "object" && !(value instanceof Date)) throw new TypeError(`${where} is sent as ${type}; pass the whole document as a text`);
      return content(type, textOf(value, where));
    case "bytes": {
      const named = isConcrete(type) ? type : (file?.mimeType ?? OCTETS);
      if (file !== undefined) return { type: named, data: file.data };
      if (typeof value === "string") return content(named, value);
      throw new TypeError(`${where} is sent as ${type}; pass a Uint8Array, { data: Uint8Array, mimeType }, or a text`);
    }
    default: {
      const never: never = kind;
      return never;
    }
  }
}

function content(type: string, text: string): Content {
  return { type, data: new TextEncoder().encode(text) };
}

function properties(value: unknown, where: string): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value) || isBytes(value)) {
    throw new TypeError(`${where} is sent as a form; pass an object with its fields`);
  }
  return Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
}

function formPairs(body: unknown, encoding: Record<string, Encoding>, where: string): Pair[] {
  return properties(body, where).flatMap(([name, value]) => {
    const rule = encoding[name] ?? {};
    const place = `${where}.${name}`;
    if (isStyled(rule)) return pairsOf(name, value, styleOf(rule), rule.allowReserved === true ? reserved : strict, place);
    // Without a style it is by content: one field per item, and JSON for what is no text.
    return items(value).map<Pair>((item) => {
      const file = fileOf(item);
      if (file !== undefined) return [strict(name), strict(encodeBase64(file.data))];
      return [strict(name), strict(kindOf(rule.contentType ?? "") === "json" ? jsonText(item, place) : textOf(item, place))];
    });
  });
}

/** Nothing of a style counts unless at least one of its parts is written down; then the rest has its defaults. */
function isStyled({ style, explode, allowReserved }: Encoding): boolean {
  return style !== undefined || explode !== undefined || allowReserved !== undefined;
}

function styleOf({ style = "form", explode = style === "form" }: Encoding): { style: string; explode: boolean } {
  return { style, explode };
}

function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value.filter((item) => item !== null && item !== undefined) : [value];
}

function multipart(type: string, fields: [string, unknown][], encoding: Record<string, Encoding>, where: string): Content {
  const boundary = `codemode-${crypto.randomUUID()}`;
  const chunks: Uint8Array[] = [];
  const text = (line: string): unknown => chunks.push(new TextEncoder().encode(line));
  const part = (name: string, data: Uint8Array, mimeType?: string, filename?: string): void => {
    const file = filename === undefined ? "" : `; filename="${quotable(filename)}"`;
    text(`--${boundary}\r\nContent-Disposition: form-data; name="${quotable(name)}"${file}\r\n${mimeType === undefined ? "" : `Content-Type: ${mimeType}\r\n`}\r\n`);
    chunks.push(data);
    text("\r\n");
  };
  const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
  for (const [name, value] of fields) {
    const rule = encoding[name] ?? {};
    const place = `${where}.${name}`;
    if (isStyled(rule) && !items(value).some((item) => fileOf(item) !== undefined)) {
      for (const [key, one] of pairsOf(name, value, styleOf(rule), plain, place)) part(key, bytes(one));
      continue;
    }
    // The declared type may be a list or a range, of which a file of that kind names its own.
    const declared = rule.contentType !== undefined && isConcrete(rule.contentType) ? rule.contentType : undefined;
    for (const item of items(value)) {
      const file = fileOf(item);
      if (file !== undefined) {
        part(name, file.data, declared ?? file.mimeType ?? OCTETS, file.filename ?? name);
      } else if ((declared === undefined ? typeof item === "object" && !(item instanceof Date) : kindOf(declared) === "json")) {
        part(name, bytes(jsonText(item, place)), declared ?? "application/json");
      } else {
        part(name, bytes(textOf(item, place)), declared);
      }
    }
  }
  text(`--${boundary}--\r\n`);
  return { type: `${essence(type)}; boundary=${boundary}`, data: joined(chunks) };
}

/** As browsers write names into a part's header. */
function quotable(name: string): string {
  return name.toWellFormed().replace(/["\r\n]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function fileOf(value: unknown): File | undefined {
  if (isBytes(value)) return { data: bytesIn(value), mimeType: undefined, filename: undefined };
  if (typeof value !== "object" || value === null || !("data" in value) || !isBytes(value.data)) return undefined;
  const { data, mimeType, filename } = value as Record<string, unknown>;
  const type = typeof mimeType === "string" && /^[\w.+-]+\/[\w.+-]+(?: *;[\t -~]*)?$/.test(mimeType) ? mimeType : undefined;
  return { data: bytesIn(data as ArrayBuffer), mimeType: type, filename: typeof filename === "string" ? filename : undefined };
}

/** A copy: the program's own array may be a window on a larger buffer. */
function bytesIn(value: ArrayBuffer | ArrayBufferView): Uint8Array {
  return value instanceof ArrayBuffer ? new Uint8Array(value.slice(0)) : new Uint8Array(value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength));
}
