//! Steps that reach outside: intent first, in doubt after a crash, and never on a sandbox's word (spec §4, Egress).

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use codemode::engine::ids::{EpochMs, Operation};
use common::{Said, World};
use serde_json::{Value, json};

const STEP: &str = "codemode\0step\0\"buy\"";

fn open(reach: Value) -> World {
    let mut world = World::new();
    world.contact["reach"] = reach;
    world
}

fn egress() -> World {
    open(json!({ "egress": true }))
}

/// Begins a run whose first call is a step, and says what the sandbox was told of it.
fn step(world: &mut World) -> (String, u32, String) {
    let id = world.begin("1");
    let pass = world.open(&id);
    let said = stepped(world, pass);
    (id, pass, said)
}

fn stepped(world: &mut World, pass: u32) -> String {
    let now = world.tick();
    world
        .runtime
        .call(pass, Operation::call(0).0, STEP, "", "", now)
}

fn reach(world: &mut World, pass: u32, seq: u32, what: &str) -> String {
    let now = world.tick();
    world.runtime.reach(pass, Operation::call(seq).0, what, now)
}

fn state(world: &World, id: &str, seq: usize) -> Value {
    world.execution(id)["log"][seq]["state"].clone()
}

#[test]
fn a_step_with_egress_is_in_doubt_after_a_crash() {
    let mut world = egress();
    let (id, _, said) = step(&mut world);
    assert_eq!(said, "so");
    world.crash();
    assert_eq!(state(&world, &id, 0), "executing", "its intent was durable");
    let next = world.recover(&id);
    assert_eq!(next["status"], "paused", "{next}");
    assert_eq!(state(&world, &id, 0), "in_doubt");
}

#[test]
fn so_is_one_that_recovers_at_a_contact_without_egress() {
    let mut world = egress();
    let (id, ..) = step(&mut world);
    world.crash();
    world.contact["reach"] = json!({});
    world.recover(&id);
    assert_eq!(state(&world, &id, 0), "in_doubt");
}

#[test]
fn a_step_without_egress_simply_runs_again() {
    for reach in [json!({}), json!({ "bindings": { "REGION": "\"eu\"" } })] {
        let mut world = open(reach);
        let (id, _, said) = step(&mut world);
        assert_eq!(said, "s");
        world.crash();
        assert_eq!(
            world.execution(&id)["log"],
            json!([]),
            "no commit of its own"
        );
        assert_eq!(world.recover(&id)["kind"], "open");
        let pass = world.open(&id);
        assert_eq!(stepped(&mut world, pass), "s");
    }
}

#[test]
fn a_binding_with_methods_counts_as_egress() {
    let mut world = open(json!({ "bindings": { "KV": null } }));
    let (id, pass, said) = step(&mut world);
    assert_eq!(said, "so");
    let reached = reach(&mut world, pass, 0, "env.KV");
    let told: Value = serde_json::from_str(reached.strip_prefix('h').unwrap()).unwrap();
    assert_eq!(told, json!({ "executionId": id, "seq": 0, "inflight": 16 }));
}

#[test]
fn a_step_in_doubt_that_is_to_be_made_again_runs_in_the_sandbox_and_is_in_doubt_again() {
    let mut world = egress();
    let (id, ..) = step(&mut world);
    for _ in 0..2 {
        world.crash();
        world.recover(&id);
        let next = world.resolve(json!({ "executionId": id, "seq": 0, "outcome": "rerun" }));
        assert_eq!(next["kind"], "open", "{next}");
        let pass = world.open(&id);
        assert_eq!(stepped(&mut world, pass), "so");
    }
    world.crash();
    world.recover(&id);
    assert_eq!(state(&world, &id, 0), "in_doubt");
}

#[test]
fn a_step_that_began_without_egress_does_not_gain_it_by_a_recovery() {
    let mut world = open(json!({}));
    let (id, pass, _) = step(&mut world);
    world.runtime.flush();
    let _ = pass;
    world.crash();
    world.contact["reach"] = json!({ "egress": true });
    world.recover(&id);
    let pass = world.open(&id);
    assert_eq!(stepped(&mut world, pass), "s");
    assert_eq!(reach(&mut world, pass, 0, "fetch"), "x");
}

#[test]
fn reaching_out_is_for_a_step_under_way_and_what_the_contact_gives() {
    let diverges = |mut world: World, seq: u32, what: &str| {
        let (id, pass, _) = step(&mut world);
        assert_eq!(reach(&mut world, pass, seq, what), "x");
        assert_eq!(world.execution(&id)["errorCode"], "diverged", "{what}");
    };
    diverges(egress(), 1, "fetch");
    diverges(egress(), 0, "env.KV");
    diverges(egress(), 0, "connect");
    diverges(open(json!({})), 0, "fetch");
    diverges(open(json!({ "bindings": { "KV": null } })), 0, "fetch");
    diverges(
        open(json!({ "bindings": { "KV": null, "REGION": "1" } })),
        0,
        "env.REGION",
    );
}

#[test]
fn nothing_is_reached_after_the_step_has_its_outcome() {
    let mut world = egress();
    let (id, pass, _) = step(&mut world);
    let now = world.tick();
    let settled = world
        .runtime
        .settle(pass, Operation::call(0).0, "v1", "", "", now);
    assert_eq!(settled, "v1");
    assert_eq!(reach(&mut world, pass, 0, "fetch"), "x");
    assert_eq!(world.execution(&id)["errorCode"], "diverged");
}

#[test]
fn a_call_reaches_nothing() {
    let mut world = egress();
    let id = world.begin("1");
    let pass = world.open(&id);
    assert!(matches!(world.call(pass, 0, "send", "{}"), Said::Host(_)));
    assert_eq!(reach(&mut world, pass, 0, "fetch"), "x");
    assert_eq!(world.execution(&id)["errorCode"], "diverged");
}

#[test]
fn one_pass_reaches_out_as_often_as_it_may_call() {
    let mut world = egress();
    world.contact["limits"] = json!({ "calls": 2 });
    let (id, pass, _) = step(&mut world);
    for _ in 0..2 {
        assert!(reach(&mut world, pass, 0, "fetch").starts_with('h'));
    }
    assert_eq!(reach(&mut world, pass, 0, "fetch"), "x");
    assert_eq!(world.execution(&id)["errorCode"], "call_limit");
}

#[test]
fn an_audit_reaches_nothing() {
    let mut world = egress();
    let (id, ..) = step(&mut world);
    let request = world.contact_request();
    let opened: Value =
        serde_json::from_str(&world.runtime.open_audit(&id, &request, EpochMs(9_000))).unwrap();
    let audit = u32::try_from(opened["value"]["pass"].as_u64().unwrap()).unwrap();
    stepped(&mut world, audit);
    assert_eq!(reach(&mut world, audit, 0, "fetch"), "x");
}

#[test]
fn modules_travel_with_the_contact_and_are_not_kept() {
    let mut world = World::new();
    world.contact["modules"] = json!({ "math": "export const two = 2" });
    let id = world.begin("1");
    let pass = world.open(&id);
    let modules: Value = serde_json::from_str(&world.runtime.modules(pass)).unwrap();
    assert_eq!(modules["modules/math.js"], "export const two = 2");
    assert_eq!(world.manifest(pass)["modules"], json!(["math"]));
    world.crash();
    world.contact["modules"] = json!({});
    let pass = world.open(&id);
    let modules: Value = serde_json::from_str(&world.runtime.modules(pass)).unwrap();
    assert_eq!(modules["modules/math.js"], Value::Null);
}
