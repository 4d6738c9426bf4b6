//! Snippets as the runtime sees them: what goes along with a pass, what is recorded, and what a forged sandbox gets.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use codemode::engine::ids::{Kind, Operation};
use common::{Said, World, value};
use serde_json::{Value, json};

/// What makes the operation of which a verdict comes.
type Forge = fn(&mut World, u32) -> u32;

/// A finished run of this program, saved.
fn save(world: &mut World, name: &str, code: &str, schema: Option<Value>) -> Value {
    let id = world.begin(code);
    let pass = world.open(&id);
    world.close(pass, json!({ "end": "done" }), "1");
    let mut request = json!({ "contact": world.contact, "name": name, "executionId": id });
    if let Some(schema) = schema {
        request["inputSchema"] = schema;
    }
    let now = world.tick();
    value(&world.runtime.save_snippet(&request.to_string(), now))
}

fn run(world: &mut World, pass: u32, lookup: u32, args: Value) -> Said {
    let now = world.tick();
    let operation = Operation::new(Kind::Lookup, lookup).0;
    let key = format!("codemode\0run\0{args}");
    let reply = world.runtime.call(pass, operation, &key, "", "", now);
    if let Some(check) = reply.strip_prefix('c') {
        return Said::Host(serde_json::from_str(check).unwrap());
    }
    common::said(&reply)
}

fn checked(world: &mut World, pass: u32, operation: u32, complaint: &str) -> Said {
    let now = world.tick();
    common::said(&world.runtime.checked(pass, operation, complaint, now))
}

fn along(world: &World, pass: u32) -> Vec<Value> {
    let manifest = world.manifest(pass);
    let names: Vec<Value> = manifest["snippets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].clone())
        .collect();
    let modules: Value = serde_json::from_str(&world.runtime.modules(pass)).unwrap();
    assert_eq!(modules.as_object().unwrap().len(), names.len() + 1);
    names
}

/// The sandbox says that only open calls are left; whether another pass is asked for.
fn rest(world: &mut World, pass: u32) -> bool {
    let now = world.tick();
    let head = json!({ "end": "paused" }).to_string();
    world
        .runtime
        .close(pass, &head, String::new(), 0, now)
        .is_empty()
}

fn started(name: &str) -> Said {
    Said::Value(json!({ "snippet": name }))
}

#[test]
fn those_that_a_program_names_go_along_and_those_that_these_name() {
    let mut world = World::new();
    save(&mut world, "inner", "async () => 1", None);
    save(
        &mut world,
        "outer",
        "async () => codemode.run('inner')",
        None,
    );
    save(&mut world, "other", "async () => 2", None);
    let id = world.begin("async () => [codemode.run(\"outer\"), codemode.run('nobody'), 'other']");
    let pass = world.open(&id);
    assert_eq!(along(&world, pass), ["outer", "inner"]);
    assert_eq!(run(&mut world, pass, 0, json!(["outer"])), started("outer"));
    // Recorded from its first run on, and not before.
    assert_eq!(world.recorded(&id).snippets, Vec::<String>::new());
    world.done(pass, 0, "send", "{}", "1");
    assert_eq!(world.recorded(&id).snippets, ["outer"]);
}

#[test]
fn one_that_was_not_foreseen_is_recorded_and_the_next_pass_has_it() {
    let mut world = World::new();
    save(&mut world, "late", "async () => 'first'", None);
    let id = world.begin("async () => codemode.run('la' + 'te')");
    let pass = world.open(&id);
    assert_eq!(along(&world, pass), Vec::<Value>::new());
    assert_eq!(run(&mut world, pass, 0, json!(["late"])), Said::Pending);
    assert!(rest(&mut world, pass));
    // Whatever is saved or deleted until then, and also after a crash.
    save(&mut world, "late", "async () => 'second'", None);
    let _ = world.runtime.delete_snippet(r#"{"name":"late"}"#);
    world.crash();
    assert_eq!(world.recover(&id)["kind"], "open");
    let pass = world.open(&id);
    assert_eq!(along(&world, pass), ["late"]);
    assert!(world.runtime.modules(pass).contains("'first'"));
    assert_eq!(run(&mut world, pass, 0, json!(["late"])), started("late"));
    let output = world.close(pass, json!({ "end": "done" }), "1");
    assert_eq!(output["status"], "completed");
    // The run is on record as one that completed, with no pause in it.
    assert_eq!(world.owed().len(), 4 + 2);
}

#[test]
fn an_input_is_held_against_the_recorded_schema_and_a_replay_asks_nobody() {
    let mut world = World::new();
    let schema = json!({ "type": "object" });
    save(&mut world, "typed", "async (input) => input", Some(schema));
    let id = world.begin("async () => codemode.run('typed', 1)");
    let pass = world.open(&id);
    let asked = run(&mut world, pass, 0, json!(["typed", "1"]));
    assert_eq!(
        asked,
        Said::Host(json!({ "schema": "{\"type\":\"object\"}", "input": "1" }))
    );
    let lookup = |id| Operation::new(Kind::Lookup, id).0;
    let refused = checked(&mut world, pass, lookup(0), "input must be an object");
    assert!(
        matches!(&refused, Said::Failure { code, message } if code == "invalid_input" && message.contains("input must be an object")),
        "{refused:?}"
    );
    run(&mut world, pass, 1, json!(["typed", "{}"]));
    assert_eq!(checked(&mut world, pass, lookup(1), ""), started("typed"));
    world.gated(pass, 0, "{}");
    world.pause(pass);
    world.approve(json!({ "executionId": id }));
    let pass = world.open(&id);
    let rows = world.manifest(pass)["rows"].clone();
    assert_eq!((&rows[1][2], &rows[2][2]), (&json!("e"), &json!("v")));
}

#[test]
fn what_is_no_question_gets_no_verdict() {
    let mut world = World::new();
    save(
        &mut world,
        "typed",
        "async (input) => input",
        Some(json!(true)),
    );
    let forged: [(&str, Forge); 3] = [
        ("a call", |world, pass| {
            world.call(pass, 0, "send", "{}");
            Operation::call(0).0
        }),
        ("nothing", |_, _| Operation::new(Kind::Lookup, 7).0),
        ("a run that was answered", |world, pass| {
            run(world, pass, 0, json!(["nobody"]));
            Operation::new(Kind::Lookup, 0).0
        }),
    ];
    for (what, make) in forged {
        let id = world.begin("async () => 1");
        let pass = world.open(&id);
        let operation = make(&mut world, pass);
        assert_eq!(
            checked(&mut world, pass, operation, ""),
            Said::Closed,
            "{what}"
        );
        assert_eq!(world.execution(&id)["errorCode"], "internal", "{what}");
    }
}

#[test]
fn a_sandbox_that_does_not_wait_for_its_calls_gets_no_other_pass() {
    let mut world = World::new();
    save(&mut world, "late", "async () => 1", None);
    let id = world.begin("async () => 1");
    let pass = world.open(&id);
    world.call(pass, 0, "send", "{}");
    assert_eq!(run(&mut world, pass, 0, json!(["late"])), Said::Pending);
    assert!(!rest(&mut world, pass));
    world.answer(pass, 0, json!({ "kind": "value", "value": "1" }));
    let state = world.execution(&id);
    assert_eq!(
        (&state["status"], &state["log"][0]["state"]),
        (&json!("error"), &json!("applied"))
    );
}

#[test]
fn passes_in_a_row_come_to_an_end() {
    let mut world = World::new();
    for number in 0..65 {
        save(&mut world, &format!("s{number}"), "async () => 1", None);
    }
    let id = world.begin("async () => 1");
    for number in 0..64_u32 {
        let pass = world.open(&id);
        assert_eq!(
            run(&mut world, pass, number, json!([format!("s{number}")])),
            Said::Pending
        );
        assert!(rest(&mut world, pass));
    }
    let pass = world.open(&id);
    let told = run(&mut world, pass, 64, json!(["s64"]));
    assert!(
        matches!(&told, Said::Value(value) if value["error"].as_str().unwrap().contains("at most 64 different snippets")),
        "{told:?}"
    );
}

#[test]
fn odd_arguments_are_a_failure_of_the_call() {
    let mut world = World::new();
    let id = world.begin("async () => 1");
    let pass = world.open(&id);
    for (lookup, args) in (0..).zip([json!([]), json!([1]), json!({}), json!(["a", 1])]) {
        let told = run(&mut world, pass, lookup, args);
        assert!(
            matches!(&told, Said::Failure { code, .. } if code == "invalid_input"),
            "{told:?}"
        );
    }
}

#[test]
fn a_runtime_keeps_a_thousand() {
    let mut world = World::new();
    let first = save(&mut world, "s0", "async () => 1", None);
    for number in 1..1_000 {
        let sql = "INSERT INTO codemode_snippets (name, description, saved_at) VALUES (?, '', 0)";
        world.sql.0.execute(sql, [format!("s{number}")]).unwrap();
    }
    let again = save(&mut world, "s0", "async () => 2", None);
    assert_eq!(
        (&first["code"], &again["code"]),
        (&json!("async () => 1"), &json!("async () => 2"))
    );
    let id = world.begin("async () => 1");
    let pass = world.open(&id);
    world.close(pass, json!({ "end": "done" }), "1");
    let request = json!({ "contact": world.contact, "name": "more", "executionId": id });
    let now = world.tick();
    let refused: Value =
        serde_json::from_str(&world.runtime.save_snippet(&request.to_string(), now)).unwrap();
    assert_eq!(refused["code"], "invalid_input");
    assert!(
        refused["error"].as_str().unwrap().contains("1000"),
        "{refused}"
    );
}

#[test]
fn one_bad_row_costs_the_snippet_it_belongs_to_and_nothing_beside_it() {
    let mut world = World::new();
    for name in ["a", "b", "c"] {
        save(&mut world, name, "async () => 1", None);
    }
    for statement in [
        "UPDATE codemode_snippets SET saved_at = 'x' WHERE name = 'a'",
        "UPDATE codemode_snippet_texts SET text = '{' WHERE name = 'b' AND slot = 'snippet'",
    ] {
        world.sql.0.execute(statement, []).unwrap();
    }
    world.crash();
    let all = value(&world.runtime.snippets());
    assert_eq!(all.as_array().unwrap().len(), 1);
    assert_eq!(all[0]["name"], "c");
    let id = world.begin("async () => codemode.run('c')");
    let pass = world.open(&id);
    assert_eq!(run(&mut world, pass, 0, json!(["c"])), started("c"));
    let deleted = |name: &str| {
        value(
            &world
                .runtime
                .delete_snippet(&json!({ "name": name }).to_string()),
        )["deleted"]
            .clone()
    };
    assert_eq!([deleted("a"), deleted("b")], [true, true]);
}
