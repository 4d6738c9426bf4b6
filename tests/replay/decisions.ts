/** The person in a trial: says yes to some of what waits, no to some, and yes to something else to some. */

import type { CodemodeOutput, CodemodeRuntimeHandle, PendingAction } from "../../js-shim/client/index.ts";
import { textOf } from "./connector.ts";
import type { Dice } from "./dice.ts";

export class Decisions {
  /** What was agreed to: number of the call, text of the arguments (`undefined` where they are not known here). */
  readonly approved = new Map<number, string | undefined>();
  readonly #handle: CodemodeRuntimeHandle;
  readonly #dice: Dice;

  constructor(handle: CodemodeRuntimeHandle, dice: Dice) {
    this.#handle = handle;
    this.#dice = dice;
  }

  /** Decides on something that is pending and returns what the pass that follows came to. */
  async take(executionId: string): Promise<CodemodeOutput> {
    const pending = await this.#handle.pending(executionId);
    const action = this.#dice.of(pending);
    const kind = this.#dice.whole(100);
    if (kind < 35) return this.#all(executionId, pending);
    const { seq } = action;
    if (kind < 50) return this.#handle.reject({ executionId, seq, reason: `no ${kind}`, mode: "throw" });
    if (kind < 60) {
      const args = { edited: kind, was: action.args };
      this.approved.set(seq, textOf(args));
      return this.#handle.approve({ executionId, seq, args });
    }
    this.#agree(action);
    return this.#handle.approve({ executionId, seq });
  }

  #all(executionId: string, pending: readonly PendingAction[]): Promise<CodemodeOutput> {
    for (const action of pending) this.#agree(action);
    return this.#handle.approve({ executionId });
  }

  #agree({ seq, args }: PendingAction): void {
    this.approved.set(seq, textOf(args));
  }
}
