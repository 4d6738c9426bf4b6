/** Which program is killed at which point, and how whoever comes after gets out of it. */

import { chanceOf } from "../crash/programs.ts";
import { POINTS, type At, type Point, type Stage } from "./points.ts";
import { PROGRAMS, type Program } from "./programs.ts";

export type Placement = "bound" | "embedded";

/** What a person wants of the run after the kill. */
export type Way = "on" | "undo" | "expire" | "cancel" | "reject" | "delete";

export interface Plan {
  /** Names its Agent, and so its runtime. */
  readonly cell: string;
  readonly placement: Placement;
  readonly program: Program;
  readonly point: Point;
  /** The how manyeth time at the place it is. */
  readonly nth: number;
  readonly way: Way;
  /** Places of the kills that follow on the way out. */
  readonly again: readonly string[];
  /** A call in doubt that happened is made again all the same, because a person says so. */
  readonly rerunsAnyway: boolean;
}

/** How often an undisturbed run comes to each place, for each thing it is asked to do. */
export type Tallies = ReadonlyMap<string, Partial<Record<Stage, Readonly<Record<string, number>>>>>;

export interface Choice {
  readonly runs: number;
  readonly seed: number;
  /** Whether a kill point of that name is wanted. */
  readonly wants?: ((name: string) => boolean) | undefined;
}

/** Where it may be killed while someone brings it to its end. */
const AGAIN = [
  "before decision", "after decision", "before intent", "after intent", "after reply", "after outcome", "before end", "after end", "before telling",
  "after telling", "before revert", "revert heard",
];

/** As many runs for each point, each with other programs as far as there are any; every third run embedded. */
export function plans({ runs, seed, wants = () => true }: Choice, tallies: Tallies): Plan[] {
  const chance = chanceOf(seed);
  const whole = (below: number): number => Math.floor(chance(below));
  const points = POINTS.filter(({ name }) => wants(name));
  const rows = points.map((point) => ({ point, programs: shuffled(fitting(point, tallies), whole) }));
  const empty = rows.find(({ programs }) => programs.length === 0);
  if (empty !== undefined) throw new Error(`no program comes to "${empty.point.name}"`);
  return Array.from({ length: rows.length === 0 ? 0 : runs }, (_, number) => {
    const { point, programs } = rows[number % rows.length] as (typeof rows)[number];
    const program = programs[Math.floor(number / rows.length) % programs.length] as Program;
    return {
      cell: `run-${number}`,
      placement: whole(3) === 0 ? "embedded" : "bound",
      program,
      point,
      nth: nthOf(point, timesAt(point, program, tallies), whole),
      way: wayOf(point.stage, whole),
      again: Array.from({ length: point.again ?? 0 }, () => AGAIN[whole(AGAIN.length)] ?? ""),
      rerunsAnyway: whole(4) === 0,
    } satisfies Plan;
  });
}

/** What a tally says of a point. */
export function placeOf(at: Exclude<At, "rest">): string {
  return "place" in at ? at.place : `service ${at.service}`;
}

function fitting(point: Point, tallies: Tallies): Program[] {
  return PROGRAMS.filter(
    (program) =>
      (point.gated === undefined || point.gated === (program.gated === true)) &&
      (point.programs?.includes(program.name) ?? true) &&
      timesAt(point, program, tallies) >= (point.nth === "later" ? 2 : 1),
  );
}

/** What only happens after a kill has no undisturbed run to be counted in, and is come to once. */
function timesAt({ at, stage }: Point, program: Program, tallies: Tallies): number {
  if (at === "rest") return 1;
  const tally = tallies.get(program.name)?.[stage];
  return tally === undefined ? 1 : (tally[placeOf(at)] ?? 0);
}

function nthOf({ nth }: Point, times: number, whole: (below: number) => number): number {
  if (nth === "first") return 1;
  return nth === "later" ? 2 + whole(times - 1) : 1 + whole(times);
}

function wayOf(stage: Stage, whole: (below: number) => number): Way {
  switch (stage) {
    case "rollback":
      return "undo";
    case "expire":
    case "reject":
    case "cancel":
    case "delete":
      return stage;
    case "execute":
    case "approve":
    case "recover":
    case "resolve":
      return (["undo", "expire", "cancel", "delete"] as const)[whole(16)] ?? "on";
    default:
      return stage satisfies never;
  }
}

function shuffled<T>(list: readonly T[], whole: (below: number) => number): T[] {
  const left = [...list];
  return Array.from(list, () => left.splice(whole(left.length), 1)[0] as T);
}
