/**
 * What connectors are owed: to hear that a pass ended and that a run is over. The core wrote it down in the transition
 * itself, so it survives everything; here it is told to whichever host is there.
 *
 * It is told before the reply goes out, because a host's stub is dead once its RPC has returned. It never changes the
 * reply, and delays it by a few seconds at most; what was not told is told at the next contact.
 */

import type { Core } from "./core.ts";
import { parse } from "./frame.ts";
import type { HostFunction } from "./wire.ts";

type Debt = { executionId: string; kind: string; status: string; message: string };

/** How long telling may hold up a reply, all of it together, ms. */
const PATIENCE_MS = 5_000;

export class Owed {
  readonly #core: Core;
  /** Runs that are being told of now, in their order: a contact that comes meanwhile, also out of a hook, leaves them alone. */
  readonly #telling = new Set<string>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** Never rejects. */
  async pay(host: HostFunction): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    try {
      if (!this.#core.use((core) => core.owes())) return;
      for (const debt of parse<Debt[]>(this.#core.use((core) => core.owed()))) {
        if (this.#telling.has(debt.executionId)) continue;
        this.#telling.add(debt.executionId);
        try {
          if (!(await tell(host, debt.message, deadline))) return;
          // With its status: it may have been replaced meanwhile by a later one, which is still owed.
          this.#core.use((core) => core.paid(debt.executionId, debt.kind, debt.status));
        } finally {
          this.#telling.delete(debt.executionId);
        }
      }
    } catch (error) {
      console.error(error);
    }
  }
}

/**
 * Tells a host something whose answer changes nothing. Whether it answered; one that does not within the time, or that
 * breaks, has not been told.
 */
export async function tell(host: HostFunction, message: string, deadline: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), Math.max(0, deadline - Date.now()));
  try {
    return await Promise.race([hears(host, message), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function hears(host: HostFunction, message: string): Promise<boolean> {
  try {
    await host(message);
    return true;
  } catch {
    return false;
  }
}
