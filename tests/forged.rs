//! What only a forged sandbox sends, and what looks like it but is not. `tests/forgery/` does the same with a whole
//! runtime; here is what needs no workerd.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use codemode::engine::ids::Operation;
use common::{Said, World};
use serde_json::json;

fn world() -> (World, String, u32) {
    let mut world = World::new();
    let id = world.begin("notes");
    let pass = world.open(&id);
    (world, id, pass)
}

fn settle(world: &mut World, pass: u32, seq: u32, outcome: &str) -> String {
    let now = world.tick();
    world
        .runtime
        .settle(pass, Operation::call(seq).0, outcome, "", "", now)
}

#[test]
fn settling_a_call_of_the_host_ends_the_run_and_the_hosts_answer_is_still_recorded() {
    let (mut world, id, pass) = world();
    world.call(pass, 0, "send", "{}");
    assert_eq!(settle(&mut world, pass, 0, "v\"forged\""), "x");
    assert_eq!(
        world.answer(pass, 0, json!({ "kind": "value", "value": "\"real\"" })),
        Said::Closed
    );
    let state = world.execution(&id);
    assert_eq!(
        (&state["errorCode"], &state["log"][0]["result"]),
        (&json!("diverged"), &json!("\"real\""))
    );
}

#[test]
fn a_call_whose_result_is_not_kept_is_made_once_in_a_pass() {
    let (mut world, _, pass) = world();
    world.done(pass, 0, "big", "{}", "1");
    assert_eq!(world.call(pass, 0, "big", "{}"), Said::Closed);
}

#[test]
fn steps_under_way_are_the_sandboxes_own_and_no_call_waits_for_them() {
    let (mut world, _, pass) = world();
    for seq in 0..40 {
        let key = format!("codemode\0step\0\"s{seq}\"");
        assert_eq!(
            world.send(pass, Operation::call(seq).0, &key, ""),
            Said::RunStep
        );
    }
    world.done(pass, 40, "send", "{}", "1");
    assert_eq!(settle(&mut world, pass, 7, "v7"), "v7");
    assert_eq!(settle(&mut world, pass, 7, "v8"), "x");
}

#[test]
fn calls_that_reached_no_one_have_no_attempt() {
    let (mut world, id, pass) = world();
    let long = format!("!not_serializable {}", "x".repeat(5_000));
    let oversized = format!("!not_serializable {}", "x".repeat(1_000_000));
    for (seq, (method, args)) in [
        ("send", "!not_serializable args is a function"),
        ("send", &long),
        ("send", &oversized),
        ("nope", "{}"),
    ]
    .into_iter()
    .enumerate()
    {
        let said = world.call(pass, u32::try_from(seq).unwrap(), method, args);
        assert!(matches!(said, Said::Failure { .. }), "{said:?}");
    }
    let log = world.execution(&id)["log"].clone();
    for entry in log.as_array().unwrap() {
        assert_eq!(
            (&entry["state"], &entry["attempt"]),
            (&json!("error"), &json!(0)),
            "{entry}"
        );
    }
    assert_eq!(log[1]["args"], json!(long));
    assert_eq!(log[2]["code"], "too_large");
    assert!(log[2]["args"].as_str().unwrap().len() < 500);
}

#[test]
fn deliveries_that_are_no_pairs_end_the_run_also_at_its_end() {
    let (mut world, _, pass) = world();
    let output = world.close(pass, json!({ "end": "done", "delivered": [1] }), "1");
    assert_eq!(output["code"], "diverged");
}

#[test]
fn lookups_have_the_limit_of_calls() {
    let mut world = World::new();
    world.contact["limits"] = json!({ "calls": 3 });
    let id = world.begin("notes");
    let pass = world.open(&id);
    for number in 0..3 {
        let said = world.send(pass, number * 4 + 2, "codemode\0search\0[\"x\"]", "");
        assert!(matches!(said, Said::Value(_)), "{said:?}");
    }
    let said = world.send(pass, 3 * 4 + 2, "codemode\0search\0[\"x\"]", "");
    assert_eq!(said, Said::Closed);
    assert_eq!(world.execution(&id)["errorCode"], "call_limit");
}
