/**
 * The whole matrix: cells in batches, each batch in one workerd, which is killed when all of it stand still; then again for
 * those that are killed twice. Each cell has an Agent and so a runtime of its own. The two placements run beside each other,
 * in a workerd each. Runs in Node.
 */

import type { Patch } from "../../scripts/bundle-harness.mjs";
import { type Runtime, startRuntime } from "../support/miniflare.ts";
import { Cell } from "./cell.ts";
import { Door } from "./door.ts";
import { PLACES } from "./places.ts";
import { type Choice, type Placement, type Plan, plans } from "./plan.ts";
import { PROGRAMS } from "./programs.ts";
import { type Undisturbed, undisturbed } from "./undisturbed.ts";
import { judge, type Problem } from "./verdicts.ts";
import { Witness } from "./witness.ts";

export interface Verdict {
  readonly plan: Plan;
  readonly cell: Cell;
  readonly lines: Awaited<ReturnType<Witness["lines"]>>;
  readonly undisturbed: Undisturbed;
  readonly problems: readonly Problem[];
}

export interface Options extends Choice {
  /** Another runtime than the shipped one with a doorbell. */
  readonly shim?: readonly Patch[];
  readonly finished?: (verdicts: readonly Verdict[]) => void;
}

/** Cells of a workerd at a time: enough to share the cost of a start, few enough for two cores. */
const BATCH = 12;

export async function matrix({ shim = PLACES, finished, ...choice }: Options): Promise<Verdict[]> {
  await using witness = await Witness.start();
  // Before anything is planned: a kill at a place needs to know how often it is come to.
  await using bound = await start("bound", shim, witness);
  const known = new Map(
    await Promise.all(
      PROGRAMS.map(async (program) => {
        const door = new Door(() => bound.url, `undisturbed ${program.name}`);
        return [program.name, await undisturbed(door, program, witness)] as const;
      }),
    ),
  );
  const all = plans(choice, new Map([...known].map(([name, { tally }]) => [name, tally])));
  const lane = async (placement: Placement, running: Runtime): Promise<Verdict[]> => {
    const verdicts: Verdict[] = [];
    for (const batch of batches(all.filter((plan) => plan.placement === placement))) {
      const cells = batch.map((plan) => new Cell(plan, new Door(() => running.url, plan.cell), witness));
      await play(cells, running);
      const lines = await witness.lines();
      const judged = cells.map((cell) => verdictOf(cell, lines, known));
      finished?.(judged);
      verdicts.push(...judged);
    }
    return verdicts;
  };
  const beside = async (): Promise<Verdict[]> => {
    if (all.every(({ placement }) => placement === "bound")) return [];
    await using embedded = await start("embedded", shim, witness);
    return await lane("embedded", embedded);
  };
  const [first, second] = await Promise.all([lane("bound", bound), beside()]);
  return [...first, ...second];
}

async function play(cells: readonly Cell[], running: Runtime): Promise<void> {
  const finishing: Promise<void>[] = [];
  for (let kill = 0; cells.some(({ kills }) => kills > kill); kill += 1) {
    const due = cells.filter(({ kills }) => kills > kill);
    await Promise.all(due.map((cell) => cell.prepare(kill)));
    const standing = due.map((cell) => cell.approach(kill));
    // Those that are killed in passing are among themselves: the kill comes with the first of them, wherever the others are.
    const passing = due.every(({ isPassing }) => isPassing);
    await (passing ? Promise.race(standing) : Promise.all(standing));
    // Nothing that has a way to go is killed for another one's sake.
    await Promise.all(finishing);
    if (!passing) await Promise.all(due.map((cell) => cell.lookAtDisk()));
    await running.crash();
    await Promise.all(standing);
    finishing.push(...due.filter(({ kills }) => kills === kill + 1).map((cell) => cell.finish()));
  }
  await Promise.all(finishing);
}

function verdictOf(cell: Cell, all: Verdict["lines"], known: ReadonlyMap<string, Undisturbed>): Verdict {
  const { plan, findings } = cell;
  const lines = all.filter((line) => line.cell === plan.cell);
  const undisturbed = known.get(plan.program.name) as Undisturbed;
  return { plan, cell, lines, undisturbed, problems: judge({ plan, findings, lines, undisturbed }) };
}

function batches(plans: readonly Plan[]): Plan[][] {
  const passing = (plan: Plan): boolean => plan.point.at !== "rest" && "service" in plan.point.at && plan.point.at.passing === true;
  return [...cut(plans.filter((plan) => !passing(plan)), BATCH), ...cut(plans.filter(passing), BATCH / 3)];
}

function cut<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}

function start(placement: Placement, shim: readonly Patch[], witness: Witness): Promise<Runtime> {
  return startRuntime({
    worker: placement === "bound" ? "tests/chaos/agent.ts" : "tests/chaos/embedded.ts",
    runtime: "tests/chaos/runtime.ts",
    agents: { AGENT: "ChaosAgent" },
    bindings: { WITNESS: witness.url },
    placement,
    variant: { shim },
  });
}
