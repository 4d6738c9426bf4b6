/**
 * The Rust core of one object, rebuilt when it has to be. One wasm instance serves every object in this isolate, so a
 * panic in one costs the passes in flight of all: their runs stay `running`, nothing recorded is lost. They are not told,
 * because an object may do nothing on behalf of another: each finds it out by the generation.
 *
 * Every entry of the core is synchronous. So a panic surfaces here, in the call that caused it, and nowhere else.
 */

import { __wbg_reset_state, RuntimeCore } from "../gen/index.js";

let generation = 0;

/** The core panicked. Whatever this call was to decide is not decided, and what is recorded stands. */
export class CoreLost extends Error {}

export class Core {
  readonly #ctx: DurableObjectState;
  readonly #env: unknown;
  /** Told after each use, with the core that was used; it must not use it again through here. */
  afterUse: ((core: RuntimeCore) => void) | undefined;
  #object: RuntimeCore | undefined;
  #generation = -1;

  constructor(ctx: DurableObjectState, env: unknown) {
    this.#ctx = ctx;
    this.#env = env;
  }

  /** Passes remember it: one of an older generation is not known to the core any more. */
  get generation(): number {
    return generation;
  }

  /** @throws {CoreLost} after a panic; the next use finds a new core over the same record. */
  use<T>(act: (core: RuntimeCore) => T): T {
    try {
      const core = this.#current();
      const value = act(core);
      this.afterUse?.(core);
      return value;
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      console.error(error);
      reset();
      throw new CoreLost("the runtime failed inside and was rebuilt; what is recorded stands", { cause: error });
    }
  }

  /** A facet may have been another system's before. */
  #adopt(core: RuntimeCore): void {
    const report = core.adopt();
    if (report !== undefined) console.warn(report);
  }

  #current(): RuntimeCore {
    const made = this.#object === undefined || this.#generation !== generation;
    if (this.#object === undefined || made) {
      // Not freed: its memory went with the old instance.
      this.#object = new RuntimeCore(this.#ctx as never, this.#env as never);
      this.#generation = generation;
    }
    const fault = this.#object.fault();
    if (fault !== undefined) throw new Error(`the runtime's database cannot be used: ${fault}`);
    if (made) this.#adopt(this.#object);
    return this.#object;
  }
}

function reset(): void {
  generation += 1;
  __wbg_reset_state();
}
