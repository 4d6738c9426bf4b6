/**
 * What is wrong with a value, and how that is said. JSON Schema and every schema library tell it in their own way; both are
 * turned into the problems of this file, so that a model reads one style (`args.city is required`) whoever found the fault.
 */

/** Where in a value: `["list", "0", "a/b"]`. */
export type Keys = readonly string[];

export type Problem =
  /** `note`: what the schema's own library says beside it. */
  | { kind: "required"; keys: Keys; note?: string }
  | { kind: "type"; keys: Keys; expected: readonly string[] }
  /** Not one of the values that are taken here. */
  | { kind: "value"; keys: Keys; accepted: readonly unknown[] }
  /** A property that nobody knows; `known` are the names that would be. */
  | { kind: "unknown"; keys: Keys; known?: readonly string[] }
  /** None of several forms fits; each has its own list. */
  | { kind: "union"; keys: Keys; branches: readonly (readonly Problem[])[] }
  /** `text` goes on behind the path: `: String is too short (1 < 2)`. */
  | { kind: "other"; keys: Keys; text: string };

/** More complaints than this do not help to repair a call. */
const MAX_COMPLAINTS = 3;
/** Faults of a list that are looked at. A hostile argument may have half a million. */
export const MAX_PROBLEMS = 20;
/** UTF-16 units of the whole text; an enum of a thousand names is read better with `describe`. */
const MAX_TEXT = 1000;
/** Names that are offered beside an unknown one. */
const MAX_NAMES = 20;

/** One text for the model, never empty and never much longer than 1,000 units. `name` is what the paths begin with. */
export function inWords(problems: readonly Problem[], value: unknown, name: string): string {
  return clipped(sentences(problems, value, name).join("; "));
}

function sentences(problems: readonly Problem[], value: unknown, name: string): string[] {
  const plain = problems.flatMap((problem) => (problem.kind === "union" ? narrowed(problem) : [problem]));
  const shown = plain.slice(0, MAX_COMPLAINTS);
  return [...new Set(shown.map((problem, index) => sentence(problem, shown[index + 1], value, name)))];
}

function sentence(problem: Problem, next: Problem | undefined, value: unknown, name: string): string {
  const { keys } = problem;
  const path = pathOf(keys, name);
  switch (problem.kind) {
    case "required":
      return `${path} is required${problem.note === undefined ? "" : ` (${problem.note})`}`;
    case "type":
      return `${path} must be ${[...new Set(problem.expected)].join(" or ")}, not ${kindOf(valueAt(value, keys))}`;
    case "value":
      return `${path} must be ${oneOf(problem.accepted)}`;
    case "unknown": {
      // Of several side by side, the last one says what would be known.
      const sibling = next?.kind === "unknown" && next.keys.slice(0, -1).join("\0") === keys.slice(0, -1).join("\0");
      return `${path} is not accepted${sibling ? "" : offered(problem.known)}`;
    }
    case "union": {
      const forms = problem.branches.slice(0, MAX_COMPLAINTS).map((branch, index) => `(${index + 1}) ${sentences(branch, value, name).join("; ")}`);
      const more = problem.branches.length - forms.length;
      return `${path} fits none of ${problem.branches.length} forms: ${forms.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
    }
    case "other":
      return `${path}${problem.text}`;
    default: {
      const never: never = problem;
      return never;
    }
  }
}

/**
 * A union is read best without the forms that were not meant: those of another type at the same place, those whose tag says
 * another kind. Where one form is left, its own problems are the answer; where all differ in one place, what is taken there.
 */
function narrowed(union: Problem & { kind: "union" }): readonly Problem[] {
  const here = union.keys.length;
  const branches = union.branches
    .map((branch) => branch.flatMap((problem) => (problem.kind === "union" ? narrowed(problem) : [problem])))
    // A form that takes nothing at all says nothing.
    .filter((branch) => !branch.some((problem) => problem.kind === "unknown" && problem.keys.length === here));
  if (branches.length === 0) return [{ kind: "unknown", keys: union.keys }];
  const types = branches.map((branch) => branch.find((problem) => problem.kind === "type" && problem.keys.length === here));
  if (types.every((type) => type?.kind === "type")) {
    return [{ kind: "type", keys: union.keys, expected: types.flatMap((type) => (type?.kind === "type" ? type.expected : [])) }];
  }
  const meant = branches.filter((_branch, index) => types[index] === undefined);
  const tagged = meant.map((branch) => branch.find((problem) => problem.kind === "value" && problem.keys.length <= here + 1));
  const [tag] = tagged;
  if (tag !== undefined && tagged.every((other) => other?.kind === "value" && same(other.keys, tag.keys))) {
    if (meant.length === 1 && meant[0] !== undefined) return meant[0];
    return [{ kind: "value", keys: tag.keys, accepted: tagged.flatMap((other) => (other?.kind === "value" ? other.accepted : [])) }];
  }
  const close = meant.filter((_branch, index) => tagged[index] === undefined);
  if (close.length === 1 && close[0] !== undefined) return close[0];
  return [{ ...union, branches: close.length > 0 ? close : branches }];
}

function same(left: Keys, right: Keys): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}

function oneOf(accepted: readonly unknown[]): string {
  const [only] = accepted;
  const text = (value: unknown): string => (typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? String(value)));
  if (accepted.length === 1) return text(only);
  const unique = [...new Set(accepted.map(text))];
  return `one of [${unique.join(",")}]`;
}

function offered(known: readonly string[] | undefined): string {
  if (known === undefined) return "";
  if (known.length === 0) return "; it takes an empty object";
  return `; accepted are ${known.slice(0, MAX_NAMES).join(", ")}${known.length > MAX_NAMES ? ", …" : ""}`;
}

function clipped(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return typeof value;
  return Object.prototype.toString.call(value).slice(8, -1).toLowerCase();
}

/** What stands there, `undefined` where nothing does. An inherited name is not there. */
export function valueAt(value: unknown, keys: Keys): unknown {
  return keys.reduce<unknown>((inner, key) => {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    return Reflect.get(inner, key) as unknown;
  }, value);
}

function pathOf(keys: Keys, name: string): string {
  return keys.reduce((path, key) => {
    if (/^\d+$/.test(key)) return `${path}[${key}]`;
    return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
  }, name);
}
