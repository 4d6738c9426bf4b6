/**
 * Values on their way out of the program: as text, or why they have none. One place, so that arguments, lookups and results
 * refuse the same things in the same words.
 */

import { encode, MAX_VALUE_LENGTH } from "../value/encode.ts";
import { NotSerializable } from "../value/faults.ts";
import { namespaceWithin, watchNamespaces } from "./names.ts";
import { grouped, textOr } from "./primordials.ts";

/** The one argument of a call as text; `!code message` if it cannot cross. */
export function argumentText(path: string, args: readonly unknown[]): string {
  if (args.length > 1) return `!invalid_input ${path} takes one argument, an object, and was given ${args.length}`;
  if (args.length === 0) return "";
  const text = crossing(args[0], "args");
  if (text.refused !== undefined) return `!${text.refused.code} ${path}: ${text.refused.message}`;
  if (text.value.length <= MAX_VALUE_LENGTH) return text.value;
  return `!too_large ${tooLargeText(`the arguments of ${path}`, text.value.length)}`;
}

export type Crossing =
  | { refused: undefined; value: string }
  | { refused: { code: "not_serializable"; message: string }; value: "" };

/** Value text of something the program hands out, or why there is none. */
export function crossing(value: unknown, root: string): Crossing {
  let text = "";
  let message: string | undefined;
  const met = watchNamespaces(() => {
    try {
      text = encode(value, root);
    } catch (error) {
      // An overflow of the stack is no fault of the value, and no failure that could be recorded.
      if (!NotSerializable.is(error)) throw error;
      message = textOr(() => error.message, `${root} cannot be serialised`);
    }
  });
  if (met) message = namespaceWithin(value, root) ?? message;
  return message === undefined
    ? { refused: undefined, value: text }
    : { refused: { code: "not_serializable", message }, value: "" };
}

/** The one text for a value over the limit. */
export function tooLargeText(what: string, length: number, limit = MAX_VALUE_LENGTH): string {
  return (
    `${what}: ${grouped(length)} UTF-16 units serialised, and the limit is ${grouped(limit)}. ` +
    "Store the data elsewhere and pass a reference to it, or pass less"
  );
}
