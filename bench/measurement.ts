/** What a measurement is, and what it is given to measure with. */

import type { Row } from "./row.ts";
import type { Side, Sides, Storage } from "./sides.ts";

export type Place = Sides & {
  readonly storage: Storage;
  readonly both: readonly [ours: Side, ancestor: Side];
  /** `--quick`: only to see that it runs. */
  readonly quick: boolean;
  /** The first where time is no matter, the second with `--quick`. */
  pick(full: number, quick: number): number;
};

export type Measurement = {
  /** What `--only` names. Its rows have this id, or ids that begin with it. */
  readonly id: string;
  measure(place: Place): Promise<Row[]>;
};
