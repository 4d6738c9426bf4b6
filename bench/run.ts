/**
 * The benchmark: both implementations and the bare platform side by side, in memory and on disk. `npm run bench`; README.md
 * says what each row measures.
 */

import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";

import { stop as stopBundler } from "esbuild";

import { fail } from "../scripts/options.mjs";
import { withProcesses } from "../scripts/processes.mjs";
import { faultsOf } from "./check.ts";
import { floors } from "./floors.ts";
import type { Measurement, Place } from "./measurement.ts";
import { memoryOf } from "./memory.ts";
import { headline, isMemory, lineOf } from "./report.ts";
import type { Row } from "./row.ts";
import { calls } from "./rows/calls.ts";
import { commits } from "./rows/commits.ts";
import { discovery } from "./rows/discovery.ts";
import * as history from "./rows/history.ts";
import { parallel } from "./rows/parallel.ts";
import { allAtOnce, emptyPass } from "./rows/passes.ts";
import { replays } from "./rows/replay.ts";
import { singles } from "./rows/size.ts";
import { startSides } from "./sides.ts";
import type { Storage } from "./sides.ts";

const MEASUREMENTS: readonly Measurement[] = [
  ...floors,
  emptyPass,
  ...calls,
  ...commits,
  allAtOnce,
  ...replays,
  ...discovery,
  history.reading,
  history.growth,
  parallel,
];
const IDS = [...MEASUREMENTS, ...singles].map(({ id }) => id);

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    storage: { type: "string", default: "tmpfs,disk" },
    json: { type: "string" },
  },
});
const { quick, json } = values;
const wanted = chosen("only", values.only ?? IDS.join(), IDS);
const storages = chosen("storage", values.storage, ["tmpfs", "disk"]) as Storage[];
if (storages.includes("tmpfs") && !existsSync("/dev/shm")) fail("this system has no /dev/shm; measure with --storage disk");

function chosen(option: string, text: string, known: readonly string[]): string[] {
  const names = text.split(",");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) fail(`--${option} knows no ${unknown}; there are: ${known.join(", ")}`);
  return names;
}

const isWanted = ({ id }: { id: string }): boolean => wanted.includes(id);
const pick = (full: number, few: number): number => (quick ? few : full);

async function measureAll(storage: Storage, stop: AbortSignal): Promise<Row[]> {
  const chosen = MEASUREMENTS.filter(isWanted);
  if (chosen.length === 0) return [];
  await using sides = await startSides(storage);
  const { ours, ancestor, floor } = sides;
  const place: Place = { storage, ours, ancestor, floor, pick };
  const rows: Row[] = [];
  for (const { id, measure } of chosen) {
    stop.throwIfAborted();
    rows.push(...told(await measure(place)));
    // Of what asked nothing of either there is nothing to say.
    if (!id.startsWith("floor_")) rows.push(await memoryOf(id, place));
  }
  return rows;
}

async function measureSingles(stop: AbortSignal): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { measure } of singles.filter(isWanted)) {
    stop.throwIfAborted();
    rows.push(...told(await measure(pick)));
  }
  return rows;
}

/** As soon as they are measured; memory only at the end. */
function told(rows: Row[]): Row[] {
  for (const row of rows) if (!isMemory(row)) console.log(lineOf(row));
  return rows;
}

process.exit(
  await withProcesses(async (stop) => {
    console.log(headline());
    const rows: Row[] = [];
    for (const storage of storages) rows.push(...(await measureAll(storage, stop)));
    rows.push(...(await measureSingles(stop)));
    for (const row of rows) if (isMemory(row)) console.log(lineOf(row));
    // It would stay to the end, and be waited for.
    await stopBundler();
    const expected = [
      ...MEASUREMENTS.filter(isWanted).map(({ id }) => ({ id, each: "storage" as const })),
      ...singles.filter(isWanted).map(({ id }) => ({ id, each: "run" as const })),
    ];
    const faults = faultsOf(rows, expected, storages);
    if (faults.length > 0) throw new Error(faults.join("\n"));
    if (json !== undefined) await writeFile(json, `${JSON.stringify(rows, null, 2)}\n`);
  }),
);
