/**
 * What a program starts and later hears of: the base of every kind, and the two that settle a promise.
 * They hold their own outcome and know how to hand it over; when they do is the pump's business alone.
 */

import { decode } from "../value/decode.ts";
import { noteCode, withSite } from "./failures.ts";
import { first, indexOf, NativePromise, slice } from "./primordials.ts";

export type OperationState =
  /** Not sent: its record is not known yet, or it is held until the recorded past is reproduced. */
  | "issued"
  /** Something outside works on it. */
  | "working"
  /** A person has to decide. */
  | "pending"
  /** Has an outcome that the program has not heard. */
  | "ready"
  /** Heard, or cleared. */
  | "done";

export abstract class Operation {
  state: OperationState = "issued";
  /** The program's clock may not be before this when it hears of it. */
  due = 0;
  readonly operation: number;

  constructor(operation: number) {
    this.operation = operation;
  }

  /** Hands the outcome to the program. Called once per delivery, with the clock already moved. Never throws. */
  abstract deliver(): void;
}

/** An operation that settles a promise. */
export abstract class Promised extends Operation {
  readonly promise: Promise<unknown>;
  protected resolve!: (value: unknown) => void;
  protected reject!: (reason: unknown) => void;

  constructor(operation: number) {
    super(operation);
    this.promise = new NativePromise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

/** What a step's function comes to, for the wire; run when the runtime says so. */
export type Work = (operation: number, reaches: boolean, settled: (outcome: string) => void) => void;

/** A call, a step or a lookup: what goes through the bridge. */
export class Message extends Promised {
  /** `v` + value text, or `e` + code + space + Error value. */
  outcome = "";
  /** Where the program made the call; kept only while a failure may have to show it. */
  site: object | undefined;
  key: string;
  /** A step's function. */
  readonly work: Work | undefined;

  constructor(operation: number, key: string, work: Work | undefined) {
    super(operation);
    this.key = key;
    this.work = work;
  }

  deliver(): void {
    this.state = "done";
    const outcome = this.outcome;
    const failed = first(outcome) === "e";
    const space = failed ? indexOf(outcome, " ") : 0;
    let value: unknown;
    try {
      value = decode(slice(outcome, space + 1));
    } catch (error) {
      this.reject(error);
      return;
    }
    if (!failed) return this.resolve(value);
    withSite(value, this.site);
    noteCode(value, slice(outcome, 1, space));
    this.reject(value);
  }
}

/** Asynchronous work of the platform itself: a function of its input, so only the moment of its delivery is recorded. */
export class Local extends Promised {
  #fulfilled = true;
  #value: unknown;

  arrive(fulfilled: boolean, value: unknown): void {
    this.state = "ready";
    this.#fulfilled = fulfilled;
    this.#value = value;
  }

  deliver(): void {
    this.state = "done";
    if (this.#fulfilled) this.resolve(this.#value);
    else this.reject(this.#value);
  }
}
