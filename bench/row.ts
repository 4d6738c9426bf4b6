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

/** Of samples. */
export function rowOf(heading: Heading, { ours, ancestor, floor }: Samples): Row {
  const at = (part: number) => ({ ours: quantile(ours, part), ancestor: quantile(ancestor, part), floor: quantile(floor, part) });
  const medians = at(0.5);
  const n = Math.max(ours.length, ancestor.length, floor.length);
  return { ...heading, ...medians, ratio: ratio(medians.ours, medians.ancestor), n, p95: at(0.95) };
}

/** Of what is counted or derived, and has no spread. */
export function figureOf(heading: Heading, { ours, ancestor, floor = null, n = 1 }: { ours: number | null; ancestor: number | null; floor?: number | null; n?: number }): Row {
  return { ...heading, ours, ancestor, floor, ratio: ratio(ours, ancestor), n, p95: { ours: null, ancestor: null, floor: null } };
}

/** How much dearer the second is than the first. The aim is that ours does not grow, so `ratio` is ours too, and not ours / ancestor. */
export function growthOf(id: string, few: Row, many: Row): Row {
  const [ours, ancestor] = [ratio(many.ours, few.ours), ratio(many.ancestor, few.ancestor)];
  return { ...figureOf({ id, storage: few.storage, unit: "x" }, { ours, ancestor, floor: 1, n: many.n }), ratio: ours };
}

export function ratio(value: number | null, to: number | null): number | null {
  return value === null || to === null || to === 0 ? null : value / to;
}
