/**
 * Stacks show the program's own frames, at the places of the model's own text, and no others.
 *
 * A harness frame differs between a live delivery and a replayed one, so a program that looks at a stack would differ too;
 * and a call site hands out functions. `Error.prepareStackTrace` is therefore fixed: the program cannot take its place.
 */

import type { Manifest } from "./messages.ts";
import { defineProperty, indexOf, mapGet, mapSet, NativeError, NativeMap, slice, textOr } from "./primordials.ts";

const PROGRAM = "program.js";
/** What its frames show of a module: nothing before the places of the program, the name before those of a snippet. */
type Source = { name: string; positions: readonly number[] };
/** Harness frames count too, so this is more than a reader needs. */
const FRAMES = 30;

type CallSite = {
  getFileName(): string | null | undefined;
  getFunctionName(): string | null;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
  isAsync(): boolean;
  isConstructor(): boolean;
};

/** `Error: text` as the engine would begin a stack; reading it may run getters of the program. */
export function headOf(error: unknown): string {
  const name = textOr(() => (error as { name?: unknown }).name, "Error");
  const message = textOr(() => (error as { message?: unknown }).message, "");
  if (message === "") return name === "" ? "Error" : name;
  return name === "" ? message : `${name}: ${message}`;
}

/** The frames of a stack text, each on a line of its own that begins with a line break, or nothing. */
export function framesOf(holder: unknown): string {
  const stack = textOr(() => (holder as { stack?: unknown }).stack, "");
  const start = indexOf(stack, "\n    at ");
  return start < 0 ? "" : slice(stack, start);
}

/** Remembers where the program called `above`. The text is made only when it is read. */
export function captureSite(above: (...args: never[]) => unknown): object {
  const site = { __proto__: null, stack: undefined };
  capture(site, above);
  return site;
}
const capture = (Error as unknown as { captureStackTrace(target: object, above: unknown): void }).captureStackTrace;

/** Fixes the form of stacks for good. Positions are flat fours, ascending, all from 1. */
export function fixStacks({ positions, snippets }: Manifest): void {
  const sources: Map<string, Source> = new NativeMap();
  mapSet(sources, PROGRAM, { name: "", positions });
  for (let i = 0; i < snippets.length; i++) {
    const snippet = snippets[i];
    if (snippet !== undefined) mapSet(sources, `snippet-${i}.js`, { name: `${snippet.name} `, positions: snippet.positions });
  }
  const fix = (name: string, value: unknown): void => {
    defineProperty(NativeError, name, { value, writable: false, configurable: false, enumerable: false });
  };
  fix("stackTraceLimit", FRAMES);
  fix("prepareStackTrace", (error: unknown, frames: readonly CallSite[]): string => {
    const head = headOf(error);
    let text = head;
    let unplaced = "";
    for (let i = 0; i < frames.length; i++) {
      const frame = frames[i];
      const source = frame === undefined ? undefined : mapGet(sources, frame.getFileName() ?? "");
      if (frame === undefined || source === undefined) continue;
      const place = placeOf(source.positions, frame.getLineNumber() ?? 1, frame.getColumnNumber() ?? 1);
      if (place !== undefined) text += frameText(frame, source.name + place);
      else if (unplaced === "" && source.positions.length > 0) unplaced = frameText(frame, source.name + startOf(source.positions));
    }
    // A name that is not there is placed at its statement, and the first one may begin with what was put before it.
    return text === head ? head + unplaced : text;
  });
}

function frameText(frame: CallSite, place: string): string {
  const name = frame.getFunctionName() ?? "<anonymous>";
  return `\n    at ${frame.isAsync() ? "async " : ""}${frame.isConstructor() ? "new " : ""}${name} (${place})`;
}

/** Where the model's text begins. */
const startOf = (positions: readonly number[]): string => `${positions[2]}:${positions[3]}`;

/** Where a place of the module stands in the model's text; nothing for what was put around it. */
function placeOf(positions: readonly number[], line: number, column: number): string | undefined {
  if (positions.length === 0) return `${line}:${column}`;
  let low = 0;
  let high = positions.length / 4;
  while (low < high) {
    const middle = (low + high) >> 1;
    const atLine = positions[middle * 4] as number;
    const after = atLine > line || (atLine === line && (positions[middle * 4 + 1] as number) > column);
    if (after) high = middle;
    else low = middle + 1;
  }
  if (low === 0) return undefined;
  const at = (low - 1) * 4;
  const lines = line - (positions[at] as number);
  const sourceLine = positions[at + 2] as number;
  // Text that was taken over unchanged has one entry; its further lines keep their columns.
  if (lines > 0) return `${sourceLine + lines}:${column}`;
  return `${sourceLine}:${(positions[at + 3] as number) + column - (positions[at + 1] as number)}`;
}
