/** Reading a journal from outside (`src/engine/journal.rs` says what it holds). */

import type { Dice } from "./dice.ts";

type Outcome = "reexecute" | { value: unknown } | { failure: unknown };
export type Event =
  | { kind: "begin" | "pass" }
  | { kind: "deliver"; order: number[] }
  | { kind: "intent"; operation: number; call: { connector: string; method: string } }
  | { kind: "outcome"; operation: number; outcome: Outcome }
  | { kind: "attempt" | "pending" | "approved" | "refused" | "in_doubt"; operation: number }
  | { kind: "end"; end: { status: string } };

export interface Tally {
  calls: number;
  lookups: number;
  deliveries: number;
  timers: number;
  locals: number;
}

export function eventOf(line: string): Event {
  return JSON.parse(line) as Event;
}

export function statusAfter(lines: readonly string[]): string {
  let status = "running";
  for (const event of lines.map(eventOf)) {
    if (event.kind === "pass") status = "running";
    if (event.kind === "end") status = event.end.status;
  }
  return status;
}

export function tallyOf(lines: readonly string[]): Tally {
  const tally: Tally = { calls: 0, lookups: 0, deliveries: 0, timers: 0, locals: 0 };
  for (const event of lines.map(eventOf)) {
    if (event.kind === "intent") tally[event.operation % 4 === 0 ? "calls" : "lookups"] += 1;
    if (event.kind !== "deliver") continue;
    for (let i = 0; i < event.order.length; i += 2) {
      const kind = (event.order[i] as number) % 4;
      tally.deliveries += 1;
      if (kind === 1) tally.timers += 1;
      if (kind === 3) tally.locals += 1;
    }
  }
  return tally;
}

/** The numbers of the calls whose outcome is recorded for good. */
export function settledIn(lines: readonly string[]): Set<number> {
  return calls(lines, (event) => event.kind === "outcome" && event.outcome !== "reexecute");
}

/** The numbers of the calls that a person agreed to. */
export function approvedIn(lines: readonly string[]): Set<number> {
  return calls(lines, (event) => event.kind === "approved");
}

function calls(lines: readonly string[], wanted: (event: Event) => boolean): Set<number> {
  const found = new Set<number>();
  for (const event of lines.map(eventOf)) {
    if ("operation" in event && event.operation % 4 === 0 && wanted(event)) found.add(event.operation / 4);
  }
  return found;
}

/** How many of the events a crash left: at least the first, never the last, and no half of what is written at once. */
export function randomCut(lines: readonly string[], dice: Dice): number {
  let cut = dice.between(1, lines.length - 1);
  while (cut > 1 && !mayEndWith(eventOf(lines[cut - 1] as string), eventOf(lines[cut] as string))) cut -= 1;
  return cut;
}

function mayEndWith(last: Event, next: Event): boolean {
  switch (last.kind) {
    // A decision is one write: what was decided, and that the run goes on.
    case "approved":
    case "refused":
      return false;
    case "outcome":
      // A rejection's outcome is followed by that pass, and nothing else's is.
      return next.kind !== "pass";
    case "intent":
      // A call that is refused (no such method, arguments that are no value) fails in the same write.
      return !(next.kind === "outcome" && next.operation === last.operation && isFailure(next.outcome));
    default:
      return true;
  }
}

function isFailure(outcome: Outcome): boolean {
  return typeof outcome === "object" && "failure" in outcome;
}
