/**
 * Room on the stack, asked for before anything is begun.
 *
 * A program may call at the very end of its stack and catch the RangeError. What the harness was in the middle of would
 * then be half done: a number taken and no call made, a pump noted and none scheduled. So each door that changes the state
 * of the pass first sees whether there is room for all that follows, and the engine's RangeError comes while nothing has
 * happened.
 */

import { apply } from "./primordials.ts";

/** What takes most is not the frames but the engine, which compiles a function when it is first called. In words. */
const COLD: undefined[] = Array<undefined>(5_000).fill(undefined);
const WARM: undefined[] = Array<undefined>(1_000).fill(undefined);
/** After so many passages all that lies behind a door is compiled. */
const WARMED_UP = 16;
const nothing = (): void => {};

/** One for each door, as behind each lies other code. */
export class StackRoom {
  #passages = 0;

  /** @throws {RangeError} the engine's own, if the stack is about to end */
  take(): void {
    // Arguments are put on the stack before the call: the cheapest way to ask for much at once.
    apply(nothing, undefined, this.#passages < WARMED_UP ? COLD : WARM);
    this.#passages++;
  }
}
