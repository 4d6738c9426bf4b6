/** Attacks on the way out of a step: at the wrong time, of the wrong thing, too often. */

import type { Attack } from "./attacks.ts";

export const reaches: Record<string, Attack> = {
  async reachOutside(forge) {
    forge.say(await forge.reach(0));
    return forge.end("done");
  },
  /** During a call, which is no step. */
  async reachInCall(forge) {
    void forge.call(0, "hold");
    forge.say(await forge.reach(0));
    return forge.end("done");
  },
  async reachAfterStep(forge) {
    forge.say(await forge.step(0));
    forge.say(await forge.reach(0));
    forge.say(await forge.settle(0, "v1"));
    forge.say(await forge.reach(0));
    return forge.end("done");
  },
  /** `given` is what is reached for, from inside a step. */
  async reachFor(forge) {
    forge.say(await forge.step(0));
    forge.say(await forge.reach(0, forge.given, "put\0[1]"));
    return forge.end("done");
  },
  async reachThings(forge) {
    forge.say(await forge.step(0));
    forge.say(await forge.reach(0, "fetch", { method: "GET" }));
    return forge.end("done");
  },
  async reachFlood(forge) {
    forge.say(await forge.step(0));
    await Promise.all(Array.from({ length: 100 }, () => forge.reach(0)));
    return forge.end("done");
  },
  async reachLong(forge) {
    forge.say(await forge.step(0));
    forge.say(await forge.reach(0, "fetch", "x".repeat(9 * 1024 * 1024)));
    forge.say(await forge.settle(0, "v1"));
    return forge.end("done");
  },
};
