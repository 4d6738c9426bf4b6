/** Runs that are kept: reading them, and whether a new one costs more because of them. */

import type { Measurement, Place } from "../measurement.ts";
import { memoryOf } from "../memory.ts";
import { growthOf, rowOf } from "../row.ts";
import type { Row } from "../row.ts";
import { alternate, timed } from "../samples.ts";
import type { Side } from "../sides.ts";
import { program } from "./calls.ts";

const RUNS = 50;
const CALLS = 100;

async function fill(place: Place, object: string, runs: number, calls: number): Promise<void> {
  for (const side of [place.ours, place.ancestor]) {
    for (let run = 0; run < runs; run += 1) {
      await side.ask(object, { ask: "execute", code: program("read", calls), status: "completed" }, { keep: runs });
    }
  }
}

export const reading: Measurement = {
  id: "executions_50x100",
  async measure(place) {
    const id = "executions_50x100";
    await fill(place, id, RUNS, CALLS);
    const ask = (side: Side) => () => timed(() => side.ask(id, { ask: "executions", limit: RUNS, entries: CALLS }, { keep: RUNS }));
    const floor = () => timed(() => place.floor({ ask: "nothing" }));
    const samples = await alternate({ ours: ask(place.ours), ancestor: ask(place.ancestor), floor }, place.pick(60, 10), 3);
    return [rowOf({ id, storage: place.storage, unit: "ms" }, samples)];
  },
};

/** A pass of ten calls while so many are kept, one of which makes room for it. */
async function passAmong(place: Place, kept: number): Promise<Row> {
  const id = `growth_kept_${kept}`;
  await fill(place, id, kept, 10);
  const run = (side: Side) => () => timed(() => side.ask(id, { ask: "execute", code: program("read", 10), status: "completed" }, { keep: kept }));
  const samples = await alternate({ ours: run(place.ours), ancestor: run(place.ancestor) }, place.pick(60, 10), 3);
  return rowOf({ id, storage: place.storage, unit: "ms" }, samples);
}

export const growth: Measurement = {
  id: "growth_kept",
  async measure(place) {
    const few = await passAmong(place, 10);
    const fewMemory = await memoryOf(few.id, place);
    const many = await passAmong(place, place.pick(1_000, 40));
    const manyMemory = await memoryOf(many.id, place);
    return [few, fewMemory, many, manyMemory, growthOf("growth_kept", few, many)];
  },
};
