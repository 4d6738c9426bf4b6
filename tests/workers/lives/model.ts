/**
 * A small runtime to hold the real one against: what is recorded of runs, and nothing of sandboxes, storage or waiting.
 * The states and what leads from one to another are the table `tests/fixtures/life.json`, which the native random lives
 * read too; a model that left the table would be wrong itself and says so.
 */

import life from "../../fixtures/life.json";
import type { Planned, Program } from "./programs.ts";

export type Status = "running" | "paused" | "completed" | "error" | "rejected" | "rolled_back";
type By = keyof typeof life;

export type Entry = {
  call: Planned;
  /** `approved` is seen by nobody: the pass that makes the call follows at once. */
  state: "executing" | "applied" | "pending" | "in_doubt" | "error" | "reverted" | "approved";
  attempt: number;
  /** What the program got. */
  value?: unknown;
  editedArgs?: unknown;
};

export type Run = {
  id: string;
  key: string | undefined;
  program: Program;
  status: Status;
  entries: Entry[];
  result?: unknown;
  errorCode?: string;
};

/** What becomes of a call that is held open. */
export type Fate = "released" | "aborted" | "panicked" | "cancelled";
export type Held = { key: string; entry: Entry; fate: Fate };

export class Model {
  /** Oldest first. */
  readonly runs: Run[] = [];
  /** What connectors are still to hear, in order: `<run> <what>` and the status. */
  readonly owed = new Map<string, string>();
  /** What they have heard, by run. */
  readonly heard = new Map<string, Set<string>>();
  /** Every execution of a method. */
  readonly ran: string[] = [];
  readonly counters = new Map<string, number>();

  become(run: Run, by: By, to: Status): void {
    const allowed = (life[by] as Partial<Record<Status, string[]>>)[run.status] ?? [];
    if (!allowed.includes(to)) throw new Error(`the model is wrong: ${by} made ${to} of ${run.status}`);
    run.status = to;
    if (to !== "running") this.#owe(run);
  }

  forget(run: Run, by: "delete" | "prune"): void {
    const allowed: readonly string[] = (life[by] as Partial<Record<Status, string[]>>)[run.status] ?? [];
    if (!allowed.includes("none")) throw new Error(`the model is wrong: ${by} of a run that is ${run.status}`);
    this.runs.splice(this.runs.indexOf(run), 1);
  }

  /** The oldest that have ended, beyond `keep`. */
  prune(keep: number): number {
    const ended = this.runs.filter(({ status }) => status !== "running" && status !== "paused");
    const gone = ended.slice(0, Math.max(0, ended.length - keep));
    for (const run of gone) this.forget(run, "prune");
    return gone.length;
  }

  #owe(run: Run): void {
    const kinds = run.status === "paused" ? ["pass_end"] : ["pass_end", "dispose"];
    for (const kind of kinds) {
      // A newer status takes the place of one that was not told, at the end of the queue.
      this.owed.delete(`${run.id} ${kind}`);
      this.owed.set(`${run.id} ${kind}`, run.status);
    }
  }

  /** A contact with a host: connectors hear all that they are owed. */
  pay(): void {
    for (const [owing, status] of this.owed) {
      const [id = "", kind = ""] = owing.split(" ");
      for (const connector of ["t", "side"]) this.hear(id, `${connector} ${kind} ${status}`);
    }
    this.owed.clear();
  }

  hear(id: string, what: string): void {
    const heard = this.heard.get(id) ?? new Set();
    this.heard.set(id, heard.add(what));
  }

  /**
   * One pass over a run that is `running`: the record first, then the world. `fates` says what becomes of each call that is
   * held open; the pass is over with the first that is not released.
   */
  pass(run: Run, fate: () => Fate): Held[] {
    const held: Held[] = [];
    const out: unknown[] = [];
    for (const [index, step] of run.program.steps.entries()) {
      if (step === "throw") {
        run.errorCode = "exception";
        this.become(run, "threw", "error");
        return held;
      }
      const { first = 0, calls = [] } = run.program.plan[index] ?? {};
      const entries = calls.map((call, at) => this.#issue(run, first + at, call));
      for (const entry of entries) {
        if (!this.#leaves(run, entry) || entry.call.holds === undefined) continue;
        const one: Held = { key: entry.call.holds, entry, fate: fate() };
        held.push(one);
        if (one.fate === "cancelled") {
          run.errorCode = "cancelled";
          this.become(run, "cancel", "error");
        }
        if (one.fate !== "released") return held;
        settle(entry, "applied", `released ${one.key}`);
      }
      if (entries.some(({ state }) => state === "pending")) {
        this.become(run, "waits", "paused");
        return held;
      }
      out.push(...entries.map(({ value }) => value));
    }
    run.result = out;
    this.become(run, "returned", "completed");
    return held;
  }

  #issue(run: Run, seq: number, call: Planned): Entry {
    const known = run.entries[seq];
    if (known !== undefined) return known;
    const entry: Entry = { call, state: call.gated === true ? "pending" : "executing", attempt: 0 };
    run.entries.push(entry);
    return entry;
  }

  /** Makes the call if it is to be made in this pass, and settles it unless it holds. Whether it was made. */
  #leaves(run: Run, entry: Entry): boolean {
    const { call, state } = entry;
    if (state !== "executing" && state !== "approved" && call.ephemeral !== true) return false;
    entry.state = "executing";
    entry.attempt += 1;
    const seq = run.entries.indexOf(entry);
    const args = entry.editedArgs ?? call.args;
    if (call.step === undefined) this.ran.push(`${run.id} ${seq} ${call.path} ${JSON.stringify(args)} ${run.id}:${seq}`);
    if (call.holds !== undefined) return true;
    switch (call.path) {
      case "t.fail":
        settle(entry, "error", (call.args as { message: string }).message);
        break;
      case "t.count":
        settle(entry, "applied", this.#bump(`count/${run.program.label}`));
        break;
      case "t.reexec":
        settle(entry, "applied", this.#bump("reexecuted"));
        break;
      case "codemode.step":
        settle(entry, "applied", call.step);
        break;
      default:
        settle(entry, "applied", { kept: args });
    }
    return true;
  }

  #bump(counter: string): number {
    const next = (this.counters.get(counter) ?? 0) + 1;
    this.counters.set(counter, next);
    return next;
  }
}

export function settle(entry: Entry, state: "applied" | "error", value: unknown): void {
  entry.state = state;
  entry.value = value;
}

export function pendingOf(run: Run): number[] {
  return numbers(run, "pending");
}

export function inDoubtOf(run: Run): number[] {
  return numbers(run, "in_doubt");
}

function numbers(run: Run, state: Entry["state"]): number[] {
  return run.entries.flatMap((entry, seq) => (entry.state === state ? [seq] : []));
}
