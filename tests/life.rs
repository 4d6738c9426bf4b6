//! The life of an execution as a transcript: what the sandbox sends, what the host answers, what is on record.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use codemode::engine::execution::Stage;
use codemode::engine::ids::Operation;
use common::{Said, World, framed};
use serde_json::json;

const CODE: &str = "async () => 1";

fn world() -> (World, String, u32) {
    let mut world = World::new();
    let id = world.begin(CODE);
    let pass = world.open(&id);
    (world, id, pass)
}

#[test]
fn a_run_completes_with_its_result_and_its_log() {
    let (mut world, id, pass) = world();
    assert_eq!(
        world.done(pass, 0, "list", "{}", "[1]"),
        Said::Value(json!([1]))
    );
    let output = world.close(
        pass,
        json!({ "end": "done", "delivered": [0, 3], "console": "a\nb\n" }),
        "42",
    );
    assert_eq!(output["status"], "completed");
    assert_eq!(output["result"], "42");
    assert_eq!(output["logs"], json!(["a", "b"]));
    assert_eq!(output["calls"][0]["state"], "applied");
    assert_eq!(world.execution(&id)["status"], "completed");
    assert_eq!(world.recorded(&id).order, [0, 3]);
}

#[test]
fn the_intent_of_an_effect_is_durable_before_the_host_hears_of_it() {
    let (mut world, id, pass) = world();
    for (seq, method) in ["send", "put"].into_iter().enumerate() {
        let seq = u32::try_from(seq).unwrap();
        assert!(matches!(world.call(pass, seq, method, "{}"), Said::Host(_)));
        assert_eq!(
            world.recorded(&id).entries[&Operation::call(seq)].stage,
            Stage::Executing
        );
    }
}

#[test]
fn a_read_waits_for_no_commit_and_is_durable_with_the_next_intent() {
    let (mut world, id, pass) = world();
    world.done(pass, 0, "list", "{}", "[1]");
    assert!(world.recorded(&id).entries.is_empty());
    world.call(pass, 1, "send", "{}");
    assert!(matches!(
        world.recorded(&id).entries[&Operation::call(0)].stage,
        Stage::Settled(_)
    ));
}

#[test]
fn an_idle_flush_makes_what_waits_durable() {
    let (mut world, id, pass) = world();
    world.done(pass, 0, "list", "{}", "[1]");
    world.runtime.flush();
    assert_eq!(world.recorded(&id).entries.len(), 1);
}

#[test]
fn a_gated_call_runs_only_after_approval_and_with_the_arguments_that_were_shown() {
    let (mut world, id, pass) = world();
    world.gated(pass, 0, r#"{"text":"a"}"#);
    let output = world.pause(pass);
    assert_eq!(output["status"], "paused");
    assert_eq!(output["pending"][0]["args"], r#"{"text":"a"}"#);
    world.crash();
    assert_eq!(world.pending().as_array().unwrap().len(), 1);
    assert_eq!(world.approve(json!({ "executionId": id }))["kind"], "open");
    let pass = world.open(&id);
    assert_eq!(world.manifest(pass)["rows"][0][2], "n");
    let Said::Host(message) = world.call(pass, 0, "add", r#"{"text":"a"}"#) else {
        panic!()
    };
    assert_eq!(message["kind"], "call");
    assert_eq!(message["args"], r#"{"text":"a"}"#);
    assert_eq!(message["attempt"], 1);
    assert_eq!(message["idempotencyKey"], format!("{id}:0"));
}

#[test]
fn an_action_that_differs_from_the_one_shown_never_runs() {
    let (mut world, id, pass) = world();
    world.gated(pass, 0, r#"{"text":"a"}"#);
    world.pause(pass);
    world.approve(json!({ "executionId": id }));
    let pass = world.open(&id);
    assert_eq!(world.call(pass, 0, "add", r#"{"text":"b"}"#), Said::Closed);
    assert_eq!(world.execution(&id)["errorCode"], "diverged");
}

#[test]
fn edited_arguments_run_and_the_programs_own_stay_on_record() {
    let (mut world, id, pass) = world();
    world.gated(pass, 0, r#"{"text":"a"}"#);
    world.pause(pass);
    world.approve(json!({ "executionId": id, "seq": 0, "args": r#"{"text":"edited"}"# }));
    let pass = world.open(&id);
    let Said::Host(message) = world.call(pass, 0, "add", r#"{"text":"a"}"#) else {
        panic!()
    };
    assert_eq!(message["args"], r#"{"text":"edited"}"#);
    world.answer(pass, 0, json!({ "kind": "value", "value": "1" }));
    let output = world.close(pass, json!({ "end": "done" }), "");
    assert_eq!(output["calls"][0]["args"], r#"{"text":"a"}"#);
    assert_eq!(output["calls"][0]["editedArgs"], r#"{"text":"edited"}"#);
}

#[test]
fn approving_one_of_two_leaves_the_other_pending() {
    let (mut world, id, pass) = world();
    world.gated(pass, 0, "1");
    world.gated(pass, 1, "2");
    world.pause(pass);
    world.approve(json!({ "executionId": id, "seq": 1 }));
    let pass = world.open(&id);
    let rows = world.manifest(pass)["rows"].clone();
    assert_eq!(
        (rows[0][2].as_str(), rows[1][2].as_str()),
        (Some("p"), Some("n"))
    );
    assert!(matches!(world.call(pass, 1, "add", "2"), Said::Host(_)));
    world.answer(pass, 1, json!({ "kind": "value", "value": "true" }));
    assert_eq!(world.pause(pass)["pending"].as_array().unwrap().len(), 1);
}

#[test]
fn of_two_approvals_one_wins_and_the_other_is_told() {
    let (mut world, id, pass) = world();
    world.gated(pass, 0, "1");
    world.pause(pass);
    assert_eq!(world.approve(json!({ "executionId": id }))["kind"], "open");
    let second = world.approve(json!({ "executionId": id }));
    assert_eq!(second["code"], "not_paused");
    assert!(
        second["error"].as_str().unwrap().contains("running"),
        "{second}"
    );
}

#[test]
fn only_a_paused_run_can_be_approved() {
    let (mut world, id, pass) = world();
    assert_eq!(
        world.approve(json!({ "executionId": id }))["code"],
        "not_paused"
    );
    world.close(pass, json!({ "end": "done" }), "1");
    let refused = world.approve(json!({ "executionId": id }));
    assert_eq!(refused["code"], "not_paused");
    assert!(
        refused["error"].as_str().unwrap().contains("completed"),
        "{refused}"
    );
    assert_eq!(
        world.approve(json!({ "executionId": "exec_0" }))["code"],
        "not_found"
    );
}

#[test]
fn a_rejection_ends_the_run_once() {
    let (mut world, id, pass) = world();
    world.gated(pass, 0, "1");
    world.pause(pass);
    let request = json!({ "executionId": id, "seq": 0, "reason": "too risky" });
    assert_eq!(world.reject(request.clone())["value"]["ended"], true);
    assert_eq!(world.reject(request)["value"]["ended"], false);
    let execution = world.execution(&id);
    assert_eq!(execution["status"], "rejected");
    assert!(execution["error"].as_str().unwrap().contains("too risky"));
    assert_eq!(world.pending(), json!([]));
}

#[test]
fn a_rejection_can_be_heard_by_the_program() {
    let (mut world, id, pass) = world();
    world.gated(pass, 0, "1");
    world.pause(pass);
    let reply =
        world.reject(json!({ "executionId": id, "seq": 0, "reason": "no", "mode": "throw" }));
    assert_eq!(reply["value"]["kind"], "open");
    let pass = world.open(&id);
    let row = world.manifest(pass)["rows"][0].clone();
    assert_eq!(row[2], "e");
    assert!(row[3].as_str().unwrap().starts_with("rejected @"), "{row}");
}

#[test]
fn after_a_crash_an_effect_is_in_doubt_and_a_read_runs_again() {
    let (mut world, id, pass) = world();
    world.done(pass, 0, "send", r#"{"n":0}"#, "true");
    world.call(pass, 1, "put", "{}");
    world.call(pass, 2, "list", "{}");
    world.call(pass, 3, "send", r#"{"n":1}"#);
    world.crash();
    assert_eq!(
        world.approve(json!({ "executionId": id }))["code"],
        "not_paused"
    );
    let output = world.recover(&id);
    assert_eq!(output["status"], "paused");
    assert_eq!(output["inDoubt"].as_array().unwrap().len(), 1);
    assert_eq!(output["inDoubt"][0]["seq"], 3);
    let refused = world.approve(json!({ "executionId": id }));
    assert_eq!(refused["code"], "interrupted");
    assert!(
        refused["error"]
            .as_str()
            .unwrap()
            .contains("3 (notes.send)"),
        "{refused}"
    );
}

#[test]
fn a_recovered_call_keeps_its_key_and_counts_its_attempt() {
    let (mut world, id, pass) = world();
    let Said::Host(first) = world.call(pass, 0, "put", "{}") else {
        panic!()
    };
    world.crash();
    assert_eq!(world.recover(&id)["kind"], "open");
    let pass = world.open(&id);
    let Said::Host(second) = world.call(pass, 0, "put", "{}") else {
        panic!()
    };
    assert_eq!(first["idempotencyKey"], second["idempotencyKey"]);
    assert_eq!(
        (&first["attempt"], &second["attempt"]),
        (&json!(1), &json!(2))
    );
}

#[test]
fn an_unknown_outcome_is_never_a_failure() {
    let (mut world, id, pass) = world();
    world.call(pass, 0, "send", "{}");
    world.runtime.unknown(pass, 0);
    check_unknown(&mut world, &id, pass);
}

#[test]
fn an_outcome_that_the_host_cannot_know_is_never_a_failure() {
    let (mut world, id, pass) = world();
    world.call(pass, 0, "send", "{}");
    let now = world.tick();
    let reply = world.runtime.answer(pass, 0, r#"{"kind":"unknown"}"#, now);
    assert_eq!(reply, "x");
    check_unknown(&mut world, &id, pass);
}

fn check_unknown(world: &mut World, id: &str, pass: u32) {
    let now = world.tick();
    let output = framed(&world.runtime.interrupt(pass, now));
    assert_eq!(output["code"], "interrupted");
    assert_eq!(world.execution(id)["status"], "running");
    assert_eq!(world.execution(id)["log"][0]["state"], "executing");
}

#[test]
fn an_outcome_that_comes_after_the_deadline_is_still_recorded() {
    let (mut world, id, pass) = world();
    world.call(pass, 0, "send", "{}");
    let now = world.tick();
    let output = framed(&world.runtime.close_late(pass, now));
    assert_eq!(output["code"], "timeout");
    assert!(
        output["error"].as_str().unwrap().contains("60000 ms"),
        "{output}"
    );
    assert!(
        output["error"].as_str().unwrap().contains("0 (notes.send)"),
        "{output}"
    );
    assert_eq!(
        world.answer(pass, 0, json!({ "kind": "value", "value": "7" })),
        Said::Closed
    );
    assert_eq!(world.execution(&id)["log"][0]["result"], "7");
    assert_eq!(world.execution(&id)["status"], "error");
}

#[test]
fn a_deadline_while_calls_are_pending_pauses_the_run() {
    let (mut world, id, pass) = world();
    world.gated(pass, 0, "1");
    world.call(pass, 1, "send", "{}");
    let now = world.tick();
    let output = framed(&world.runtime.close_late(pass, now));
    assert_eq!(output["status"], "paused");
    assert_eq!(output["inDoubt"][0]["seq"], 1);
    assert_eq!(
        world.approve(json!({ "executionId": id }))["code"],
        "interrupted"
    );
    // The late outcome settles the doubt.
    world.answer(pass, 1, json!({ "kind": "value", "value": "7" }));
    assert_eq!(world.approve(json!({ "executionId": id }))["kind"], "open");
}

#[test]
fn failures_are_recorded_and_replayed_as_they_were() {
    let (mut world, id, pass) = world();
    world.call(pass, 0, "send", "{}");
    let error = r#"@[[0],[["Error","TypeError",null,"boom",{}]]]"#;
    let reply = json!({ "kind": "failure", "code": "exception", "error": error });
    assert_eq!(
        world.answer(pass, 0, reply),
        Said::Failure {
            code: "exception".into(),
            message: "boom".into()
        }
    );
    world.gated(pass, 1, "1");
    let output = world.pause(pass);
    assert_eq!(output["calls"][0]["state"], "error");
    assert_eq!(output["calls"][0]["error"], "boom");
    world.approve(json!({ "executionId": id }));
    let pass = world.open(&id);
    assert_eq!(
        world.manifest(pass)["rows"][0][3],
        format!("exception {error}")
    );
}

#[test]
fn a_function_of_the_arguments_decides_on_approval() {
    let (mut world, _, pass) = world();
    assert!(
        matches!(world.call(pass, 0, "ask", "1"), Said::Host(message) if message["kind"] == "check")
    );
    assert!(
        matches!(world.answer(pass, 0, json!({ "kind": "allow" })), Said::Host(message) if message["kind"] == "call")
    );
    assert_eq!(
        world.answer(pass, 0, json!({ "kind": "value", "value": "1" })),
        Said::Value(json!(1))
    );
    world.call(pass, 1, "ask", "2");
    assert_eq!(
        world.answer(pass, 1, json!({ "kind": "ask" })),
        Said::Pending
    );
}

#[test]
fn unless_read_only_asks_for_everything_that_is_not() {
    let mut world = World::new();
    world.contact["approval"] = json!("unless-read-only");
    let id = world.begin(CODE);
    let pass = world.open(&id);
    assert!(
        matches!(world.call(pass, 0, "list", "{}"), Said::Host(message) if message["kind"] == "call")
    );
    assert!(
        matches!(world.call(pass, 1, "send", "{}"), Said::Host(message) if message["kind"] == "check")
    );
    assert_eq!(
        world.answer(pass, 1, json!({ "kind": "allow" })),
        Said::Pending
    );
}

#[test]
fn a_result_that_is_not_recorded_is_asked_for_again() {
    let (mut world, id, pass) = world();
    assert_eq!(
        world.done(pass, 0, "big", "{}", "[1]"),
        Said::Value(json!([1]))
    );
    world.gated(pass, 1, "1");
    let output = world.pause(pass);
    assert_eq!(output["calls"][0]["ephemeral"], true);
    assert_eq!(output["calls"][0]["result"], json!(null));
    world.approve(json!({ "executionId": id }));
    let pass = world.open(&id);
    assert_eq!(world.manifest(pass)["rows"][0][2], "r");
    assert_eq!(
        world.done(pass, 0, "big", "{}", "[2]"),
        Said::Value(json!([2]))
    );
}

#[test]
fn an_oversized_result_of_an_effect_is_its_failure_and_the_effect_counts() {
    let (mut world, _, pass) = world();
    world.call(pass, 0, "send", "{}");
    let long = format!("\"{}\"", "x".repeat(1_000_000));
    let said = world.answer(pass, 0, json!({ "kind": "value", "value": long }));
    let Said::Failure { code, message } = said else {
        panic!("{said:?}")
    };
    assert_eq!(code, "too_large");
    assert!(
        message.contains("1000002") && message.contains("1000000"),
        "{message}"
    );
    let output = world.close(pass, json!({ "end": "done" }), "");
    assert_eq!(output["calls"][0]["state"], "applied");
}

#[test]
fn arguments_that_cannot_cross_are_a_recorded_failure_and_reach_no_one() {
    let (mut world, _, pass) = world();
    let said = world.call(pass, 0, "send", "!not_serializable args.f is a function");
    assert_eq!(
        said,
        Said::Failure {
            code: "not_serializable".into(),
            message: "args.f is a function".into()
        }
    );
    let output = world.close(pass, json!({ "end": "done" }), "");
    assert_eq!(output["calls"][0]["state"], "error");
}

#[test]
fn an_unknown_method_names_the_nearest() {
    let (mut world, _, pass) = world();
    let said = world.call(pass, 0, "lst", "{}");
    let Said::Failure { code, message } = said else {
        panic!("{said:?}")
    };
    assert_eq!(code, "not_found");
    assert!(message.contains("list"), "{message}");
}

#[test]
fn more_calls_than_allowed_end_the_run() {
    let mut world = World::new();
    world.contact["limits"] = json!({ "calls": 2 });
    let id = world.begin(CODE);
    let pass = world.open(&id);
    world.done(pass, 0, "list", "{}", "1");
    world.done(pass, 1, "list", "{}", "1");
    assert_eq!(world.call(pass, 2, "list", "{}"), Said::Closed);
    assert_eq!(world.execution(&id)["errorCode"], "call_limit");
}

#[test]
fn what_was_printed_is_on_record_also_when_the_host_ends_the_run() {
    let mut world = World::new();
    world.contact["limits"] = json!({ "calls": 0 });
    let id = world.begin(CODE);
    let pass = world.open(&id);
    let now = world.tick();
    let key = "notes\0list\0{}";
    world.runtime.call(pass, 0, key, "", "before\n", now);
    assert_eq!(world.execution(&id)["errorCode"], "call_limit");
    assert_eq!(world.execution(&id)["logs"], json!(["before"]));
}

#[test]
fn a_resumed_run_needs_every_connector_it_was_begun_with() {
    let (mut world, id, pass) = world();
    world.gated(pass, 0, "1");
    world.pause(pass);
    world.contact = json!({ "connectors": [{ "name": "other", "digest": "d" }] });
    let refused = world.approve(json!({ "executionId": id }));
    assert_eq!(refused["code"], "missing_connector");
    assert!(
        refused["error"].as_str().unwrap().contains("notes"),
        "{refused}"
    );
    world.contact = json!({ "connectors": [{ "name": "notes", "digest": "d1" }] });
    assert_eq!(world.approve(json!({ "executionId": id }))["kind"], "open");
}

#[test]
fn a_known_key_returns_that_executions_outcome() {
    let mut world = World::new();
    let request = json!({ "contact": world.contact, "code": CODE, "key": "daily" });
    let id = world.execute(request.clone())["executionId"]
        .as_str()
        .unwrap()
        .to_owned();
    let pass = world.open(&id);
    world.close(pass, json!({ "end": "done" }), "42");
    let again = world.execute(request);
    let output = framed(again["frame"].as_str().unwrap());
    assert_eq!(
        (&output["executionId"], &output["result"]),
        (&json!(id), &json!("42"))
    );
}

#[test]
fn what_is_no_program_is_refused_and_on_record() {
    let mut world = World::new();
    let next = world.execute(json!({ "contact": world.contact, "code": "const x = = 1" }));
    let output = framed(next["frame"].as_str().unwrap());
    assert_eq!(
        (&output["status"], &output["code"]),
        (&json!("error"), &json!("syntax"))
    );
    let id = output["executionId"].as_str().unwrap();
    assert_eq!(world.execution(id)["status"], "error");
}

#[test]
fn long_values_are_kept_whole_and_named_by_length_in_listings() {
    let (mut world, id, pass) = world();
    let han = format!("\"{}\"", "漢".repeat(999_998));
    world.call(pass, 0, "send", &han);
    world.answer(pass, 0, json!({ "kind": "value", "value": han }));
    let output = world.close(pass, json!({ "end": "done" }), &han);
    assert_eq!(output["result"], han.as_str());
    assert_eq!(
        output["calls"][0]["args"],
        json!({ "omitted": true, "length": 1_000_000 })
    );
    let request = json!({ "executionId": id, "seq": 0 }).to_string();
    let entry = common::value(&world.runtime.execution(&request));
    assert_eq!(
        (&entry["args"], &entry["result"]),
        (&json!(han), &json!(han))
    );
}
