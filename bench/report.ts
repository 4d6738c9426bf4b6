/** The table that is read: a line for each row as soon as it is measured, with what it is to come to. */

import type { Row } from "./row.ts";
import { ratio } from "./row.ts";

/** What the ratio is to be at most; of `parallel_16` at least. */
export const AIMS: Readonly<Record<string, { tmpfs: number; disk: number }>> = {
  empty_pass: { tmpfs: 1, disk: 0.9 },
  call_read: { tmpfs: 0.4, disk: 0.15 },
  call_write: { tmpfs: 0.6, disk: 0.5 },
  all_100: { tmpfs: 0.4, disk: 0.15 },
  growth_calls: { tmpfs: 1.3, disk: 1.3 },
};

const COLUMNS = ["ours", "ancestor", "floor", "ratio", "aim", "to floor", "p95 ours", "p95 anc."];

export function headline(): string {
  return line("measured", "unit", COLUMNS, "n");
}

export function lineOf(row: Row): string {
  const aim = row.storage === "none" ? undefined : AIMS[row.id]?.[row.storage];
  const figures = [row.ours, row.ancestor, row.floor, row.ratio, aim ?? null, ratio(row.ours, row.floor), row.p95.ours, row.p95.ancestor];
  return line(`${row.id} ${row.storage}`, row.unit, figures.map(shown), `${row.n}`);
}

function line(name: string, unit: string, columns: readonly string[], n: string): string {
  return `${name.padEnd(32)} ${unit.padEnd(9)} ${columns.map((text) => text.padStart(9)).join(" ")} ${n.padStart(5)}`;
}

function shown(figure: number | null): string {
  if (figure === null) return "";
  return Math.abs(figure) < 10 ? figure.toFixed(3) : figure.toFixed(1);
}
