/**
 * The program's console: lines for the log. Its output is a function of the program alone, so a replay prints the same.
 *
 * It never throws and reads no clock but the program's. Inside a step it is silent: a replay does not run the step again
 * and could not print what it said.
 */

import { inspect } from "./inspect.ts";
import type { Pass } from "./pass.ts";
import {
  charCodeAt,
  indexOf,
  mapDelete,
  mapGet,
  mapSet,
  NativeError,
  NativeMap,
  repeat,
  slice,
  toWellFormed,
} from "./primordials.ts";
import { currentStep } from "./context.ts";
import { table } from "./table.ts";
import { framesOf } from "./stacks.ts";

/** Longest text of one value; the cap on the whole output is the manifest's. */
const VALUE_BUDGET = 65_536;

export function createConsole(pass: Pass): object {
  const cap = pass.manifest.logBytes;
  let left = cap;
  let cut = false;
  let depth = 0;
  const counts: Map<string, number> = new NativeMap();
  const clocks: Map<string, number> = new NativeMap();

  const print = (text: string): void => {
    if (cut || currentStep() !== undefined) return;
    const line = `${indent(toWellFormed(text), depth)}\n`;
    const fits = fitting(line, left);
    left -= fits.bytes;
    if (fits.units === line.length) return pass.noteConsole(line);
    cut = true;
    const part = slice(line, 0, fits.units);
    pass.noteConsole(`${part}${part === "" ? "" : "\n"}[console output cut at ${cap} bytes]\n`);
  };
  const say = (...values: unknown[]): void => print(format(values, 0));
  const label = (value: unknown): string => (value === undefined ? "default" : format([value], 0));
  const elapsed = (name: string): string => {
    const start = mapGet(clocks, name);
    return start === undefined ? `${name}: no such timer` : `${name}: ${pass.now - start}ms`;
  };

  const methods = {
    log: say,
    info: say,
    warn: say,
    error: say,
    debug: say,
    trace: (...values: unknown[]): void => {
      const text = values.length === 0 ? "Trace" : `Trace: ${format(values, 0)}`;
      print(text + framesOf(new NativeError()));
    },
    dir: (value?: unknown): void => print(inspect(value, VALUE_BUDGET)),
    dirxml: say,
    table: (value?: unknown, columns?: unknown): void => print(table(value, columns) ?? format([value], 0)),
    group: (...values: unknown[]): void => {
      if (values.length > 0) say(format(values, 0));
      if (currentStep() === undefined) depth++;
    },
    groupCollapsed: (...values: unknown[]): void => methods.group(format(values, 0)),
    groupEnd: (): void => {
      if (depth > 0 && currentStep() === undefined) depth--;
    },
    assert: (condition?: unknown, ...values: unknown[]): void => {
      if (!condition) print(values.length === 0 ? "Assertion failed" : `Assertion failed: ${format(values, 0)}`);
    },
    count: (name?: unknown): void => {
      const key = label(name);
      const count = (mapGet(counts, key) ?? 0) + 1;
      if (currentStep() === undefined) mapSet(counts, key, count);
      print(`${key}: ${count}`);
    },
    countReset: (name?: unknown): void => {
      if (currentStep() === undefined) mapDelete(counts, label(name));
    },
    time: (name?: unknown): void => {
      if (currentStep() === undefined) mapSet(clocks, label(name), pass.now);
    },
    timeLog: (name?: unknown, ...values: unknown[]): void => {
      const rest = values.length === 0 ? "" : ` ${format(values, 0)}`;
      print(elapsed(label(name)) + rest);
    },
    timeEnd: (name?: unknown): void => {
      const key = label(name);
      print(elapsed(key));
      if (currentStep() === undefined) mapDelete(clocks, key);
    },
    clear: (): void => {},
    timeStamp: (): void => {},
    profile: (): void => {},
    profileEnd: (): void => {},
  };
  return methods;
}

/** The arguments of one call from `from` on as one text: strings as they are, a leading format string filled in. */
function format(values: readonly unknown[], from: number): string {
  let text = "";
  let next = from;
  const first = values[from];
  if (typeof first === "string" && values.length > from + 1 && indexOf(first, "%") >= 0) {
    next = from + 1;
    let at = 0;
    for (let mark = indexOf(first, "%"); mark >= 0; mark = indexOf(first, "%", at)) {
      text += slice(first, at, mark);
      const letter = slice(first, mark + 1, mark + 2);
      at = mark + 2;
      if (letter === "%") text += "%";
      else if (letter === "" || indexOf("sdifoOjc", letter) < 0 || next >= values.length) text += `%${letter}`;
      else text += directive(letter, values[next++]);
    }
    text += slice(first, at);
    if (next < values.length) text += " ";
  }
  for (let i = next; i < values.length; i++) {
    if (i > next) text += " ";
    text += shown(values[i]);
  }
  return text;
}

function directive(letter: string, value: unknown): string {
  switch (letter) {
    case "c":
      return "";
    case "d":
    case "i":
    case "f": {
      if (typeof value !== "number" && typeof value !== "string") return shown(value);
      const number = +value;
      return `${letter === "i" && number === number ? number - (number % 1) : number}`;
    }
    default:
      return shown(value);
  }
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : inspect(value, VALUE_BUDGET);
}

/** Each line of a text moved in by the open groups. */
function indent(text: string, depth: number): string {
  if (depth === 0) return text;
  const margin = repeat("  ", depth < 20 ? depth : 20);
  let moved = margin;
  let at = 0;
  for (let end = indexOf(text, "\n"); end >= 0; end = indexOf(text, "\n", at)) {
    moved += slice(text, at, end + 1) + margin;
    at = end + 1;
  }
  return moved + slice(text, at);
}

/** How much of a well-formed text fits into so many bytes of UTF-8; no character is split. */
function fitting(text: string, room: number): { units: number; bytes: number } {
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const unit = charCodeAt(text, at);
    const pair = unit >= 0xd800 && unit <= 0xdfff;
    const size = unit < 0x80 ? 1 : unit < 0x800 ? 2 : pair ? 4 : 3;
    if (bytes + size > room) break;
    bytes += size;
    at += pair ? 2 : 1;
  }
  return { units: at, bytes };
}
