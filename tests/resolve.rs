//! A person decides on calls of which nobody knows whether they happened.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{Said, World, framed};
use serde_json::{Value, json};

/// A run that a crash has left with so many effects in doubt.
fn doubtful(calls: u32) -> (World, String) {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    for seq in 0..calls {
        world.call(pass, seq, "send", "{}");
    }
    world.crash();
    assert_eq!(world.recover(&id)["status"], "paused");
    (world, id)
}

/// A run that its deadline has left with an effect in doubt, while the answer is still under way.
fn late() -> (World, String, u32) {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    world.gated(pass, 0, "1");
    world.call(pass, 1, "send", "{}");
    let now = world.tick();
    assert_eq!(
        framed(&world.runtime.close_late(pass, now))["status"],
        "paused"
    );
    (world, id, pass)
}

fn resolve(id: &str, seq: u32, outcome: &str) -> Value {
    json!({ "executionId": id, "seq": seq, "outcome": outcome })
}

#[test]
fn what_a_person_says_happened_replays_with_the_result_they_gave() {
    for (result, replayed) in [(json!("42"), "42"), (Value::Null, "")] {
        let (mut world, id) = doubtful(1);
        let mut request = resolve(&id, 0, "applied");
        request["result"] = result;
        assert_eq!(world.resolve(request)["kind"], "open");
        let pass = world.open(&id);
        let row = world.manifest(pass)["rows"][0].clone();
        assert_eq!((&row[2], &row[3]), (&json!("v"), &json!(replayed)));
        assert_eq!(world.execution(&id)["log"][0]["state"], "applied");
    }
}

#[test]
fn what_a_person_says_failed_is_a_failure_that_the_program_can_catch() {
    let (mut world, id) = doubtful(1);
    assert_eq!(world.resolve(resolve(&id, 0, "failed"))["kind"], "open");
    let pass = world.open(&id);
    let row = world.manifest(pass)["rows"][0].clone();
    assert_eq!(row[2], "e");
    let outcome = row[3].as_str().unwrap();
    assert!(outcome.starts_with("interrupted @"), "{outcome}");
    assert!(outcome.contains("a person said"), "{outcome}");
    assert_eq!(world.execution(&id)["log"][0]["state"], "error");
}

#[test]
fn what_is_to_be_made_again_keeps_its_key_and_counts_its_attempt() {
    let (mut world, id) = doubtful(1);
    assert_eq!(world.resolve(resolve(&id, 0, "rerun"))["kind"], "open");
    let pass = world.open(&id);
    let Said::Host(message) = world.call(pass, 0, "send", "{}") else {
        panic!()
    };
    assert_eq!(
        (&message["attempt"], &message["idempotencyKey"]),
        (&json!(2), &json!(format!("{id}:0")))
    );
    // Once: a crash after it is a new doubt.
    world.crash();
    assert_eq!(world.recover(&id)["inDoubt"][0]["seq"], 0);
}

#[test]
fn the_run_goes_on_with_the_last_doubt_and_not_before() {
    let (mut world, id) = doubtful(2);
    let output = world.resolve(resolve(&id, 1, "rerun"));
    assert_eq!(output["status"], "paused");
    assert_eq!(output["inDoubt"].as_array().unwrap().len(), 1);
    let refused = world.resolve(resolve(&id, 1, "failed"));
    assert_eq!(refused["code"], "not_found");
    let text = refused["error"].as_str().unwrap();
    assert!(text.contains("in doubt: 0 (notes.send)"), "{text}");
    assert_eq!(world.resolve(resolve(&id, 0, "applied"))["kind"], "open");
    assert_eq!(world.execution(&id)["status"], "running");
    let again = world.resolve(resolve(&id, 0, "applied"));
    assert_eq!(again["code"], "not_paused");
}

#[test]
fn what_waits_for_approval_does_not_hold_up_a_run_without_doubts() {
    let (mut world, id, _) = late();
    assert_eq!(world.resolve(resolve(&id, 1, "applied"))["kind"], "open");
    let pass = world.open(&id);
    assert_eq!(world.manifest(pass)["rows"][0][2], "p");
    assert_eq!(world.pause(pass)["pending"][0]["seq"], 0);
}

#[test]
fn a_result_is_value_text_within_the_limit_and_belongs_to_what_happened() {
    let (mut world, id) = doubtful(1);
    let before = world.execution(&id);
    let long = format!("\"{}\"", "x".repeat(1_000_000));
    for (outcome, result, code) in [
        ("failed", "1", "invalid_input"),
        ("rerun", "1", "invalid_input"),
        ("applied", "{", "invalid_input"),
        ("applied", "!too_large no", "invalid_input"),
        ("applied", "@", "invalid_input"),
        ("applied", &long, "too_large"),
    ] {
        let mut request = resolve(&id, 0, outcome);
        request["result"] = json!(result);
        assert_eq!(world.resolve(request)["code"], code, "{outcome}");
    }
    assert_eq!(world.execution(&id), before);
}

#[test]
fn the_lost_answer_that_comes_in_time_saves_making_the_call_again() {
    let (mut world, id, first) = late();
    assert_eq!(world.resolve(resolve(&id, 1, "rerun"))["kind"], "open");
    world.answer(first, 1, json!({ "kind": "value", "value": "7" }));
    let pass = world.open(&id);
    let row = world.manifest(pass)["rows"][1].clone();
    assert_eq!((&row[2], &row[3]), (&json!("v"), &json!("7")));
}

#[test]
fn the_lost_answer_that_comes_after_the_decision_changes_nothing() {
    let (mut world, id, first) = late();
    world.resolve(resolve(&id, 1, "failed"));
    let before = world.execution(&id);
    world.answer(first, 1, json!({ "kind": "value", "value": "7" }));
    assert_eq!(world.execution(&id), before);

    let (mut world, id, first) = late();
    world.resolve(resolve(&id, 1, "rerun"));
    let second = world.open(&id);
    world.done(second, 1, "send", "{}", "8");
    world.pause(second);
    world.answer(first, 1, json!({ "kind": "value", "value": "7" }));
    assert_eq!(world.execution(&id)["log"][1]["result"], "8");
}
