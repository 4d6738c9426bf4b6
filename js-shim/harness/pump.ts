/**
 * The pump: at most one delivery per macrotask, in the recorded order while there is one, and the judgement that the pass
 * is over when nothing is left to wait for.
 *
 * Runs at the start, after each delivery, at each arrival, when a timer is due and when the program has returned. Because
 * it always comes in a macrotask, the program has run dry before the next outcome reaches it. That one rule makes the order
 * of everything the program does a function of the order of deliveries.
 */

import { tooLargeText } from "./crossing.ts";
import { codeOf, failureText } from "./failures.ts";
import { isWide } from "./messages.ts";
import type { Operation } from "./operation.ts";
import type { Outbox } from "./outbox.ts";
import type { Pass } from "./pass.ts";
import { goLive, type Past } from "./past.ts";
import { mapForEach, mapSize, max, NativePromise, realNow, whenSettled } from "./primordials.ts";
import type { Timers } from "./timers.ts";

/** A final result may be as large as a reply of the platform can be, less its head. A wide text has two bytes a unit. */
const MAX_RESULT_BYTES = 31_457_280;
const STUCK =
  "the program waits for something that nothing will settle: no call is in flight and no timer is open. " +
  "Look for a promise whose resolve function is never called, or an await of something that never ends";

/** Its reactions come when what has just heard of an outcome has run, up to its next wait. */
const HEARD = new NativePromise<void>((resolve) => resolve());
const NOTHING = (): void => {};

/** What is asked of the program's timers. */
export type Agenda = Pick<Timers, "oneShots" | "intervals" | "ticks" | "collect" | "void">;
/** Of a program that can set none. */
export const NO_TIMERS: Agenda = { oneShots: 0, intervals: 0, ticks: 0, collect() {}, void() {} };

export type Rooms = { pass: Pass; past: Past; outbox: Outbox; timers: Agenda };

export function pump(rooms: Rooms): void {
  const { pass, past, outbox, timers } = rooms;
  if (pass.phase === "ended") return;
  if (pass.phase === "replaying") {
    const progress = past.advance(outbox);
    if (progress.kind === "wait") return;
    if (progress.kind === "deliver") return deliver(rooms, progress.operation, progress.moved);
    goLive(pass, past, outbox);
  }
  timers.collect();
  if (onlyTicks(rooms)) return pass.end("paused");
  while (pass.ready.size > 0) {
    const operation = pass.ready.shift() as Operation;
    // A timer may have been cleared while it stood in the list.
    if (operation.state === "done") continue;
    const moved = max(pass.now, realNow(), operation.due) - pass.now;
    pass.noteDelivery(operation.operation, moved);
    return deliver(rooms, operation, moved);
  }
  judge(rooms);
}

function deliver(rooms: Rooms, operation: Operation, moved: number): void {
  const { pass } = rooms;
  pass.moveTo(pass.now + moved);
  operation.deliver();
  if (operation.state === "done") pass.close(operation);
  // The next delivery, live or replayed, waits until the microtasks of this one are drained.
  if (pass.phase !== "live" || pass.ready.size > 0) return pass.kick();
  // What the program does next is mostly one more call, whose reply brings the pump; else there may be nothing to wait for.
  whenSettled(HEARD, () => pass.working === 0 && pass.kick(), NOTHING);
}

/**
 * Whether nothing but calls that wait for a person is left to wait for, be it that an interval is due: one whose callback
 * takes longer than its period is due for ever, and would keep the pass from its pause until the deadline.
 */
function onlyTicks({ pass, timers }: Rooms): boolean {
  if (pass.pending === 0 || pass.working > 0 || pass.main.state !== "running") return false;
  return timers.oneShots === 0 && pass.ready.size === timers.ticks;
}

/** Nothing can be delivered. What is there left to wait for? */
function judge({ pass, timers }: Rooms): void {
  if (pass.working > 0) return pass.tellConsole();
  if (pass.main.state !== "running") return pass.pending > 0 ? pass.end("paused") : conclude(pass);
  if (timers.oneShots > 0) return pass.tellConsole();
  if (pass.pending > 0) return pass.end("paused");
  if (timers.intervals > 0) return pass.tellConsole();
  pass.end("stuck", { code: "stuck", text: STUCK });
}

function conclude(pass: Pass): void {
  const { main, unhandled } = pass;
  if (main.state === "running") return;
  if (main.state === "threw") return pass.end("error", main);
  if (mapSize(unhandled) > 0) {
    let told = false;
    return mapForEach(unhandled, (reason) => {
      if (told) return;
      told = true;
      const text = `${failureText(reason, pass.manifest.namespaces)}\n(nothing in the program handled this; await the promise or catch it)`;
      pass.end("error", { code: codeOf(reason), text });
    });
  }
  const { length } = main.result;
  const limit = length > MAX_RESULT_BYTES / 2 && isWide(main.result) ? MAX_RESULT_BYTES / 2 : MAX_RESULT_BYTES;
  if (length > limit) {
    const text = tooLargeText("the result", length, limit);
    return pass.end("error", { code: "too_large", text });
  }
  pass.end("done", undefined, main.result);
}
