//! What a schema of any dialect becomes, one row each; and that no document at all, however odd, costs more than its parts.

use proptest::prelude::{Just, Strategy, any, prop, prop_assert, prop_oneof, proptest};
use serde_json::{Map, Value, json};

use super::openapi::{Derived, one, with};

/// The schema of a JSON body, as it is derived.
#[track_caller]
fn check(version: &str, schema: Value, expected: Value) {
    let content = json!({ "application/json": { "schema": schema } });
    let mut document = one(json!({ "requestBody": { "content": content } }));
    document["openapi"] = json!(version);
    document["components"] = json!({ "schemas": { "Pet": { "type": "object" } } });
    let input = Derived::of(&document).record("m");
    assert_eq!(input["inputSchema"]["properties"]["body"], expected);
}

#[test]
fn null_is_a_type() {
    let none = json!({ "type": "null" });
    let pet = json!({ "$ref": "#/$defs/Pet" });
    for (schema, expected) in [
        (
            json!({ "type": "string", "nullable": true }),
            json!({ "type": ["string", "null"] }),
        ),
        (
            json!({ "type": "string", "enum": ["a"], "nullable": true }),
            json!({ "type": ["string", "null"], "enum": ["a", null] }),
        ),
        (
            json!({ "$ref": "#/components/schemas/Pet", "nullable": true }),
            json!({ "anyOf": [pet, none] }),
        ),
        (
            json!({ "description": "d", "allOf": [{ "$ref": "#/components/schemas/Pet" }], "nullable": true }),
            json!({ "description": "d", "anyOf": [{ "allOf": [pet] }, none] }),
        ),
        (
            json!({ "oneOf": [{ "type": "string" }, { "type": "integer" }], "nullable": true }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }, none] }),
        ),
        (json!({ "nullable": true }), json!(true)),
    ] {
        check("3.0.0", schema, expected);
    }
}

#[test]
fn keywords_are_said_as_the_standard_does_and_others_are_not() {
    for (schema, expected) in [
        (
            json!({ "type": "integer", "minimum": 1, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false }),
            json!({ "type": "integer", "maximum": 9, "exclusiveMinimum": 1 }),
        ),
        (
            json!({ "items": [{ "type": "string" }, {}], "additionalItems": false, "type": "array" }),
            json!({ "prefixItems": [{ "type": "string" }, true], "items": false, "type": "array" }),
        ),
        (
            json!({ "type": "object", "discriminator": {}, "xml": {}, "externalDocs": {}, "x-a": 1, "title": "T", "$id": "x" }),
            json!({ "type": "object" }),
        ),
        (
            json!({ "type": "int", "minimum": "1", "required": true, "enum": [] }),
            json!({ "type": "integer" }),
        ),
        (json!({ "type": "what", "anyOf": [] }), json!(true)),
        (json!({ "pattern": "/^a$/" }), json!({ "pattern": "^a$" })),
        (json!({ "pattern": "/a/" }), json!({ "pattern": "/a/" })),
        (
            json!({ "type": "string", "enum": ["on", false] }),
            json!({ "enum": ["on", false] }),
        ),
        (
            json!({ "type": ["number", "null"], "enum": [1, 2.5, null] }),
            json!({ "type": ["number", "null"], "enum": [1, 2.5, null] }),
        ),
        (
            json!({ "type": "string", "example": "short" }),
            json!({ "type": "string", "examples": ["short"] }),
        ),
        (
            json!({ "type": "string", "example": "l".repeat(99) }),
            json!({ "type": "string" }),
        ),
        (
            json!({ "type": "string", "format": "byte" }),
            json!({ "type": "string", "format": "byte" }),
        ),
        (
            json!({ "type": "string", "format": "binary", "description": "d" }),
            json!({ "format": "binary", "description": "d" }),
        ),
        (
            json!({ "default": { "$ref": "#/x" }, "type": "object" }),
            json!({ "type": "object" }),
        ),
    ] {
        check("3.0.0", schema, expected);
    }
}

#[test]
fn what_stands_beside_a_reference_counts_since_3_1() {
    let schema =
        json!({ "$ref": "#/components/schemas/Pet", "description": "d", "maxProperties": 2 });
    check(
        "3.0.0",
        schema.clone(),
        json!({ "$ref": "#/$defs/Pet", "description": "d" }),
    );
    check(
        "3.1.0",
        schema,
        json!({ "$ref": "#/$defs/Pet", "description": "d", "maxProperties": 2 }),
    );
}

#[test]
fn a_reference_to_nothing_is_anything() {
    for target in [
        "#/components/schemas/None",
        "#/components/schemas",
        "#",
        "",
        "other.json",
        "#/info/title",
    ] {
        check(
            "3.0.0",
            json!({ "type": "object", "properties": { "a": { "$ref": target } } }),
            json!({ "type": "object", "properties": { "a": true } }),
        );
    }
}

#[test]
fn keys_of_definitions_are_types_and_no_two_are_one() {
    let names = [
        "full-repository",
        "FullRepository",
        "api.v1/Thing",
        "2d",
        "型",
        "Promise",
        "a_b",
        "",
    ];
    let schemas: Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), json!({ "type": "object" })))
        .collect();
    let arms: Vec<Value> = names
        .iter()
        .map(|name| json!({ "$ref": format!("#/components/schemas/{}", name.replace('/', "~1")) }))
        .collect();
    let content = json!({ "application/json": { "schema": { "allOf": arms } } });
    let document = with(
        one(json!({ "requestBody": { "content": content } })),
        json!({ "components": { "schemas": schemas } }),
    );
    let input = Derived::of(&document).input("m");
    let keys: Vec<&str> = input["properties"]["body"]["allOf"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|arm| arm["$ref"].as_str()?.strip_prefix("#/$defs/"))
        .collect();
    let expected = [
        "FullRepository",
        "FullRepository2",
        "ApiV1Thing",
        "Type2d",
        "型",
        "Promise2",
        "AB",
        "Type",
    ];
    assert_eq!(keys, expected);
}

#[test]
fn only_definitions_that_are_used_are_there_and_each_once() {
    let content = json!({ "application/json": { "schema": { "$ref": "#/components/schemas/A" } } });
    let operation = json!({ "requestBody": { "content": content }, "responses": { "200": { "content": content } } });
    let a =
        json!({ "type": "object", "properties": { "b": { "$ref": "#/components/schemas/B" } } });
    let schemas = json!({ "A": a, "B": { "type": "string" }, "Unused": { "$ref": "#/components/schemas/B" } });
    let derived = Derived::of(&with(
        one(operation),
        json!({ "components": { "schemas": schemas } }),
    ));
    assert_eq!(
        derived.shelf[0].definitions.keys().collect::<Vec<_>>(),
        ["A", "B"]
    );
}

/// Deeper than a schema can be read: the place is anything, the method is there, and what is stored can be read again.
#[test]
fn a_schema_without_end_is_cut_off() {
    let text = |levels: usize| {
        let (open, close) = (
            r#"{"nullable":true,"not":"#.repeat(levels),
            "}".repeat(levels),
        );
        format!(
            r#"{{"openapi":"3.0.0","paths":{{"/a":{{"put":{{"operationId":"m","requestBody":{{"content":{{"application/json":{{"schema":{open}true{close}}}}}}}}}}}}}}}"#
        )
    };
    for levels in [30, 100, 10_000] {
        let derived = Derived::of_text(&text(levels)).expect("a document");
        let record = derived.record("m");
        let again: Value = serde_json::from_str(&record.to_string()).expect("it can be read again");
        assert_eq!(again, record);
    }
}

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "openapi",
        "paths",
        "/a",
        "/{b}",
        "get",
        "put",
        "post",
        "parameters",
        "name",
        "in",
        "query",
        "path",
        "header",
        "body",
        "schema",
        "requestBody",
        "required",
        "content",
        "application/json",
        "multipart/form-data",
        "responses",
        "200",
        "204",
        "default",
        "$ref",
        "#/components/schemas/S",
        "#/components/schemas/T",
        "#/components/parameters/S",
        "#/components/responses/S",
        "#/paths/~1a",
        "#/paths/~1a/get",
        "#",
        "#/",
        "operationId",
        "m",
        "request",
        "servers",
        "url",
        "/v1",
        "variables",
        "type",
        "object",
        "string",
        "array",
        "items",
        "properties",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "enum",
        "nullable",
        "readOnly",
        "writeOnly",
        "format",
        "binary",
        "additionalProperties",
        "collectionFormat",
        "multi",
        "formData",
        "consumes",
        "description",
        "tags",
        "style",
        "form",
        "explode",
    ])
    .prop_map(str::to_owned)
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i32>().prop_map(|number| json!(number)),
        word().prop_map(Value::String),
        any::<String>().prop_map(Value::String),
        word().prop_map(|target| json!({ "$ref": target })),
    ];
    leaf.prop_recursive(6, 60, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::vec((word(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn dangling(derived: &Derived, value: &Value) -> bool {
    match value {
        Value::Object(map) => {
            let lost = map
                .get("$ref")
                .and_then(Value::as_str)
                .is_some_and(|target| {
                    let key = target.strip_prefix("#/$defs/").unwrap_or_default();
                    !derived.shelf[0].definitions.contains_key(key)
                });
            lost || map.values().any(|it| dangling(derived, it))
        }
        Value::Array(items) => items.iter().any(|it| dangling(derived, it)),
        _ => false,
    }
}

proptest! {
    #[test]
    fn whatever_a_document_holds_what_is_derived_hangs_together(
        swagger in any::<bool>(),
        item in anything(),
        operation in anything(),
        parameters in anything(),
        components in prop::collection::vec(anything(), 6),
    ) {
        let [a, b, c, d, e, f] = <[Value; 6]>::try_from(components).expect("six of them");
        let mut own = json!({ "operationId": "own", "parameters": parameters, "requestBody": a, "responses": { "200": b } });
        if let Value::Object(more) = operation {
            own.as_object_mut().expect("an object").extend(more);
        }
        let mut document = json!({
            "paths": { "/a": item, "/{b}": { "put": own } },
            "components": { "schemas": { "S": c, "T": d }, "parameters": { "S": e }, "responses": { "S": f } },
        });
        document[if swagger { "swagger" } else { "openapi" }] = json!(if swagger { "2.0" } else { "3.0.0" });
        let derived = Derived::of(&document);
        let shelf = &derived.shelf[0];
        for record in &shelf.records {
            let record = serde_json::to_value(record).expect("a record is JSON");
            prop_assert!(!dangling(&derived, &record["inputSchema"]), "{record}");
            prop_assert!(!dangling(&derived, &record["outputSchema"]), "{record}");
        }
        for (key, definition) in &shelf.definitions {
            prop_assert!(!dangling(&derived, definition), "{key}: {definition}");
        }
        prop_assert!(shelf.records.iter().any(|record| record.name == "request"));
    }
}
