//! What a host offers, from its source to a program's calls: kept by version, changed by the host's hook, and read method by
//! method.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use codemode::runtime::Runtime;
use common::{World, value};
use serde_json::{Value, json};

const TOOLS: &str = r#"[
    { "name": "get-user", "description": "Reads a user.", "requiresApproval": false, "inputSchema": { "type": "object" } },
    { "name": "drop.user", "requiresApproval": false }
]"#;

fn with_tools(changes: Value) -> World {
    let mut world = World::new();
    world.contact["connectors"] = json!([{ "name": "tools", "digest": "t1", "changes": changes }]);
    let learnt = learn(&world, "toolset", TOOLS);
    assert_eq!(value(&learnt), json!(null));
    world
}

fn learn(world: &World, format: &str, text: &str) -> String {
    let request = world.contact_request();
    world
        .runtime
        .learn(&request, "tools", format, text.as_bytes().to_vec(), "[]")
}

fn unchanged(world: &World) -> Value {
    value(&world.runtime.wanted(&world.contact_request()))["changes"].clone()
}

fn change(world: &World, digest: &str, changes: Value) -> Value {
    let request = world.contact_request();
    let reply = world
        .runtime
        .change(&request, "tools", digest, &changes.to_string());
    serde_json::from_str(&reply).unwrap()
}

fn described(world: &World, target: &str) -> Value {
    let request = json!({ "contact": world.contact, "target": target }).to_string();
    serde_json::from_str(&world.runtime.describe(&request)).unwrap()
}

/// The first message of a call of this method to the host.
fn message(world: &mut World, method: &str) -> Value {
    let id = world.begin("async () => 1");
    let pass = world.open(&id);
    let now = world.tick();
    let key = format!("tools\0{method}\0{{}}");
    let said = world.runtime.call(pass, 0, &key, "", "", now);
    let message = said.strip_prefix('h').unwrap_or_else(|| panic!("{said}"));
    serde_json::from_str(message).unwrap()
}

#[test]
fn a_call_of_a_derived_method_brings_its_record() {
    let mut world = with_tools(Value::Null);
    let sent = message(&mut world, "get_user");
    let record: Value = serde_json::from_str(sent["record"].as_str().unwrap()).unwrap();
    assert_eq!(record["original"], "get-user");
    assert_eq!(record["inputSchema"], json!({ "type": "object" }));
}

#[test]
fn a_call_of_a_method_that_the_host_named_itself_brings_none() {
    let mut world = World::new();
    let id = world.begin("async () => 1");
    let pass = world.open(&id);
    let now = world.tick();
    let said = world.runtime.call(pass, 0, "notes\0list\0{}", "", "", now);
    assert!(!said.contains("record"), "{said}");
}

#[test]
fn a_host_with_a_hook_is_shown_what_was_derived_once() {
    let mut world = with_tools(json!(""));
    assert_eq!(unchanged(&world), json!([["tools", 1]]));
    let page = value(&world.runtime.page_to_change("tools", 0));
    let shown: Value = serde_json::from_str(page.as_str().unwrap()).unwrap();
    assert_eq!(shown["kind"], "change");
    assert_eq!(shown["methods"][1]["name"], "drop_user");
    let changes = json!({ "drop_user": { "requiresApproval": true, "description": "Drops a user." },
        "no_such": { "description": "x" } });
    assert_eq!(change(&world, "c1", changes)["ok"], true);
    // The contact of this host does not know the digest yet.
    assert_eq!(
        described(&world, "tools.drop_user")["value"]["requiresApproval"],
        true
    );
    world.contact["connectors"][0]["changes"] = json!("c1");
    assert_eq!(unchanged(&world), json!([]));
    world.crash();
    assert_eq!(
        described(&world, "tools.drop_user")["value"]["description"],
        "Drops a user."
    );
    // Another version of the host changes something else: the derived record is the ground of both.
    let changes = json!({ "get_user": { "description": null } });
    assert_eq!(change(&world, "c2", changes)["ok"], true);
    let dropped = &described(&world, "tools.drop_user")["value"];
    assert_eq!(
        (&dropped["description"], &dropped["requiresApproval"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        described(&world, "tools.get_user")["value"]["description"],
        Value::Null
    );
    // And one without a hook takes it all back.
    world.contact["connectors"][0]
        .as_object_mut()
        .unwrap()
        .remove("changes");
    assert_eq!(unchanged(&world), json!([]));
    assert_eq!(
        described(&world, "tools.get_user")["value"]["description"],
        "Reads a user."
    );
}

#[test]
fn a_page_of_hits_says_what_the_hook_made_of_them() {
    let tools: Value = (0..10)
        .map(|n| json!({ "name": format!("tool {n}"), "requiresApproval": false, "description": "Plays music." }))
        .collect();
    let mut world = with_tools(json!(""));
    assert_eq!(
        value(&learn(&world, "toolset", &tools.to_string())),
        json!(null)
    );
    let hit = |world: &World| {
        let request = json!({ "contact": world.contact, "query": "tool" }).to_string();
        let page = value(&world.runtime.search(&request));
        assert_eq!(page["results"].as_array().unwrap().len(), 10, "{page}");
        page["results"][3].clone()
    };
    assert_eq!(hit(&world)["description"], "Plays music.");
    let changes =
        json!({ "tool_3": { "description": "Paints walls.", "requiresApproval": "ask" } });
    assert_eq!(change(&world, "c1", changes)["ok"], true);
    world.contact["connectors"][0]["changes"] = json!("c1");
    let changed = hit(&world);
    assert_eq!(changed["path"], "tools.tool_3");
    assert_eq!(changed["description"], "Paints walls.");
    assert_eq!(changed["requiresApproval"], true);
    world.contact["connectors"][0]["changes"] = Value::Null;
    assert_eq!(unchanged(&world), json!([]));
    assert_eq!(hit(&world)["description"], "Plays music.");
}

#[test]
fn a_hook_that_contradicts_itself_is_refused_and_changes_nothing() {
    let world = with_tools(json!(""));
    let refused = change(
        &world,
        "c1",
        json!({ "get_user": { "requiresApproval": true, "replay": "reexecute" } }),
    );
    assert_eq!(refused["code"], "invalid_input", "{refused}");
    assert!(refused["error"].as_str().unwrap().contains("get_user"));
    assert_eq!(
        described(&world, "tools.get_user")["value"]["requiresApproval"],
        Value::Null
    );
}

#[test]
fn a_foreign_source_of_which_nothing_can_be_derived_costs_only_its_connector() {
    let mut world = World::new();
    world.contact["connectors"] =
        json!([{ "name": "notes", "digest": "d1" }, { "name": "tools", "digest": "t1" }]);
    assert_eq!(value(&learn(&world, "openapi", "<html>")), json!(null));
    let request = world.contact_request();
    assert_eq!(value(&world.runtime.wanted(&request))["sources"], json!([]));
    let told = &described(&world, "tools")["value"];
    assert!(
        told["description"]
            .as_str()
            .unwrap()
            .contains("Cannot be reached"),
        "{told}"
    );
    world.begin("async () => notes.list()");
}

#[test]
fn a_new_version_takes_the_place_of_the_old_one() {
    let mut world = with_tools(Value::Null);
    world.contact["connectors"][0]["digest"] = json!("t2");
    let request = world.contact_request();
    assert_eq!(
        value(&world.runtime.wanted(&request))["sources"][0][0],
        "tools"
    );
    assert_eq!(
        value(&learn(
            &world,
            "toolset",
            r#"[{ "name": "later", "requiresApproval": false }]"#
        )),
        json!(null)
    );
    assert_eq!(described(&world, "tools.get_user")["code"], "not_found");
    let told = described(&world, "tools.later");
    assert_eq!(told["ok"], true, "{told}");
    let rows = "SELECT count(*) FROM codemode_catalogues WHERE connector = 'tools' AND slot GLOB 'method:*'";
    let count: i64 = world.sql.0.query_row(rows, [], |row| row.get(0)).unwrap();
    assert_eq!(count, 1);
    world.runtime = Runtime::new(world.sql.clone()).unwrap();
    let told = described(&world, "tools.later");
    assert_eq!(told["ok"], true, "{told}");
}

#[test]
fn methods_of_the_hosts_own_stand_beside_what_is_derived_and_before_it() {
    let mut world = World::new();
    world.contact["connectors"] = json!([{ "name": "tools", "digest": "t1" }]);
    let request = world.contact_request();
    let own = r#"[{ "name": "drop_user", "description": "Its own.", "requiresApproval": false }, { "name": "spec", "requiresApproval": false }]"#;
    let source = TOOLS.as_bytes().to_vec();
    let learnt = world
        .runtime
        .learn(&request, "tools", "toolset", source, own);
    assert_eq!(value(&learnt), json!(null));
    let text = |target: &str| described(&world, target)["value"]["description"].clone();
    assert_eq!(text("tools.drop_user"), "Its own.");
    assert_eq!(described(&world, "tools.spec")["ok"], true);
    assert_eq!(text("tools.get_user"), "Reads a user.");
}
