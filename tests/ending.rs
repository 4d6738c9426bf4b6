//! Runs that are cancelled, expire or are deleted, what connectors are to hear of an end, and that nothing of an older
//! pass comes through afterwards.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{Memory, Said, World, framed, value};
use serde_json::{Value, json};

const DAY: u64 = 24 * 60 * 60 * 1000;

fn world() -> (World, String, u32) {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    (world, id, pass)
}

fn paused() -> (World, String) {
    let (mut world, id, pass) = world();
    world.gated(pass, 0, "1");
    world.pause(pass);
    (world, id)
}

/// What js-shim asks when the core has closed a pass by itself.
fn told(world: &mut World, pass: u32) -> Value {
    let now = world.tick();
    framed(&world.runtime.interrupt(pass, now))
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(kind, status): &(&str, &str)| ((*kind).to_owned(), (*status).to_owned());
    pairs.iter().map(owned).collect()
}

#[test]
fn a_cancelled_run_ends_at_once_and_what_was_in_flight_is_recorded_when_it_comes() {
    let (mut world, id, pass) = world();
    world.call(pass, 0, "send", "{}");
    let cancelled = world.cancel(&id);
    assert_eq!(cancelled["cancelled"], true);
    let message: Value = serde_json::from_str(cancelled["messages"][0].as_str().unwrap()).unwrap();
    let expected = json!({ "kind": "cancelled", "executionId": id, "connectors": ["notes"] });
    assert_eq!(message, expected);
    assert_eq!(world.call(pass, 1, "send", "{}"), Said::Closed);
    let output = told(&mut world, pass);
    assert_eq!(
        (&output["code"], &output["executionId"]),
        (&json!("cancelled"), &json!(id))
    );
    let answer = json!({ "kind": "value", "value": "7" });
    assert_eq!(world.answer(pass, 0, answer), Said::Closed);
    let execution = world.execution(&id);
    assert_eq!(execution["errorCode"], "cancelled");
    assert_eq!(execution["log"][0]["result"], "7");
    assert_eq!(execution["log"].as_array().unwrap().len(), 1);
}

#[test]
fn what_a_cancelled_program_had_printed_is_told_and_kept() {
    let (mut world, id, pass) = world();
    let now = world.tick();
    world.runtime.note(pass, "", "so far\n", now);
    assert_eq!(world.cancel(&id)["messages"], json!([]));
    assert_eq!(told(&mut world, pass)["logs"], json!(["so far"]));
    world.crash();
    assert_eq!(world.execution(&id)["logs"], json!(["so far"]));
}

#[test]
fn a_paused_run_and_one_whose_host_died_can_be_cancelled() {
    let (mut world, id) = paused();
    assert_eq!(world.cancel(&id)["cancelled"], true);
    assert_eq!(world.pending(), json!([]));
    let other = world.begin("notes");
    world.open(&other);
    world.crash();
    assert_eq!(world.cancel(&other)["cancelled"], true);
    for id in [id, other] {
        assert_eq!(world.execution(&id)["errorCode"], "cancelled");
        assert_eq!(
            world.approve(json!({ "executionId": id }))["code"],
            "not_paused"
        );
        assert_eq!(world.recover(&id)["code"], "not_paused");
    }
}

#[test]
fn a_run_that_has_ended_cannot_be_cancelled() {
    let (mut world, id, pass) = world();
    world.close(pass, json!({ "end": "done" }), "1");
    let before = world.execution(&id);
    assert_eq!(world.cancel(&id)["cancelled"], false);
    assert_eq!(world.execution(&id), before);
}

#[test]
fn a_run_that_was_cancelled_before_its_pass_began_opens_none() {
    let mut world = World::new();
    let id = world.begin("notes");
    world.cancel(&id);
    let now = world.tick();
    let refused = world.runtime.open(&id, &world.contact_request(), now);
    assert!(refused.contains("became error"), "{refused}");
    assert_eq!(
        framed(&world.runtime.outcome_frame(&id))["code"],
        "cancelled"
    );
}

#[test]
fn what_nobody_decided_on_in_time_is_rejected() {
    let (mut world, id) = paused();
    assert_eq!(world.expire(1_000), json!([]));
    world.now += 1_000;
    assert_eq!(world.expire(1_000), json!([id]));
    let execution = world.execution(&id);
    assert_eq!(execution["status"], "rejected");
    assert!(execution["error"].as_str().unwrap().contains("expired"));
    assert_eq!(world.expire(0), json!([]));
}

#[test]
fn a_run_whose_host_died_expires_as_an_error_and_one_that_is_under_way_does_not() {
    let (mut world, dead, _) = world();
    world.crash();
    let alive = world.begin("notes");
    let pass = world.open(&alive);
    world.now += DAY;
    let now = world.tick();
    let expired = value(&world.runtime.expire_paused("{}", now));
    assert_eq!(expired["expired"], json!([dead]));
    assert_eq!(world.execution(&dead)["errorCode"], "expired");
    assert!(matches!(world.call(pass, 0, "send", "{}"), Said::Host(_)));
}

#[test]
fn the_next_expiry_is_that_of_the_run_that_has_waited_longest() {
    let mut world = World::new();
    assert_eq!(world.runtime.next_expiry(), 0);
    let first = world.begin("notes");
    let at = world.now;
    world.begin("notes");
    assert_eq!(world.runtime.next_expiry(), at + DAY);
    let pass = world.open(&first);
    assert!(world.runtime.next_expiry() > at + DAY);
    world.close(pass, json!({ "end": "done" }), "1");
    world.now += DAY;
    assert!(world.runtime.next_expiry() <= world.now);
    world.expire(DAY);
    assert_eq!(world.runtime.next_expiry(), 0);
}

#[test]
fn a_deleted_run_leaves_nothing_but_what_connectors_are_to_hear() {
    let (mut world, id, pass) = world();
    let long = format!("\"{}\"", "x".repeat(5_000));
    world.call(pass, 0, "send", &long);
    assert!(world.delete(&id));
    assert_eq!(world.call(pass, 1, "send", "{}"), Said::Closed);
    assert_eq!(told(&mut world, pass)["code"], "cancelled");
    world.answer(pass, 0, json!({ "kind": "value", "value": long }));
    world.runtime.flush();
    assert_eq!(world.rows(&id), 0);
    let owed = pairs(&[("pass_end", "error"), ("dispose", "error")]);
    assert_eq!(world.owed(), owed);
    world.crash();
    assert_eq!(world.owed(), owed);
    assert!(!world.delete(&id));
}

#[test]
fn a_deleted_run_is_one_that_never_was() {
    let (mut world, id) = paused();
    assert!(world.delete(&id));
    assert_eq!(
        world.approve(json!({ "executionId": id }))["code"],
        "not_found"
    );
    assert_eq!(world.recover(&id)["code"], "not_found");
    let request = json!({ "executionId": id, "seq": 0 });
    assert_eq!(world.reject(request)["code"], "not_found");
    let now = world.tick();
    assert!(
        world
            .runtime
            .open(&id, &world.contact_request(), now)
            .contains("not_found")
    );
    assert_eq!(world.rows(&id), 0);
    assert!(!world.delete("no such / id"));
}

#[test]
fn pruning_deletes_the_oldest_that_have_ended_and_no_others() {
    let mut world = World::new();
    let waiting = world.begin("notes");
    for _ in 0..5 {
        let id = world.begin("notes");
        let pass = world.open(&id);
        world.close(pass, json!({ "end": "done" }), "1");
    }
    let pruned = value(&world.runtime.prune_executions(r#"{"keep":2}"#));
    assert_eq!(pruned["deleted"], 3);
    let left = value(&world.runtime.executions("{}"));
    assert_eq!(left.as_array().unwrap().len(), 3);
    assert_eq!(left[2]["id"], json!(waiting));
}

#[test]
fn pages_of_runs_come_to_an_end_and_show_each_run_once() {
    let mut world = World::new();
    let mut ids: Vec<String> = (0..5).map(|_| world.begin("notes")).collect();
    ids.reverse();
    let mut seen = Vec::new();
    let mut cursor = Value::Null;
    for _ in 0..3 {
        let request = json!({ "limit": 2, "cursor": cursor }).to_string();
        let page = value(&world.runtime.executions(&request));
        let shown = page["executions"].as_array().unwrap().iter();
        seen.extend(shown.map(|it| it["id"].as_str().unwrap().to_owned()));
        cursor = page["cursor"].clone();
        // What is gone meanwhile does not stop the next page.
        world.delete(seen.last().unwrap());
    }
    assert_eq!((seen, cursor), (ids, Value::Null));
    let refused = world.runtime.executions(r#"{"cursor":"x"}"#);
    assert!(refused.contains("invalid_input"), "{refused}");
}

#[test]
fn connectors_are_owed_the_end_of_each_pass_and_then_that_of_the_run() {
    let (mut world, id) = paused();
    assert_eq!(world.owed(), pairs(&[("pass_end", "paused")]));
    world.approve(json!({ "executionId": id }));
    let pass = world.open(&id);
    world.done(pass, 0, "add", "1", "1");
    world.close(pass, json!({ "end": "done" }), "1");
    // A newer status stays owed when the older one was told.
    world.runtime.paid(&id, "pass_end", Some("paused"));
    let owed = pairs(&[("pass_end", "completed"), ("dispose", "completed")]);
    assert_eq!(world.owed(), owed);
    let told: Value = serde_json::from_str(&world.runtime.owed()).unwrap();
    let message: Value = serde_json::from_str(told[1]["message"].as_str().unwrap()).unwrap();
    let expected = json!({ "kind": "dispose", "executionId": id, "status": "completed" });
    assert_eq!(message, expected);
    world.runtime.paid(&id, "pass_end", None);
    world.runtime.paid(&id, "dispose", Some("completed"));
    assert_eq!(world.owed(), []);
}

#[test]
fn a_program_that_never_ran_owes_nobody_anything() {
    let mut world = World::new();
    world.execute(json!({ "contact": world.contact, "code": "const x = = 1" }));
    assert_eq!(world.owed(), []);
}

#[test]
fn what_an_older_pass_could_not_write_is_given_up_once_another_one_writes() {
    let (mut world, id, first) = world();
    world.call(first, 0, "send", "1");
    world.done(first, 1, "list", "{}", "1");
    let disk_full = |full: bool| {
        let sql = world.sql.0.clone();
        sql.pragma_update(None, "query_only", full).unwrap();
    };
    disk_full(true);
    world.runtime.unknown(first, 4);
    disk_full(false);
    let output = told(&mut world, first);
    assert_eq!(output["code"], "interrupted");
    world.cancel(&id);
    let before = world.recorded(&id);
    assert_eq!(before.entries.len(), 1);
    world.runtime.flush();
    assert_eq!(world.recorded(&id), before);
}

#[test]
fn an_end_that_could_not_be_written_at_once_is_seen_by_everyone_when_it_is() {
    let (mut world, id, pass) = world();
    world.call(pass, 0, "send", "1");
    world.sql.0.pragma_update(None, "query_only", true).unwrap();
    let now = world.tick();
    let request = json!({ "executionId": id }).to_string();
    assert!(world.runtime.cancel(&request, now).contains("internal"));
    world
        .sql
        .0
        .pragma_update(None, "query_only", false)
        .unwrap();
    world.runtime.flush();
    assert_eq!(world.runtime.next_expiry(), 0);
    assert_eq!(world.execution(&id)["errorCode"], "cancelled");
    assert_eq!(world.owed().len(), 2);
}

#[test]
fn a_run_whose_record_cannot_be_read_holds_up_no_other_and_can_be_deleted() {
    let (mut world, broken) = paused();
    let other = world.begin("notes");
    let statement = "UPDATE codemode_journal SET events = 'x' WHERE execution_id = ?";
    world.sql.0.execute(statement, [&broken]).unwrap();
    assert_eq!(world.expire(0), json!([broken, other]));
    assert!(world.delete(&broken));
    assert_eq!(world.rows(&broken), 0);
    assert_eq!(world.runtime.next_expiry(), 0);
}

#[test]
fn a_database_of_the_first_version_opens_and_keeps_its_runs() {
    let (world, id) = paused();
    for statement in [
        "DROP TABLE codemode_owed",
        "DROP INDEX codemode_executions_by_change",
        "UPDATE codemode_meta SET value = 1 WHERE key = 'schema'",
    ] {
        world.sql.0.execute(statement, []).unwrap();
    }
    let memory = Memory(world.sql.0.clone());
    let runtime = codemode::runtime::Runtime::new(memory).unwrap();
    let request = json!({ "executionId": id }).to_string();
    assert_eq!(value(&runtime.execution(&request))["status"], "paused");
    assert_eq!(runtime.owed(), "[]");
}
