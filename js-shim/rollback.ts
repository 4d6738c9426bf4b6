/**
 * Undoing a run, one call after the other, backwards. The core says what comes next and has written it down before it is
 * asked of the host, so that a crash in the middle never undoes anything twice.
 */

import type { Core } from "./core.ts";
import { parse } from "./frame.ts";
import type { HostFunction } from "./wire.ts";

type Step = { kind: "next"; seq: number; message: string } | { kind: "reply"; reply: string };

export class Rollbacks {
  readonly #core: Core;
  /** One at a time for each run: the second finds what the first has undone. */
  readonly #underway = new Map<string, Promise<unknown>>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The report as JSON text. */
  async run(executionId: string, request: string, host: HostFunction): Promise<string> {
    const before = this.#underway.get(executionId);
    const own = (before ?? Promise.resolve()).then(() => this.#walk(executionId, request, host));
    const settled = own.catch(() => undefined);
    this.#underway.set(executionId, settled);
    try {
      return await own;
    } finally {
      if (this.#underway.get(executionId) === settled) this.#underway.delete(executionId);
    }
  }

  async #walk(executionId: string, request: string, host: HostFunction): Promise<string> {
    let step = parse<Step>(this.#core.use((core) => core.rollback(request)));
    while (step.kind === "next") {
      const { seq, message } = step;
      const answer = await asked(host, message);
      step = parse<Step>(
        this.#core.use((core) => (answer === undefined ? core.rollbackLost(executionId, seq) : core.rollbackAnswer(executionId, seq, answer))),
      );
    }
    return step.reply;
  }
}

/** `undefined` when it is not known what the host did. */
async function asked(host: HostFunction, message: string): Promise<string | undefined> {
  try {
    const answer: unknown = await host(message);
    return typeof answer === "string" ? answer : undefined;
  } catch {
    return undefined;
  }
}
