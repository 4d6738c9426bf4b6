/** What one more call in a program costs, one after the other, and how that grows with the calls that were before it. */

import { sandboxed } from "../floors.ts";
import type { Measurement, Place } from "../measurement.ts";
import { memoryOf } from "../memory.ts";
import { growthOf, rowOf } from "../row.ts";
import type { Row } from "../row.ts";
import { alternate, slope } from "../samples.ts";
import type { Side } from "../sides.ts";

export type Kind = "read" | "write";

export function program(kind: Kind, count: number): string {
  return `async () => { for (let n = 0; n < ${count}; n++) await t.${kind}({ n }); return 1 }`;
}

async function oneMore(id: string, place: Place, kind: Kind, count: number, turns: number): Promise<Row> {
  const run = (side: Side) => () => slope(count, (count) => side.ask(id, { ask: "execute", code: program(kind, count), status: "completed" }));
  const floor = () => slope(count, (count) => sandboxed(place, count, { commit: kind === "write" }));
  const samples = await alternate({ ours: run(place.ours), ancestor: run(place.ancestor), floor }, turns, 1);
  return rowOf({ id, storage: place.storage, unit: "ms" }, samples);
}

const single = (id: string, kind: Kind): Measurement => ({
  id,
  measure: async (place) => [await oneMore(id, place, kind, place.pick(200, 100), place.pick(30, 5))],
});

/** Up to the greatest number of calls that a program may make; not so far with `--quick`. */
const STEPS: readonly [calls: number, full: number, quick: number][] = [[10, 60, 5], [100, 30, 3], [1_000, 10, 1], [10_000, 3, 0]];

/** Of the last half of so many calls. `growth_calls` itself is what the dearest step costs against that of 100. */
const growth: Measurement = {
  id: "growth_calls",
  async measure(place) {
    const rows: Row[] = [];
    const steps: Row[] = [];
    for (const [calls, full, quick] of STEPS) {
      const turns = place.pick(full, quick);
      if (turns === 0) continue;
      const row = await oneMore(`growth_calls_${calls}`, place, "read", calls / 2, turns);
      steps.push(row);
      rows.push(row, await memoryOf(row.id, place));
    }
    const [, few] = steps;
    const most = steps.at(-1);
    if (few === undefined || most === undefined) throw new Error("growth needs its steps");
    return [...rows, growthOf("growth_calls", few, most)];
  },
};

export const calls: readonly Measurement[] = [single("call_read", "read"), single("call_write", "write"), growth];
