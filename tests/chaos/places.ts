/**
 * The places inside the runtime at which it can be made to stand still, as changes of the shim's source: nothing is moved,
 * a line is put between. The Rust core needs none, because each of its entries is one synchronous call: there is nothing
 * between its first and its last write that a kill could tell apart from before or after, but for what SQLite itself undoes.
 *
 * Places at the service (an effect was counted and not answered) are the witness's own and need no change.
 */

import type { Patch } from "../../scripts/bundle-harness.mjs";

const stand = (core: string, place: string): string => `{ const stands = doorbell.at(${core}, "${place}"); if (stands) await stands; }`;

const CORE = "this.#core";

export const PLACES: readonly Patch[] = [
  { file: "js-shim/core.ts", from: "    this.#ctx = ctx;\n", to: "    this.#ctx = ctx;\n    doorbell.owns(this, ctx);\n" },

  // A pass: a call comes, leaves, is answered; a step is done; outcomes are flushed; the end.
  before("js-shim/pass.ts", "    const reply = this.#ask((core) => core.call(this.id, operation, key, delivered, console));", returned("before intent")),
  before("js-shim/pass.ts", "        answer = await this.#host(reply.slice(HOST.length));", "{ const stands = doorbell.asking(this.#core, reply); if (stands) return stands; }"),
  after(
    "js-shim/pass.ts",
    "          : core.answer(this.id, operation, answer),\n      );",
    "{ const stands = doorbell.answered(this.#core, reply, () => this.#core.use((core) => core.flush())); if (stands) return stands; }",
  ),
  before("js-shim/pass.ts", "    return this.#ask((core) => core.settle(this.id, operation, outcome, delivered, console));", returned("before settle")),
  before("js-shim/pass.ts", "    return this.#ask((core) => core.note(this.id, delivered, console));", returned("before note")),
  before("js-shim/runtime.ts", "        this.#core.use((core) => core.flush());", "if (doorbell.stands(this.#core)) return;"),
  before("js-shim/passes.ts", '      return this.#core.use((core) => {\n        if (ended === "late") return core.closeLate(id);', stand(CORE, "before end")),
  {
    file: "js-shim/passes.ts",
    from: "      return await this.#pass(executionId, places, request, host, loader, ended.signal);",
    to: `      const text = await this.#pass(executionId, places, request, host, loader, ended.signal); ${stand(CORE, "after end")} return text;`,
  },

  // Decisions: execute, approve, recover, resolve, reject, expire, delete.
  {
    file: "js-shim/runtime.ts",
    from: "      const next = parse<Next>(this.#core.use(act));\n",
    to: `      ${stand(CORE, "before decision")}\n      const next = parse<Next>(this.#core.use(act));\n`,
  },
  {
    file: "js-shim/runtime.ts",
    from: "      return this.#go(next, request, host);",
    to: `      ${stand(CORE, "after decision")} return this.#go(next, request, host);`,
  },
  around("      const rejected = parse<Reply<Rejected>>(this.#core.use((core) => core.reject(request)));", "decision"),
  around("      const reply = parse<Reply<Cancelled>>(this.#core.use((core) => core.cancel(request)));", "decision"),
  {
    file: "js-shim/runtime.ts",
    from: "    return this.#plain(() => expireAll(() => this.#core.use((core) => core.expirePaused(request))));",
    to: `    return this.#plain(async () => { ${stand(CORE, "before decision")} const reply = await expireAll(() => this.#core.use((core) => core.expirePaused(request))); ${stand(CORE, "after decision")} return reply; });`,
  },
  before("js-shim/runtime.ts", "      return this.#core.use((core) => core.deleteExecution(request));", stand(CORE, "before erasing")),

  // Rolling back, and telling connectors.
  before("js-shim/rollback.ts", "    let step = parse<Step>(this.#core.use((core) => core.rollback(request)));", stand(CORE, "before decision")),
  {
    file: "js-shim/rollback.ts",
    from: "      const answer = await asked(host, message);",
    to: `      ${stand(CORE, "before revert")} const answer = await asked(host, message); ${stand(CORE, "revert heard")}`,
  },
  before("js-shim/rollback.ts", "    return step.reply;", stand(CORE, "after decision")),
  telling("if (!(await tell(host, debt.message, deadline))) return;"),
];

/** Controls, which the verdicts have to find out: a runtime that writes intents late. */
export const LATE_INTENT: readonly Patch[] = [
  ...PLACES,
  { file: "js-shim/core.ts", from: "new RuntimeCore(this.#ctx as never", to: "new RuntimeCore(doorbell.late(this.#ctx) as never" },
];

/** One that takes for told what it told nobody. */
export const SILENT: readonly Patch[] = [...PLACES.filter(({ file }) => file !== "js-shim/owed.ts"), telling("")];

function telling(act: string): Patch {
  return {
    file: "js-shim/owed.ts",
    from: "          if (!(await tell(host, debt.message, deadline))) return;",
    to: `          ${stand(CORE, "before telling")} ${act} ${stand(CORE, "after telling")}`,
  };
}

function before(file: string, from: string, line: string): Patch {
  return { file, from, to: `${line}\n${from}` };
}

function after(file: string, from: string, line: string): Patch {
  return { file, from, to: `${from}\n${line}` };
}

function around(from: string, what: string): Patch {
  return { file: "js-shim/runtime.ts", from, to: `${stand(CORE, `before ${what}`)}\n${from}\n${stand(CORE, `after ${what}`)}` };
}

/** In a method that answers at once when it can: what never settles is its answer. */
function returned(place: string): string {
  return `{ const stands = doorbell.at(this.#core, "${place}"); if (stands) return stands; }`;
}
