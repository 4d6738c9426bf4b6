/** What the host answers, as replies: a method's result, a failure with its code. */

import { encode, encodeError, MAX_VALUE_LENGTH } from "../value/index.ts";
import type { HostFailure, HostReply, ValueText } from "../wire.ts";
import { type ErrorCode, messageOf } from "./errors.ts";

/** The reply for what a method returned. */
export function resultReply(path: string, result: unknown): HostReply {
  let value: ValueText;
  try {
    value = encode(result, "result");
  } catch (thrown) {
    // NotSerializable, or a stack that a very deep result has used up; the call did act either way.
    return failure("not_serializable", `${path} did act, but its result cannot be passed on: ${messageOf(thrown)}`);
  }
  if (value.length <= MAX_VALUE_LENGTH) return { kind: "value", value };
  return failure(
    "too_large",
    `${path} did act, but its result is too large: ${number(value.length)} units, the limit is ${number(MAX_VALUE_LENGTH)}. ` +
      "Ask for less (a page, a filter, fewer fields), or let the connector store the data and return a reference",
  );
}

export function failure(code: ErrorCode, text: string): HostFailure {
  // The code stands in the error, too: a program that catches it can tell the kinds apart.
  return { kind: "failure", code, error: encodeError(Object.assign(new Error(text), { code })) };
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
