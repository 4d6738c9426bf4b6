/**
 * The programs of random sequences. Each is a list of steps from which both its text and what it does is read, so that the
 * model beside it needs no sandbox. A step goes on after a failure of its call; only `throw` ends the program.
 */

import type { Dice } from "../../replay/dice.ts";

const STEPS = ["keep", "nail", "count", "fail", "again", "step", "gate", "pair", "hold", "put", "mixed", "throw"] as const;

export type Step = (typeof STEPS)[number];

/** One call that a step makes, and what is declared of its method. */
export type Planned = {
  path: string;
  args: unknown;
  gated?: true;
  /** It stays open until it is released. */
  holds?: string;
  /** It may run again after a crash. */
  repeatable?: true;
  /** Its result is not kept. */
  ephemeral?: true;
  /** It is the program's own work, and gives this. */
  step?: number;
  undo?: "reverted" | "failed";
};

export type Program = {
  label: string;
  steps: readonly Step[];
  /** The calls of each step, and the number of the first. */
  plan: readonly { first: number; calls: readonly Planned[] }[];
};

/** Short, and mostly with something in it that stops. */
export function program(dice: Dice, label: string): Program {
  const steps = Array.from({ length: dice.between(1, 4) }, () => dice.of(STEPS));
  const end = steps.indexOf("throw");
  return planOf(label, end < 0 ? steps : steps.slice(0, end + 1));
}

function planOf(label: string, steps: readonly Step[]): Program {
  let first = 0;
  const plan = steps.map((step, index) => {
    const calls = planned(step, label, index);
    first += calls.length;
    return { first: first - calls.length, calls };
  });
  return { label, steps, plan };
}

export function textOf({ label, steps, plan }: Program): string {
  const lines = steps.map((step, index) => {
    const calls = (plan[index]?.calls ?? []).map((call) => {
      if (call.step !== undefined) return `codemode.step("s", () => ${call.step})`;
      return `${call.path}(${JSON.stringify(call.args)}).catch(said)`;
    });
    return step === "throw" ? `throw new Error("thrown by ${label}");` : `out.push(...await Promise.all([${calls.join(", ")}]));`;
  });
  return `async () => { const out = [], said = (error) => error.message; ${lines.join(" ")} return out }`;
}

function planned(step: Step, label: string, index: number): Planned[] {
  const n = { n: index };
  const key = `${label}/${index}`;
  const gate: Planned = { path: "side.keepGate", args: n, gated: true, undo: "reverted" };
  const hold: Planned = { path: "t.hold", args: { key }, holds: key };
  switch (step) {
    case "keep":
      return [{ path: "side.keep", args: n, undo: "reverted" }];
    case "nail":
      return [{ path: "side.keepBadly", args: n, undo: "failed" }];
    case "count":
      return [{ path: "t.count", args: { key: label } }];
    case "fail":
      return [{ path: "t.fail", args: { message: `failed at ${index}` } }];
    case "again":
      return [{ path: "t.reexec", args: {}, ephemeral: true, repeatable: true }];
    case "step":
      return [{ path: "codemode.step", args: "s", step: index }];
    case "gate":
      return [gate];
    case "pair":
      return [gate, { ...gate, args: { n: index, second: true } }];
    case "hold":
      return [hold];
    case "put":
      return [{ ...hold, path: "t.holdPut", repeatable: true }];
    case "mixed":
      return [gate, hold];
    case "throw":
      return [];
    default: {
      const unknown: never = step;
      return unknown;
    }
  }
}
