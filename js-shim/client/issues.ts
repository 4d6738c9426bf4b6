/**
 * What schema libraries say of a value, as problems. Standard Schema promises a message and a path; where an issue says more
 * (zod's codes, in versions 3 and 4) it is read, so that the text is the one that every other connector would give.
 */

import { type Keys, MAX_PROBLEMS, type Problem, valueAt } from "./complaints.ts";
import { messageOf } from "./errors.ts";

/** The issues of a failure, or of the error that stands for one: a ZodError has them, a TypeValidationError as its cause. */
export function issuesOf(failure: unknown): readonly unknown[] {
  if (Array.isArray(failure)) return failure;
  if (typeof failure === "object" && failure !== null) {
    if ("issues" in failure && Array.isArray(failure.issues)) return failure.issues;
    if ("cause" in failure && typeof failure.cause === "object" && failure.cause !== null) return issuesOf(failure.cause);
  }
  return [{ message: failure === undefined ? "it does not fit" : messageOf(failure) }];
}

/** `above`: where the value that the issue speaks of stands. */
export function problemsOfIssue(issue: unknown, value: unknown, above: Keys = []): Problem[] {
  const { message, path, code, expected, values, options, keys: extra, errors, unionErrors } = (typeof issue === "object" && issue !== null ? issue : {}) as Record<string, unknown>;
  const keys = [...above, ...(Array.isArray(path) ? path.map(keyOf) : [])];
  const said = typeof message === "string" && message !== "" ? message : "it does not fit";
  const absent = keys.length > above.length && valueAt(value, keys) === undefined;
  // A rule of the application's own ("custom") may speak of a property that nobody has to give.
  if (absent && code !== "custom") return [{ kind: "required", keys, ...(code === undefined && { note: said }) }];
  switch (code) {
    case "invalid_type":
      if (typeof expected === "string") return [{ kind: "type", keys, expected: [expected] }];
      break;
    case "invalid_value":
      if (Array.isArray(values)) return [{ kind: "value", keys, accepted: values }];
      break;
    case "unrecognized_keys":
      if (Array.isArray(extra)) return extra.slice(0, MAX_PROBLEMS).map((key) => ({ kind: "unknown", keys: [...keys, String(key)] }));
      break;
    case "invalid_union": {
      const forms = Array.isArray(errors) ? errors : Array.isArray(unionErrors) ? unionErrors : [];
      if (forms.length > 0) {
        // Paths inside begin at the union in version 4, and at the top in version 3.
        const from = Array.isArray(errors) ? keys : above;
        return [{ kind: "union", keys, branches: forms.map((form) => issuesOf(form).slice(0, MAX_PROBLEMS).flatMap((inner) => problemsOfIssue(inner, value, from))) }];
      }
      if (Array.isArray(options)) return [{ kind: "value", keys, accepted: options }];
      break;
    }
    default:
  }
  return [{ kind: "other", keys, text: `: ${said}` }];
}

/** A part of a path is a key, or an object that has one. */
function keyOf(part: unknown): string {
  return String(typeof part === "object" && part !== null && "key" in part ? part.key : part);
}
