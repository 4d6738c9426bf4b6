/**
 * What one recorded call costs when a program runs again after an approval: the time of the approval with many recorded
 * calls, less that with none, for each of them. The pass before it is not timed.
 */

import type { Measurement, Place } from "../measurement.ts";
import { rowOf } from "../row.ts";
import { alternate, timed } from "../samples.ts";
import type { Side } from "../sides.ts";

function program(count: number, length: number): string {
  return `async () => { for (let n = 0; n < ${count}; n++) await t.blob({ n, length: ${length} }); await t.gate({}); return 1 }`;
}

/** What was paused is finished by the approval, so few have to be kept. */
const runtime = { keep: 5 };

async function approval(side: Side, object: string, code: string): Promise<number> {
  const executionId = await side.ask(object, { ask: "execute", code, status: "paused" }, runtime);
  return await timed(() => side.ask(object, { ask: "approve", executionId }, runtime));
}

const replayed = (id: string, length: number): Measurement => ({
  id,
  async measure(place: Place) {
    const count = place.pick(1_000, 100);
    const sample = (side: Side) => async () => {
      const none = await approval(side, id, program(0, length));
      return ((await approval(side, id, program(count, length))) - none) / count;
    };
    const samples = await alternate({ ours: sample(place.ours), ancestor: sample(place.ancestor) }, place.pick(15, 3), 1);
    return [rowOf({ id, storage: place.storage, unit: "ms" }, samples)];
  },
});

export const replays: readonly Measurement[] = [replayed("replay_100B", 100), replayed("replay_10KB", 10_000)];
