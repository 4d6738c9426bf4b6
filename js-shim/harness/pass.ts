/**
 * The state of one pass, and its end.
 *
 * Everything that more than one room needs to know is a field here; nothing else is shared. An isolate runs one pass, so
 * there is one of these. **Invariant:** the clock moves in `moveTo` only, which only a delivery calls. **Invariant:** after
 * the end no operation settles and nothing is sent, whatever the program still does.
 * It starts no operation and delivers none.
 */

import type { Bridge, End, Kind, Manifest } from "./messages.ts";
import { endFrame, idOf, kindOf } from "./messages.ts";
import type { Operation } from "./operation.ts";
import type { List } from "./primordials.ts";
import { list, NativeMap, Queue, realSetTimeout, textOr, toWellFormed } from "./primordials.ts";

/** So many replies in a row are delivered with their own macrotask before everybody else has a turn. */
const MAX_AT_ONCE = 8;

export type Phase = "replaying" | "live" | "ended";
/** What the program's function came to. */
export type Main =
  | { state: "running" }
  | { state: "returned"; result: string }
  | { state: "threw"; code: string; text: string };

export class Pass {
  readonly manifest: Manifest;
  phase: Phase = "replaying";
  main: Main = { state: "running" };
  /** The program's clock, ms since epoch. */
  now: number;
  /** Open operations by kind, then id. */
  readonly operations: List<List<Operation>> = list();
  /** How many operations of each kind were issued. */
  readonly issued: List<number> = list();
  /** Live: what may be delivered now, in order of arrival. */
  readonly ready: Queue<Operation> = new Queue();
  /** Issued during the replay; sent, or ready, when the recorded past is reproduced. */
  readonly held: List<Operation> = list();
  /** Operations that something outside this isolate's program works on. */
  working = 0;
  /** Calls that wait for a person. */
  pending = 0;
  /** Promises that were rejected while nothing handled them, and what callbacks threw, in order. Judged at the end only. */
  readonly unhandled: Map<unknown, unknown> = new NativeMap();
  /** One pump, set by the entry; it never throws. */
  pump: () => void = () => {};
  #delivered = "";
  #console = "";
  #scheduled = false;
  #deliveries = 0;
  /** A reply is being taken in by which it is known that the microtasks of the last delivery are drained. */
  #drained = false;
  /** It was asked for a pump meanwhile. */
  #awaited = false;
  /** Pumps since the last macrotask that was asked for. */
  #atOnce = 0;
  #told = false;
  #finish: (frame: string) => void;

  readonly #call: Bridge["call"];
  readonly #settle: Bridge["settle"];
  readonly #note: Bridge["note"];
  readonly #page: Bridge["page"];
  readonly #over: Bridge["over"];
  readonly #reach: Bridge["reach"];

  /** `bridge` stays its caller's. Its methods are read now: a stub looks at `Object.prototype` before it makes a method. */
  constructor(bridge: Bridge, manifest: Manifest, finish: (frame: string) => void) {
    this.manifest = manifest;
    this.now = manifest.startedAt;
    this.#finish = finish;
    this.#call = bridge.call;
    this.#settle = bridge.settle;
    this.#note = bridge.note;
    this.#page = bridge.page;
    this.#over = bridge.over;
    this.#reach = bridge.reach;
    for (let kind = 0; kind < 4; kind++) {
      this.operations[kind] = list();
      this.issued[kind] = 0;
    }
  }

  /** The next id of a kind: counted at the moment the program makes the call. */
  takeNumber(kind: Kind): number {
    const id = this.issued[kind] ?? 0;
    this.issued[kind] = id + 1;
    return id;
  }

  open(operation: Operation): void {
    const open = this.operations[kindOf(operation.operation)];
    if (open !== undefined) open[idOf(operation.operation)] = operation;
  }

  close(operation: Operation): void {
    const open = this.operations[kindOf(operation.operation)];
    if (open !== undefined) open[idOf(operation.operation)] = undefined;
  }

  moveTo(clock: number): void {
    this.now = clock;
    this.#deliveries++;
  }

  /** A live delivery, to be reported with the next message. */
  noteDelivery(operation: number, moved: number): void {
    this.#delivered += `${this.#delivered === "" ? "" : ","}${operation},${moved}`;
  }

  noteConsole(text: string): void {
    if (this.phase === "ended") return;
    this.#console += text;
    // Whether it has to be told before a wait is for a pump to see.
    this.kick();
  }

  // The bridge's methods are called as plain functions: through the stub they could be taken from a patched prototype.
  sendCall(operation: number, key: string, received: (reply: string) => void): void {
    const call = this.#call;
    this.#hear(() => call(operation, key, this.#takeDelivered(), this.#takeConsole()), received);
  }

  sendSettle(operation: number, outcome: string, received: (reply: string) => void): void {
    const settle = this.#settle;
    this.#hear(() => settle(operation, outcome, this.#takeDelivered(), this.#takeConsole()), received);
  }

  /** Before a wait: what was printed would be lost with the isolate if the deadline came during it. */
  tellConsole(): void {
    if (this.#console === "") return;
    const note = this.#note;
    this.#hear(
      () => note(this.#takeDelivered(), this.#takeConsole()),
      (reply) => {
        if (reply === "x") this.mute();
      },
    );
  }

  fetchPage(number: number, received: (rows: string) => void): void {
    const page = this.#page;
    this.#hear(() => page(number), received);
  }

  /** From inside a step. The reply settles a promise of the step and is nothing that is delivered. */
  sendReach(operation: number, what: string, text: string, received: (reply: string) => void): void {
    const reach = this.#reach;
    this.#hear(() => reach(operation, what, text), received);
  }

  /** Asks to be told when the runtime gives the pass up: a program that only waits for its own timers would hear of nothing. */
  listen(): void {
    const over = this.#over;
    this.#hear(() => over(), () => this.mute());
  }

  /**
   * A reply is a promise of the platform's RPC, whose `then` is its own: neither `Promise.prototype` nor
   * `Object.prototype` is asked. One that never comes, or a bridge that breaks, is no outcome: nothing settles any more,
   * and the runtime, which knows, drops the isolate.
   *
   * A reply comes in a macrotask of its own. If its question left after the last delivery, all that this delivery set going
   * has been drained, and the pump may come at once. A second reply in the same macrotask comes behind a delivery and waits.
   * Not without end: the platform looks at sockets and timers only when no reply is left to be heard of.
   */
  #hear(ask: () => PromiseLike<string>, received: (reply: string) => void): void {
    const before = this.#deliveries;
    const lost = (): void => {};
    const heard = (reply: string): void => {
      if (this.phase === "ended") return;
      this.guard(() => {
        this.#drained = before === this.#deliveries && this.#atOnce < MAX_AT_ONCE;
        received(reply);
        this.#drained = false;
      });
      if (!this.#awaited) return;
      this.#awaited = false;
      this.#atOnce++;
      this.pump();
    };
    try {
      ask().then(heard, lost);
    } catch {
      lost();
    }
  }

  #takeDelivered(): string {
    const delivered = this.#delivered;
    this.#delivered = "";
    return delivered;
  }

  #takeConsole(): string {
    const console = this.#console;
    this.#console = "";
    return console;
  }

  /** Asks for a pump when the microtasks are drained: in a macrotask of its own, where it is not known that they are. */
  kick(): void {
    if (this.#drained) this.#awaited = true;
    if (this.#drained || this.#scheduled || this.phase === "ended") return;
    this.#scheduled = true;
    realSetTimeout(this.#come, 0);
  }

  readonly #come = (): void => {
    this.#scheduled = false;
    this.#atOnce = 0;
    this.pump();
  };

  /** Runs work of the harness; a defect in it ends the pass and is not the program's to catch. */
  guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      const what = textOr(() => (error as Error).message, "no text");
      this.end("error", { code: "internal", text: `the sandbox harness failed: ${what}` });
    }
  }

  end(end: End, failure?: { code: string; text: string }, result = ""): void {
    if (this.phase === "ended") return;
    this.phase = "ended";
    this.#tell(end, failure, result);
  }

  /**
   * Ends the pass from within the program, whatever that does next. The frame is made in a macrotask, where the stack is
   * whole again. What can fail for want of stack comes first, and may happen twice.
   */
  stop(end: End, failure: () => { code: string; text: string }): void {
    if (this.phase === "ended") return;
    realSetTimeout(() => this.#tell(end, failure(), ""), 0);
    this.phase = "ended";
  }

  #tell(end: End, failure: { code: string; text: string } | undefined, result: string): void {
    if (this.#told) return;
    this.#told = true;
    const told = failure && { code: failure.code, text: toWellFormed(failure.text) };
    this.#finish(endFrame(end, this.now, this.#takeDelivered(), this.#takeConsole(), told, result));
  }

  diverge(text: string): void {
    this.end("diverged", { code: "diverged", text });
  }

  /** The runtime closed the pass and knows its end. The entry still has to return, or the isolate would live on. */
  mute(): void {
    this.phase = "ended";
    this.#told = true;
    this.#finish("");
  }
}
