/**
 * The loop budget: what the counting of a program asks when it has used up its share.
 *
 * The program counts in a variable of its own, and asks the object made here to fill it up. When nothing is left the
 * pass is over: nothing of it is heard any more, and every further count throws, so that whatever the program catches, it
 * throws again. Its `catch` and `finally` count too.
 *
 * It may be called with hardly any stack left. So it does one thing that can fail before the one that cannot; a program
 * that catches the engine's RangeError meets it again at its next count.
 */

import type { Pass } from "./pass.ts";
import { grouped, min, NativeError } from "./primordials.ts";
import { framesOf } from "./stacks.ts";

/** The largest count that V8 keeps as a small integer: beyond it each step would make a number on the heap. */
const SHARE = 1_000_000_000;
/** What one module gets at a time where there are several: what it has left when it returns is lost to the others. */
const SMALL_SHARE = 1_000;

/** What the program makes a number of: a call would keep V8 from inlining whatever counts. */
export type Shares = { valueOf(): number };

/** `loopBudget` of 0 is no limit. */
export function createBudget(pass: Pass): Shares {
  const { loopBudget, snippets } = pass.manifest;
  const most = snippets.length === 0 ? SHARE : SMALL_SHARE;
  let left = loopBudget;
  const valueOf = (): number => {
    if (loopBudget === 0) return SHARE;
    if (left > 0) {
      const share = min(left, most);
      left -= share;
      return share;
    }
    const error = new NativeError("the loop budget is used up");
    pass.stop("error", () => ({ code: "cpu_limit", text: refusal(loopBudget, error) }));
    throw error;
  };
  return { __proto__: null, valueOf } as unknown as Shares;
}

function refusal(limit: number, error: Error): string {
  return (
    `the program was stopped after ${grouped(limit)} rounds of loops and entries of functions in one pass (limits.loopBudget); ` +
    "look for a loop or a recursion that never ends, or compute less in one program. It was here:" +
    framesOf(error)
  );
}
