/**
 * The runtime Worker as shipped, with doors for tests: reading a journal, cutting one off, counting what sandboxes send.
 * What it copies is what a crash leaves behind: events are durable in order, texts before the events that name them.
 */

import { Bridge } from "../../js-shim/bridge.ts";
import { CodemodeRuntime as Shipped } from "../../js-shim/runtime.ts";
import { statusAfter } from "./journal.ts";

/** Messages from sandboxes of this isolate. */
const sent = { calls: 0, settles: 0, pages: 0 };

for (const [method, counter] of [["call", "calls"], ["settle", "settles"], ["page", "pages"]] as const) {
  const carry = Bridge.prototype[method] as (...args: unknown[]) => unknown;
  Object.defineProperty(Bridge.prototype, method, {
    configurable: true,
    writable: true,
    value(this: Bridge, ...args: unknown[]): unknown {
      sent[counter] += 1;
      return carry.apply(this, args);
    },
  });
}

export class CodemodeRuntime extends Shipped {
  /** The events of an execution, one text of JSON each. */
  journal(executionId: string): string[] {
    const rows = this.ctx.storage.sql.exec<{ events: string }>(
      "SELECT events FROM codemode_journal WHERE execution_id = ? ORDER BY position",
      executionId,
    );
    return rows.toArray().flatMap(({ events }) => events.split("\n").filter((line) => line !== ""));
  }

  /** Another execution, of which only the first events of this one became durable. */
  fork(from: string, to: string, count: number): void {
    const { sql } = this.ctx.storage;
    const lines = this.journal(from).slice(0, count);
    sql.exec(
      "INSERT INTO codemode_executions (id, status, created_at, updated_at) SELECT ?, ?, created_at, updated_at FROM codemode_executions WHERE id = ?",
      to,
      statusAfter(lines),
      from,
    );
    sql.exec("INSERT INTO codemode_journal (execution_id, position, events) VALUES (?, 0, ?)", to, `${lines.join("\n")}\n`);
    sql.exec("INSERT INTO codemode_values (execution_id, slot, chunk, text) SELECT ?, slot, chunk, text FROM codemode_values WHERE execution_id = ?", to, from);
  }

  messages(): typeof sent {
    return { ...sent };
  }
}

export default {
  fetch: () => new Response("a runtime for tests", { status: 404 }),
} satisfies ExportedHandler;
