/**
 * The way out of a step: one question to the host and its answer. Who may ask is known by the async context: the step that
 * the present code belongs to, as long as its function has not settled. The runtime judges the same once more, by what is
 * recorded.
 */

import { decode } from "../value/decode.ts";
import { currentStep } from "./context.ts";
import { failure, noteCode } from "./failures.ts";
import type { Pass } from "./pass.ts";
import { first, indexOf, realSetTimeout, slice } from "./primordials.ts";
import type { StepContext } from "./steps.ts";

const RETURN_IT = "do it inside the function of codemode.step, before that returns, and return what is needed";

/** The step that may reach out now, or why there is none. `what` begins the text. */
export function reachingStep(what: string): StepContext | Error {
  const step = currentStep();
  if (step === undefined) return failure("invalid_input", `${what} is there inside a step only: ${RETURN_IT}`);
  if (!step.isOpen) return failure("invalid_input", `${what}: the step it belongs to has ended; ${RETURN_IT}`);
  if (step.reaches) return step;
  return failure("invalid_input", `${what} is not open in this step, which was begun before the application gave a way out; a new step has it`);
}

/**
 * Sends and hears. After the step has ended neither callback is called: nothing of it may run any more, as in a replay.
 * The answer counts all the same: the step's outcome waits for it.
 */
export function reachOut(
  pass: Pass,
  step: StepContext,
  what: string,
  text: string,
  answered: (value: string) => void,
  refused: (error: unknown) => void,
): void {
  step.sent();
  pass.sendReach(step.operation, what, text, (reply) => {
    const kind = first(reply);
    if (kind === "x") return pass.mute();
    const hand = (): void => {
      if (step.isOpen) {
        if (kind === "v") answered(slice(reply, 1));
        else refused(errorOf(reply));
      }
      step.answered();
    };
    // In a turn of the timers: where all answers come from this very process, a loop of requests would leave the platform no
    // moment to look at its clock, and no deadline would ever come.
    realSetTimeout(() => pass.guard(hand), 0);
  });
}

function errorOf(reply: string): unknown {
  const space = indexOf(reply, " ");
  let error: unknown;
  try {
    error = decode(slice(reply, space + 1));
  } catch (unreadable) {
    return unreadable;
  }
  noteCode(error, slice(reply, 1, space));
  return error;
}
