/**
 * Calls and lookups at the moment the program makes them: numbered at once, their arguments taken at once.
 *
 * Arguments that cannot cross make a call that fails; it takes its number, so that the record has it too.
 */

import { encode } from "../value/encode.ts";
import { CALL, keyOf, LOOKUP, operationOf } from "./messages.ts";
import { Message, type Work } from "./operation.ts";
import type { Outbox } from "./outbox.ts";
import type { Pass } from "./pass.ts";
import { type Past, sendLive } from "./past.ts";
import { first } from "./primordials.ts";
import { StackRoom } from "./room.ts";
import { captureSite } from "./stacks.ts";

export class Issuer {
  readonly #pass: Pass;
  readonly #past: Past;
  readonly #outbox: Outbox;
  readonly #replayRoom = new StackRoom();
  readonly #liveRoom = new StackRoom();

  constructor(pass: Pass, past: Past, outbox: Outbox) {
    this.#pass = pass;
    this.#past = past;
    this.#outbox = outbox;
  }

  call(connector: string, method: string, args: string): Promise<unknown> {
    return this.#issue(CALL, keyOf(connector, method, args), undefined);
  }

  step(name: string, work: Work): Promise<unknown> {
    return this.#issue(CALL, keyOf("codemode", "step", encode(name, "name")), work);
  }

  lookup(method: string, args: string): Promise<unknown> {
    return this.#issue(LOOKUP, keyOf("codemode", method, args), undefined);
  }

  #issue(kind: typeof CALL | typeof LOOKUP, key: string, work: Work | undefined): Promise<unknown> {
    const pass = this.#pass;
    (pass.phase === "live" ? this.#liveRoom : this.#replayRoom).take();
    const message = new Message(operationOf(kind, pass.takeNumber(kind)), key, work);
    if (pass.phase === "ended") return message.promise;
    pass.open(message);
    if (pass.phase === "live") {
      sendLive(pass, this.#past, message, this.#outbox);
    } else {
      this.#past.meet(message, this.#outbox);
      pass.kick();
    }
    // Only a failure shows where it was called, and a recorded value will not become one.
    if (first(message.outcome) !== "v") message.site = captureSite(this.#issue);
    return message.promise;
  }
}
