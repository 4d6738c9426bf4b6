/**
 * What an attempt to break out is: a program, what it must not obtain, and how one sees from outside whether it did.
 *
 * `obtained` looks at what cannot be made up inside: the text of the harness, the seed on record, what really ran at the
 * host, what a server heard, whether two passes told the same. Where `without` is given, the same program runs in a
 * sandbox that lacks this one defence, and there it must succeed: else the attempt proves nothing.
 */

import type { CodemodeOutput, ExecutionState } from "../../js-shim/client/index.ts";

export type Patch = { file: string; from: string; to: string };

/** One defence, and the change of source that takes it away. */
export type Without = {
  defence: string;
  patches: readonly Patch[];
  /** The isolate has the network of its parent. */
  isOpen?: true;
};

export type Attempt = {
  /** What it tries, and so what it must not obtain. */
  name: string;
  /** Statements. `loot` is returned; `text(x)` tells anything; `refused(f)` runs what may throw. */
  body: string;
  /** What comes after the last line, in place of returning the loot. */
  end?: string;
  obtained: (found: Found) => boolean;
  without?: Without;
  /** Waits for approval in the end, so that there are two passes; time to wait between them, ms. */
  passes?: { apart: number };
  /** The module itself, as if the check of the syntax tree had let it through. */
  isModule?: true;
};

export type Found = {
  output: CodemodeOutput;
  /** The output of the pass before the approval. */
  first: CodemodeOutput | undefined;
  execution: ExecutionState;
  /** What the program told: its console, its result, its error. */
  told: readonly string[];
  /** What ran at the host, as `method args`. */
  ran: readonly string[];
  /** Requests that reached a server of this machine. */
  heard: number;
  harness: string;
  seed: string;
};

export const LAST = "reached the last line";
export const LOOT_MARK = "loot: ";

/** Long enough to be nobody's own. */
const MIN_SOURCE = 11;

/** A function of the harness, by its text. */
export function holdsHarness({ told, harness }: Found): boolean {
  return told.some((piece) => piece.length >= MIN_SOURCE && harness.includes(piece));
}

/** Both passes told something else, or the record noticed. */
export function seesThePass({ first, output }: Found): boolean {
  const before = first?.logs ?? [];
  return output.status !== "completed" || before.some((line, at) => line !== output.logs?.[at]);
}

export const tells =
  (text: string) =>
  ({ told }: Found): boolean =>
    told.some((piece) => piece.includes(text));

/** The program of an attempt. What it needs itself it has taken before it breaks anything. */
export function programOf({ body, end = "return loot;", passes, isModule }: Attempt, server: string, harness: string): string {
  // Every word of the harness: among them is the name of each property that it reads.
  const names = body.includes("HARNESS_NAMES") ? [...new Set(harness.match(/[A-Za-z_$][\w$]*/g))] : [];
  const text = `
  const { apply, ownKeys } = Reflect;
  const functionText = Function.prototype.toString;
  const { log } = console;
  const text = (it) => { try { return typeof it === "function" ? apply(functionText, it, []) : \`\${it}\` } catch { return "no text" } };
  const refused = (run) => { try { return run() } catch (error) { return error } };
  const SERVER = ${JSON.stringify(server)}, HARNESS_NAMES = ${JSON.stringify(names)};
  let loot, kept;
  try {
    ${body}
  } catch (error) { log("refused: " + text(error)) }
  ${passes === undefined ? "" : "await lab.gate(1);"}
  log("${LAST}");
  ${end}`;
  return isModule ? `export default async () => {${text}\n}` : `async () => {${text}\n}`;
}
