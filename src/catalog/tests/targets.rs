//! Types as targets: what a description only names is opened by the path that it prints.

use serde_json::{Value, json};

use super::{Stocked, assert_parses, documented, small};

/// A small service: an issue has a user by reference, labels in place, and issues inside it.
fn service() -> Stocked {
    let operation = json!({ "verb": "GET", "path": "/repos/{owner}/issues" });
    documented(
        json!([
            { "name": "issues_list", "description": "List issues.\n\nOnly open ones, with [links](https://x.test).", "operation": operation,
              "inputSchema": { "type": "object", "required": ["owner"], "properties": { "owner": { "type": "string" },
                "body": { "$ref": "#/$defs/Filter" } } },
              "outputSchema": { "type": "array", "items": { "$ref": "#/$defs/Issue" } } },
            { "name": "issues_count", "operation": operation, "outputSchema": { "type": "object", "properties": {
                "labels": { "type": "object", "properties": { "deep": { "type": "object", "properties": {
                    "user": { "$ref": "#/$defs/User" }, "level": { "type": "integer", "description": "Steps from the root." } } } } } } } },
        ]),
        json!({
            "Filter": { "type": "object", "properties": { "since": { "type": "string", "format": "date-time" },
                "by": { "type": "array", "items": { "$ref": "#/$defs/By" } } } },
            "By": { "type": "object", "required": ["login"], "properties": { "login": { "type": "string", "description": "Whose." } } },
            "Issue": { "type": "object", "required": ["id", "user"], "properties": { "id": { "type": "integer" },
                "state": { "$ref": "#/$defs/State" }, "user": { "$ref": "#/$defs/User" }, "parent": { "$ref": "#/$defs/Issue" },
                "labels": { "type": "array", "items": { "type": "object", "properties": { "owner": { "$ref": "#/$defs/User" } } } } } },
            "State": { "enum": ["open", "closed"] },
            "User": { "type": "object", "nullable": true, "description": "A person.", "properties": { "login": { "type": "string",
                "description": "The login." }, "plan": { "type": "object", "properties": { "of": { "$ref": "#/$defs/User" } } } } },
        }),
    )
}

#[track_caller]
fn check(target: &str, expected: &[&str]) {
    let found = service().describe(target).expect("it is there");
    assert_parses(&found.types);
    let expected: String = expected.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(found.types, expected);
    assert_eq!(found.path, target);
}

#[test]
fn an_operation_shows_its_whole_input_and_one_level_of_its_result() {
    check(
        "c.issues_list",
        &[
            "declare const c: { issues_list(input: { owner:string; body?:{ /** @format date-time */ since?:string; \
             by?:{ /** Whose. */ login:string }[] } }): Promise<Issue[]> };",
            "type Issue = { id:number; user:User | null; state?:\"open\" | \"closed\"; parent?:Issue; labels?:Labels[] };",
            "interface User {} // codemode.describe(\"c#User\")",
            "interface Labels {} // codemode.describe(\"c.issues_list#Labels\")",
        ],
    );
    let found = service().describe("c.issues_list").expect("it is there");
    assert_eq!(
        found.description.as_deref(),
        Some("Only open ones, with links.")
    );
}

#[test]
fn an_operation_says_where_it_goes_where_there_is_room() {
    check(
        "c.issues_count",
        &[
            "// GET /repos/{owner}/issues",
            "declare const c: { issues_count(input?: unknown): Promise<{ labels?:Labels }> };",
            "interface Labels {} // codemode.describe(\"c.issues_count#Labels\")",
        ],
    );
}

#[test]
fn a_definition_is_opened_by_its_name() {
    check(
        "c#User",
        &[
            "/** A person. */",
            "type User = { login?:string; plan?:Plan } | null;",
            "interface Plan {} // codemode.describe(\"c#User#Plan\")",
        ],
    );
}

#[test]
fn what_is_inside_another_type_is_opened_by_the_path_to_it() {
    check(
        "c#User#Plan",
        &[
            "type Plan = { of?:User | null };",
            "interface User {} // codemode.describe(\"c#User\")",
        ],
    );
    check(
        "c.issues_count#Labels",
        &[
            "type Labels = { deep?:Deep };",
            "interface Deep {} // codemode.describe(\"c.issues_count#Labels#Deep\")",
        ],
    );
    check(
        "c.issues_count#Labels#Deep",
        &[
            "type Deep = { user?:User | null; /** Steps from the root. */ level?:number };",
            "interface User {} // codemode.describe(\"c#User\")",
        ],
    );
}

#[test]
fn a_definition_that_a_method_shows_is_opened_from_there_too() {
    let found = service()
        .describe("c.issues_list#User")
        .expect("it is there");
    assert_eq!(found.path, "c#User");
}

#[test]
fn every_path_that_a_description_prints_can_be_described() {
    let service = service();
    let mut open = vec!["c.issues_list".to_owned(), "c.issues_count".to_owned()];
    let mut seen = Vec::new();
    while let Some(target) = open.pop() {
        let types = service.describe(&target).expect("it is there").types;
        for path in types.split("codemode.describe(\"").skip(1) {
            let (path, _) = path.split_once('"').expect("a quoted path");
            if !seen.contains(&path.to_owned()) {
                seen.push(path.to_owned());
                open.push(path.to_owned());
            }
        }
    }
    seen.sort();
    assert_eq!(
        seen,
        [
            "c#User",
            "c#User#Plan",
            "c.issues_count#Labels",
            "c.issues_count#Labels#Deep",
            "c.issues_list#Labels"
        ]
    );
}

#[test]
fn an_unknown_type_is_refused_with_the_names_that_are_near() {
    let text = |target: &str| {
        service()
            .describe(target)
            .expect_err("it is not there")
            .text
    };
    assert_eq!(
        text("c#Isue"),
        "c has no type \"Isue\". Nearest: c#Issue. The names that can be opened are in codemode.describe(\"c\")."
    );
    assert!(text("c.issues_count#Label").contains("Nearest: c.issues_count#Labels. "));
    assert!(text("c.nothing#Label").starts_with("c has no method \"nothing\""));
    assert!(text("d#Issue").starts_with("there is no connector \"d\""));
}

#[test]
fn the_own_definitions_of_a_tool_are_opened_within_it() {
    let catalogue = small(
        json!([{ "name": "get_user", "original": "get-user", "outputSchema": {
        "type": "object", "properties": { "a": { "$ref": "#/definitions/node" }, "b": { "$ref": "#/definitions/node" } },
        "definitions": { "node": { "type": "object", "description": "A node.", "properties": {
            "next": { "$ref": "#/definitions/node" }, "all": { "type": "object", "additionalProperties": { "$ref": "#/definitions/node" } } } } } } }]),
    );
    let types = |target: &str| catalogue.describe(target).expect("it is there").types;
    assert_eq!(
        types("c.get_user"),
        "// Its own name: \"get-user\"\ndeclare const c: { get_user(input?: unknown): Promise<{ a?: Node; b?: Node }> };\n\
         interface Node {} // codemode.describe(\"c.get_user#Node\")\n"
    );
    assert_eq!(
        types("c.get_user#Node"),
        "/** A node. */\ntype Node = { next?: Node; all?: { [key: string]: Node } };\n"
    );
    assert_eq!(types("c[\"get_user\"]"), types("c.get_user"));
}

#[test]
fn an_input_beyond_all_measure_is_opened_level_by_level() {
    let wide = |inner: Value| {
        let members: serde_json::Map<String, Value> = (0..30)
            .map(|n| (format!("some_rather_long_member_{n}"), inner.clone()))
            .collect();
        json!({ "type": "object", "properties": members })
    };
    let schema = wide(wide(wide(json!({ "type": "string" }))));
    let catalogue = small(json!([{ "name": "x", "inputSchema": schema }]));
    let types = |target: &str| {
        let types = catalogue.describe(target).expect("it is there").types;
        assert_parses(&types);
        types
    };
    let first = types("c.x");
    assert!(first.len() < 10_000, "{}", first.len());
    assert!(first.contains("some_rather_long_member_29?: SomeRatherLongMember29;"));
    let second = types("c.x#SomeRatherLongMember29");
    assert!(second.len() > 18_000 && second.contains("some_rather_long_member_29?: string"));
}

#[test]
fn definitions_that_hang_together_without_end_cost_what_is_shown_of_them() {
    let definitions: serde_json::Map<String, Value> = (0..1_000)
        .map(|n| {
            let members: serde_json::Map<String, Value> = (1..=8)
                .map(|step| {
                    (
                        format!("to_{step}"),
                        json!({ "$ref": format!("#/$defs/N{}", (n * 7 + step) % 1_000) }),
                    )
                })
                .collect();
            (
                format!("N{n}"),
                json!({ "type": "object", "properties": members }),
            )
        })
        .collect();
    let node = json!({ "$ref": "#/$defs/N0" });
    let catalogue = documented(
        json!([{ "name": "x", "inputSchema": node, "outputSchema": node }]),
        Value::Object(definitions),
    );
    let types = catalogue.describe("c.x").expect("it is there").types;
    assert_parses(&types);
    assert!(types.len() < 40_000, "{}", types.len());
    assert!(types.contains("Promise<"));
}
