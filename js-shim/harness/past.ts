/**
 * What is recorded of an execution, as the rooms ask for it. Here is the pass that has nothing behind it, the commonest one;
 * `replay.ts` is the other, and a part that goes along only where something is recorded.
 */

import type { Manifest } from "./messages.ts";
import { LOCAL } from "./messages.ts";
import type { Message, Operation } from "./operation.ts";
import type { Outbox } from "./outbox.ts";
import type { Pass } from "./pass.ts";
import { type List, sort } from "./primordials.ts";

export type Progress =
  /** `operation` is next, the clock moving by `moved`. */
  | { kind: "deliver"; operation: Operation; moved: number }
  /** Something is on its way, and the pump will be asked for again; or the pass has ended. */
  | { kind: "wait" }
  | { kind: "reproduced" };
export const REPRODUCED: Progress = { kind: "reproduced" };

export interface Past {
  /** Whether the recorded order has a place for an operation, and is not through yet. */
  hasPlace(operation: number): boolean;
  /** The program issued a call or a lookup while the past is being reproduced. */
  meet(message: Message, outbox: Outbox): void;
  advance(outbox: Outbox): Progress;
  /** Whether what has no record may leave; if not, the pass has ended. */
  mayLeave(message: Message): boolean;
}

/** An audit only repeats, so it has a past even where nothing is recorded: all that would leave is refused by it. */
export function hasPast({ order, rows, pages, calls, lookups, audit }: Manifest): boolean {
  return order.length > 0 || rows.length > 0 || pages > 1 || calls > 0 || lookups > 0 || audit;
}

export class NoPast implements Past {
  readonly #held: List<Operation>;

  constructor(pass: Pass) {
    this.#held = pass.held;
  }

  hasPlace(): boolean {
    return false;
  }

  meet(message: Message): void {
    this.#held[this.#held.length] = message;
  }

  advance(): Progress {
    return REPRODUCED;
  }

  mayLeave(): boolean {
    return true;
  }
}

/**
 * From here on the program is on its own. Outcomes that were recorded but never heard of are ready, by number; what was
 * held is sent, by number.
 */
export function goLive(pass: Pass, past: Past, outbox: Outbox): void {
  const { held } = pass;
  sort(held, (a: Operation, b: Operation) => a.operation - b.operation);
  pass.phase = "live";
  for (let i = 0; i < held.length; i++) {
    const operation = held[i] as Operation;
    if (operation.state === "ready") pass.ready.push(operation);
  }
  const locals = pass.operations[LOCAL] as List<Operation>;
  for (let i = 0; i < locals.length; i++) {
    const local = locals[i];
    if (local?.state === "ready") pass.ready.push(local);
  }
  for (let i = 0; i < held.length; i++) {
    const operation = held[i] as Operation;
    if (operation.state === "issued") sendLive(pass, past, operation as Message, outbox);
  }
  held.length = 0;
}

/** Sends what has no record. */
export function sendLive(pass: Pass, past: Past, message: Message, outbox: Outbox): void {
  if (pass.phase !== "ended" && past.mayLeave(message)) outbox.send(message);
}
