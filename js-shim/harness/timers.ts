/**
 * The program's timers as operations: they fire at deliveries, so a replay fires them in their recorded place and waits for
 * none again. One real timer, for the earliest that is due, wakes the pump while the pass is live.
 *
 * Order among due ones is by due time, then id. A step's timers are not here: they are its own.
 */

import { TIMER, idOf, operationOf } from "./messages.ts";
import { Operation } from "./operation.ts";
import type { Pass } from "./pass.ts";
import {
  apply,
  floor,
  list,
  mapSet,
  max,
  min,
  NativeTypeError,
  realNow,
  realSetTimeout,
  type List,
} from "./primordials.ts";
import { StackRoom } from "./room.ts";
import { currentStep } from "./context.ts";

/** What the platform's own timers allow: a hundred years. */
const MAX_DELAY = 3_153_600_000_000;
/** What one real timer can wait for. */
const MAX_REAL_DELAY = 2_147_483_647;

type Callback = (...args: unknown[]) => unknown;

class Timer extends Operation {
  readonly every: number;
  /** Stands in the ready list. */
  queued = false;
  readonly #timers: Timers;
  readonly #run: () => void;

  constructor(timers: Timers, operation: number, due: number, every: number, run: () => void) {
    super(operation);
    this.due = due;
    this.every = every;
    this.#timers = timers;
    this.#run = run;
  }

  deliver(): void {
    this.#timers.fired(this);
    this.#run();
  }
}

export class Timers {
  readonly #pass: Pass;
  readonly #room = new StackRoom();
  /** By due time, then id; an entry whose timer is gone, queued or due at another time is skipped. */
  readonly #agenda: List<{ timer: Timer; due: number }> = list();
  #first = 0;
  #wake = 0;
  oneShots = 0;
  intervals = 0;
  /** Intervals that stand in the ready list. */
  ticks = 0;

  constructor(pass: Pass) {
    this.#pass = pass;
  }

  /** `setTimeout` and `setInterval`; ids count from 1. */
  add(callback: unknown, delay: unknown, args: unknown[], repeats: boolean): number {
    if (typeof callback !== "function") {
      throw new NativeTypeError(`${repeats ? "setInterval" : "setTimeout"} takes a function, not a ${typeof callback}`);
    }
    const wanted = floor(+(delay as number));
    const ms = wanted > 0 ? min(wanted, MAX_DELAY) : 0;
    const step = currentStep();
    if (step !== undefined) return step.addTimer(() => void apply(callback as Callback, undefined, args), ms, repeats);
    const pass = this.#pass;
    this.#room.take();
    const id = pass.takeNumber(TIMER);
    if (pass.phase === "ended" || pass.main.state !== "running") return id + 1;
    const run = (): void => {
      try {
        apply(callback as Callback, undefined, args);
      } catch (error) {
        mapSet(pass.unhandled, {}, error);
      }
    };
    const timer = new Timer(this, operationOf(TIMER, id), pass.now + ms, repeats ? max(1, ms) : 0, run);
    pass.open(timer);
    if (repeats) this.intervals++;
    else this.oneShots++;
    this.#enter(timer);
    this.arm();
    return id + 1;
  }

  clear(id: unknown): void {
    const number = +(id as number);
    const step = currentStep();
    if (step !== undefined) return step.clearTimer(number);
    this.#room.take();
    const timer = this.#pass.operations[TIMER]?.[number - 1];
    if (timer !== undefined) this.#drop(timer as Timer);
  }

  /** The program has returned: its timers are void. */
  void(): void {
    const timers = this.#pass.operations[TIMER] as List<Operation>;
    for (let i = 0; i < timers.length; i++) {
      const timer = timers[i];
      if (timer !== undefined) this.#drop(timer as Timer);
    }
  }

  /** Called by a timer that is being delivered. */
  fired(timer: Timer): void {
    if (timer.every === 0) return this.#drop(timer);
    // A replayed one comes from the order and never stood in the list.
    if (timer.queued) this.ticks--;
    timer.queued = false;
    timer.due = max(timer.due + timer.every, this.#pass.now);
    this.#enter(timer);
    this.arm();
  }

  /** Puts what is due into the ready list. */
  collect(): void {
    const now = max(realNow(), this.#pass.now);
    for (let timer = this.#next(); timer !== undefined && timer.due <= now; timer = this.#next()) {
      this.#first++;
      timer.queued = true;
      if (timer.every > 0) this.ticks++;
      this.#pass.ready.push(timer);
    }
    this.arm();
  }

  /** Sees to it that the pump runs when the earliest timer is due. Without effect while the pass is replaying. */
  arm(): void {
    if (this.#pass.phase !== "live") return;
    const due = this.#next()?.due;
    if (due === undefined || (this.#wake !== 0 && this.#wake <= due)) return;
    this.#wake = due;
    const woken = (): void => {
      if (this.#wake === due) this.#wake = 0;
      this.#pass.kick();
    };
    realSetTimeout(woken, min(max(0, due - realNow()), MAX_REAL_DELAY));
  }

  #drop(timer: Timer): void {
    if (timer.state === "done") return;
    timer.state = "done";
    this.#pass.close(timer);
    if (timer.every === 0) this.oneShots--;
    else {
      this.intervals--;
      if (timer.queued) this.ticks--;
    }
  }

  #enter(timer: Timer): void {
    const agenda = this.#agenda;
    if (this.#first > 1_000) this.#compact();
    const entry = { timer, due: timer.due };
    let at = agenda.length;
    for (; at > this.#first; at--) {
      const before = agenda[at - 1] as { timer: Timer; due: number };
      if (before.due < entry.due) break;
      if (before.due === entry.due && idOf(before.timer.operation) < idOf(timer.operation)) break;
      agenda[at] = before;
    }
    agenda[at] = entry;
  }

  /** An interval enters once more at every turn: what it leaves behind must not pile up. */
  #compact(): void {
    const agenda = this.#agenda;
    const kept = agenda.length - this.#first;
    for (let i = 0; i < kept; i++) agenda[i] = agenda[this.#first + i];
    agenda.length = kept;
    this.#first = 0;
  }

  /** The earliest timer that still waits; entries before it are left behind. */
  #next(): Timer | undefined {
    const agenda = this.#agenda;
    for (; this.#first < agenda.length; this.#first++) {
      const entry = agenda[this.#first] as { timer: Timer; due: number };
      const timer = entry.timer;
      if (timer.state !== "done" && !timer.queued && timer.due === entry.due) return timer;
    }
    agenda.length = 0;
    this.#first = 0;
    return undefined;
  }
}
