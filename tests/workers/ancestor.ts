/** A facet as the system before this one leaves it behind: its tables, under the facet's name. */

import { DurableObject } from "cloudflare:workers";

export class Ancestor extends DurableObject {
  leave(): void {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE cm_snippets (name TEXT PRIMARY KEY, description TEXT NOT NULL, code TEXT NOT NULL, saved_at INTEGER NOT NULL, input_schema TEXT, connectors TEXT)");
    sql.exec("CREATE TABLE cm_executions (id TEXT PRIMARY KEY, code TEXT NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)");
    sql.exec("INSERT INTO cm_snippets VALUES ('twice', 'Echoes twice.', 'async (input) => [await t.echo(input), await t.echo(input)];', 1790000000000, NULL, '[\"t\"]')");
    sql.exec("INSERT INTO cm_executions VALUES ('e1', 'async () => t.gate({})', 'paused', 1, 2)");
  }
}
