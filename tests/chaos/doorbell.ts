/**
 * Runs beside the runtime's class in its isolate: makes one object stand still at a named place of the shim, and rings at the
 * witness when it does. The places are put into the shim's source by `places.ts`.
 *
 * From the ring on nothing of that object goes on: what comes to any place waits there for ever, and the idle flush does
 * nothing. So whoever kills workerd afterwards kills it at that place, however long it takes. A ring is a fetch, and the
 * platform lets none out before what was written so far is durable: what was written before a place is on disk when the
 * witness hears of it.
 */

/** What the object is watched for, and what has come by since. */
interface Watch {
  readonly cell: string;
  readonly witness: string;
  readonly place: string;
  left: number;
  readonly tally: Record<string, number>;
  standing: Promise<never> | undefined;
}

const owners = new WeakMap<object, object>();
const watches = new WeakMap<object, Watch>();

/** Watches an object for the nth time that it comes to a place; the empty place is never come to. */
export function watch(ctx: object, cell: string, witness: string, place: string, nth: number): void {
  watches.set(ctx, { cell, witness, place, left: nth, tally: {}, standing: undefined });
}

/** How often it came to each place since it is watched. */
export function tallyOf(ctx: object): Record<string, number> {
  return { ...watches.get(ctx)?.tally };
}

/** What the patched sources call, as the global `doorbell`. */
const doorbell = {
  /** Which object a core belongs to. */
  owns(core: object, ctx: object): void {
    owners.set(core, ctx);
  },

  /** At a place: `undefined` to go on, synchronously, so that no order changes; else what never settles. */
  at(core: object, place: string): Promise<never> | undefined {
    const watching = watchOf(core);
    if (watching === undefined) return undefined;
    if (watching.standing !== undefined) return watching.standing;
    watching.tally[place] = (watching.tally[place] ?? 0) + 1;
    if (place !== watching.place) return undefined;
    watching.left -= 1;
    if (watching.left > 0) return undefined;
    watching.standing = ring(watching);
    return watching.standing;
  },

  /** Before a message leaves for the host. A question whether a person has to decide is a place of its own. */
  asking(core: object, reply: string): Promise<never> | undefined {
    return doorbell.at(core, reply.includes('"kind":"check"') ? "before check" : "after intent");
  },

  /** After the core took in what the host said of a call: in memory alone, or flushed. */
  answered(core: object, reply: string, flush: () => void): Promise<never> | undefined {
    if (!reply.startsWith("v") && !reply.startsWith("e")) return undefined;
    const watching = watchOf(core);
    if (watching?.standing === undefined && watching?.place === "after outcome" && watching.left === 1) flush();
    return doorbell.at(core, "after reply") ?? doorbell.at(core, "after outcome");
  },

  stands(core: object): boolean {
    return watchOf(core)?.standing !== undefined;
  },

  late,
};

Object.assign(globalThis, { doorbell });

function watchOf(core: object): Watch | undefined {
  const ctx = owners.get(core);
  return ctx && watches.get(ctx);
}

async function ring({ witness, cell, place }: Watch): Promise<never> {
  // The witness does not answer either, so the platform sees that something is waited for.
  await fetch(witness, { method: "POST", body: JSON.stringify({ what: "place", cell, place }) });
  throw new Error("the witness has answered a ring");
}

/**
 * For the control: an object whose journal is written late. A row waits in memory for the next statement, so an effect leaves
 * before its intent is on disk.
 */
function late(ctx: DurableObjectState): object {
  const { sql } = ctx.storage;
  const nothing = "SELECT 1 WHERE false";
  const waiting: (() => unknown)[] = [];
  const exec = (statement: string, ...bindings: unknown[]): unknown => {
    for (const write of waiting.splice(0)) write();
    const isIntent = statement.startsWith("INSERT INTO codemode_journal") && bindings.some((value) => String(value).includes('"intent"'));
    if (!isIntent) return sql.exec(statement, ...bindings);
    waiting.push(() => sql.exec(statement, ...bindings));
    return sql.exec(nothing);
  };
  return { storage: { sql: { exec } } };
}
