/**
 * Notes in the Agent's own SQLite: a service with writes that a person approves, and that can be undone.
 */

import type { ConnectorTools } from "../../js-shim/client/index.ts";
import { CountedConnector, type Counters } from "./counters.ts";

type Note = { id: number; text: string; tag: string | null };

const NOTE = {
  type: "object",
  properties: { id: { type: "integer" }, text: { type: "string" }, tag: { type: ["string", "null"] } },
  required: ["id", "text", "tag"],
};

export class NotesConnector<Env> extends CountedConnector<Env> {
  readonly #sql: SqlStorage;
  // One object for good: the list never changes, so it is hashed once.
  readonly #tools = this.#methods();

  constructor(ctx: DurableObjectState, env: Env, counters: Counters) {
    super(ctx, env, counters);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL, tag TEXT, key TEXT UNIQUE) STRICT",
    );
  }

  name(): string {
    return "notes";
  }

  protected override instructions(): string {
    return "The user's notes. Adding one waits for approval.";
  }

  protected tools(): ConnectorTools {
    return this.#tools;
  }

  // There is nothing to close here; a connector with a browser or a file would do it in these two.
  protected override onPassEnd(_executionId: string, status: string): void {
    this.counters.bump(`notes.onPassEnd/${status}`);
  }

  protected override disposeExecution(_executionId: string, status: string): void {
    this.counters.bump(`notes.disposeExecution/${status}`);
  }

  #methods(): ConnectorTools {
    return {
      add: {
        description: "Add a note.",
        inputSchema: {
          type: "object",
          properties: { text: { type: "string", minLength: 1 }, tag: { type: "string" } },
          required: ["text"],
          additionalProperties: false,
        },
        outputSchema: NOTE,
        requiresApproval: true,
        // The key is the same in every attempt, so a second attempt after a crash finds the first one's note.
        idempotent: true,
        execute: ({ text, tag = null }: { text: string; tag?: string | null }, { idempotencyKey }): Note => {
          this.#sql.exec("INSERT INTO notes (text, tag, key) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING", text, tag, idempotencyKey);
          return this.#sql.exec<Note>("SELECT id, text, tag FROM notes WHERE key = ?", idempotencyKey).one();
        },
        revert: (_args, note: Note) => void this.#sql.exec("DELETE FROM notes WHERE id = ?", note.id),
      },
      list: {
        description: "List notes, oldest first; all, or those with a tag.",
        inputSchema: { type: "object", properties: { tag: { type: "string" } }, additionalProperties: false },
        outputSchema: { type: "array", items: NOTE },
        readOnly: true,
        execute: ({ tag = null }: { tag?: string | null }): Note[] =>
          this.#sql.exec<Note>("SELECT id, text, tag FROM notes WHERE ?1 IS NULL OR tag = ?1 ORDER BY id", tag).toArray(),
      },
      remove: {
        description: "Remove a note. Returns it, or null when there was none.",
        inputSchema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"], additionalProperties: false },
        outputSchema: { anyOf: [NOTE, { type: "null" }] },
        execute: ({ id }: { id: number }): Note | null =>
          this.#sql.exec<Note>("DELETE FROM notes WHERE id = ? RETURNING id, text, tag", id).toArray()[0] ?? null,
        revert: (_args, note: Note | null) => {
          if (note === null) return;
          this.#sql.exec("INSERT INTO notes (id, text, tag) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING", note.id, note.text, note.tag);
        },
      },
    };
  }
}
