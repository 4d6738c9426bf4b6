//! JSON Schema to TypeScript, shape by shape.

use serde_json::{Value, json};

use super::{assert_parses, small};

/// The declarations of a method `x` with this input, without the namespace before them.
#[track_caller]
fn declarations(schema: Value) -> String {
    let types = small(json!([{ "name": "x", "inputSchema": schema }]))
        .describe("c.x")
        .expect("it is there")
        .types;
    assert_parses(&types);
    let (_, declarations) = types.split_once("\n};\n").expect("a namespace comes first");
    declarations.to_owned()
}

#[track_caller]
fn check_all(schema: Value, expected: &str) {
    assert_eq!(declarations(schema), expected);
}

/// As `check_all` for a schema that needs no other name; an empty text stands for a schema that says nothing.
#[track_caller]
fn check(schema: Value, expected: &str) {
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
    check_all(
        json!({ "prefixItems": pair, "minItems": 1, "items": false }),
        "/** @minItems 1 */\ntype XInput = [string, (number | null)?];\n",
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
        "{ a?: string; b?: number } & ({ a: unknown } | { b: unknown })",
    );
    check(
        json!({ "type": "object", "properties": both, "allOf": [{ "if": { "required": ["a"] }, "then": { "required": ["b"] } }] }),
        "{ a?: string; b?: number }",
    );
    check_all(
        json!({ "properties": both, "allOf": [{ "$ref": "#/$defs/More" }], "$defs": { "More": { "properties": { "c": {} } } } }),
        "type XInput = { a?: string; b?: number } & More;\ntype More = { c?: unknown };\n",
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

#[test]
fn a_recursive_reference_is_a_named_type() {
    check_all(
        json!({ "$ref": "#/definitions/tree-node", "definitions": { "tree-node": { "type": "object", "description": "A tree.",
            "properties": { "children": { "type": "array", "items": { "$ref": "#/definitions/tree-node" } } } } } }),
        "type XInput = TreeNode;\n/** A tree. */\ntype TreeNode = { children?: TreeNode[] };\n",
    );
    check(
        json!({ "properties": { "self": { "$ref": "#" } } }),
        "{ self?: XInput }",
    );
}

#[test]
fn a_pointer_is_unescaped() {
    check_all(
        json!({ "properties": { "a": { "$ref": "#/$defs/with%20space" }, "b": { "$ref": "#/$defs/a~1b" }, "c": { "$ref": "#/$defs/raw space" } },
            "$defs": { "with space": { "type": "string" }, "a/b": { "type": "number" }, "raw space": { "type": "null" } } }),
        "type XInput = { a?: WithSpace; b?: AB; c?: RawSpace };\n\
         type WithSpace = string;\ntype AB = number;\ntype RawSpace = null;\n",
    );
}

#[test]
fn what_a_reference_cannot_reach_is_unknown_there_only() {
    for target in [
        "#/$defs/absent",
        "https://example.test/a.json",
        "#anchor",
        "%",
        "#%zz",
        "",
    ] {
        check(
            json!({ "properties": { "a": { "$ref": target }, "b": { "type": "string" } } }),
            "{ a?: unknown; b?: string }",
        );
    }
}

#[test]
fn an_alias_never_names_itself_bare() {
    check_all(
        json!({ "$ref": "#/$defs/A", "$defs": { "A": { "anyOf": [{ "$ref": "#/$defs/B" }, { "type": "string" }] },
            "B": { "allOf": [{ "$ref": "#/$defs/A" }, { "required": ["b"] }] } } }),
        "type XInput = A;\ntype A = B | string;\ntype B = { b: unknown };\n",
    );
    check(json!({ "$ref": "#" }), "");
}

#[test]
fn two_definitions_never_share_a_name() {
    check_all(
        json!({ "properties": { "a": { "$ref": "#/$defs/a-b" }, "b": { "$ref": "#/$defs/a_b" }, "c": { "$ref": "#/$defs/Promise" },
            "d": { "$ref": "#/$defs/型" }, "e": { "$ref": "#/$defs/x-input" } },
            "$defs": { "a-b": { "type": "string" }, "a_b": { "type": "number" }, "Promise": { "type": "null" },
                "型": { "type": "string" }, "x-input": { "type": "string" } } }),
        "type XInput = { a?: AB; b?: AB2; c?: Promise2; d?: Type; e?: XInput2 };\n\
         type AB = string;\ntype AB2 = number;\ntype Promise2 = null;\ntype Type = string;\ntype XInput2 = string;\n",
    );
}

#[test]
fn words_and_limits_are_comments() {
    check(
        json!({ "type": "object", "properties": {
            "cron": { "type": "string", "description": "Runs */5 * * * *", "default": "*/5" },
            "size": { "type": "integer", "minimum": 1, "maximum": 100, "default": 30, "deprecated": true },
            "tags": { "type": "array", "description": "First line.\n\nSecond.", "maxItems": 3, "uniqueItems": true },
        } }),
        "{\n  /** Runs *\\/5 * * * * @default \"*\\/5\" */\n  cron?: string;\n  \
         /** @default 30 @minimum 1 @maximum 100 @deprecated */\n  size?: number;\n  \
         /**\n   * First line.\n   *\n   * Second.\n   * @maxItems 3 @uniqueItems\n   */\n  tags?: unknown[];\n}",
    );
}

#[test]
fn a_comment_beside_a_reference_is_kept() {
    check_all(
        json!({ "properties": { "a": { "$ref": "#/$defs/A", "description": "Here." } }, "$defs": { "A": { "type": "string" } } }),
        "type XInput = {\n  /** Here. */\n  a?: A;\n};\ntype A = string;\n",
    );
}

#[test]
fn a_bad_place_costs_only_itself() {
    check(
        json!({ "type": "object", "properties": { "good": { "type": "string" }, "bad": 5, "worse": { "type": {}, "enum": 5, "items": 1 } },
            "required": "good", "allOf": { "not": "a list" } }),
        "{ bad?: unknown; good?: string; worse?: unknown }",
    );
}

#[test]
fn depth_is_bounded() {
    // By hand: `json!` would copy what it is given at every level.
    let object =
        |key: &str, value: Value| Value::Object([(key.to_owned(), value)].into_iter().collect());
    let wrappers: [&(dyn Fn(Value) -> Value + Sync); 4] = [
        &|inner| object("items", inner),
        &|inner| object("properties", object("a", inner)),
        &|inner| {
            object(
                "anyOf",
                Value::Array(vec![inner, json!({ "type": "null" })]),
            )
        },
        &|inner| object("const", inner),
    ];
    // Ten thousand levels need a larger stack to be made and dropped, not to be read.
    std::thread::scope(|scope| {
        let deep = || {
            for wrap in wrappers {
                let schema = (0..10_000).fold(json!({ "type": "string" }), |inner, _| wrap(inner));
                assert!(declarations(schema).len() < 10_000);
            }
        };
        let thread = std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn_scoped(scope, deep);
        thread.expect("a thread").join().expect("no overflow");
    });
}

#[test]
fn the_deepest_schema_that_is_parsed_fits_an_ordinary_stack() {
    let text = format!(
        "{}{}",
        r#"{"items":"#.repeat(120),
        "{}".to_owned() + &"}".repeat(120)
    );
    let printed = declarations(serde_json::from_str(&text).expect("JSON"));
    assert!(
        printed.starts_with("type XInput = unknown[][]"),
        "{printed}"
    );
}
