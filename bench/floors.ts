/** The bare platform: its own rows, and what it takes for the like of a call. */

import type { Calls } from "./hosts/floor.ts";
import type { Measurement, Place } from "./measurement.ts";
import { rowOf } from "./row.ts";
import { alternate, slope, timed } from "./samples.ts";
import type { Sampler } from "./samples.ts";

/** A fresh isolate that calls over two hops. */
export function sandboxed(place: Place, count: number, how: Partial<Calls>): Promise<void> {
  return place.floor({ ask: "calls", calls: { count, commit: false, together: false, ...how } });
}

function floor(id: string, sampler: (place: Place) => Sampler, turns: readonly [full: number, quick: number]): Measurement {
  return {
    id,
    async measure(place) {
      const samples = await alternate({ floor: sampler(place) }, place.pick(...turns), 5);
      return [rowOf({ id, storage: place.storage, unit: "ms" }, samples)];
    },
  };
}

export const floors: readonly Measurement[] = [
  floor("floor_nothing", (place) => () => timed(() => place.floor({ ask: "nothing" })), [300, 50]),
  floor("floor_load", (place) => () => timed(() => place.floor({ ask: "load" })), [150, 20]),
  floor("floor_harness", (place) => () => timed(() => place.floor({ ask: "harness" })), [150, 20]),
  floor("floor_warm", (place) => () => timed(() => place.floor({ ask: "warm" })), [150, 20]),
  floor("floor_hop", (place) => () => slope(place.pick(500, 200), (count) => place.floor({ ask: "hop", count })), [40, 5]),
  floor("floor_commit", (place) => () => slope(place.pick(200, 50), (count) => place.floor({ ask: "commits", count })), [40, 5]),
];
