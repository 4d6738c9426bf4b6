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
        "c.x(input?: unknown): Promise<unknown>",
    );
}

#[test]
fn a_name_that_is_no_identifier_is_written_as_it_is_called() {
    check_signature(
        json!({ "name": "odd-name" }),
        r#"c["odd-name"](input?: unknown): Promise<unknown>"#,
    );
}

#[test]
fn references_are_opened_in_place_and_recursion_ends() {
    check_signature(
        json!({ "name": "x", "inputSchema": { "$ref": "#/$defs/Node", "$defs": { "Node": { "type": "object",
            "properties": { "next": { "$ref": "#/$defs/Node" } }, "required": ["next"] } } } }),
        "c.x(input: { next: object }): Promise<unknown>",
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
        "c.x(input: { parameter_00?: \"first\" | \"second\"; parameter_01?: \"first\" | \"second\"; \
         parameter_02?: \"first\" | \"second\"; /* 37 more */ }): Promise<unknown>",
    );
}

#[test]
fn a_name_longer_than_the_line_has_no_signature() {
    let output = small(json!([{ "name": "x".repeat(300) }])).search("", &SearchOptions::default());
    assert_eq!(output.results[0].signature, None);
}
