//! Tables. Migrations only append: a database of any earlier version opens. All names begin with `codemode_`, so that a
//! facet's database that something else wrote before is left alone.

use super::StoreError;
use super::sql::{Cell, Sql};

const MIGRATIONS: [&[&str]; 5] = [
    &[
        // One row per run; everything in it but the code can be folded from the journal and is here to be searched.
        "CREATE TABLE codemode_executions (
        id TEXT PRIMARY KEY,
        status TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        key TEXT UNIQUE
    )",
        "CREATE INDEX codemode_executions_by_age ON codemode_executions (created_at, id)",
        "CREATE INDEX codemode_executions_by_status ON codemode_executions (status, created_at)",
        // A flush is one row (or several, when it is long): events as lines of JSON.
        "CREATE TABLE codemode_journal (
        execution_id TEXT NOT NULL,
        position INTEGER NOT NULL,
        events TEXT NOT NULL,
        PRIMARY KEY (execution_id, position)
    ) WITHOUT ROWID",
        // Long texts in chunks that fit a row.
        "CREATE TABLE codemode_values (
        execution_id TEXT NOT NULL,
        slot TEXT NOT NULL,
        chunk INTEGER NOT NULL,
        text TEXT NOT NULL,
        UNIQUE (execution_id, slot, chunk)
    )",
        "CREATE TABLE codemode_catalogues (
        connector TEXT NOT NULL,
        chunk INTEGER NOT NULL,
        digest TEXT NOT NULL,
        text TEXT NOT NULL,
        UNIQUE (connector, chunk)
    )",
    ],
    &[
        // What connectors are still to hear of an end; the order of the rows is the order of telling.
        "CREATE TABLE codemode_owed (
        execution_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        status TEXT NOT NULL,
        UNIQUE (execution_id, kind)
    )",
        "CREATE INDEX codemode_executions_by_change ON codemode_executions (status, updated_at)",
    ],
    &[
        // Programs that worked, under a name; what a pass needs of one is in `snippet`.
        "CREATE TABLE IF NOT EXISTS codemode_snippets (
        name TEXT PRIMARY KEY,
        description TEXT NOT NULL,
        saved_at INTEGER NOT NULL
    )",
        "CREATE TABLE IF NOT EXISTS codemode_snippet_texts (
        name TEXT NOT NULL,
        slot TEXT NOT NULL,
        chunk INTEGER NOT NULL,
        text TEXT NOT NULL,
        UNIQUE (name, slot, chunk)
    )",
    ],
    &[
        // Rows of the journal get a number over all runs that only grows, for those who watch. The old rows have no such
        // order; the oldest run comes first. Each statement may be run again, should one behind it fail.
        "CREATE TABLE IF NOT EXISTS codemode_journal_numbered (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        execution_id TEXT NOT NULL,
        position INTEGER NOT NULL,
        events TEXT NOT NULL,
        UNIQUE (execution_id, position)
    )",
        "INSERT OR IGNORE INTO codemode_journal_numbered (execution_id, position, events)
        SELECT execution_id, position, events FROM codemode_journal LEFT JOIN codemode_executions ON id = execution_id
        ORDER BY created_at, execution_id, position",
        "DROP TABLE codemode_journal",
        "ALTER TABLE codemode_journal_numbered RENAME TO codemode_journal",
    ],
    &[
        // Each method by itself. What was kept before is asked for again: it is the host's, and nothing of a run.
        "DROP TABLE IF EXISTS codemode_catalogues",
        "CREATE TABLE codemode_catalogues (
        connector TEXT NOT NULL,
        slot TEXT NOT NULL,
        chunk INTEGER NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (connector, slot, chunk)
    ) WITHOUT ROWID",
    ],
];

pub(super) fn migrate(sql: &impl Sql) -> Result<(), StoreError> {
    sql.exec(
        "CREATE TABLE IF NOT EXISTS codemode_meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL)",
        &[],
    )?;
    let rows = sql.exec("SELECT value FROM codemode_meta WHERE key = 'schema'", &[])?;
    let applied = match rows.first().and_then(|row| row.first()) {
        Some(Cell::Integer(version)) => usize::try_from(*version).unwrap_or(0),
        Some(Cell::Null | Cell::Text(_) | Cell::Blob(_) | Cell::Other) | None => 0,
    };
    for (version, statements) in MIGRATIONS.iter().enumerate().skip(applied) {
        for statement in *statements {
            sql.exec(statement, &[])?;
        }
        let version = Cell::try_from(version as u64 + 1)?;
        sql.exec(
            "INSERT OR REPLACE INTO codemode_meta (key, value) VALUES ('schema', ?)",
            &[version],
        )?;
    }
    Ok(())
}
