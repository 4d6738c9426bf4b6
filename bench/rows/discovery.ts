/** Finding and reading methods, and what it costs to have many: at the first contact, in any pass, in a search. */

import { sandboxed } from "../floors.ts";
import type { Question } from "../hosts/agent.ts";
import type { Measurement, Place } from "../measurement.ts";
import { memoryOf } from "../memory.ts";
import { rowOf } from "../row.ts";
import type { Row } from "../row.ts";
import { alternate, timed } from "../samples.ts";
import type { Sampler } from "../samples.ts";
import type { Side } from "../sides.ts";

const MANY = 10_000;
const STEPS = [100, 1_000, 4_000, 16_000];
const QUICK_STEPS = 2;

const SEARCH = `async () => { const { results } = await codemode.search("create issue"); if (results.length === 0) throw new Error("nothing found"); return 1 }`;
const search: Question = { ask: "execute", code: SEARCH, status: "completed" };
const empty: Question = { ask: "execute", code: "async () => 1", status: "completed" };
const describe: Question = { ask: "describe", target: "g" };
/** Needs all that is needed of the methods, and next to nothing beside. */
const first: Question = { ask: "describe", target: "t.read" };

/** Of a catalogue that is known: the same runtime has been asked before. */
async function known(id: string, place: Place, methods: number, question: Question, turns: number, floor?: Sampler): Promise<Row> {
  const ask = (side: Side) => () => timed(() => side.ask(`methods-${methods}`, question, { methods }));
  const samplers = { ours: ask(place.ours), ancestor: ask(place.ancestor), ...(floor !== undefined && { floor }) };
  return rowOf({ id, storage: place.storage, unit: "ms" }, await alternate(samplers, turns, 2));
}

let objects = 0;

/** The first contact of a new Agent, for each method. */
async function learnt(id: string, place: Place, methods: number): Promise<Row> {
  const ask = (side: Side) => async () => {
    const object = `learnt-${(objects += 1)}`;
    // The object itself is there before.
    await side.ask(object, { ask: "nothing" }, { methods });
    return (await timed(() => side.ask(object, first, { methods }))) * (1_000 / methods);
  };
  const samples = await alternate({ ours: ask(place.ours), ancestor: ask(place.ancestor) }, place.pick(5, 1), 1);
  return rowOf({ id, storage: place.storage, unit: "us/method" }, samples);
}

const growth: Measurement = {
  id: "growth_methods",
  async measure(place) {
    const rows: Row[] = [];
    for (const methods of STEPS.slice(0, place.pick(STEPS.length, QUICK_STEPS))) {
      const id = `growth_methods_${methods}`;
      rows.push(await learnt(`${id}_first`, place, methods));
      rows.push(await known(`${id}_pass`, place, methods, empty, place.pick(20, 3)));
      rows.push(await known(`${id}_search`, place, methods, search, place.pick(20, 3)));
      rows.push(await memoryOf(id, place));
    }
    return rows;
  },
};

export const discovery: readonly Measurement[] = [
  {
    id: "search_10k",
    measure: async (place) => [await known("search_10k", place, MANY, search, place.pick(40, 3), () => timed(() => sandboxed(place, 1, {})))],
  },
  {
    id: "describe_10k",
    measure: async (place) => [await known("describe_10k", place, MANY, describe, place.pick(40, 3), () => timed(() => place.floor({ ask: "nothing" })))],
  },
  growth,
];
