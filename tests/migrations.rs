//! Databases of earlier versions open, and nothing in them is lost.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use codemode::runtime::Runtime;
use common::{Memory, World, value};
use serde_json::{Value, json};

const CODE: &str = "async () => 1";

/// What is recorded of all runs, behind an earlier answer.
fn told(world: &World, behind: Option<&Value>) -> Value {
    let cursor = behind.map(|answer| answer["cursor"].clone());
    let request = json!({ "cursor": cursor }).to_string();
    value(&world.runtime.events(&request))
}

/// The tables of the journal as the first two versions made them.
const OLD: &str = "
    CREATE TABLE codemode_meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL);
    INSERT INTO codemode_meta (key, value) VALUES ('schema', 2);
    CREATE TABLE codemode_executions (id TEXT PRIMARY KEY, status TEXT NOT NULL, created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL, key TEXT UNIQUE);
    CREATE INDEX codemode_executions_by_age ON codemode_executions (created_at, id);
    CREATE INDEX codemode_executions_by_status ON codemode_executions (status, created_at);
    CREATE TABLE codemode_journal (execution_id TEXT NOT NULL, position INTEGER NOT NULL, events TEXT NOT NULL,
        PRIMARY KEY (execution_id, position)) WITHOUT ROWID;
    CREATE TABLE codemode_values (execution_id TEXT NOT NULL, slot TEXT NOT NULL, chunk INTEGER NOT NULL,
        text TEXT NOT NULL, UNIQUE (execution_id, slot, chunk));
    CREATE TABLE codemode_catalogues (connector TEXT NOT NULL, chunk INTEGER NOT NULL, digest TEXT NOT NULL,
        text TEXT NOT NULL, UNIQUE (connector, chunk));
    CREATE TABLE codemode_owed (execution_id TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
        UNIQUE (execution_id, kind));
    CREATE INDEX codemode_executions_by_change ON codemode_executions (status, updated_at);
";

/// A run that has ended and one that waits for a person, in tables of an older version; and what is told of them.
fn old_database() -> (Memory, Value) {
    let mut world = World::new();
    for _ in 0..2 {
        let id = world.begin(CODE);
        let pass = world.open(&id);
        world.gated(pass, 0, "{}");
        world.pause(pass);
    }
    let pending = world.pending();
    let id = pending[0]["executionId"].as_str().unwrap();
    world.cancel(id);
    let memory = Memory::new();
    memory.0.execute_batch(OLD).unwrap();
    for (table, columns) in [
        ("executions", "id, status, created_at, updated_at, key"),
        ("journal", "execution_id, position, events"),
        ("values", "execution_id, slot, chunk, text"),
    ] {
        copy(&world.sql, &memory, table, columns);
    }
    // Runs have no order among each other there but that of their beginnings; here it is not that of their ids.
    let turn = "UPDATE codemode_executions SET created_at = 10000 - created_at";
    memory.0.execute(turn, []).unwrap();
    let (mut older, newer) = (of_one(&world, id), of_one(&world, other(&pending, id)));
    older.extend(newer);
    (memory, Value::Array(older))
}

fn other<'a>(pending: &'a Value, id: &str) -> &'a str {
    let ids = pending.as_array().unwrap().iter();
    ids.map(|action| action["executionId"].as_str().unwrap())
        .find(|it| *it != id)
        .unwrap()
}

fn of_one(world: &World, id: &str) -> Vec<Value> {
    let request = json!({ "executionId": id }).to_string();
    value(&world.runtime.events(&request))["events"]
        .as_array()
        .unwrap()
        .clone()
}

fn copy(from: &Memory, to: &Memory, table: &str, columns: &str) {
    let count = columns.split(", ").count();
    let mut select = from
        .0
        .prepare(&format!("SELECT {columns} FROM codemode_{table}"))
        .unwrap();
    let mut rows = select.query([]).unwrap();
    let places = vec!["?"; count].join(", ");
    let insert = format!("INSERT INTO codemode_{table} ({columns}) VALUES ({places})");
    while let Some(row) = rows.next().unwrap() {
        let cells: Vec<rusqlite::types::Value> =
            (0..count).map(|column| row.get_unwrap(column)).collect();
        to.0.execute(&insert, rusqlite::params_from_iter(cells))
            .unwrap();
    }
}

#[test]
fn a_journal_without_numbers_keeps_all_rows_and_gets_them() {
    let (memory, expected) = old_database();
    let mut world = World::new();
    world.sql = memory.clone();
    world.crash();
    let seen = told(&world, None);
    assert_eq!(seen["events"], expected);
    // Opened once more, nothing is numbered anew; and a run from before goes on.
    world.crash();
    assert_eq!(told(&world, Some(&seen))["events"], json!([]));
    let id = world.pending()[0]["executionId"].clone();
    world.approve(json!({ "executionId": id }));
    assert_eq!(told(&world, Some(&seen))["events"][0]["kind"], "decision");
    let tables =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name LIKE 'codemode_journal%'";
    let count: i64 = memory.0.query_row(tables, [], |row| row.get(0)).unwrap();
    assert_eq!(count, 1);
}

#[test]
fn a_migration_that_was_cut_off_is_made_again() {
    let statements = [
        "CREATE TABLE codemode_journal_numbered (number INTEGER PRIMARY KEY AUTOINCREMENT, execution_id TEXT NOT NULL,
         position INTEGER NOT NULL, events TEXT NOT NULL, UNIQUE (execution_id, position))",
        "INSERT INTO codemode_journal_numbered (execution_id, position, events)
         SELECT execution_id, position, events FROM codemode_journal LEFT JOIN codemode_executions ON id = execution_id
         ORDER BY created_at, execution_id, position",
        "DROP TABLE codemode_journal; ALTER TABLE codemode_journal_numbered RENAME TO codemode_journal",
    ];
    for done in 1..=statements.len() {
        let (memory, expected) = old_database();
        for statement in statements.iter().take(done) {
            memory.0.execute_batch(statement).unwrap();
        }
        let mut world = World::new();
        world.runtime = Runtime::new(memory).unwrap();
        assert_eq!(told(&world, None)["events"], expected, "after {done}");
    }
}
