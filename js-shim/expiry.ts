/**
 * When nobody decided in time. Every contact looks, so a runtime that is used expires what is overdue; a bound one wakes
 * itself up as well, by the alarm of its own object.
 *
 * The alarm is set in the turn in which a run begins or goes on, and so in the same commit: a machine that dies in the middle
 * of a pass, or before anybody is answered, leaves an object that wakes up, though nobody asks for it again.
 */

import type { Core } from "./core.ts";

/** An alarm that found nothing to do does not come again sooner, ms. */
const LEAST_WAIT_MS = 60_000;

export class Expiry {
  readonly #core: Core;
  /** `undefined` when this object must not set an alarm. */
  readonly #storage: DurableObjectStorage | undefined;
  /** The alarm that is set, `null` for none; `undefined` while that is not known. This object alone sets it. */
  #alarm: number | null | undefined;
  /** No run is overdue before this, ms since epoch. */
  #quietUntil = 0;

  constructor(core: Core, ctx: DurableObjectState, own: DurableObjectNamespace | undefined) {
    this.#core = core;
    this.#storage = ownsAlarm(ctx, own) ? ctx.storage : undefined;
  }

  /** Has to come before what is to be scheduled in one turn: asking which alarm is set takes an await. Never rejects. */
  async prepare(): Promise<void> {
    if (this.#storage === undefined || this.#alarm !== undefined) return;
    try {
      this.#alarm = await this.#storage.getAlarm();
    } catch (error) {
      console.error(error);
    }
  }

  /** The alarm went off and is none any more. */
  woke(): void {
    this.#alarm = null;
  }

  /** Ends what is overdue, if anything is: a part of it where it is very much, and the rest at the next contact or alarm. */
  expire(): void {
    const now = Date.now();
    if (now < this.#quietUntil) return;
    const next = this.#core.use((core) => core.nextExpiry());
    if (next !== 0 && next <= now) this.#core.use((core) => core.expirePaused("{}"));
    // A run that begins later is overdue later.
    else this.#quietUntil = Math.min(next === 0 ? Infinity : next, now + LEAST_WAIT_MS);
  }

  /**
   * Sees to it that there is an alarm no later than the next run is overdue. One that comes earlier is left: it costs one
   * look, and moving it would cost a write in every pass. What is written is written before the first await, once it was
   * prepared. Never rejects.
   */
  async schedule(): Promise<void> {
    if (this.#storage === undefined) return;
    try {
      if (this.#alarm === undefined) await this.prepare();
      // No run is overdue sooner than one that was there before it: an alarm that is set is early enough.
      if (typeof this.#alarm === "number") return;
      const next = this.#core.use((core) => core.nextExpiry());
      if (next === 0) return;
      this.#alarm = Math.max(next, Date.now() + LEAST_WAIT_MS);
      await this.#storage.setAlarm(this.#alarm);
    } catch (error) {
      this.#alarm = undefined;
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
