/**
 * One open pass: carries messages between the sandbox, the core and the host, and knows when the pass is over. It decides
 * nothing; the core has already written down whatever it says to do.
 */

import type { RuntimeCore } from "../gen/index.js";

import type { Core } from "./core.ts";
import { CoreLost } from "./core.ts";
import { Places } from "./places.ts";
import { inputComplaint } from "./questions.ts";
import { outcomeOf, type Reached, reachMessage, tooLong } from "./reach.ts";
import type { HostFunction } from "./wire.ts";

/** Longest host reply that is handed to the core, UTF-16 units; a value in it may be a million, escaped twice as long. */
const MAX_REPLY_LENGTH = 8 * 1024 * 1024;

/** Why a pass is over although its sandbox has not said so. */
export type Over = "closed" | "lost";

/** The pass is closed: nothing settles any more. */
const CLOSED = "x";
/** A message for the host comes first. */
const HOST = "h";
/** A snippet's input is to be held against its schema first. */
const CHECK = "c";

export class Pass {
  readonly id: number;
  readonly over: Promise<Over>;
  readonly #core: Core;
  readonly #host: HostFunction;
  readonly #afterWork: () => void;
  readonly #generation: number;
  readonly #out = new Places();
  #isOver = false;
  #end: (over: Over) => void;

  /** `afterWork` is called whenever the core may have something unwritten. */
  constructor(id: number, core: Core, host: HostFunction, afterWork: () => void) {
    this.id = id;
    this.#core = core;
    this.#host = host;
    this.#afterWork = afterWork;
    this.#generation = core.generation;
    const { promise, resolve } = Promise.withResolvers<Over>();
    this.over = promise;
    this.#end = (over) => {
      this.#isOver = true;
      resolve(over);
    };
  }

  /** The core that opened this pass panicked, here or in another object; its successor does not know it. */
  get isLost(): boolean {
    return this.#generation !== this.#core.generation;
  }

  /** Nobody waits for this pass any more. */
  leave(): void {
    this.#end("closed");
  }

  /** Ends a pass that is lost. To be asked again and again: nothing else tells of a panic in another object. */
  look(): void {
    if (this.isLost) this.#end("lost");
  }

  call(operation: number, key: string, delivered: string, console: string): Promise<string> | string {
    const reply = this.#ask((core) => core.call(this.id, operation, key, delivered, console));
    if (reply.startsWith(CHECK)) {
      const complaint = inputComplaint(reply.slice(CHECK.length));
      return this.#ask((core) => core.checked(this.id, operation, complaint));
    }
    return reply.startsWith(HOST) ? this.#follow(operation, reply) : reply;
  }

  settle(operation: number, outcome: string, delivered: string, console: string): string {
    return this.#ask((core) => core.settle(this.id, operation, outcome, delivered, console));
  }

  /** What a step wants of the world. Nothing of it reaches the host unless the core knows the step and lets it. */
  async reach(operation: number, what: string, text: string): Promise<string> {
    const reply = this.#ask((core) => core.reach(this.id, operation, what));
    if (!reply.startsWith(HOST)) return reply;
    const refused = tooLong(text);
    if (refused !== undefined) return refused;
    const reached = JSON.parse(reply.slice(HOST.length)) as Reached;
    const leave = await this.#out.take(reached.inflight);
    try {
      if (this.#isOver) return CLOSED;
      return outcomeOf(await this.#host(reachMessage(reached, what, text)));
    } catch {
      // As with a call: it may have acted. The step's intent is on record, and recovery sets it in doubt.
      return this.#ask((core) => core.unknown(this.id, operation));
    } finally {
      leave();
    }
  }

  note(delivered: string, console: string): string {
    return this.#ask((core) => core.note(this.id, delivered, console));
  }

  page(number: number): string {
    try {
      return this.isLost ? "[]" : this.#core.use((core) => core.page(this.id, number));
    } catch {
      return "[]";
    }
  }

  /** A message that is none: only a forged harness sends it, and its pass has nothing more to say. */
  refuse(): string {
    return this.#ask((core) => core.call(this.id, 3, "", "", ""));
  }

  /** Carries messages to the host until there is a reply for the sandbox. */
  async #follow(operation: number, first: string): Promise<string> {
    let reply = first;
    while (reply.startsWith(HOST)) {
      let answer: string;
      try {
        answer = await this.#host(reply.slice(HOST.length));
        if (typeof answer !== "string") throw new TypeError("the host answered with no text");
      } catch {
        // Unknown is not failed: the call may have acted. The pass closes and the run stays `running`.
        return this.#ask((core) => core.unknown(this.id, operation));
      }
      reply = this.#ask((core) =>
        answer.length > MAX_REPLY_LENGTH
          ? core.answerTooLong(this.id, operation, answer.length)
          : core.answer(this.id, operation, answer),
      );
    }
    return reply;
  }

  #ask(act: (core: RuntimeCore) => string): string {
    // A pass of a core that is gone must not be taken for one of the same number in its successor.
    if (this.isLost) {
      this.#end("lost");
      return CLOSED;
    }
    let reply: string;
    try {
      reply = this.#core.use(act);
    } catch (error) {
      if (!(error instanceof CoreLost)) console.error(error);
      this.#end("lost");
      return CLOSED;
    }
    if (reply === CLOSED) this.#end("closed");
    this.#afterWork();
    return reply;
  }
}
