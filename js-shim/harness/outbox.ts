/**
 * Messages to the runtime: first in, first out, at most `inflight` unanswered, so that the runtime meets calls in the order
 * the program made them and a thousand at once do not crowd it.
 *
 * It takes replies but delivers none: an outcome waits in the ready list, or for its recorded place, until the pump comes.
 */

import type { Message } from "./operation.ts";
import type { Pass } from "./pass.ts";
import { first, Queue } from "./primordials.ts";

export class Outbox {
  readonly #pass: Pass;
  /** Whether the recorded order has a place for an operation, and is not through yet. */
  readonly #hasPlace: (operation: number) => boolean;
  readonly #waiting: Queue<Message> = new Queue();
  #unanswered = 0;

  constructor(pass: Pass, hasPlace: (operation: number) => boolean) {
    this.#pass = pass;
    this.#hasPlace = hasPlace;
  }

  send(message: Message): void {
    message.state = "working";
    this.#pass.working++;
    if (this.#unanswered < this.#pass.manifest.inflight) this.#transmit(message);
    else this.#waiting.push(message);
  }

  #transmit(message: Message): void {
    this.#unanswered++;
    this.#pass.sendCall(message.operation, message.key, (reply) => this.#answered(message, reply));
  }

  #answered(message: Message, reply: string): void {
    const pass = this.#pass;
    this.#unanswered--;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#transmit(next);
    switch (first(reply)) {
      case "v":
      case "e":
        return this.#arrive(message, reply);
      case "p":
        message.state = "pending";
        pass.pending++;
        pass.working--;
        return pass.kick();
      case "s":
        return this.#work(message, reply === "so");
      case "x":
        return pass.mute();
      // What this protocol does not know is no outcome.
    }
  }

  /** A step's function runs here; its message was answered, so it keeps no other from leaving. */
  #work(message: Message, reaches: boolean): void {
    const { work } = message;
    if (work === undefined) return;
    work(message.operation, reaches, (outcome) => {
      if (this.#pass.phase === "ended") return;
      this.#pass.sendSettle(message.operation, outcome, (reply) => {
        if (first(reply) === "x") this.#pass.mute();
        // The runtime may have refused what the step returned; else its outcome is what was sent.
        else this.#arrive(message, first(reply) === "e" ? reply : outcome);
      });
    });
  }

  #arrive(message: Message, outcome: string): void {
    message.outcome = outcome;
    message.state = "ready";
    this.#pass.working--;
    if (!this.#hasPlace(message.operation)) this.#pass.ready.push(message);
    this.#pass.kick();
  }
}
