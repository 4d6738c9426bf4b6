/**
 * What really happened at the host, in the Agent's own SQLite: it outlives every eviction, so a call that ran twice shows.
 */

/** One execution of a method, in the order in which they started. */
export type Ran = { path: string; args: string; executionId: string; seq: number; idempotencyKey: string; attempt: number };

/** What a connector was told or asked to undo, in order. */
export type Heard = { connector: string; what: string; executionId: string; detail: string };

export class HostRecord {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec("CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT");
    sql.exec(
      "CREATE TABLE IF NOT EXISTS ran (n INTEGER PRIMARY KEY, path TEXT NOT NULL, args TEXT NOT NULL, executionId TEXT NOT NULL, " +
        "seq INTEGER NOT NULL, idempotencyKey TEXT NOT NULL, attempt INTEGER NOT NULL) STRICT",
    );
    sql.exec(
      "CREATE TABLE IF NOT EXISTS heard (n INTEGER PRIMARY KEY, connector TEXT NOT NULL, what TEXT NOT NULL, executionId TEXT NOT NULL, detail TEXT NOT NULL) STRICT",
    );
  }

  hear({ connector, what, executionId, detail }: Heard): void {
    this.#sql.exec("INSERT INTO heard (connector, what, executionId, detail) VALUES (?, ?, ?, ?)", connector, what, executionId, detail);
  }

  heard(): Heard[] {
    return this.#sql.exec<Heard>("SELECT connector, what, executionId, detail FROM heard ORDER BY n").toArray();
  }

  /** Adds one and returns the new count. */
  bump(name: string): number {
    return this.#sql
      .exec<{ n: number }>("INSERT INTO counters (name, n) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET n = n + 1 RETURNING n", name)
      .one().n;
  }

  /** Keeps the largest number seen. */
  peak(name: string, value: number): void {
    this.#sql.exec("INSERT INTO counters (name, n) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET n = max(n, excluded.n)", name, value);
  }

  add({ path, args, executionId, seq, idempotencyKey, attempt }: Ran): void {
    this.bump(path);
    this.#sql.exec(
      "INSERT INTO ran (path, args, executionId, seq, idempotencyKey, attempt) VALUES (?, ?, ?, ?, ?, ?)",
      path, args, executionId, seq, idempotencyKey, attempt,
    );
  }

  counters(): Record<string, number> {
    const rows = this.#sql.exec<{ name: string; n: number }>("SELECT name, n FROM counters ORDER BY name");
    return Object.fromEntries(Array.from(rows, ({ name, n }) => [name, n]));
  }

  all(): Ran[] {
    return this.#sql.exec<Ran>("SELECT path, args, executionId, seq, idempotencyKey, attempt FROM ran ORDER BY n").toArray();
  }
}
