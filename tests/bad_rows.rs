//! A damaged database: one bad row costs the run it belongs to, and nothing beside it. What is left of that run is listed,
//! says that it cannot be read, and can be deleted.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{World, value};
use serde_json::{Value, json};

const ID: &str = "exec_00000000000000000000000000000000";

/// A completed run, a paused one that is to be damaged, and a paused one.
fn world() -> (World, [String; 3]) {
    let mut world = World::new();
    let done = world.begin("async () => 1");
    let pass = world.open(&done);
    world.close(pass, json!({ "end": "done" }), "1");
    let [damaged, other] = [0, 1].map(|_| {
        let id = world.begin("async () => 1");
        let pass = world.open(&id);
        let long = format!("\"{}\"", "x".repeat(3_000));
        world.done(pass, 0, "send", &long, &long);
        world.gated(pass, 1, &long);
        let head = json!({ "end": "paused", "console": "said\n".repeat(500) });
        world.close(pass, head, "");
        id
    });
    world.crash();
    (world, [done, damaged, other])
}

fn damage(world: &World, statement: &str, id: &str) {
    let changed = world.sql.0.execute(statement, [id]).unwrap();
    assert_ne!(changed, 0, "{statement}");
}

fn listed(world: &World) -> Vec<Value> {
    let all = value(&world.runtime.executions("{}"));
    let mut paged = Vec::new();
    let mut cursor = Value::Null;
    for _ in 0..10 {
        let request = json!({ "limit": 1, "cursor": cursor }).to_string();
        let page = value(&world.runtime.executions(&request));
        paged.extend(page["executions"].as_array().unwrap().clone());
        cursor = page["cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(json!(paged), all);
    all.as_array().unwrap().clone()
}

/// The others are as they were, this one is said to be broken, and it can be got rid of.
#[track_caller]
fn check(statement: &str, shown_id: Option<&str>, status: &str) {
    let (mut world, [done, damaged, other]) = world();
    damage(&world, statement, &damaged);
    let shown = shown_id.unwrap_or(&damaged);
    let all = listed(&world);
    let find = |id: &str| all.iter().find(|one| one["id"] == id).cloned().unwrap();
    assert_eq!(all.len(), 3, "{statement}");
    assert_eq!(find(&done)["status"], "completed");
    assert_eq!(find(&other)["log"].as_array().unwrap().len(), 2);
    let broken = find(shown);
    assert_eq!(broken["status"], status, "{broken}");
    assert_eq!(broken["errorCode"], "internal", "{broken}");
    let error = broken["error"].as_str().unwrap();
    assert!(
        error.contains("cannot be read") && error.contains("deleteExecution"),
        "{error}"
    );
    assert!(broken["code"]["unreadable"].is_string(), "{broken}");
    if shown_id.is_none() {
        assert_eq!(world.execution(&damaged), broken);
    }
    let pending = world.pending();
    let pending: Vec<&Value> = pending
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["executionId"])
        .collect();
    assert_eq!(pending, [&json!(other)]);
    assert!(world.delete(shown), "{statement}");
    assert!(!world.delete(shown));
    assert_eq!(listed(&world).len(), 2);
    if shown_id.is_none() {
        assert_eq!(world.rows(&damaged), 0);
    }
}

#[test]
fn a_journal_row_that_is_no_event_costs_its_own_run_alone() {
    let statement =
        "UPDATE codemode_journal SET events = 'x' WHERE position = 1 AND execution_id = ?";
    check(statement, None, "paused");
}

#[test]
fn a_journal_row_that_is_no_text_costs_its_own_run_alone() {
    let statement =
        "UPDATE codemode_journal SET events = x'00ff' WHERE position = 1 AND execution_id = ?";
    check(statement, None, "paused");
}

#[test]
fn a_journal_that_is_gone_costs_its_own_run_alone() {
    check(
        "DELETE FROM codemode_journal WHERE execution_id = ?",
        None,
        "paused",
    );
}

#[test]
fn an_id_that_no_runtime_gives_costs_its_own_run_alone() {
    let statement = "UPDATE codemode_executions SET id = 'an id!' WHERE id = ?";
    check(statement, Some("an id!"), "paused");
    let statement = "UPDATE codemode_executions SET id = x'00ff' WHERE id = ?";
    check(statement, Some("(X'00FF')"), "paused");
    let statement = "UPDATE codemode_executions SET id = NULL WHERE id = ?";
    check(statement, Some("(NULL)"), "paused");
}

#[test]
fn a_row_without_a_readable_time_or_status_is_listed_all_the_same() {
    for statement in [
        "UPDATE codemode_executions SET created_at = 'noon' WHERE id = ?",
        "UPDATE codemode_executions SET updated_at = x'00' WHERE id = ?",
        "UPDATE codemode_executions SET created_at = 0.5, updated_at = -1 WHERE id = ?",
        "UPDATE codemode_executions SET status = 'asleep' WHERE id = ?",
        "UPDATE codemode_executions SET status = x'00' WHERE id = ?",
    ] {
        let (mut world, [_, damaged, other]) = world();
        damage(&world, statement, &damaged);
        let all = listed(&world);
        assert_eq!(all.len(), 3, "{statement}");
        // What can be folded from the journal is told from there.
        let of_damaged = all.iter().find(|one| one["id"] == json!(damaged)).unwrap();
        assert_eq!(of_damaged["status"], "paused", "{statement}");
        assert_eq!(
            world.approve(json!({ "executionId": other }))["kind"],
            "open"
        );
        world.runtime.next_expiry();
        assert!(world.delete(&damaged));
    }
}

#[test]
fn a_value_that_is_gone_spoils_itself_and_nothing_beside_it() {
    for (slot, place) in [
        ("code", "/code/unreadable"),
        ("console", "/logs/0"),
        ("args:0", "/log/0/args/unreadable"),
        ("outcome:0", "/log/0/result/unreadable"),
        ("args:4", "/log/1/args/unreadable"),
    ] {
        for change in [
            "DELETE FROM codemode_values WHERE",
            "UPDATE codemode_values SET text = x'00ff' WHERE",
        ] {
            let (world, [_, damaged, other]) = world();
            damage(
                &world,
                &format!("{change} slot = '{slot}' AND execution_id = ?"),
                &damaged,
            );
            assert_eq!(listed(&world).len(), 3);
            let state = world.execution(&damaged);
            assert_eq!(state["status"], "paused");
            assert_eq!(state.get("error"), None);
            let why = state
                .pointer(place)
                .and_then(Value::as_str)
                .unwrap_or_default();
            assert!(!why.is_empty() && !why.contains("said"), "{slot}: {state}");
            let pending = world.pending();
            assert_eq!(pending.as_array().unwrap().len(), 2);
            assert_eq!(pending[0]["executionId"], json!(other));
            let of_damaged = pending[1]["args"]["unreadable"].is_string();
            assert_eq!(of_damaged, slot == "args:4", "{pending}");
        }
    }
}

/// Of the call of this number: some in one row, some in several.
fn result(seq: u32) -> String {
    let letter = ["a", "b", "漢"][seq as usize % 3];
    format!("\"{}\"", letter.repeat([3_000, 700_000][seq as usize % 2]))
}

#[test]
fn values_that_are_read_together_are_whole_and_one_that_cannot_be_read_is_alone_in_that() {
    for (damaging, gone) in [
        ("", None),
        (
            "DELETE FROM codemode_values WHERE slot = 'outcome:8' AND execution_id = ?",
            Some(2),
        ),
        (
            "UPDATE codemode_values SET text = x'00ff' WHERE slot = 'outcome:8' AND execution_id = ?",
            Some(2),
        ),
        (
            "UPDATE codemode_values SET text = x'07' WHERE slot = 'outcome:20' AND chunk = 1 AND execution_id = ?",
            Some(5),
        ),
    ] {
        let mut world = World::new();
        let id = world.begin("async () => 1");
        let pass = world.open(&id);
        for seq in 0..6 {
            world.done(pass, seq, "send", "{}", &result(seq));
        }
        world.gated(pass, 6, "{}");
        world.pause(pass);
        world.crash();
        if !damaging.is_empty() {
            damage(&world, damaging, &id);
        }
        let readable = |seq: &u32| Some(*seq) != gone;
        let log = world.execution(&id)["log"].clone();
        for seq in (0..6).step_by(2) {
            let shown = &log[seq as usize]["result"];
            assert_eq!(shown == &json!(result(seq)), readable(&seq), "{damaging}");
        }
        assert_eq!(world.approve(json!({ "executionId": id }))["kind"], "open");
        let pass = world.open(&id);
        let pages = world.manifest(pass)["pages"].as_u64().unwrap() as usize;
        let page = |number| serde_json::from_str::<Vec<Value>>(&world.runtime.page(pass, number));
        let rows: Vec<Value> = (0..pages)
            .flat_map(|number| page(number).unwrap())
            .collect();
        let served: Vec<Value> = rows.into_iter().filter(|row| row[2] == "v").collect();
        let expected = (0..6).filter(readable);
        let expected = expected.map(|seq| json!([seq * 4, "notes\0send\0{}", "v", result(seq)]));
        assert!(served == expected.collect::<Vec<_>>(), "{damaging}");
    }
}

#[test]
fn a_run_that_cannot_be_read_is_not_found_due_again_and_again() {
    let (mut world, [_, damaged, other]) = world();
    damage(
        &world,
        "DELETE FROM codemode_journal WHERE execution_id = ?",
        &damaged,
    );
    for (kind, status) in world.owed() {
        world.runtime.paid(&other, &kind, Some(&status));
        world.runtime.paid(&damaged, &kind, Some(&status));
    }
    let expired = world.expire(0);
    assert_eq!(expired.as_array().unwrap().len(), 2);
    assert_eq!(world.runtime.next_expiry(), 0);
    assert_eq!(world.expire(0), json!([]));
    assert_eq!(world.execution(&damaged)["status"], "error");
    // Its connectors let go of it like of any other.
    let owed: Value = serde_json::from_str(&world.runtime.owed()).unwrap();
    let kinds = |id: &str| {
        owed.as_array()
            .unwrap()
            .iter()
            .filter(|one| one["executionId"] == json!(id))
            .count()
    };
    assert_eq!((kinds(&damaged), kinds(&other)), (2, 2));
    // And it is forgotten like any other.
    let pruned = value(&world.runtime.prune_executions(r#"{"keep":0}"#));
    assert_eq!(pruned, json!({ "deleted": 3 }));
}

#[test]
fn a_broken_run_that_is_deleted_while_it_could_go_on_is_let_go_of() {
    let (mut world, [_, damaged, _]) = world();
    damage(
        &world,
        "DELETE FROM codemode_journal WHERE execution_id = ?",
        &damaged,
    );
    assert!(world.delete(&damaged));
    assert!(
        world
            .owed()
            .contains(&("dispose".to_owned(), "error".to_owned()))
    );
}

#[test]
fn what_nobody_can_be_told_of_does_not_hold_up_what_is_owed() {
    let (world, _) = world();
    let owed = world.owed();
    assert!(!owed.is_empty());
    let statement =
        "INSERT INTO codemode_owed (rowid, execution_id, kind, status) VALUES (?, ?, ?, ?)";
    for row in 0..100_i64 {
        let odd = ["x'00'", "pass_over", "asleep"][row as usize % 3];
        let kind = if odd == "asleep" { "dispose" } else { odd };
        world
            .sql
            .0
            .execute(
                statement,
                rusqlite::params![-1 - row, format!("{ID}{row}"), kind, odd],
            )
            .unwrap();
    }
    assert_eq!(world.owed(), owed);
}

#[test]
fn a_method_list_that_cannot_be_read_is_asked_for_again() {
    for statement in [
        "UPDATE codemode_catalogues SET content = 'x' WHERE connector = ?",
        "UPDATE codemode_catalogues SET content = x'00' WHERE connector = ?",
        "UPDATE codemode_catalogues SET content = 'x' WHERE connector = ? AND slot = 'words'",
        "DELETE FROM codemode_catalogues WHERE connector = ? AND slot = 'words'",
        "UPDATE codemode_catalogues SET content = x'00' WHERE connector = ? AND slot = 'source'",
        "DELETE FROM codemode_catalogues WHERE connector = ?",
    ] {
        let (mut world, _) = world();
        damage(&world, statement, "notes");
        let request = world.contact_request();
        let wanted = value(&world.runtime.wanted(&request));
        assert_eq!(wanted["sources"][0][0], "notes", "{statement}");
        let source = common::methods().to_string().into_bytes();
        let learnt = world
            .runtime
            .learn(&request, "notes", "records", source, "[]");
        assert_eq!(value(&learnt), json!(null));
        assert_eq!(value(&world.runtime.wanted(&request))["sources"], json!([]));
        let id = world.begin("async () => 1");
        world.open(&id);
    }
}

#[test]
fn a_method_list_that_cannot_be_read_while_its_server_is_away_hides_no_other() {
    let (mut world, _) = world();
    damage(
        &world,
        "UPDATE codemode_catalogues SET content = 'x' WHERE connector = ? AND slot = 'heads'",
        "notes",
    );
    world.contact["connectors"][0]["unavailable"] = json!("connection refused");
    world.contact["connectors"][0]["digest"] = json!("");
    let mut request = json!({ "contact": world.contact, "query": "add" });
    assert_eq!(
        value(&world.runtime.wanted(&request.to_string()))["sources"],
        json!([])
    );
    assert_eq!(
        value(&world.runtime.search(&request.to_string()))["total"],
        0
    );
    request["contact"]["connectors"] = json!([]);
    assert_eq!(
        value(&world.runtime.search(&request.to_string()))["total"],
        0
    );
}

#[test]
fn a_key_whose_run_has_no_readable_id_begins_no_second_run() {
    let (mut world, _) = world();
    let request = json!({ "contact": world.contact, "code": "async () => 1", "key": "k" });
    let id = world.execute(request.clone())["executionId"].clone();
    damage(
        &world,
        "UPDATE codemode_executions SET id = x'00' WHERE id = ?",
        id.as_str().unwrap(),
    );
    let refused = world.execute(request)["frame"].clone();
    assert!(refused.as_str().unwrap().contains("internal"), "{refused}");
}
