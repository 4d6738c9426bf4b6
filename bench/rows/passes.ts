/** Whole passes: an empty one, and one with many calls at once. */

import { sandboxed } from "../floors.ts";
import type { Measurement, Place } from "../measurement.ts";
import { rowOf } from "../row.ts";
import type { Row } from "../row.ts";
import { alternate, timed } from "../samples.ts";
import type { Sampler } from "../samples.ts";

/** The same program in both, and what the platform takes for the like of it. */
async function pass(id: string, place: Place, code: string, turns: number, floor: Sampler): Promise<Row> {
  const run = (side: Place["ours"]) => () => timed(() => side.ask(id, { ask: "execute", code, status: "completed" }));
  const samplers = { ours: run(place.ours), ancestor: run(place.ancestor), floor };
  return rowOf({ id, storage: place.storage, unit: "ms" }, await alternate(samplers, turns, place.pick(20, 4)));
}

const ALL = "async () => { await Promise.all(Array.from({ length: 100 }, (_, n) => t.read({ n }))); return 1 }";

export const emptyPass: Measurement = {
  id: "empty_pass",
  measure: async (place) => [await pass("empty_pass", place, "async () => 1", place.pick(150, 20), () => timed(() => place.floor({ ask: "load" })))],
};

export const allAtOnce: Measurement = {
  id: "all_100",
  measure: async (place) => [await pass("all_100", place, ALL, place.pick(60, 4), () => timed(() => sandboxed(place, 100, { together: true })))],
};
