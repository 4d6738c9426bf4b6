/** The table that is read: a line for each row as soon as it is measured, with what it is to come to. */

import type { Row, RowStorage } from "./row.ts";
import { ratio } from "./row.ts";

/** What is to come of it: of the ratio, or of ours alone. */
const AIMS: Readonly<Record<string, { tmpfs: string; disk: string } | { none: string }>> = {
  empty_pass: { tmpfs: "<= 1.00", disk: "<= 0.90" },
  call_read: { tmpfs: "<= 0.40", disk: "<= 0.15" },
  call_write: { tmpfs: "<= 0.60", disk: "<= 0.50" },
  commits_read: { tmpfs: "0", disk: "0" },
  commits_write: { tmpfs: "1", disk: "1" },
  all_100: { tmpfs: "<= 0.40", disk: "<= 0.15" },
  replay_100B: { tmpfs: "<= 0.06", disk: "<= 0.06" },
  replay_10KB: { tmpfs: "<= 0.20", disk: "<= 0.20" },
  search_10k: { tmpfs: "<= 0.15", disk: "<= 0.15" },
  describe_10k: { tmpfs: "<= 0.10", disk: "<= 0.10" },
  executions_50x100: { tmpfs: "<= 0.35", disk: "<= 0.35" },
  parallel_16: { tmpfs: ">= 1.60", disk: ">= 2.50" },
  growth_calls: { tmpfs: "<= 1.30", disk: "<= 1.30" },
  bundle_gzip: { none: "<= 900 KB" },
  instantiate: { none: "<= 30 ms" },
};

const COLUMNS = ["ours", "ancestor", "floor", "ratio", "aim", "to floor", "p95 ours", "p95 anc."];

export function headline(): string {
  return line("measured", "unit", COLUMNS, "n");
}

export function lineOf(row: Row): string {
  const { id, storage, unit, ours, ancestor, floor, p95, n } = row;
  const aims: Partial<Record<RowStorage, string>> = AIMS[id] ?? {};
  const before = [ours, ancestor, floor, row.ratio].map(shown);
  const after = [ratio(ours, floor), p95.ours, p95.ancestor].map(shown);
  return line(`${id} ${storage}`, unit, [...before, aims[storage] ?? "", ...after], `${n}`);
}

export function isMemory({ unit }: Row): boolean {
  return unit === "MiB";
}

function line(name: string, unit: string, columns: readonly string[], n: string): string {
  return `${name.padEnd(32)} ${unit.padEnd(9)} ${columns.map((text) => text.padStart(9)).join(" ")} ${n.padStart(5)}`;
}

function shown(figure: number | null): string {
  if (figure === null) return "";
  return Math.abs(figure) < 10 ? figure.toFixed(3) : figure.toFixed(1);
}
