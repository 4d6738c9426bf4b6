/** Bytes as base64 text and back, strictly: one text for one sequence of bytes. Uses the platform's own where it has one. */
import { decodeDigits, encodeDigits } from "./base64Digits.ts";
import { fromBase64, toBase64, typedArrayLength } from "./primordials.ts";

export function encodeBase64(bytes: Uint8Array): string {
  return toBase64 === undefined ? encodeDigits(bytes) : toBase64(bytes);
}

/** `undefined` when the text is not what `encodeBase64` writes. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const { length } = text;
  if (length % 4 !== 0) return undefined;
  const padding = length === 0 || text[length - 1] !== "=" ? 0 : text[length - 2] === "=" ? 2 : 1;
  const size = (length / 4) * 3 - padding;
  const bytes = fromBase64 === undefined ? decodeDigits(text, size, padding) : decodeNatively(text);
  // The platform's decoder skips white space; a text that has some decodes to fewer bytes than its length promises.
  return bytes !== undefined && typedArrayLength(bytes) === size ? bytes : undefined;
}

function decodeNatively(text: string): Uint8Array<ArrayBuffer> | undefined {
  const options = { __proto__: null, alphabet: "base64", lastChunkHandling: "strict" };
  try {
    return fromBase64?.(text, options);
  } catch {
    return undefined;
  }
}
