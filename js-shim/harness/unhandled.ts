/**
 * Rejections that nobody handles: noted when they happen, forgotten when somebody handles them after all, judged at the
 * end of the pass only. Inside a step they are the step's.
 */

import type { Pass } from "./pass.ts";
import { mapDelete, mapSet } from "./primordials.ts";
import { currentStep } from "./context.ts";

/** Must run while the global object still is an event target. */
export function watchRejections(pass: Pass): void {
  addEventListener("unhandledrejection", (event) => {
    mapSet(currentStep()?.unhandled ?? pass.unhandled, event.promise, event.reason as unknown);
    event.preventDefault();
  });
  addEventListener("rejectionhandled", (event) => {
    mapDelete(pass.unhandled, event.promise);
    const step = currentStep();
    if (step !== undefined) mapDelete(step.unhandled, event.promise);
  });
}
