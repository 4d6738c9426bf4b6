/**
 * `codemode.step`: a function that runs once, ever.
 *
 * A replay does not run it, so skipping it may change nothing else: inside it timers, chance and platform work are the
 * step's own, and calling out is refused. Whether code runs inside a step is told by the async context, since other chains
 * of the program go on meanwhile. What goes wrong inside and is handled by nobody is the step's failure.
 * When the step runs and when its outcome is heard is not decided here.
 *
 * A step that the runtime has opened may reach out (`reach.ts`). Its outcome then waits until all that it sent is answered:
 * as long as something is on its way, the record has the intent alone.
 */

import { MAX_VALUE_LENGTH } from "../value/encode.ts";
import { encodeError } from "../value/encodeError.ts";
import { Chance } from "./chance.ts";
import { steps } from "./context.ts";
import { crossing, tooLargeText } from "./crossing.ts";
import { codeOf, failure } from "./failures.ts";
import { idOf } from "./messages.ts";
import {
  first,
  mapDelete,
  mapForEach,
  mapGet,
  mapSet,
  mapSize,
  max,
  NativeMap,
  realClearTimeout,
  realNow,
  realSetTimeout,
  whenReturned,
} from "./primordials.ts";

/** What is the step's own while its function runs, and for what that function leaves behind. */
export class StepContext {
  readonly chance: Chance;
  /** Rejections and errors that nothing inside the step handled. */
  readonly unhandled: Map<unknown, unknown> = new NativeMap();
  readonly #timers: Map<number, number> = new NativeMap();
  readonly operation: number;
  /** The runtime lets it reach out. */
  readonly reaches: boolean;
  #timerIds = 0;
  #open = true;
  #clock = 0;
  #onTheWay = 0;
  #drained: (() => void) | undefined;

  constructor(seed: string, operation: number, reaches: boolean) {
    this.chance = new Chance(seed, idOf(operation) + 1);
    this.operation = operation;
    this.reaches = reaches;
  }

  /** Its function has not settled. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Something leaves the step. `answered` has to follow, whatever comes of it. */
  sent(): void {
    this.#onTheWay++;
  }

  answered(): void {
    this.#onTheWay--;
    if (this.#onTheWay === 0) this.#drained?.();
  }

  /** Calls back when nothing of the step is on its way. */
  drain(drained: () => void): void {
    if (this.#onTheWay === 0) drained();
    else this.#drained = drained;
  }

  /** Real time, never behind the program's clock. */
  now(programs: number): number {
    this.#clock = max(this.#clock, programs, realNow());
    return this.#clock;
  }

  /** A real timer in the step's own numbering: it cannot clear one of the program's. */
  addTimer(run: () => void, ms: number, repeats: boolean): number {
    const id = ++this.#timerIds;
    if (this.#open) this.#arm(id, run, ms, repeats);
    return id;
  }

  clearTimer(id: number): void {
    const real = mapGet(this.#timers, id);
    if (real === undefined) return;
    realClearTimeout(real);
    mapDelete(this.#timers, id);
  }

  /** The function has settled: its timers are void. */
  close(): void {
    this.#open = false;
    mapForEach(this.#timers, (real) => realClearTimeout(real));
  }

  #arm(id: number, run: () => void, ms: number, repeats: boolean): void {
    const fire = (): void => {
      if (repeats) this.#arm(id, run, max(1, ms), true);
      else mapDelete(this.#timers, id);
      try {
        run();
      } catch (error) {
        mapSet(this.unhandled, {}, error);
      }
    };
    mapSet(this.#timers, id, realSetTimeout(fire, ms));
  }
}

/** Runs the function of a step and hands over its outcome for the wire. Never throws. */
export function runStep(work: () => unknown, step: StepContext, settled: (outcome: string) => void): void {
  const close = (outcome: string): void => {
    // The platform tells of unhandled rejections after the microtasks; one that nobody handled must not be lost.
    realSetTimeout(() => {
      step.close();
      step.drain(() => settled(judged(step, outcome)));
    }, 0);
  };
  const inside = (): void => {
    whenReturned(
      work,
      (value) => close(returned(value)),
      (reason) => close(failed(reason)),
    );
  };
  steps.with(step, inside);
}

/** What nobody handled is the failure of a step that returned. */
function judged(step: StepContext, outcome: string): string {
  if (mapSize(step.unhandled) === 0 || first(outcome) !== "v") return outcome;
  let text = "";
  mapForEach(step.unhandled, (reason) => {
    if (text === "") text = failed(reason);
  });
  return text;
}

function returned(value: unknown): string {
  const text = crossing(value, "result");
  if (text.refused !== undefined) return failed(failure(text.refused.code, text.refused.message));
  return text.value.length > MAX_VALUE_LENGTH ? failed(tooLarge("the step's result", text.value.length)) : `v${text.value}`;
}

/** What is thrown always has a text: the codec shortens what an error holds, and says so. */
function failed(reason: unknown): string {
  return `e${codeOf(reason)} ${encodeError(reason)}`;
}

function tooLarge(what: string, length: number): Error {
  return failure("too_large", tooLargeText(what, length));
}
