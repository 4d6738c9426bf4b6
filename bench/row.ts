/** One line of the table, and of the JSON file: what was measured, of whom, and what it is held against. */

import { quantile } from "./samples.ts";
import type { Samples } from "./samples.ts";
import type { Storage } from "./sides.ts";

/** `none`: it has nothing to do with storage, and is measured once. */
export type RowStorage = Storage | "none";

export type Row = {
  id: string;
  storage: RowStorage;
  /** The median of each; `null` where there is none. */
  ours: number | null;
  ancestor: number | null;
  floor: number | null;
  /** Ours / ancestor. */
  ratio: number | null;
  unit: string;
  /** How many samples of each. */
  n: number;
  /** 95 of 100 samples do not exceed it. */
  p95: { ours: number | null; ancestor: number | null; floor: number | null };
};

export type Heading = Pick<Row, "id" | "storage" | "unit">;

/** `floor` is for one that is known and not measured. */
export function rowOf(heading: Heading, samples: Samples, floor = quantile(samples.floor, 0.5)): Row {
  const ours = quantile(samples.ours, 0.5);
  const ancestor = quantile(samples.ancestor, 0.5);
  return {
    ...heading,
    ours,
    ancestor,
    floor,
    ratio: ratio(ours, ancestor),
    n: Math.max(samples.ours.length, samples.ancestor.length, samples.floor.length),
    p95: { ours: quantile(samples.ours, 0.95), ancestor: quantile(samples.ancestor, 0.95), floor: quantile(samples.floor, 0.95) },
  };
}

export function ratio(value: number | null, to: number | null): number | null {
  return value === null || to === null || to === 0 ? null : value / to;
}
