/** A program that nobody kills: what it comes to, what really happens, and how often it comes to each place meanwhile. */

import type { CodemodeOutput } from "../../js-shim/client/index.ts";
import type { Door } from "./door.ts";
import type { Stage } from "./points.ts";
import type { Program } from "./programs.ts";
import type { Witness } from "./witness.ts";

export interface Undisturbed {
  readonly result: string;
  /** Methods and numbers of what happened, sorted. */
  readonly happened: readonly string[];
  readonly tally: Partial<Record<Stage, Readonly<Record<string, number>>>>;
}

export async function undisturbed(door: Door, { name, code }: Program, witness: Witness): Promise<Undisturbed> {
  const tally: Partial<Record<Stage, Record<string, number>>> = {};
  const counted = async <T>(stage: Stage, act: () => Promise<T>): Promise<T> => {
    const count = async (what: string): Promise<number> =>
      (await witness.lines()).filter((line) => line.cell === door.cell && line.what === what).length;
    const [calls, reverts] = [await count("call"), await count("revert")];
    await door.ask({ method: "arm", place: "", nth: 1 });
    const answer = await act();
    const places = await door.ask({ method: "tally" });
    // The first pass is the one that is killed.
    tally[stage] ??= { ...places, "service call": (await count("call")) - calls, "service revert": (await count("revert")) - reverts };
    return answer;
  };

  let output: CodemodeOutput = await counted("execute", () => door.ask({ method: "execute", code }));
  const { executionId } = output;
  for (let passes = 1; output.status === "paused" && passes < 10; passes += 1) {
    output = await counted("approve", () => door.ask({ method: "approve", executionId }));
  }
  if (output.status !== "completed") throw new Error(`"${name}" did not complete undisturbed: ${JSON.stringify(output)}`);
  const lines = (await witness.lines()).filter((line) => line.executionId === executionId);
  await counted("rollback", () => door.ask({ method: "rollback", executionId }));
  const happened = lines.flatMap((line) => (line.what === "call" ? [`${line.method} ${line.n}`] : []));
  return { result: JSON.stringify(output.result), happened: happened.toSorted(), tally };
}
