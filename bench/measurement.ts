/** What a measurement is, and what it is given to measure with. */

import type { Row } from "./row.ts";
import type { Side, Sides, Storage } from "./sides.ts";

/** The first where time is no matter; the second with `--quick`, only to see that it runs. */
export type Pick = (full: number, quick: number) => number;

export type Place = {
  readonly storage: Storage;
  readonly ours: Side;
  readonly ancestor: Side;
  readonly floor: Sides["floor"];
  readonly pick: Pick;
};

/** `id` is what `--only` names; its rows have this id, or ids that begin with it. */
export type Measurement = { id: string; measure(place: Place): Promise<Row[]> };

/** What has nothing to do with storage, and is measured once. */
export type Single = { id: string; measure(pick: Pick): Promise<Row[]> };
