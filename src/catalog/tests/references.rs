//! JSON Schema to TypeScript: references and their names, comments, and what is bad or too deep.

use serde_json::{Value, json};

use super::schema::{check, check_all, declarations};

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
        "type XInput = { a?: string; b?: number; c?: null };\n",
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
        "type XInput = A;\ntype A = { b: unknown } | string;\n",
    );
    check(json!({ "$ref": "#" }), "");
}

#[test]
fn two_definitions_never_share_a_name() {
    // Each is used twice: what is used once stands where it is used.
    let twice = |key: &str| json!({ "prefixItems": [{ "$ref": key }, { "$ref": key }] });
    let shape = |member: &str| json!({ "properties": { member: { "type": "string" } } });
    check_all(
        json!({ "properties": { "a": twice("#/$defs/a-b"), "b": twice("#/$defs/a_b"), "c": twice("#/$defs/Promise"), "d": twice("#/$defs/型") },
            "$defs": { "a-b": shape("a"), "a_b": shape("b"), "Promise": shape("c"), "型": shape("d") } }),
        "type XInput = { a?: [AB, AB]; b?: [AB2, AB2]; c?: [Promise2, Promise2]; d?: [Type, Type] };\n\
         type AB = { a?: string };\ntype AB2 = { b?: string };\ntype Promise2 = { c?: string };\ntype Type = { d?: string };\n",
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
        "type XInput = {\n  /** Here. */\n  a?: string;\n};\n",
    );
    check_all(
        json!({ "properties": { "a": { "$ref": "#/$defs/A" } }, "$defs": { "A": { "type": "string", "description": "There." } } }),
        "type XInput = {\n  /** There. */\n  a?: string;\n};\n",
    );
}

#[test]
fn a_bad_place_costs_only_itself() {
    check(
        json!({ "type": "object", "properties": { "good": { "type": "string" }, "bad": 5, "worse": { "type": {}, "enum": 5, "items": 1 } },
            "required": "good", "allOf": { "not": "a list" } }),
        "{ good?: string; bad?: unknown; worse?: unknown }",
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
