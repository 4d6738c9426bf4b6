/** How many passes of ten calls one Agent gets through in a second when there are always sixteen at once. */

import { sandboxed } from "../floors.ts";
import type { Measurement } from "../measurement.ts";
import { rowOf } from "../row.ts";
import { alternate, timed } from "../samples.ts";
import type { Side } from "../sides.ts";
import { program } from "./calls.ts";

const AT_ONCE = 16;
const CALLS = 10;

async function passesPerSecond(passes: number, pass: () => Promise<unknown>): Promise<number> {
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (begun < passes) {
      begun += 1;
      await pass();
    }
  };
  const time = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, worker)));
  return (passes * 1_000) / time;
}

export const parallel: Measurement = {
  id: "parallel_16",
  async measure(place) {
    const id = "parallel_16";
    const passes = place.pick(320, 48);
    const run = (side: Side) => () => passesPerSecond(passes, () => side.ask(id, { ask: "execute", code: program("read", CALLS), status: "completed" }));
    const floor = () => passesPerSecond(passes, () => sandboxed(place, CALLS, {}));
    const samples = await alternate({ ours: run(place.ours), ancestor: run(place.ancestor), floor }, place.pick(8, 1), 1);
    return [rowOf({ id, storage: place.storage, unit: "passes/s" }, samples)];
  },
};
