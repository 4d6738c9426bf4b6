/**
 * One text for all texts of a value that differ only in the order of object keys. Costs a decode and an encode, so it is
 * asked only when two texts differ as they stand.
 */
import { decode } from "./decode.ts";
import { encodeTable } from "./encode.ts";
import type { ValueText } from "./encode.ts";
import { rethrowOverflow } from "./faults.ts";

/**
 * Always the table form, as one writer may choose it where another wrote plain JSON. A text that is no value (arguments
 * that were refused begin with `!`) is equal only to itself, so it is its own canonical form.
 */
export function canonical(text: ValueText): string {
  try {
    return encodeTable(decode(text), "value", "sorted");
  } catch (error) {
    rethrowOverflow(error);
    return text;
  }
}
