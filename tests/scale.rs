//! Thousands of runs in one object: what one call does is bounded, however many there are, and all of it gets done.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
#![allow(
    clippy::disallowed_methods,
    reason = "time is what is measured here, and this runs natively"
)]

mod common;

use std::time::{Duration, Instant};

use common::{World, value};
use serde_json::{Value, json};

const MANY: usize = 5_000;
/// How much one call into the core may do.
const PART: usize = 100;
/// Generous: an unoptimised build on a busy machine. What is meant is that the time does not grow with the number of runs.
const SOON: Duration = Duration::from_secs(2);

/// As many runs as one, each with a name and an age of its own.
fn world(ends: bool) -> (World, Vec<String>) {
    let mut world = World::new();
    world.contact["maxExecutions"] = json!(MANY);
    let first = begin(&mut world);
    let pass = world.open(&first);
    world.gated(pass, 0, "1");
    world.pause(pass);
    if ends {
        world.cancel(&first);
    }
    let copies = 2..=MANY as u64;
    let ids: Vec<String> = copies.map(|n| format!("exec_{n:032}")).collect();
    world.sql.0.execute_batch("BEGIN").unwrap();
    for (n, id) in (1_u64..).zip(&ids) {
        for statement in [
            "INSERT INTO codemode_executions SELECT ?1, status, created_at + ?3, updated_at + ?3, key FROM codemode_executions WHERE id = ?2",
            "INSERT INTO codemode_journal (execution_id, position, events) SELECT ?1, position, events FROM codemode_journal WHERE execution_id = ?2 AND ?3",
            "INSERT INTO codemode_values SELECT ?1, slot, chunk, text FROM codemode_values WHERE execution_id = ?2 AND ?3",
        ] {
            let mut statement = world.sql.0.prepare_cached(statement).unwrap();
            statement.execute(rusqlite::params![id, first, n]).unwrap();
        }
    }
    world.sql.0.execute_batch("COMMIT").unwrap();
    world.now += 10 * MANY as u64;
    let all = std::iter::once(first).chain(ids).collect();
    (world, all)
}

/// `World` makes the ids of a few runs only.
fn begin(world: &mut World) -> String {
    let now = world.tick();
    let mut chance = [0; 48];
    chance[..8].copy_from_slice(&world.now.to_be_bytes());
    let request = json!({ "contact": world.contact, "code": "async () => 1" }).to_string();
    let next = world.runtime.execute(&request, Some(chance), now);
    let next: Value = serde_json::from_str(&next).unwrap();
    next["executionId"].as_str().unwrap().to_owned()
}

fn soon<T>(what: &str, act: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = act();
    let took = start.elapsed();
    assert!(took < SOON, "{what} took {took:?}");
    result
}

#[test]
fn a_page_of_thousands_of_runs_is_quick_and_the_pages_are_all_of_them() {
    let (world, ids) = world(true);
    let mut listed = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let request = json!({ "limit": 500, "cursor": cursor }).to_string();
        let page = soon("a page", || value(&world.runtime.executions(&request)));
        let runs = page["executions"].as_array().unwrap().iter();
        listed.extend(runs.map(|run| run["id"].as_str().unwrap().to_owned()));
        cursor = page["cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    listed.reverse();
    assert_eq!(listed, ids);
}

#[test]
fn thousands_that_are_overdue_end_in_parts() {
    let (mut world, ids) = world(false);
    let mut expired = Vec::new();
    let mut parts = 0;
    loop {
        let now = world.tick();
        let part = soon("a part", || {
            value(&world.runtime.expire_paused(r#"{"maxAgeMs":0}"#, now))
        });
        let some = part["expired"].as_array().unwrap().iter();
        assert!(some.len() <= PART, "{}", some.len());
        expired.extend(some.map(|id| id.as_str().unwrap().to_owned()));
        parts += 1;
        if part["more"] != json!(true) {
            break;
        }
    }
    // Longest unchanged first.
    assert_eq!(expired, ids);
    assert_eq!(parts, MANY / PART + 1);
    assert_eq!(world.runtime.next_expiry(), 0);
    assert_eq!(world.pending(), json!([]));
    // What is owed of them is told some at a time, and what was told makes room for the rest.
    let owed = world.owed();
    assert_eq!(owed.len(), 50);
}

#[test]
fn a_smaller_retention_is_reached_in_parts_the_oldest_first() {
    let (mut world, ids) = world(true);
    world.contact["maxExecutions"] = json!(50);
    soon("an execute", || begin(&mut world));
    let count = |world: &World| {
        let query = "SELECT count(*) FROM codemode_executions";
        let rows: i64 = world.sql.0.query_row(query, [], |row| row.get(0)).unwrap();
        usize::try_from(rows).unwrap()
    };
    assert_eq!(count(&world), MANY + 1 - PART);
    assert_eq!(world.rows(&ids[PART - 1]), 0);
    assert_ne!(world.rows(&ids[PART]), 0);
    let mut deleted = PART;
    loop {
        let pruned = soon("a part", || {
            value(&world.runtime.prune_executions(r#"{"keep":50}"#))
        });
        deleted += usize::try_from(pruned["deleted"].as_u64().unwrap()).unwrap();
        if pruned["more"] != json!(true) {
            break;
        }
    }
    assert_eq!(deleted, MANY - 50);
    assert_eq!(count(&world), 51);
}
