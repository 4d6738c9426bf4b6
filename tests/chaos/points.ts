/** The kill points: what is under way, and at which place it stands still when workerd is killed. */

/** What the cell was asked to do when it was killed. */
export type Stage = "execute" | "approve" | "reject" | "cancel" | "delete" | "rollback" | "expire" | "recover" | "resolve";

export type At =
  /** A place of `places.ts`. */
  | { readonly place: string }
  /** The service acted and its answer is held back. `passing`: it is not, and the kill comes while things go on. */
  | { readonly service: "call" | "revert"; readonly passing?: true }
  /** The answer is out. */
  | "rest";

export interface Point {
  readonly name: string;
  readonly stage: Stage;
  readonly at: At;
  /** Which times it may be, of all that the undisturbed run comes there. */
  readonly nth?: "first" | "later";
  /** Only programs that pause, or only those that do not. */
  readonly gated?: boolean;
  readonly programs?: readonly string[];
  /** It was killed once before, after that effect of its first pass. */
  readonly killedAfter?: number;
  /** So many kills follow, at any place of the way out. */
  readonly again?: number;
}

/** Their first effect may not be repeated, so a kill after it leaves it in doubt. */
const DOUBTFUL = ["one effect", "sequence", "gated", "step", "timers"];
/** Of those, they have more effects. */
const GO_ON = ["sequence", "step", "timers"];

export const POINTS: readonly Point[] = [
  { name: "before begin", stage: "execute", at: { place: "before decision" } },
  { name: "begun, before its pass", stage: "execute", at: { place: "after decision" } },
  { name: "before intent", stage: "execute", at: { place: "before intent" } },
  { name: "before a check", stage: "execute", at: { place: "before check" } },
  { name: "after intent", stage: "execute", at: { place: "after intent" } },
  { name: "after effect", stage: "execute", at: { service: "call" } },
  { name: "after reply, in memory", stage: "execute", at: { place: "after reply" } },
  { name: "after outcome", stage: "execute", at: { place: "after outcome" } },
  { name: "in a step", stage: "execute", at: { place: "before settle" } },
  { name: "any moment", stage: "execute", at: { service: "call", passing: true } },

  { name: "pause: not recorded", stage: "execute", gated: true, at: { place: "before end" } },
  { name: "pause: recorded", stage: "execute", gated: true, at: { place: "after end" } },
  { name: "pause: told, unpaid", stage: "execute", gated: true, at: { place: "after telling" } },
  { name: "pause: at rest", stage: "execute", gated: true, at: "rest" },

  { name: "end: not recorded", stage: "execute", gated: false, at: { place: "before end" } },
  { name: "end: recorded", stage: "execute", gated: false, at: { place: "before telling" } },
  { name: "end: told, unpaid", stage: "execute", gated: false, at: { place: "after telling" } },

  { name: "approve: not recorded", stage: "approve", gated: true, at: { place: "before decision" } },
  { name: "approve: recorded", stage: "approve", gated: true, at: { place: "after decision" } },
  { name: "approve: after intent", stage: "approve", gated: true, at: { place: "after intent" } },
  { name: "approve: after effect", stage: "approve", gated: true, at: { service: "call" } },
  { name: "approve: after reply", stage: "approve", gated: true, at: { place: "after reply" } },
  { name: "approve: after outcome", stage: "approve", gated: true, at: { place: "after outcome" } },
  { name: "approve: before end", stage: "approve", gated: true, at: { place: "before end" } },
  { name: "approve: any moment", stage: "approve", gated: true, at: { service: "call", passing: true } },

  { name: "reject: not recorded", stage: "reject", gated: true, at: { place: "before decision" } },
  { name: "reject: recorded", stage: "reject", gated: true, at: { place: "after decision" } },
  { name: "cancel: recorded", stage: "cancel", gated: true, at: { place: "after decision" } },
  { name: "delete: before erasing", stage: "delete", gated: true, at: { place: "before erasing" } },

  { name: "rollback: not begun", stage: "rollback", at: { place: "before decision" } },
  { name: "rollback: first revert", stage: "rollback", at: { place: "before revert" }, nth: "first" },
  { name: "rollback: between two", stage: "rollback", at: { place: "before revert" }, nth: "later" },
  { name: "rollback: after effect", stage: "rollback", at: { service: "revert" } },
  { name: "rollback: reply heard", stage: "rollback", at: { place: "revert heard" } },
  { name: "rollback: all undone", stage: "rollback", at: { place: "after decision" } },

  { name: "expiry: not recorded", stage: "expire", gated: true, at: { place: "before decision" } },
  { name: "expiry: recorded", stage: "expire", gated: true, at: { place: "after decision" } },
  { name: "expiry of a dead run", stage: "expire", programs: DOUBTFUL, killedAfter: 1, at: { place: "after decision" } },

  { name: "recover: not recorded", stage: "recover", programs: DOUBTFUL, killedAfter: 1, at: { place: "before decision" } },
  { name: "recover: recorded", stage: "recover", programs: DOUBTFUL, killedAfter: 1, at: { place: "after decision" } },
  { name: "recover: effect again", stage: "recover", programs: ["mixed"], killedAfter: 2, at: { service: "call" } },
  { name: "resolve: not recorded", stage: "resolve", programs: DOUBTFUL, killedAfter: 1, at: { place: "before decision" } },
  { name: "resolve: recorded", stage: "resolve", programs: DOUBTFUL, killedAfter: 1, at: { place: "after decision" } },
  { name: "resolve: next effect", stage: "resolve", programs: GO_ON, killedAfter: 1, at: { service: "call" } },

  { name: "again: after effect", stage: "execute", at: { service: "call" }, again: 2 },
  { name: "again: in approve", stage: "approve", gated: true, at: { place: "after intent" }, again: 2 },
  { name: "again: in rollback", stage: "rollback", at: { place: "before revert" }, again: 2 },
];
