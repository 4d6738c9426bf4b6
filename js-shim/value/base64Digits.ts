/** Base64 by hand, for hosts whose platform has none. A sandbox has its own, so this is not part of the harness. */
import { charCodeAt, fromCharCode, typedArrayLength, Uint8ArrayOf } from "./primordials.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PADDING = 61;
/** Code unit of each of the 64 digits, and the other way round (255: no digit). Typed arrays have no holes to be seen through. */
const DIGITS = new Uint8Array(64);
const VALUES = new Uint8Array(128).fill(255);
for (let i = 0; i < 64; i++) {
  DIGITS[i] = ALPHABET.charCodeAt(i);
  VALUES[ALPHABET.charCodeAt(i)] = i;
}
const digit = (bits: number): number => DIGITS[bits & 63] as number;

export function encodeDigits(bytes: Uint8Array): string {
  const length = typedArrayLength(bytes);
  const at = (index: number): number => (index < length ? (bytes[index] as number) : 0);
  let text = "";
  let i = 0;
  // Twelve digits at a time: a string that grows by single letters costs four times as much.
  for (; i + 9 <= length; i += 9) {
    const a = (at(i) << 16) | (at(i + 1) << 8) | at(i + 2);
    const b = (at(i + 3) << 16) | (at(i + 4) << 8) | at(i + 5);
    const c = (at(i + 6) << 16) | (at(i + 7) << 8) | at(i + 8);
    text += fromCharCode(
      digit(a >> 18), digit(a >> 12), digit(a >> 6), digit(a), digit(b >> 18), digit(b >> 12), digit(b >> 6), digit(b),
      digit(c >> 18), digit(c >> 12), digit(c >> 6), digit(c),
    );
  }
  for (; i < length; i += 3) {
    const bits = (at(i) << 16) | (at(i + 1) << 8) | at(i + 2);
    text += fromCharCode(
      digit(bits >> 18),
      digit(bits >> 12),
      i + 1 < length ? digit(bits >> 6) : PADDING,
      i + 2 < length ? digit(bits) : PADDING,
    );
  }
  return text;
}

/** `size` bytes, or `undefined` when the text is not what `encodeDigits` writes. */
export function decodeDigits(text: string, size: number, padding: number): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8ArrayOf(size);
  const digits = text.length - padding;
  let bits = 0;
  let held = 0;
  let next = 0;
  for (let i = 0; i < digits; i++) {
    const unit = charCodeAt(text, i);
    const value = unit < 128 ? (VALUES[unit] as number) : 255;
    if (value === 255) return undefined;
    bits = ((bits << 6) | value) & 0xffffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[next++] = (bits >> held) & 255;
  }
  // Bits that are left over belong to no byte; other values of them would be a second text for the same bytes.
  return (bits & ((1 << held) - 1)) === 0 ? bytes : undefined;
}
