/**
 * The program's clock. It moves at deliveries only, so a replay reads the same times.
 *
 * Replaced: `Date`, `performance`, and the default argument of `Intl.DateTimeFormat`'s methods. `Date.prototype` is the
 * platform's, so that every Date, whoever made it, is an instance of the one Date the program knows.
 */

import type { Pass } from "./pass.ts";
import {
  apply,
  construct,
  dateToString,
  defineProperty,
  getOwnPropertyDescriptor,
  NativeDate,
} from "./primordials.ts";
import { currentStep } from "./context.ts";

export type Clock = () => number;

export function createClock(pass: Pass): Clock {
  return () => {
    const step = currentStep();
    if (step !== undefined) return step.now(pass.now);
    return pass.now;
  };
}

/** The `Date` of the program: class semantics and all, but "now" is the program's. */
export function createDate(now: Clock): unknown {
  const ProgramDate = function (...args: unknown[]): unknown {
    if (new.target === undefined) return dateToString(new NativeDate(now()));
    return construct(NativeDate, args.length === 0 ? [now()] : args, new.target);
  };
  const fixed = (name: string, value: unknown): void => {
    defineProperty(ProgramDate, name, { value, writable: false, configurable: true, enumerable: false });
  };
  fixed("name", "Date");
  fixed("length", NativeDate.length);
  defineProperty(ProgramDate, "prototype", { value: NativeDate.prototype, writable: false });
  const method = (name: string, value: unknown): void => {
    defineProperty(ProgramDate, name, { value, writable: true, configurable: true, enumerable: false });
  };
  method("now", { now: () => now() }.now);
  method("parse", NativeDate.parse);
  method("UTC", NativeDate.UTC);
  defineProperty(NativeDate.prototype, "constructor", {
    value: ProgramDate,
    writable: true,
    configurable: true,
    enumerable: false,
  });
  return ProgramDate;
}

export function createPerformance(now: Clock, timeOrigin: number): object {
  return {
    now: () => now() - timeOrigin,
    timeOrigin,
    toJSON: () => ({ timeOrigin }),
  };
}

/** `format()` and `formatToParts()` without a date mean now. (`formatRange` has no default.) */
export function installDateTimeFormat(now: Clock): void {
  const prototype = Intl.DateTimeFormat.prototype;
  const { formatToParts } = prototype;
  const format = getOwnPropertyDescriptor(prototype, "format")?.get;
  if (format === undefined) return;
  defineProperty(prototype, "formatToParts", {
    value: {
      formatToParts(this: Intl.DateTimeFormat, date?: unknown): unknown {
        return apply(formatToParts, this, [date === undefined ? now() : date]);
      },
    }.formatToParts,
    writable: true,
    configurable: true,
    enumerable: false,
  });
  defineProperty(prototype, "format", {
    get(this: Intl.DateTimeFormat): unknown {
      const bound = apply(format, this, []) as (date: unknown) => string;
      return (date?: unknown) => bound(date === undefined ? now() : date);
    },
    configurable: true,
    enumerable: false,
  });
}
