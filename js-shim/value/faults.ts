/**
 * The codec's two errors, and how a place inside a value is named in them. Nothing here decides what may cross.
 */
import { isNativeError } from "./kinds.ts";
import { ownData } from "./own.ts";
import { charCodeAt, ErrorOf, freeze, getPrototypeOf, jsonStringify, rangeErrorPrototype, stringSlice } from "./primordials.ts";

/** The value holds something that cannot cross. `path` says where; the message says what to do about it. */
export class NotSerializable extends ErrorOf {
  readonly #brand = true;
  override name = "NotSerializable";
  path: string;
  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.path = path;
  }
  /** What `instanceof` says, but a program can answer `instanceof` itself through `Error[Symbol.hasInstance]`. */
  static is(error: unknown): error is NotSerializable {
    return typeof error === "object" && error !== null && #brand in error;
  }
}

/** A text is no value text: it is damaged or forged. */
export class MalformedValue extends ErrorOf {
  override name = "MalformedValue";
  constructor(problem: string) {
    super(`not a value text: ${problem}`);
  }
}

// An instance that reaches a program brings its class along; `super()` would call whatever the program made its parent.
freeze(NotSerializable);
freeze(MalformedValue);
export const isRefusal = NotSerializable.is;

/** One step into a value: a property key, an index, or a label that is shown as it stands. */
export type Step = string | number | { label: string };
/** A place is a chain towards the root, so that naming it costs nothing until something is refused. */
export type Place = { parent: Place | undefined; step: Step };

/** Steps that are shown; a path that is longer loses its middle. */
const SHOWN_STEPS = 24;
const SHOWN_KEY = 80;

export function pathOf(place: Place): string {
  let depth = 0;
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) depth++;
  let text = "";
  let index = depth;
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) {
    index--;
    const fromEnd = depth - 1 - index;
    if (depth <= SHOWN_STEPS || index < SHOWN_STEPS / 2 || fromEnd < SHOWN_STEPS / 2) text = stepText(at, index === 0) + text;
    else if (fromEnd === SHOWN_STEPS / 2) text = "…" + text;
  }
  return text;
}

function stepText({ step }: Place, first: boolean): string {
  if (typeof step === "number") return `[${step}]`;
  if (typeof step === "object") return step.label;
  if (first) return step;
  const key = step.length > SHOWN_KEY ? `${stringSlice(step, 0, SHOWN_KEY)}…` : step;
  return isIdentifier(key) ? `.${key}` : `[${jsonStringify(key)}]`;
}

/** By hand and not by pattern: a RegExp would leave its traces in `RegExp.$1` and its kin, where a program sees them. */
function isIdentifier(key: string): boolean {
  for (let i = 0; i < key.length; i++) {
    const unit = charCodeAt(key, i) | 32;
    const letter = (unit >= 97 && unit <= 122) || key[i] === "_" || key[i] === "$";
    if (!letter && !(i > 0 && isDigit(key, i))) return false;
  }
  return key !== "";
}

export function isDigit(text: string, index: number): boolean {
  const unit = charCodeAt(text, index);
  return unit >= 48 && unit <= 57;
}

/**
 * A stack that overflows does so at a depth nobody can repeat. Such an error is nobody's to catch, so it must leave the
 * codec as it came and not as a fault of the value. The message is read from its descriptor: what was caught may be hostile.
 */
export function rethrowOverflow(error: unknown): void {
  if (!isNativeError(error) || getPrototypeOf(error) !== rangeErrorPrototype) return;
  if (ownData(error, "message") === "Maximum call stack size exceeded") throw error;
}
