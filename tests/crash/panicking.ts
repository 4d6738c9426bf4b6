/**
 * The crash Agent with the runtime's class in its own Worker, over the core that can panic. All objects of both classes
 * share one isolate and so one wasm instance.
 *
 * A panic is provoked through a second core of the same object: whose memory it is makes no difference, because the
 * instance is one. To make an entry itself panic, it is replaced once.
 */

import { RuntimeCore } from "../../gen/index.js";
import { Core, CoreLost } from "../../js-shim/core.ts";
import { CodemodeRuntime as Runtime } from "../../js-shim/runtime.ts";

export { CrashAgent, default } from "./agent.ts";

export class CodemodeRuntime extends Runtime {
  /** @param entry `now`, or the entry of the core whose next call panics, in whatever object. */
  async provoke(entry: string): Promise<void> {
    if (entry === "now") {
      try {
        new Core(this.ctx, this.env).use(panic);
      } catch (error) {
        if (error instanceof CoreLost) return;
        throw error;
      }
      throw new Error("nothing panicked");
    }
    const shipped: unknown = Reflect.get(RuntimeCore.prototype, entry);
    if (typeof shipped !== "function") throw new Error(`the core has no entry ${entry}`);
    Reflect.set(RuntimeCore.prototype, entry, function (this: RuntimeCore) {
      Reflect.set(RuntimeCore.prototype, entry, shipped);
      return panic(this);
    });
  }
}

/** Only the test build has it, so the shipped declarations do not. */
function panic(core: RuntimeCore): string {
  return (core as RuntimeCore & { provokePanic(): string }).provokePanic();
}
