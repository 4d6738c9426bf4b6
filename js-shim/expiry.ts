/**
 * When nobody decided in time. Every contact looks, so a runtime that is used expires what is overdue; a bound one wakes
 * itself up as well, by the alarm of its own object.
 */

import type { Core } from "./core.ts";

/** An alarm that found nothing to do does not come again sooner, ms. */
const LEAST_WAIT_MS = 60_000;

export class Expiry {
  readonly #core: Core;
  /** `undefined` when this object must not set an alarm. */
  readonly #storage: DurableObjectStorage | undefined;

  constructor(core: Core, ctx: DurableObjectState, own: DurableObjectNamespace | undefined) {
    this.#core = core;
    this.#storage = ownsAlarm(ctx, own) ? ctx.storage : undefined;
  }

  /** Ends what is overdue, if anything is: a part of it where it is very much, and the rest at the next contact or alarm. */
  expire(): void {
    const next = this.#core.use((core) => core.nextExpiry());
    if (next !== 0 && next <= Date.now()) this.#core.use((core) => core.expirePaused("{}"));
  }

  /**
   * Sees to it that there is an alarm no later than the next run is overdue. One that comes earlier is left: it costs one
   * look, and moving it would cost a write in every pass. Never rejects.
   */
  async schedule(): Promise<void> {
    if (this.#storage === undefined) return;
    try {
      const next = this.#core.use((core) => core.nextExpiry());
      if (next === 0) return;
      const set = await this.#storage.getAlarm();
      if (set === null || set > next) await this.#storage.setAlarm(Math.max(next, Date.now() + LEAST_WAIT_MS));
    } catch (error) {
      console.error(error);
    }
  }
}

/**
 * Whether this is an object of its own, whose alarm is its own. A facet has the id of the object it is embedded in, an
 * Agent's, whose alarm belongs to the Agent, and alarms of facets do not work. An id says of which class it is: a namespace
 * refuses one of another class. So the binding of this very class tells the two apart, also where one Worker has both; and
 * where there is no binding there is no alarm, and contacts do all the expiring.
 */
function ownsAlarm(ctx: DurableObjectState, own: DurableObjectNamespace | undefined): boolean {
  try {
    return own !== undefined && own.idFromString(ctx.id.toString()).equals(ctx.id);
  } catch {
    return false;
  }
}
