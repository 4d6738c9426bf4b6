/**
 * Which names are allowed for runtimes, connectors and methods, and how a foreign tool's name becomes an identifier.
 * Pure text; it knows nothing of tools.
 */

import { ALLOWED_GLOBALS, STEP_GLOBALS } from "../harness/globals.ts";
import { CodemodeError } from "./errors.ts";

const RUNTIME_NAME = /^[A-Za-z0-9_.-]+$/;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

// Of every mode: a program is a module, but its model may write it as a sloppy script.
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** Names that mean something else inside a sandbox: the platform, the output helpers, and what makes a promise of an object. */
const TAKEN_NAMESPACES: ReadonlySet<string> = new Set(["codemode", "text", "image", "then", ...STEP_GLOBALS]);

/** Names that a namespace answers by itself and never as a call (`await github` must give `github`). */
const NEVER_A_CALL: ReadonlySet<string> = new Set([
  "then",
  "catch",
  "finally",
  "toJSON",
  ...Object.getOwnPropertyNames(Object.prototype),
]);

const globals: ReadonlySet<string> = new Set(ALLOWED_GLOBALS);

/** @throws {CodemodeError} `invalid_input` when the name is not one a runtime can have. */
export function checkRuntimeName(name: string): void {
  if (typeof name !== "string" || !RUNTIME_NAME.test(name)) {
    throw new CodemodeError("invalid_input", `runtime name ${quote(name)} is not allowed: use letters, digits, "_", "." and "-" only`);
  }
}

/** @throws {CodemodeError} `invalid_input` when one of the names cannot be a global of the sandbox, or is there twice. */
export function checkConnectorNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    const reason = globalNameRefusal(name);
    if (reason !== undefined) throw new CodemodeError("invalid_input", `connector name ${quote(name)} is not allowed: ${reason}`);
    if (seen.has(name)) throw new CodemodeError("invalid_input", `connector name ${quote(name)} is used twice; each connector needs its own`);
    seen.add(name);
  }
}

/** Why no connector and no module can be a global of this name. */
export function globalNameRefusal(name: string): string | undefined {
  if (typeof name !== "string" || !IDENTIFIER.test(name)) return "it must be a JavaScript identifier, for example github";
  if (RESERVED_WORDS.has(name)) return "it is a reserved word of JavaScript";
  if (TAKEN_NAMESPACES.has(name)) return "the sandbox gives that name a meaning of its own";
  if (globals.has(name)) return "it would hide a global that programs use";
  if (NEVER_A_CALL.has(name)) return "every object inherits that name";
  return undefined;
}

/** Why a method cannot have this name, or `undefined` when it can. Reserved words are fine behind a dot. */
export function methodNameRefusal(name: string): string | undefined {
  if (!IDENTIFIER.test(name)) return "it must be a JavaScript identifier, for example list_issues";
  if (NEVER_A_CALL.has(name)) return "reading that name of a namespace never makes a call";
  return undefined;
}

/**
 * Makes readable, unique identifiers of tool names that a server chose, in order: `get-user` → `get_user`,
 * `2fa` → `_2fa`, `class` → `class_`; the second of two that become the same gets `_2`. Words of any script stay.
 * Names that are identifiers already keep themselves, so a clash touches only the ones that had to change.
 */
export function identifiersFor(originals: readonly string[]): string[] {
  const wanted = originals.map(identifierFor);
  const taken = new Set(originals.filter((original, index) => wanted[index] === original));
  const kept = new Set<string>();
  return originals.map((original, index) => {
    const name = wanted[index] ?? identifierFor(original);
    // The first bearer of an unchanged name has it; a server that lists the same name twice gets a suffix as well.
    if (name === original && !kept.has(name)) {
      kept.add(name);
      return name;
    }
    let free = name;
    for (let count = 2; taken.has(free); count += 1) free = `${name}_${count}`;
    taken.add(free);
    return free;
  });
}

function identifierFor(original: string): string {
  let name = Array.from(original, (unit) => (/[\p{ID_Continue}$]/u.test(unit) ? unit : "_")).join("");
  if (name === "" || !IDENTIFIER.test(name)) name = `_${name}`;
  return RESERVED_WORDS.has(name) || NEVER_A_CALL.has(name) ? `${name}_` : name;
}

function quote(name: unknown): string {
  return JSON.stringify(name) ?? String(name);
}
