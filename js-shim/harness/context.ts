/**
 * What goes along with a chain of work through all its awaits: the step that the present code belongs to, and for snippets how
 * deep they are. Other chains of the program go on meanwhile and see nothing of it. What a step is, is not known here.
 */

import { AsyncLocalStorage } from "node:async_hooks";

import { apply } from "./primordials.ts";
import type { StepContext } from "./steps.ts";

const { run: runIn, getStore } = AsyncLocalStorage.prototype;

export class Along<T> {
  readonly #storage = new AsyncLocalStorage<T | undefined>();
  /** Until there is a first value, asking costs nothing. */
  #begun = false;

  get(): T | undefined {
    return this.#begun ? (apply(getStore, this.#storage, []) as T | undefined) : undefined;
  }

  with(value: T, run: () => void): void {
    this.#begun = true;
    apply(runIn, this.#storage, [value, run]);
  }

  without(run: () => void): void {
    if (this.#begun) apply(runIn, this.#storage, [undefined, run]);
    else run();
  }
}

export const steps = new Along<StepContext>();

/** The step whose function the present code belongs to. */
export const currentStep = (): StepContext | undefined => steps.get();
