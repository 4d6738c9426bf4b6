/** Which names are allowed for runtimes, connectors and methods. Pure text; how a foreign name becomes one of ours is the runtime's. */

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

function quote(name: unknown): string {
  return JSON.stringify(name) ?? String(name);
}
