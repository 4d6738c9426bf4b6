/**
 * The only RpcTarget that a sandbox is given, one per pass. It is on the hostile side's end of the wire: every argument
 * may be forged, and what is not of the expected type never reaches the core.
 */

import { RpcTarget } from "cloudflare:workers";

import type { Pass } from "./pass.ts";

export class Bridge extends RpcTarget {
  readonly #pass: Pass;
  #listening = false;

  constructor(pass: Pass) {
    super();
    this.#pass = pass;
  }

  call(operation: unknown, key: unknown, delivered: unknown, console: unknown): Promise<string> | string {
    if (!isOperation(operation) || typeof key !== "string" || typeof delivered !== "string" || typeof console !== "string") {
      return this.#pass.refuse();
    }
    return this.#pass.call(operation, key, delivered, console);
  }

  settle(operation: unknown, outcome: unknown, delivered: unknown, console: unknown): string {
    if (!isOperation(operation) || typeof outcome !== "string" || typeof delivered !== "string" || typeof console !== "string") {
      return this.#pass.refuse();
    }
    return this.#pass.settle(operation, outcome, delivered, console);
  }

  /** What a step wants of the world: `fetch` with a request, or `env.NAME` with a method and its arguments. */
  reach(operation: unknown, what: unknown, text: unknown): Promise<string> | string {
    if (!isOperation(operation) || typeof what !== "string" || typeof text !== "string") return this.#pass.refuse();
    return this.#pass.reach(operation, what, text);
  }

  /** Answers when the pass is over: disposing of a sandbox does not stop what it is doing, so it is told to. */
  over(): Promise<string> | string {
    if (this.#listening) return this.#pass.refuse();
    this.#listening = true;
    return this.#pass.over;
  }

  note(delivered: unknown, console: unknown): string {
    if (typeof delivered !== "string" || typeof console !== "string") return this.#pass.refuse();
    return this.#pass.note(delivered, console);
  }

  page(number: unknown): string {
    return isOperation(number) ? this.#pass.page(number) : "[]";
  }
}

function isOperation(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}
