/**
 * What a response is for a program.
 *
 * | answer | value |
 * | --- | --- |
 * | 2xx, JSON (`application/json`, `…+json`) | the value; integers beyond 2^53 as bigint |
 * | 2xx, text (`text/…`, XML, YAML, lines of JSON) | the text |
 * | 2xx, anything else | `{ mimeType, data }`, `data` a Uint8Array; it can be passed on as a body or a part of one |
 * | 2xx without a body, HEAD | `null` |
 * | anything else | an `OpenApiError` |
 *
 * An answer without a type is JSON if it can be read so, else text if it is UTF-8, else bytes.
 */

import { parseJson } from "../../value/index.ts";
import { boundedBytes, MAX_BODY_BYTES } from "../bounded.ts";
import { CodemodeError, messageOf } from "../errors.ts";
import { failureOf, OpenApiError, toldOf } from "./error.ts";
import { essence, kindOf } from "./media.ts";

/** @throws {OpenApiError} for anything but 2xx; @throws {CodemodeError} `too_large`. Rejects when the body breaks off. */
export async function answerOf(response: Response, asked: { method: string; path: string }): Promise<unknown> {
  const bytes = await boundedBytes(response);
  if (!response.ok) throw failureOf(response, asked, bytes === "too long" ? undefined : wordsOf(response, bytes), Date.now());
  if (bytes === "too long") {
    const told = Number(response.headers.get("content-length"));
    const size = told > MAX_BODY_BYTES ? `${told} bytes long` : "longer";
    throw new CodemodeError("too_large", `${toldOf(asked)} was done, but its answer is ${size}, and ${MAX_BODY_BYTES} bytes is the most that is taken in; ask for a page, a filter, a range or fewer fields`);
  }
  if (bytes === undefined || bytes.length === 0) return null;
  const type = response.headers.get("content-type") ?? "";
  switch (type === "" ? "any" : kindOf(type)) {
    case "json":
      return json(textIn(bytes, type), response, asked, type);
    case "text":
    case "form":
      return textIn(bytes, type);
    case "any":
      return guessed(bytes);
    default:
      return { mimeType: essence(type), data: bytes };
  }
}

function json(text: string, response: Response, asked: { method: string; path: string }, type: string): unknown {
  if (text.trim() === "") return null;
  try {
    return parseJson(text);
  } catch (thrown) {
    const { status, statusText } = response;
    throw new OpenApiError(`${toldOf(asked)} was done (${status}), but its answer is said to be ${essence(type)} and cannot be read as that: ${messageOf(thrown)}. It begins with ${JSON.stringify(text.slice(0, 100))}`, { status, statusText, body: text.slice(0, 10_000) });
  }
}

function guessed(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return { mimeType: "application/octet-stream", data: bytes };
  }
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The charset that is named, where the platform has it; else UTF-8. */
function textIn(bytes: Uint8Array, type: string): string {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(type)?.[1];
  try {
    return new TextDecoder(charset ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** A failure's body: JSON wherever it can be read so, else what text it has. */
function wordsOf(response: Response, bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const type = response.headers.get("content-type") ?? "";
  const kind = type === "" ? "any" : kindOf(type);
  if (kind === "bytes" || kind === "multipart") return undefined;
  const text = textIn(bytes, type);
  if (kind !== "json" && kind !== "any") return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
