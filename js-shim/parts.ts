/**
 * Which parts of the harness go along with a pass (`js-shim/harness/parts.ts`): what its texts can ask for, and what its
 * manifest makes necessary. Looks at both as texts only, and rather sends too much than too little.
 */

import { HARNESS, PARTS } from "../gen/harness.ts";

/** A part, and the names of its globals: what no text has a letter of, no program can ask for. */
const SPOKEN: readonly { part: string; names: RegExp }[] = [
  { part: "codemode", names: /codemode/ },
  { part: "console", names: /console/ },
  { part: "crypto", names: /crypto/ },
  { part: "timers", names: /setTimeout|setInterval|clearTimeout|clearInterval/ },
];
/** Globals may be asked for by a name that is put together, and a name may be written with escapes. */
const ANY = /globalThis|\\u/;

/** As the runtime writes it of a pass that has nothing behind it. */
const NO_PAST = '"order":[],"rows":[],"pages":1,"calls":0,"lookups":0,';

/** The text of the harness for one pass. */
export function harnessFor(modules: Readonly<Record<string, string>>, manifest: string): string {
  const texts = Object.values(modules);
  const all = texts.some((text) => ANY.test(text));
  const parts = SPOKEN.filter(({ names }) => all || texts.some((text) => names.test(text))).map(({ part }) => part);
  if (!manifest.includes(NO_PAST) || !manifest.endsWith('"audit":false}')) parts.push("replay");
  if (!manifest.includes('"egress":false,')) parts.push("network");
  if (!manifest.includes('"bindings":{},')) parts.push("bindings");
  return `const PARTS={${parts.map((part) => PARTS[part] ?? "").join("")}};${HARNESS}`;
}
