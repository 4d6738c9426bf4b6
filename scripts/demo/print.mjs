// How the demo looks: headings, JSON and tables for a reader, with colour where a terminal shows it (NO_COLOR is respected).

import { styleText } from "node:util";

/**
 * @param {Parameters<typeof styleText>[0]} style
 * @param {string} text
 */
const styled = (style, text) => styleText(style, text, { stream: process.stdout });

let step = 0;

/** @param {string} text */
export function heading(text) {
  step += 1;
  console.log(`\n${styled(["bold", "cyan"], `${step}. ${text}`)}`);
}

/** @param {string} text */
export function note(text) {
  console.log(styled("dim", text));
}

/** Something that was asserted just before. @param {string} text */
export function proven(text) {
  console.log(`${styled("green", "✓")} ${text}`);
}

/** @param {string} code */
export function program(code) {
  const width = String(code.split("\n").length).length;
  const lines = code.trimEnd().split("\n").map((line, index) => `${styled("dim", String(index + 1).padStart(width))}  ${line}`);
  console.log(lines.join("\n"));
}

/** @param {unknown} value */
export function json(value) {
  const text = JSON.stringify(value, null, 2).replaceAll(/\[\s+((?:"[^"]*",?\s*)+)\]/g, (_all, items) => `[${items.replaceAll(/\s*\n\s*/g, " ").trim()}]`);
  console.log(text.replaceAll(/^/gm, "  "));
}

/**
 * Columns as wide as they need to be; numbers to the right.
 *
 * @param {readonly string[]} columns
 * @param {readonly (readonly (string | number)[])[]} rows
 */
export function table(columns, rows) {
  const widths = columns.map((column, index) => Math.max(column.length, ...rows.map((row) => String(row[index]).length)));
  /** @param {readonly (string | number)[]} row */
  const line = (row) =>
    row
      .map((cell, index) => (typeof cell === "number" ? String(cell).padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
      .join("  ")
      .trimEnd();
  console.log(`  ${styled("bold", line(columns))}`);
  for (const row of rows) console.log(`  ${line(row)}`);
}
