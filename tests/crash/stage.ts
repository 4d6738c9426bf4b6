/** The usual surroundings of a crash: a witness in a process of its own, and a runtime whose Agent reports to it. */

import { afterAll, beforeAll } from "vitest";

import { type Runtime, startRuntime } from "../support/miniflare.ts";
import { Witness } from "./witness.ts";

export let witness: Witness;
export let runtime: Runtime;

/** Called once at the top of a test file; both are there from its first test on. */
export function setStage(): void {
  beforeAll(async () => {
    witness = await Witness.start();
    runtime = await startRuntime({ worker: "tests/crash/agent.ts", agents: { AGENT: "CrashAgent" }, bindings: { WITNESS: witness.url } });
  });

  afterAll(async () => {
    await runtime?.stop();
    await witness?.[Symbol.asyncDispose]();
  });
}
