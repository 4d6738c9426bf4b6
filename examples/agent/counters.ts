/**
 * What really ran. Every method of the example's connectors is counted where it starts, in the Agent's SQLite, so that
 * anyone can see that a replay calls nothing and an approved call runs once.
 */

import { CodemodeConnector, type ConnectorTool } from "../../js-shim/client/index.ts";

export class Counters {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec("CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT");
  }

  /** Adds one and returns the new count. */
  bump(name: string): number {
    const cursor = this.#sql.exec<{ n: number }>(
      "INSERT INTO counters (name, n) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET n = n + 1 RETURNING n",
      name,
    );
    return cursor.one().n;
  }

  all(): Record<string, number> {
    const rows = this.#sql.exec<{ name: string; n: number }>("SELECT name, n FROM counters ORDER BY name");
    return Object.fromEntries(Array.from(rows, ({ name, n }) => [name, n]));
  }
}

/** A connector whose methods are counted under `<connector>.<method>`, and their reverts under `<connector>.<method>.revert`. */
export abstract class CountedConnector<Env = unknown> extends CodemodeConnector<Env> {
  protected readonly counters: Counters;

  constructor(ctx: DurableObjectState, env: Env, counters: Counters) {
    super(ctx, env);
    this.counters = counters;
  }

  protected override tool(name: string, tool: ConnectorTool): ConnectorTool {
    return counted(this.counters, `${this.name()}.${name}`, tool);
  }
}

/** The tool, counted under `path` where it starts, and its revert under `<path>.revert`. */
export function counted(counters: Counters, path: string, tool: ConnectorTool): ConnectorTool {
  const { revert } = tool;
  return {
    ...tool,
    execute: (args, ctx) => {
      counters.bump(path);
      return tool.execute(args, ctx);
    },
    ...(revert !== undefined && {
      revert: (args, result, ctx) => {
        counters.bump(`${path}.revert`);
        return revert.call(tool, args, result, ctx);
      },
    }),
  };
}
