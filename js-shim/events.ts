/**
 * Who watches runs asks again and again; here a question waits until there is something new. Nothing is kept for a watcher
 * but that: what it has seen is in its cursor, what it has not is in the journal.
 *
 * While nobody waits nothing of this costs a pass anything. While somebody does, each entry of the core is followed by one
 * comparison, and a busy run wakes its watchers a few times a second, not once for each event.
 */

import type { Core } from "./core.ts";
import { parse } from "./frame.ts";
import type { Reply, WireEvents } from "./wire.ts";

/** Longest wait for an event, ms. A watcher that has gone away is waited for no longer than this. */
const LONGEST_WAIT_MS = 10_000;
/** How long after a change watchers are woken, ms: what follows at once comes along. */
const WAKE_MS = 40;

export class Events {
  readonly #core: Core;
  readonly #waiting = new Set<() => void>();
  /** The journal that those who wait have read. */
  #revision = 0;
  #waking = false;

  constructor(core: Core) {
    this.#core = core;
  }

  /** What is recorded behind the request's cursor; when that is nothing, what comes within the time that it may wait. */
  async read(request: string): Promise<string> {
    let reply = this.#core.use((core) => core.events(request));
    // The core has read the request, so it is of the expected form.
    const { executionId, waitMs = 0 } = parse<{ executionId?: string; waitMs?: number | null }>(request);
    const until = Date.now() + Math.min(waitMs ?? 0, LONGEST_WAIT_MS);
    for (;;) {
      const { cursor, wait } = judged(reply);
      const left = until - Date.now();
      if (!wait || left <= 0) return reply;
      await this.#change(left);
      reply = this.#core.use((core) => core.events(JSON.stringify({ executionId, cursor })));
    }
  }

  /** Resolves when the journal may have changed, at the latest after `ms`. */
  #change(ms: number): Promise<void> {
    if (this.#waiting.size === 0) {
      this.#revision = this.#core.use((core) => core.revision());
      this.#core.afterUse = (core) => this.#look(core.revision());
    }
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        if (this.#waiting.size === 0) this.#core.afterUse = undefined;
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#waiting.add(wake);
    });
  }

  #look(revision: number): void {
    if (revision === this.#revision) return;
    this.#revision = revision;
    if (this.#waking) return;
    this.#waking = true;
    setTimeout(() => {
      this.#waking = false;
      for (const wake of Array.from(this.#waiting)) wake();
    }, WAKE_MS);
  }
}

/** Whether there is nothing to say yet, and where to look for it. */
function judged(reply: string): { cursor: string; wait: boolean } {
  const parsed = parse<Reply<WireEvents>>(reply);
  if (!parsed.ok) return { cursor: "", wait: false };
  const { events, cursor, more = false, over = false } = parsed.value;
  return { cursor, wait: events.length === 0 && !more && !over };
}
