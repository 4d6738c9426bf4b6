/**
 * The benchmark: both implementations and the bare platform side by side, on memory and on disk. `npm run bench`; README.md
 * says what each row measures.
 */

import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";

import { stop as stopBundler } from "esbuild";

import { fail } from "../scripts/options.mjs";
import { withProcesses } from "../scripts/processes.mjs";
import { floors } from "./floors.ts";
import type { Measurement, Place } from "./measurement.ts";
import { headline, lineOf } from "./report.ts";
import type { Row } from "./row.ts";
import { calls } from "./rows/calls.ts";
import { allAtOnce, emptyPass } from "./rows/passes.ts";
import { startSides } from "./sides.ts";
import type { Storage } from "./sides.ts";

const MEASUREMENTS: readonly Measurement[] = [emptyPass, ...calls, allAtOnce, ...floors];

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    storage: { type: "string", default: "tmpfs,disk" },
    json: { type: "string" },
  },
});
const { quick, json } = values;
const wanted = chosen("only", values.only ?? MEASUREMENTS.map(({ id }) => id).join(), MEASUREMENTS.map(({ id }) => id));
const storages = chosen("storage", values.storage, ["tmpfs", "disk"]) as Storage[];
if (storages.includes("tmpfs") && !existsSync("/dev/shm")) fail("this system has no /dev/shm; measure with --storage disk");

function chosen(option: string, text: string, known: readonly string[]): string[] {
  const names = text.split(",");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) fail(`--${option} knows no ${unknown}; there are: ${known.join(", ")}`);
  return names;
}

async function measureAll(storage: Storage, stop: AbortSignal): Promise<Row[]> {
  await using sides = await startSides(storage);
  // It would stay to the end, and be waited for.
  await stopBundler();
  const { ours, ancestor } = sides;
  const place: Place = {
    storage,
    ours,
    ancestor,
    both: [ours, ancestor],
    floor: sides.floor,
    [Symbol.asyncDispose]: sides[Symbol.asyncDispose],
    quick,
    pick: (full, few) => (quick ? few : full),
  };
  const rows: Row[] = [];
  for (const measurement of MEASUREMENTS.filter(({ id }) => wanted.includes(id))) {
    stop.throwIfAborted();
    for (const row of await measurement.measure(place)) {
      console.log(lineOf(row));
      rows.push(row);
    }
  }
  return rows;
}

process.exit(
  await withProcesses(async (stop) => {
    console.log(headline());
    const rows: Row[] = [];
    for (const storage of storages) rows.push(...(await measureAll(storage, stop)));
    if (json !== undefined) await writeFile(json, `${JSON.stringify(rows, null, 2)}\n`);
  }),
);
