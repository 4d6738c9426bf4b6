/** Resident memory of the processes at one moment. */

import type { Place } from "./measurement.ts";
import { figureOf } from "./row.ts";
import type { Row } from "./row.ts";

/** After what has that id. */
export async function memoryOf(id: string, { ours, ancestor, storage }: Place): Promise<Row> {
  const memory = { ours: (await ours.memory()) / 2 ** 20, ancestor: (await ancestor.memory()) / 2 ** 20 };
  return figureOf({ id: `memory_${id}`, storage, unit: "MiB" }, memory);
}
