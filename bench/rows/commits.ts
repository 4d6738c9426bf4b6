/**
 * How many commits one more call takes. Each is counted in a new object, and of several counts the least is taken: a flush
 * that comes because time has passed is a commit that no call waits for, and a busy machine has more of them.
 */

import type { Measurement, Place } from "../measurement.ts";
import { figureOf } from "../row.ts";
import type { Side } from "../sides.ts";
import { commitsOf } from "../wal.ts";
import type { Kind } from "./calls.ts";
import { program } from "./calls.ts";

const CALLS = 25;

let objects = 0;

async function perCall(side: Side, kind: Kind, turns: number): Promise<number> {
  const least = async (count: number): Promise<number> => {
    let least = Infinity;
    for (let turn = 0; turn < turns; turn += 1) {
      const object = `commits-${(objects += 1)}`;
      const run = (): Promise<string> => side.ask(object, { ask: "execute", code: program(kind, count), status: "completed" });
      least = Math.min(least, await commitsOf(side.folder, run));
    }
    return least;
  };
  const few = await least(CALLS);
  return (await least(2 * CALLS) - few) / CALLS;
}

const counted = (id: string, kind: Kind): Measurement => ({
  id,
  async measure(place: Place) {
    const n = place.pick(12, 3);
    const [ours, ancestor] = [await perCall(place.ours, kind, n), await perCall(place.ancestor, kind, n)];
    const floor = kind === "write" ? 1 : 0;
    return [figureOf({ id, storage: place.storage, unit: "commits" }, { ours, ancestor, floor, n })];
  },
});

export const commits: readonly Measurement[] = [counted("commits_read", "read"), counted("commits_write", "write")];
