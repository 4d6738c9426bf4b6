/**
 * The recorded past: what it says of an operation, and the reproduction of its deliveries one by one.
 *
 * **Invariant:** nothing held leaves before the whole recorded past is reproduced, so no approved action runs in a program
 * that would have differed earlier. A difference ends the pass; the program hears nothing of it.
 * Rows come in pages. An operation whose page is not here yet is checked before the next delivery.
 */

import { differingKeys, firstWord, keysAgree, shownKey } from "./difference.ts";
import type { Row } from "./messages.ts";
import { CALL, idOf, kindOf, LOOKUP, TIMER } from "./messages.ts";
import type { Message } from "./operation.ts";
import type { Outbox } from "./outbox.ts";
import type { Pass } from "./pass.ts";
import { type Past, type Progress, REPRODUCED } from "./past.ts";
import { list, parse, Queue, type List } from "./primordials.ts";

const WAIT: Progress = { kind: "wait" };

export class Replay implements Past {
  readonly #pass: Pass;
  readonly #rows: List<List<Row>> = list();
  readonly #order: readonly number[];
  #position = 0;
  /** Whether an operation has a place in the order, by kind, then id. */
  readonly #places: List<List<boolean>> = list();
  #pagesHere = 0;
  #fetching = false;
  readonly #unchecked: Queue<Message> = new Queue();
  #checking: Message | undefined;

  constructor(pass: Pass) {
    this.#pass = pass;
    const order = pass.manifest.order;
    this.#order = order;
    for (let kind = 0; kind < 4; kind++) {
      this.#rows[kind] = list();
      this.#places[kind] = list();
    }
    for (let i = 0; i < order.length; i += 2) {
      const operation = order[i] as number;
      const places = this.#places[kindOf(operation)] as List<boolean>;
      places[idOf(operation)] = true;
    }
    this.#take(pass.manifest.rows);
  }

  hasPlace(operation: number): boolean {
    return this.#pass.phase === "replaying" && this.#places[kindOf(operation)]?.[idOf(operation)] === true;
  }

  /** The row of an operation, or that there is none, or (undefined) that its page is not here yet. */
  rowOf(operation: number): Row | "none" | undefined {
    const row = this.#rows[kindOf(operation)]?.[idOf(operation)];
    if (row !== undefined) return row;
    return this.#pagesHere >= this.#pass.manifest.pages ? "none" : undefined;
  }

  meet(message: Message, outbox: Outbox): void {
    const row = this.rowOf(message.operation);
    if (row === undefined) this.#unchecked.push(message);
    else this.#adopt(message, row, outbox);
  }

  #adopt(message: Message, row: Row | "none", outbox: Outbox): void {
    const { held } = this.#pass;
    if (row === "none") {
      held[held.length] = message;
      return;
    }
    const key = row[1];
    if (message.key !== key) {
      if (!keysAgree(key, message.key)) {
        const what = firstWord(message.operation);
        return this.#pass.diverge(`${what} was ${differingKeys(key, message.key)}`);
      }
      // What is sent again must be what was shown and recorded.
      message.key = key;
    }
    switch (row[2]) {
      case "v":
      case "e":
        message.outcome = row[2] + row[3];
        message.state = "ready";
        if (!this.hasPlace(message.operation)) held[held.length] = message;
        return;
      case "r":
        return outbox.send(message);
      case "p":
        message.state = "pending";
        this.#pass.pending++;
        return;
      case "n":
        held[held.length] = message;
    }
  }

  advance(outbox: Outbox): Progress {
    for (;;) {
      this.#checking ??= this.#unchecked.shift();
      const message = this.#checking;
      if (message === undefined) break;
      const row = this.rowOf(message.operation);
      if (row === undefined) return this.#nextPage();
      this.#checking = undefined;
      this.#adopt(message, row, outbox);
      if (this.#pass.phase === "ended") return WAIT;
    }
    return this.#position < this.#order.length ? this.#next() : this.#complete();
  }

  #next(): Progress {
    const code = this.#order[this.#position] as number;
    const operation = this.#pass.operations[kindOf(code)]?.[idOf(code)];
    if (operation === undefined) {
      const issued = this.#pass.issued[kindOf(code)] as number;
      return idOf(code) < issued ? this.#differs(code, "was cleared or heard of before") : this.#missing(code);
    }
    if (operation.state === "working") return WAIT;
    if (operation.state !== "ready" && kindOf(code) !== TIMER) return this.#differs(code, "has no recorded outcome");
    const moved = this.#order[this.#position + 1] as number;
    this.#position += 2;
    return { kind: "deliver", operation, moved };
  }

  /** The order is through. Was everything made that is recorded? */
  #complete(): Progress {
    const { issued, manifest } = this.#pass;
    const calls = issued[CALL] as number;
    const lookups = issued[LOOKUP] as number;
    if (calls < manifest.calls) return this.#missing(calls * 4 + CALL);
    if (lookups < manifest.lookups) return this.#missing(lookups * 4 + LOOKUP);
    return REPRODUCED;
  }

  #missing(code: number): Progress {
    const row = this.rowOf(code);
    if (row === undefined && (kindOf(code) === CALL || kindOf(code) === LOOKUP)) return this.#nextPage();
    const was = typeof row === "object" ? ` was ${shownKey(row[1])} in the recorded run and` : " of the recorded run";
    this.#pass.diverge(`${firstWord(code)}${was} was not made this time`);
    return WAIT;
  }

  #differs(code: number, how: string): Progress {
    this.#pass.diverge(`${firstWord(code)} is next in the recorded run and ${how} this time`);
    return WAIT;
  }

  #nextPage(): Progress {
    if (this.#fetching) return WAIT;
    this.#fetching = true;
    this.#pass.fetchPage(this.#pagesHere, (text) => {
      this.#fetching = false;
      this.#take(parse(text) as Row[]);
      this.#pass.kick();
    });
    return WAIT;
  }

  #take(rows: readonly Row[]): void {
    this.#pagesHere++;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as Row;
      const known = this.#rows[kindOf(row[0])] as List<Row>;
      known[idOf(row[0])] = row;
    }
  }

  mayLeave(message: Message): boolean {
    const { audit } = this.#pass.manifest;
    if (audit) this.#pass.diverge(`live call in an audit replay: ${firstWord(message.operation)} is ${shownKey(message.key)}`);
    return !audit;
  }
}
