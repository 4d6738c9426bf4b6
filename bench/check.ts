/** Whether a run of the benchmark measured what it was to measure. */

import type { Row } from "./row.ts";
import type { Storage } from "./sides.ts";

export type Expected = { id: string; each: "storage" | "run" };

/** What is wrong with the rows; nothing when each expected one is there, whole, and with every figure a number. */
export function faultsOf(rows: readonly Row[], expected: readonly Expected[], storages: readonly Storage[]): string[] {
  const missing = expected.flatMap(({ id, each }) => {
    const places = each === "storage" ? storages : (["none"] as const);
    return places.filter((storage) => !rows.some((row) => row.storage === storage && belongs(row, id))).map((storage) => `no row of ${id} ${storage}`);
  });
  const names = rows.map(({ id, storage }) => `${id} ${storage}`);
  const twice = names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} is there twice`);
  return [...missing, ...twice, ...rows.flatMap(faultsIn)];
}

/** Its own row, or one of the steps of what grows. */
function belongs(row: Row, id: string): boolean {
  return row.id === id || row.id.startsWith(`${id}_`);
}

function faultsIn(row: Row): string[] {
  const { ours, ancestor, floor, ratio, p95, unit, n } = row;
  const figures = { ours, ancestor, floor, ratio, "p95.ours": p95.ours, "p95.ancestor": p95.ancestor, "p95.floor": p95.floor };
  const broken = Object.entries(figures).filter(([, figure]) => figure !== null && !Number.isFinite(figure));
  const faults = broken.map(([name, figure]) => `${name} is ${figure}`);
  if (ours === null && ancestor === null && floor === null) faults.push("it has no figure");
  if (ours !== null && ancestor !== null && ancestor !== 0 && ratio === null) faults.push("it has no ratio");
  if (unit === "" || n < 1) faults.push(`it has ${n} samples in "${unit}"`);
  return faults.map((fault) => `${row.id} ${row.storage}: ${fault}`);
}
