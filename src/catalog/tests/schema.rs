//! JSON Schema to TypeScript, shape by shape; the checks are `references`' too.

use serde_json::{Value, json};

use super::{assert_parses, small};

/// The input of a method `x` and the declarations behind it, as if the input had one too; nothing where it is unknown.
#[track_caller]
pub(super) fn declarations(schema: Value) -> String {
    let types = small(json!([{ "name": "x", "inputSchema": schema }]))
        .describe("c.x")
        .expect("it is there")
        .types;
    assert_parses(&types);
    let (call, declarations) = types
        .split_once("): Promise<unknown> };\n")
        .expect("a namespace comes first");
    match call.strip_prefix("declare const c: { x(input: ") {
        None | Some("XInput") => declarations.to_owned(),
        Some(input) => format!("type XInput = {input};\n{declarations}"),
    }
}

#[track_caller]
pub(super) fn check_all(schema: Value, expected: &str) {
    assert_eq!(declarations(schema), expected);
}

/// As `check_all` for a schema that needs no other name; an empty text stands for a schema that says nothing.
#[track_caller]
pub(super) fn check(schema: Value, expected: &str) {
    let declared = if expected.is_empty() {
        String::new()
    } else {
        format!("type XInput = {expected};\n")
    };
    check_all(schema, &declared);
}

#[test]
fn simple_types_are_themselves() {
    check(json!({ "type": "string" }), "string");
    check(json!({ "type": "integer" }), "number");
    check(json!({ "type": "boolean" }), "boolean");
    check(json!({ "type": "null" }), "null");
    check(json!({ "type": "object" }), "{ [key: string]: unknown }");
    check(json!({ "type": "array" }), "unknown[]");
    check(json!(false), "never");
}

#[test]
fn a_schema_that_says_nothing_is_not_declared() {
    for schema in [
        json!(true),
        json!({}),
        json!(5),
        json!("x"),
        json!([]),
        json!({ "type": "objekt", "properties": 5 }),
    ] {
        check(schema, "");
    }
}

#[test]
fn a_type_may_be_a_list_and_null_comes_last() {
    check(
        json!({ "type": ["null", "string", "integer", "number"] }),
        "string | number | null",
    );
    check(
        json!({ "type": "string", "nullable": true }),
        "string | null",
    );
    check(
        json!({ "nullable": true, "allOf": [{ "type": "object", "properties": {} }] }),
        "{} | null",
    );
}

#[test]
fn values_are_literals() {
    check(
        json!({ "enum": ["a", 1, -1.5, true, null, "a"] }),
        r#""a" | 1 | -1.5 | true | null"#,
    );
    check(json!({ "const": { "a": [1, {}] } }), "{ a: [1, {}] }");
    check(json!({ "const": null }), "null");
    check(
        json!({ "type": "string", "enum": ["say \"hi\"\\\n\u{2028}"] }),
        r#""say \"hi\"\\\n\u2028""#,
    );
}

#[test]
fn an_array_of_a_union_has_parentheses() {
    check(
        json!({ "type": "array", "items": { "type": ["string", "null"] } }),
        "(string | null)[]",
    );
    check(
        json!({ "type": "array", "items": { "enum": ["a", "b"] } }),
        r#"("a" | "b")[]"#,
    );
    check(
        json!({ "items": { "anyOf": [{ "type": "string" }, { "type": "number" }] } }),
        "(string | number)[]",
    );
}

#[test]
fn nested_arrays_have_no_needless_parentheses() {
    check(
        json!({ "items": { "items": { "type": "string" } } }),
        "string[][]",
    );
    check(
        json!({ "items": { "items": { "type": ["string", "null"] } } }),
        "(string | null)[][]",
    );
}

#[test]
fn a_tuple_keeps_its_places() {
    let pair = json!([{ "type": "string" }, { "type": ["number", "null"] }]);
    check(
        json!({ "type": "array", "prefixItems": pair }),
        "[string, number | null]",
    );
    check(
        json!({ "prefixItems": pair, "minItems": 1, "items": false }),
        "[string, (number | null)?]",
    );
    check(
        json!({ "prefixItems": pair, "items": { "type": ["string", "null"] } }),
        "[string, number | null, ...(string | null)[]]",
    );
    check(
        json!({ "items": pair, "additionalItems": true }),
        "[string, number | null, ...unknown[]]",
    );
    check(json!({ "prefixItems": [] }), "[]");
}

#[test]
fn an_intersection_of_unions_keeps_its_groups() {
    let union =
        json!({ "anyOf": [{ "type": "object", "properties": { "a": {} } }, { "type": "array" }] });
    check(
        json!({ "allOf": [union, { "type": "object", "required": ["c"] }] }),
        "{ c: unknown } & ({ a?: unknown } | unknown[])",
    );
}

#[test]
fn a_combinator_hides_no_sibling() {
    let both = json!({ "a": { "type": "string" }, "b": { "type": "number" } });
    check(
        json!({ "type": "object", "properties": both, "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
        "{ a?: string; b?: number }",
    );
    check(
        json!({ "type": "object", "properties": both, "allOf": [{ "if": { "required": ["a"] }, "then": { "required": ["b"] } }] }),
        "{ a?: string; b?: number }",
    );
    check_all(
        json!({ "properties": both, "allOf": [{ "$ref": "#/$defs/More" }], "$defs": { "More": { "properties": { "c": {} } } } }),
        "type XInput = { a?: string; b?: number; c?: unknown };\n",
    );
}

#[test]
fn the_parts_of_all_of_become_one_object() {
    let closed = |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } }, "additionalProperties": false });
    check(
        json!({ "allOf": [closed("a"), closed("b")] }),
        "{ a?: string; b?: string }",
    );
    check(
        json!({ "type": "object", "allOf": [closed("a"), { "required": ["a"] }] }),
        "{ a: string }",
    );
}

#[test]
fn empty_combinators_are_nothing_said() {
    check(json!({ "anyOf": [] }), "");
    check(json!({ "allOf": [] }), "");
    check(
        json!({ "type": "object", "properties": { "a": { "oneOf": [] } }, "anyOf": [] }),
        "{ a?: unknown }",
    );
    check(json!({ "enum": [] }), "never");
}

#[test]
fn literals_stand_for_the_type_they_narrow() {
    check(
        json!({ "type": "string", "oneOf": [{ "const": "text", "description": "Plain */ text." }, { "const": "json" }, { "const": 1 }] }),
        r#"/** Plain *\/ text. */ "text" | "json""#,
    );
    check(
        json!({ "type": ["string", "null"], "anyOf": [{ "const": "a" }, { "type": "null" }] }),
        r#""a" | null"#,
    );
}

#[test]
fn a_map_has_one_type_of_value() {
    check(
        json!({ "type": "object", "additionalProperties": { "type": "number" } }),
        "{ [key: string]: number }",
    );
    check(
        json!({ "patternProperties": { "^x": { "type": "string" } } }),
        "{ [key: string]: string }",
    );
    check(
        json!({ "properties": { "a": { "type": "string" } }, "additionalProperties": { "type": "number" } }),
        "{ a?: string } & { [key: string]: number }",
    );
    check(
        json!({ "type": "object", "additionalProperties": false }),
        "{}",
    );
    check(
        json!({ "type": "object", "properties": {}, "additionalProperties": true }),
        "{}",
    );
}

#[test]
fn required_members_come_first_and_in_their_order() {
    check(
        json!({ "properties": { "a": {}, "z": {}, "m": {} }, "required": ["z", "m", "z", "absent", 5] }),
        "{ z: unknown; m: unknown; absent: unknown; a?: unknown }",
    );
}

#[test]
fn odd_names_are_quoted() {
    let names = [
        "a-b",
        "1x",
        "__proto__",
        "\"",
        "\\",
        "\u{2028}",
        "",
        "new",
        "é",
        "$ok",
        "constructor",
    ];
    let required: Vec<Value> = names.iter().map(|name| json!(name)).collect();
    let printed = declarations(json!({ "type": "object", "required": required }));
    let members: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.trim().strip_suffix(": unknown;"))
        .collect();
    assert_eq!(
        members,
        [
            r#""a-b""#,
            r#""1x""#,
            r#""__proto__""#,
            r#""\"""#,
            r#""\\""#,
            r#""\u2028""#,
            r#""""#,
            r#""new""#,
            r#""é""#,
            "$ok",
            "constructor"
        ]
    );
}
