/** The program's `crypto`: chance that a replay repeats, and of `subtle` what is a function of its input. */

import type { Pass } from "./pass.ts";
import {
  NativeDOMException,
  NativeUint8Array,
  typedArrayBuffer,
  typedArrayBytes,
  typedArrayName,
  typedArrayOffset,
} from "./primordials.ts";
import type { Stream } from "./random.ts";
import { createSubtle } from "./subtle.ts";

/** The platform's limit on one `getRandomValues`. */
const MAX_BYTES = 65_536;
const DIGITS = "0123456789abcdef";

export function createCrypto(pass: Pass, stream: Stream): object {
  const uuid = new NativeUint8Array(16);
  return {
    getRandomValues(array?: unknown): unknown {
      const name = typeof array === "object" && array !== null ? typedArrayName(array) : undefined;
      if (name === undefined || name === "Float16Array" || name === "Float32Array" || name === "Float64Array") {
        throw new NativeDOMException("getRandomValues fills an integer typed array, such as a Uint8Array", "TypeMismatchError");
      }
      const bytes = typedArrayBytes(array);
      if (bytes > MAX_BYTES) {
        throw new NativeDOMException(
          `getRandomValues fills at most ${MAX_BYTES} bytes at once, and the array has ${bytes}`,
          "QuotaExceededError",
        );
      }
      stream().fill(new NativeUint8Array(typedArrayBuffer(array), typedArrayOffset(array), bytes), bytes);
      return array;
    },
    randomUUID(): string {
      stream().fill(uuid, 16);
      uuid[6] = ((uuid[6] as number) & 15) | 64;
      uuid[8] = ((uuid[8] as number) & 63) | 128;
      let text = "";
      for (let i = 0; i < 16; i++) {
        if (i === 4 || i === 6 || i === 8 || i === 10) text += "-";
        const byte = uuid[i] as number;
        text += DIGITS[byte >> 4] as string;
        text += DIGITS[byte & 15] as string;
      }
      return text;
    },
    subtle: createSubtle(pass),
  };
}
