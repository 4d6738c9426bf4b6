/** The runtime's class with a doorbell (`doorbell.ts`), and doors to what is on disk. Its shim is changed by `places.ts`. */

import { tallyOf, watch } from "./doorbell.ts";
import { CodemodeRuntime as Shipped } from "../../js-shim/runtime.ts";

export class CodemodeRuntime extends Shipped {
  arm(cell: string, witness: string, place: string, nth: number): void {
    watch(this.ctx, cell, witness, place, nth);
  }

  tally(): Record<string, number> {
    return tallyOf(this.ctx);
  }

  /** The events on disk, one text of JSON each; not what an open pass remembers. */
  journal(): string[] {
    const rows = this.ctx.storage.sql.exec<{ events: string }>("SELECT events FROM codemode_journal ORDER BY execution_id, position");
    return rows.toArray().flatMap(({ events }) => events.split("\n").filter((line) => line !== ""));
  }

  /** When the object will wake up by itself. */
  alarmTime(): Promise<number | null> {
    return this.ctx.storage.getAlarm();
  }

  /** What no connector has been told yet. */
  owedRows(): string[] {
    const rows = this.ctx.storage.sql.exec<{ kind: string; status: string }>("SELECT kind, status FROM codemode_owed ORDER BY rowid");
    return rows.toArray().map(({ kind, status }) => `${kind} ${status}`);
  }
}

export default {
  fetch: () => new Response("a runtime for tests", { status: 404 }),
} satisfies ExportedHandler;
