//! A facet's database that `@cloudflare/codemode` wrote before: opened safely, its snippets taken over once.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use codemode::runtime::Runtime;
use common::{Memory, value};
use serde_json::{Value, json};

/// The tables as that system makes them.
const TABLES: &str = "
    CREATE TABLE cm_executions (id TEXT PRIMARY KEY, code TEXT NOT NULL, status TEXT NOT NULL, result TEXT, error TEXT,
        logs TEXT, connectors TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
    CREATE TABLE cm_log (execution_id TEXT NOT NULL, seq INTEGER NOT NULL, connector TEXT NOT NULL, method TEXT NOT NULL,
        args TEXT, result TEXT, requires_approval INTEGER NOT NULL DEFAULT 0, ephemeral INTEGER NOT NULL DEFAULT 0,
        state TEXT NOT NULL, PRIMARY KEY (execution_id, seq));
    CREATE TABLE cm_snippets (name TEXT PRIMARY KEY, description TEXT NOT NULL, code TEXT NOT NULL,
        saved_at INTEGER NOT NULL, input_schema TEXT, connectors TEXT);
    INSERT INTO cm_executions VALUES ('e1', 'async () => 1', 'completed', '1', NULL, NULL, '[\"notes\"]', 1, 2);
    INSERT INTO cm_executions VALUES ('e2', 'async () => notes.add({})', 'paused', NULL, NULL, NULL, '[\"notes\"]', 3, 4);
    INSERT INTO cm_log VALUES ('e2', 0, 'notes', 'add', '{}', NULL, 1, 0, 'pending');
    INSERT INTO cm_snippets VALUES ('list-open', 'Lists what is open.', 'async (input) => notes.list(input)', 7,
        '{\"type\":\"object\"}', '[\"notes\"]');
    INSERT INTO cm_snippets VALUES ('plain', '', 'async () => 1;', 8, NULL, NULL);
    INSERT INTO cm_snippets VALUES ('torn', '', 'async () => {', 9, NULL, NULL);
    INSERT INTO cm_snippets VALUES ('two words', '', 'async () => 1', 9, NULL, NULL);
";

fn left_behind() -> Memory {
    let sql = Memory::new();
    sql.0.execute_batch(TABLES).unwrap();
    sql
}

fn names(runtime: &Runtime<Memory>) -> Vec<Value> {
    let all = value(&runtime.snippets());
    all.as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].clone())
        .collect()
}

#[test]
fn its_snippets_become_ours_and_the_rest_is_left_and_reported() {
    let sql = left_behind();
    let runtime = Runtime::new(sql.clone()).unwrap();
    let report = runtime.adopt().unwrap();
    assert_eq!(names(&runtime), ["list-open", "plain"]);
    let all = value(&runtime.snippets());
    assert_eq!(
        all[0],
        json!({ "name": "list-open", "description": "Lists what is open.", "code": "async (input) => notes.list(input)",
            "savedAt": 7, "inputSchema": { "type": "object" }, "connectors": ["notes"] })
    );
    for part in [
        "2 of its snippets",
        "torn (",
        "two words (",
        "2 executions, 1 of them paused",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert_eq!(value(&runtime.executions("{}")), json!([]));
    assert_eq!(value(&runtime.pending("{}")), json!([]));
    for (table, count) in [("cm_executions", 2), ("cm_log", 1), ("cm_snippets", 4)] {
        let query = format!("SELECT count(*) FROM {table}");
        let rows: i64 = sql.0.query_row(&query, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, count, "{table}");
    }
}

#[test]
fn it_is_read_once_so_what_is_deleted_here_does_not_come_back() {
    let sql = left_behind();
    let runtime = Runtime::new(sql.clone()).unwrap();
    assert!(runtime.adopt().is_some());
    assert_eq!(
        value(&runtime.delete_snippet(r#"{"name":"plain"}"#)),
        json!({ "deleted": true })
    );
    let again = Runtime::new(sql).unwrap();
    assert_eq!(again.adopt(), None);
    assert_eq!(names(&again), ["list-open"]);
}

#[test]
fn tables_of_another_form_open_all_the_same() {
    let sql = Memory::new();
    sql.0
        .execute_batch(
            "CREATE TABLE cm_snippets (title TEXT); INSERT INTO cm_snippets VALUES ('x')",
        )
        .unwrap();
    let runtime = Runtime::new(sql).unwrap();
    let report = runtime.adopt().unwrap();
    assert!(report.contains("could not be read"), "{report}");
    assert_eq!(names(&runtime), Vec::<Value>::new());
}

#[test]
fn a_database_of_our_own_has_nothing_to_take_over() {
    let runtime = Runtime::new(Memory::new()).unwrap();
    assert_eq!(runtime.adopt(), None);
}
