//! Tables. Migrations only append: a database of any earlier version opens. All names begin with `codemode_`, so that a
//! facet's database that something else wrote before is left alone.

use super::StoreError;
use super::sql::{Cell, Sql};

const MIGRATIONS: [&[&str]; 2] = [
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
];

pub(super) fn migrate(sql: &impl Sql) -> Result<(), StoreError> {
    sql.exec(
        "CREATE TABLE IF NOT EXISTS codemode_meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL)",
        &[],
    )?;
    let rows = sql.exec("SELECT value FROM codemode_meta WHERE key = 'schema'", &[])?;
    let applied = match rows.first().and_then(|row| row.first()) {
        Some(Cell::Integer(version)) => usize::try_from(*version).unwrap_or(0),
        Some(Cell::Null | Cell::Text(_) | Cell::Other) | None => 0,
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
