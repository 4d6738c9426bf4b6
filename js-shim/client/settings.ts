/**
 * The numbers and choices of a runtime, checked once at construction: a limit that is misspelt would be no limit.
 */

import type { Limits } from "../wire.ts";
import type { Settings } from "./contact.ts";
import { CodemodeError } from "./errors.ts";

const LIMITS: Record<keyof Limits, true> = {
  passMs: true,
  cpuMs: true,
  calls: true,
  inflight: true,
  passes: true,
  logBytes: true,
  loopBudget: true,
  snippetDepth: true,
};

/** An executor's `timeout` is `limits.passMs`. Two numbers for one thing are a mistake, and neither wins. @throws {CodemodeError} */
export function limitsWith(limits: Partial<Limits> | undefined, timeout: number | undefined): Partial<Limits> | undefined {
  if (timeout === undefined) return limits;
  checkWhole("timeout of the executor", timeout, 1);
  if (limits?.passMs !== undefined) {
    throw new CodemodeError("invalid_input", `the executor's timeout (${timeout}) and limits.passMs (${limits.passMs}) are the same limit; give one of them`);
  }
  return { ...limits, passMs: timeout };
}

/** @throws {CodemodeError} `invalid_input` naming the option. */
export function checkSettings(settings: Settings): void {
  const { approval, limits = {}, maxExecutions } = settings;
  if (approval !== undefined && approval !== "as-declared" && approval !== "unless-read-only") {
    throw new CodemodeError("invalid_input", `approval is ${JSON.stringify(approval)}; it can be "as-declared" or "unless-read-only"`);
  }
  checkWhole("maxExecutions", maxExecutions, 0);
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(LIMITS, name)) {
      throw new CodemodeError("invalid_input", `limits.${name} is not a limit; there are ${Object.keys(LIMITS).join(", ")}`);
    }
    // Without a budget programs do not count.
    checkWhole(`limits.${name}`, value, name === "loopBudget" ? 0 : 1);
  }
}

/** @throws {CodemodeError} `invalid_input` naming the option. */
export function checkWhole(name: string, value: unknown, least: number): void {
  if (value === undefined) return;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least) {
    throw new CodemodeError("invalid_input", `${name} is ${String(value)}; it has to be a whole number from ${least} up`);
  }
}
