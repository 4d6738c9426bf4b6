/** `Math.random`, and which stream of chance the present code draws from. */

import { Chance } from "./chance.ts";
import { currentStep } from "./context.ts";

export type Stream = () => Chance;

/** The program's own stream is made when something draws from it: most programs leave nothing to chance. */
export function createStream(seed: string): Stream {
  let program: Chance | undefined;
  return () => currentStep()?.chance ?? (program ??= new Chance(seed, 0));
}
