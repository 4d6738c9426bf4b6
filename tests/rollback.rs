//! Undoing what a run did: backwards, each call once, whatever breaks on the way.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{Said, World, framed};
use serde_json::{Value, json};

/// A run that made these calls and returned. Each result is the number of its call.
fn completed(methods: &[&str]) -> (World, String) {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    for (seq, method) in (0_u32..).zip(methods) {
        world.done(pass, seq, method, &format!("[{seq}]"), &seq.to_string());
    }
    world.close(pass, json!({ "end": "done" }), "1");
    (world, id)
}

fn yes(_: &Value) -> Option<Value> {
    Some(json!({ "kind": "reverted" }))
}

fn never(message: &Value) -> Option<Value> {
    panic!("the host was asked: {message}")
}

fn no() -> Value {
    json!({ "kind": "failure", "code": "exception", "error": r#"@[[0],[["Error","Error",null,"boom",{}]]]"# })
}

/// Pairs of number and outcome.
fn report(reply: &Value) -> Vec<(u64, String)> {
    let report = reply["value"]["report"].as_array().unwrap().iter();
    report
        .map(|it| {
            let outcome = it["outcome"].as_str().unwrap();
            (it["seq"].as_u64().unwrap(), outcome.to_owned())
        })
        .collect()
}

#[track_caller]
fn check(reply: &Value, status: &str, expected: &[(u64, &str)]) {
    let expected: Vec<(u64, String)> = expected
        .iter()
        .map(|(seq, outcome)| (*seq, (*outcome).to_owned()))
        .collect();
    assert_eq!(report(reply), expected, "{reply}");
    assert_eq!(reply["value"]["status"], status, "{reply}");
}

#[test]
fn what_a_run_did_is_undone_backwards_with_what_was_recorded_of_it() {
    let (mut world, id) = completed(&["save", "send", "keep"]);
    let mut asked = Vec::new();
    let reply = world.roll_back(&id, |message| {
        asked.push(message.clone());
        yes(message)
    });
    check(
        &reply,
        "rolled_back",
        &[(2, "reverted"), (1, "no_revert"), (0, "reverted")],
    );
    let expected = json!({
        "kind": "revert", "connector": "notes", "method": "keep", "args": "[2]", "result": "2",
        "executionId": id, "seq": 2, "idempotencyKey": format!("{id}:2:revert"),
    });
    assert_eq!((asked.len(), &asked[0]), (2, &expected));
    let execution = world.execution(&id);
    assert_eq!(execution["status"], "rolled_back");
    assert_eq!(execution["log"][0]["state"], "reverted");
    assert_eq!(execution["log"][0]["result"], "0");
    assert_eq!(execution["log"][1]["state"], "applied");
}

#[test]
fn a_second_rollback_undoes_nothing_twice() {
    let (mut world, id) = completed(&["save"]);
    world.roll_back(&id, yes);
    let before = world.execution(&id);
    check(&world.roll_back(&id, never), "rolled_back", &[]);
    assert_eq!(world.execution(&id), before);
}

#[test]
fn a_rollback_that_undid_nothing_leaves_the_run_as_it_was() {
    let (mut world, id) = completed(&["save", "send"]);
    let reply = world.roll_back(&id, |_| Some(json!({ "kind": "no_revert" })));
    check(&reply, "completed", &[(1, "no_revert"), (0, "no_revert")]);
    assert_eq!(world.execution(&id)["result"], "1");
}

#[test]
fn one_failure_stops_nothing_and_can_be_tried_again() {
    let (mut world, id) = completed(&["save", "save", "save"]);
    let reply = world.roll_back(&id, |message| match message["seq"].as_u64() {
        Some(1) => Some(no()),
        _ => yes(message),
    });
    let expected = [(2, "reverted"), (1, "failed"), (0, "reverted")];
    check(&reply, "rolled_back", &expected);
    assert_eq!(reply["value"]["report"][1]["error"], "boom");
    check(
        &world.roll_back(&id, yes),
        "rolled_back",
        &[(1, "reverted")],
    );
}

#[test]
fn whether_a_broken_host_undid_a_call_is_unknown_and_it_is_not_asked_again() {
    let (mut world, id) = completed(&["save", "keep", "save"]);
    let reply = world.roll_back(&id, |message| match message["seq"].as_u64() {
        Some(0) => yes(message),
        Some(1) => None,
        _ => Some(json!({ "kind": "unknown" })),
    });
    let expected = [(2, "failed"), (1, "failed"), (0, "reverted")];
    check(&reply, "rolled_back", &expected);
    let again = world.roll_back(&id, yes);
    // An idempotent one can be asked again.
    check(&again, "rolled_back", &[(2, "failed"), (1, "reverted")]);
    let text = again["value"]["report"][0]["error"].as_str().unwrap();
    assert!(text.contains("not known"), "{text}");
}

#[test]
fn after_a_crash_in_the_middle_a_rollback_goes_on_from_the_record() {
    let (mut world, id) = completed(&["save", "save", "save"]);
    assert_eq!(world.rollback(&id)["seq"], 2);
    assert_eq!(
        world.undone(&id, 2, json!({ "kind": "reverted" }))["seq"],
        1
    );
    world.crash();
    assert_eq!(world.execution(&id)["status"], "rolled_back");
    let late = world.undone(&id, 1, json!({ "kind": "reverted" }));
    assert_eq!(late["reply"]["code"], "not_found");
    let reply = world.roll_back(&id, yes);
    check(&reply, "rolled_back", &[(1, "failed"), (0, "reverted")]);
}

#[test]
fn a_run_that_may_still_act_is_not_rolled_back() {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    world.done(pass, 0, "save", "1", "1");
    let refused = world.roll_back(&id, never);
    assert_eq!(refused["code"], "interrupted");
    assert!(refused["error"].as_str().unwrap().contains("is running"));
    world.crash();
    assert_eq!(world.roll_back(&id, never)["code"], "interrupted");
    world.cancel(&id);
    // The outcome was never written: nobody knows whether it happened.
    let reply = world.roll_back(&id, never);
    check(&reply, "error", &[]);
    let beyond = json!([{ "seq": 0, "connector": "notes", "method": "save", "why": "in_doubt" }]);
    assert_eq!(reply["value"]["notReverted"], beyond);
}

#[test]
fn what_was_pending_is_closed_by_a_rollback() {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    world.done(pass, 0, "save", "1", "1");
    world.gated(pass, 1, "2");
    world.pause(pass);
    assert_eq!(world.rollback(&id)["seq"], 0);
    // Nobody decides on a run while it is undone.
    let request = json!({ "executionId": id, "seq": 1 });
    assert_eq!(world.approve(request.clone())["code"], "interrupted");
    assert_eq!(world.reject(request.clone())["code"], "interrupted");
    assert_eq!(world.rollback(&id)["reply"]["code"], "interrupted");
    assert_eq!(world.owed(), []);
    let reply = world.undone(&id, 0, json!({ "kind": "reverted" }))["reply"].clone();
    check(&reply, "rolled_back", &[(0, "reverted")]);
    let entry = world.execution(&id)["log"][1].clone();
    assert_eq!(
        (&entry["state"], &entry["code"]),
        (&json!("error"), &json!("cancelled"))
    );
    assert_eq!(world.pending(), json!([]));
    assert_eq!(world.approve(request)["code"], "not_paused");
    let owed = world.owed();
    assert_eq!((owed.len(), owed[1].1.as_str()), (2, "rolled_back"));
}

#[test]
fn a_paused_run_of_which_nothing_was_undone_goes_on_as_before() {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    world.done(pass, 0, "save", "1", "1");
    world.gated(pass, 1, "2");
    world.pause(pass);
    check(&world.roll_back(&id, |_| None), "paused", &[(0, "failed")]);
    assert_eq!(world.approve(json!({ "executionId": id }))["kind"], "open");
    let pass = world.open(&id);
    let row = world.manifest(pass)["rows"][0].clone();
    assert_eq!((&row[2], &row[3]), (&json!("v"), &json!("1")));
}

#[test]
fn what_cannot_be_undone_is_named_with_the_reason() {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    world.send(pass, 0, "codemode\0step\0\"s\"", "");
    let now = world.tick();
    world.runtime.settle(pass, 0, "v1", "", "", now);
    world.done(pass, 1, "save", "1", "1");
    world.call(pass, 2, "send", "{}");
    let now = world.tick();
    framed(&world.runtime.close_late(pass, now));
    world.contact =
        json!({ "connectors": [{ "name": "notes", "digest": "", "unavailable": "down" }] });
    let reply = world.roll_back(&id, never);
    check(&reply, "error", &[(1, "missing_connector")]);
    assert!(reply.to_string().contains("down"), "{reply}");
    let why = |at: usize| reply["value"]["notReverted"][at]["why"].clone();
    assert_eq!((why(0), why(1)), (json!("step"), json!("in_doubt")));
    world.contact = json!({ "connectors": [] });
    check(
        &world.roll_back(&id, never),
        "error",
        &[(1, "missing_connector")],
    );
}

#[test]
fn an_effect_whose_result_was_too_long_is_undone_like_any_other() {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    world.call(pass, 0, "save", "1");
    let now = world.tick();
    world.runtime.answer_too_long(pass, 0, 9_000_000, now);
    world.close(pass, json!({ "end": "done" }), "1");
    assert_eq!(world.rollback(&id)["result"], "");
}

#[test]
fn what_ran_is_undone_and_not_what_the_program_had_asked_for() {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    world.gated(pass, 0, "1");
    world.pause(pass);
    world.approve(json!({ "executionId": id, "seq": 0, "args": "2" }));
    let pass = world.open(&id);
    world.done(pass, 0, "add", "1", "true");
    world.close(pass, json!({ "end": "done" }), "1");
    assert_eq!(world.rollback(&id)["args"], "2");
}

#[test]
fn a_run_that_is_deleted_while_it_is_undone_stays_deleted() {
    let (mut world, id) = completed(&["save"]);
    world.rollback(&id);
    // Pruning waits for the rollback; deleting does not.
    world.runtime.prune_executions(r#"{"keep":0}"#);
    assert!(world.delete(&id));
    let late = world.undone(&id, 0, json!({ "kind": "reverted" }));
    assert_eq!(late["reply"]["code"], "not_found");
    assert_eq!(world.rows(&id), 0);
}

#[test]
fn an_outcome_that_comes_while_a_run_is_undone_is_undone_too() {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    world.call(pass, 0, "save", "1");
    world.done(pass, 1, "save", "2", "2");
    world.cancel(&id);
    assert_eq!(world.rollback(&id)["seq"], 1);
    let value = json!({ "kind": "value", "value": "1" });
    assert_eq!(world.answer(pass, 0, value), Said::Closed);
    assert_eq!(
        world.undone(&id, 1, json!({ "kind": "reverted" }))["seq"],
        0
    );
}
