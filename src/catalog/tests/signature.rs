//! The one line that a search result shows of a method.

use serde_json::{Value, json};

use super::super::SearchOptions;
use super::{assert_signature, small};

#[track_caller]
fn check_signature(method: Value, expected: &str) {
    let output = small(json!([method])).search("", &SearchOptions::default());
    let signature = output.results[0]
        .signature
        .as_deref()
        .expect("it has a signature");
    assert_eq!(signature, expected);
    assert_signature(signature, "c");
}

#[test]
fn a_method_without_schemas_takes_and_gives_anything() {
    check_signature(
        json!({ "name": "x" }),
        "(input?: unknown) => Promise<unknown>",
    );
}

#[test]
fn a_name_that_is_no_identifier_is_written_as_it_is_called() {
    check_signature(
        json!({ "name": "odd-name" }),
        r#"c["odd-name"](input?: unknown) => Promise<unknown>"#,
    );
}

#[test]
fn references_are_opened_in_place_and_recursion_ends() {
    check_signature(
        json!({ "name": "x", "inputSchema": { "$ref": "#/$defs/Node", "$defs": { "Node": { "type": "object",
            "properties": { "next": { "$ref": "#/$defs/Node" } }, "required": ["next"] } } } }),
        "(input: { next: object }) => Promise<unknown>",
    );
}

#[test]
fn a_long_shape_says_how_much_is_left_out() {
    let properties: serde_json::Map<String, Value> = (0..40)
        .map(|n| {
            (
                format!("parameter_{n:02}"),
                json!({ "enum": ["first", "second"] }),
            )
        })
        .collect();
    check_signature(
        json!({ "name": "x", "inputSchema": { "type": "object", "properties": properties } }),
        "(input: { parameter_00?: \"first\" | \"second\"; parameter_01?: \"first\" | \"second\"; \
         parameter_02?: \"first\" | \"second\"; /* 37 more */ }) => Promise<unknown>",
    );
}

#[test]
fn an_odd_name_longer_than_the_line_has_no_signature() {
    let output = small(json!([{ "name": "-".repeat(300) }])).search("", &SearchOptions::default());
    assert_eq!(output.results[0].signature, None);
}

#[test]
fn a_full_page_has_less_room_for_each_result() {
    let input = json!({ "type": "object", "required": ["owner", "repo"], "properties": {
        "state": { "enum": ["open", "closed", "all"] }, "owner": { "type": "string" }, "repo": { "type": "string" },
        "labels": { "type": "array", "items": { "type": "string" } }, "per_page": { "type": "integer" } } });
    let output = json!({ "type": "array", "items": { "$ref": "#/$defs/Issue" } });
    let methods: Value = (0..10)
        .map(|n| json!({ "name": format!("list_issues_{n}"), "description": format!("List issues {n}."), "inputSchema": input, "outputSchema": output }))
        .collect();
    let catalogue = small(methods);
    let first = |limit| {
        let options = SearchOptions {
            limit: Some(limit),
            ..SearchOptions::default()
        };
        let hit = catalogue.search("", &options).results.remove(0);
        let signature = hit.signature.expect("it has a signature");
        assert_signature(&signature, "c");
        (hit.description, signature)
    };
    let (description, signature) = first(10);
    assert_eq!(description, None);
    assert_eq!(signature, "({ owner, repo, 3 more }) => Issue[]");
    let (description, signature) = first(2);
    assert_eq!(description.as_deref(), Some("List issues 0."));
    assert_eq!(
        signature,
        "(input: { owner: string; repo: string; state?: \"open\" | \"closed\" | \"all\"; labels?: string[]; per_page?: number }) \
         => Promise<Issue[]>"
    );
}
