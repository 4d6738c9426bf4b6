//! What comes late: answers of the host when their pass is over, and writes that failed at first.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{Said, World, framed};
use serde_json::json;

fn world() -> (World, String, u32) {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    (world, id, pass)
}

fn deadline(world: &mut World, pass: u32) -> serde_json::Value {
    let now = world.tick();
    framed(&world.runtime.close_late(pass, now))
}

#[test]
fn the_answer_to_an_attempt_that_a_later_pass_repeated_changes_nothing() {
    let (mut world, id, first) = world();
    world.call(first, 0, "put", "{}");
    world.gated(first, 1, "1");
    assert_eq!(deadline(&mut world, first)["status"], "paused");
    world.approve(json!({ "executionId": id }));
    let second = world.open(&id);
    assert_eq!(
        world.done(second, 0, "put", "{}", "2"),
        Said::Value(json!(2))
    );
    world.done(second, 1, "add", "1", "1");
    world.gated(second, 2, "2");
    world.pause(second);
    world.answer(first, 0, json!({ "kind": "value", "value": "1" }));
    assert_eq!(world.execution(&id)["log"][0]["result"], "2");
}

#[test]
fn the_answer_to_a_question_changes_nothing_after_the_pass() {
    for answer in ["allow", "ask"] {
        let (mut world, id, first) = world();
        world.gated(first, 0, "1");
        world.call(first, 1, "ask", "{}");
        assert_eq!(deadline(&mut world, first)["status"], "paused");
        let before = world.execution(&id);
        world.answer(first, 1, json!({ "kind": answer }));
        assert_eq!(world.execution(&id), before);
        world.approve(json!({ "executionId": id }));
        let second = world.open(&id);
        world.done(second, 0, "add", "1", "1");
        let said = world.call(second, 1, "ask", "{}");
        assert!(
            matches!(&said, Said::Host(message) if message["kind"] == "check"),
            "{said:?}"
        );
    }
}

#[test]
fn the_answer_to_an_older_question_is_not_taken_for_the_outcome_of_what_was_approved() {
    let (mut world, id, first) = world();
    world.gated(first, 0, "1");
    world.call(first, 1, "ask", "{}");
    deadline(&mut world, first);
    world.approve(json!({ "executionId": id, "seq": 0 }));
    let second = world.open(&id);
    world.call(second, 1, "ask", "{}");
    world.answer(second, 1, json!({ "kind": "ask" }));
    world.pause(second);
    world.approve(json!({ "executionId": id }));
    let before = world.execution(&id);
    world.answer(first, 1, json!({ "kind": "allow" }));
    assert_eq!(world.execution(&id), before);
}

#[test]
fn calls_that_break_together_are_unknown_and_whoever_waits_is_told_of_the_run() {
    let (mut world, id, pass) = world();
    world.call(pass, 0, "send", "{}");
    world.call(pass, 1, "send", "{}");
    // The second breaks before js-shim has come to ask how the first left the run.
    world.runtime.unknown(pass, 0);
    world.runtime.unknown(pass, 4);
    let now = world.tick();
    let output = framed(&world.runtime.interrupt(pass, now));
    assert_eq!(
        (&output["code"], &output["executionId"]),
        (&json!("interrupted"), &json!(id))
    );
}

#[test]
fn a_run_that_lacks_an_outcome_does_not_go_on_by_a_rejection_either() {
    let (mut world, id, pass) = world();
    world.gated(pass, 0, "1");
    world.call(pass, 1, "send", "{}");
    deadline(&mut world, pass);
    let reply = world.reject(json!({ "executionId": id, "seq": 0, "mode": "throw" }));
    assert_eq!(reply["code"], "interrupted", "{reply}");
    assert_eq!(world.execution(&id)["status"], "paused");
    assert_eq!(world.pending()[0]["seq"], 0);
}

#[test]
fn what_could_not_be_written_is_written_later_and_in_its_place() {
    let (mut world, id, pass) = world();
    world.done(pass, 0, "send", "1", "1");
    world.sql.0.pragma_update(None, "query_only", true).unwrap();
    let flushed: serde_json::Value = serde_json::from_str(&world.runtime.flush()).unwrap();
    assert_eq!(flushed["ok"], false);
    world
        .sql
        .0
        .pragma_update(None, "query_only", false)
        .unwrap();
    world.call(pass, 1, "send", "2");
    world.crash();
    assert_eq!(world.execution(&id)["log"][0]["result"], "1");
}
