//! Documents of a few lines, each for one rule of what is sent and what comes back.

use serde_json::{Value, json};

use super::openapi::{Derived, one, with};

const OBJECT: fn() -> Value =
    || json!({ "type": "object", "properties": { "a": { "type": "string" } } });

/// The media type of the request of a body with this content, and the schema of what a program gives.
#[track_caller]
fn sent(content: Value) -> (Value, Value) {
    let derived = Derived::of(&one(
        json!({ "requestBody": { "required": true, "content": content } }),
    ));
    let record = derived.record("m");
    assert_eq!(record["operation"]["body"]["required"], true);
    assert_eq!(record["inputSchema"]["required"], json!(["body"]));
    let body = &record["operation"]["body"]["type"];
    (
        body.clone(),
        record["inputSchema"]["properties"]["body"].clone(),
    )
}

#[track_caller]
fn check_sent(content: Value, media_type: &str, schema: Value) {
    assert_eq!(sent(content), (json!(media_type), schema));
}

#[test]
fn json_is_sent_where_it_is_taken() {
    let content = json!({
        "application/xml": { "schema": OBJECT() },
        "multipart/form-data": { "schema": OBJECT() },
        "application/vnd.api+json": { "schema": {} },
        "application/json; charset=utf-8": { "schema": OBJECT() },
    });
    check_sent(content, "application/json; charset=utf-8", OBJECT());
    check_sent(
        json!({ "text/plain": {}, "application/vnd.api+json": { "schema": OBJECT() } }),
        "application/vnd.api+json",
        OBJECT(),
    );
    check_sent(
        json!({ "json": { "schema": OBJECT() } }),
        "application/json",
        OBJECT(),
    );
    check_sent(
        json!({ "*/*": { "schema": OBJECT() } }),
        "application/json",
        OBJECT(),
    );
}

#[test]
fn forms_are_sent_as_they_are_declared() {
    let parts = json!({ "type": "object", "properties": {
        "file": { "type": "string", "format": "binary" }, "list": { "type": "array", "items": { "type": "string" } },
    } });
    let expected = json!({ "type": "object", "properties": {
        "file": { "format": "binary" }, "list": { "type": "array", "items": { "type": "string" } },
    } });
    let encoding = json!({ "file": { "contentType": "image/png, image/jpeg" }, "list": { "style": "form", "explode": false }, "other": 7 });
    let content = json!({ "multipart/form-data": { "schema": parts, "encoding": encoding } });
    check_sent(content.clone(), "multipart/form-data", expected);
    let derived = Derived::of(&one(json!({ "requestBody": { "content": content } })));
    assert_eq!(
        derived.record("m")["operation"]["body"],
        json!({ "type": "multipart/form-data", "encoding": {
            "file": { "contentType": "image/png" }, "list": { "style": "form", "explode": false },
        } })
    );
    let form = json!({ "application/x-www-form-urlencoded": { "schema": OBJECT() } });
    check_sent(form, "application/x-www-form-urlencoded", OBJECT());
}

#[test]
fn what_is_no_json_is_text_or_bytes() {
    let text = json!({ "type": "string", "description": "so" });
    let described = json!({ "schema": { "type": "object", "description": "so" } });
    check_sent(json!({ "text/csv": described }), "text/csv", text.clone());
    check_sent(
        json!({ "application/xml": described }),
        "application/xml",
        text,
    );
    let bytes = json!({ "format": "binary" });
    check_sent(
        json!({ "application/octet-stream": {} }),
        "application/octet-stream",
        bytes.clone(),
    );
    check_sent(
        json!({ "*/*": { "schema": { "type": "string", "format": "binary" } } }),
        "application/octet-stream",
        bytes.clone(),
    );
    check_sent(
        json!({ "image/*": {} }),
        "application/octet-stream",
        bytes.clone(),
    );
    let either = json!({ "anyOf": [{ "type": "string" }, bytes] });
    check_sent(
        json!({ "application/x-ndjson": {} }),
        "application/x-ndjson",
        either,
    );
}

#[test]
fn a_body_may_be_anything_that_json_is() {
    for schema in [
        json!({ "type": "array", "items": { "type": "integer" } }),
        json!({ "type": "string" }),
        json!(true),
    ] {
        check_sent(
            json!({ "application/json": { "schema": schema } }),
            "application/json",
            schema.clone(),
        );
    }
    check_sent(json!({}), "application/json", json!(true));
}

#[test]
fn a_read_leaves_out_a_body_that_it_may_do_without() {
    let body = json!({ "content": { "application/json": { "schema": {} } } });
    let document = json!({ "openapi": "3.1.0", "paths": { "/a": { "get": { "operationId": "m", "requestBody": body } } } });
    let record = Derived::of(&document).record("m");
    assert_eq!(record["inputSchema"]["properties"], json!({}));
    assert_eq!(record["operation"].get("body"), None);
}

/// What a call resolves to, and what it asks for.
#[track_caller]
fn check_read(responses: Value, schema: Value, accept: Value) {
    let record = Derived::of(&one(json!({ "responses": responses }))).record("m");
    assert_eq!(
        (&record["outputSchema"], &record["operation"]["accept"]),
        (&schema, &accept)
    );
}

fn response(media_type: &str, schema: Value) -> Value {
    json!({ "content": { media_type: { "schema": schema } } })
}

#[test]
fn the_lowest_success_with_a_body_is_what_a_call_gives() {
    let of = |name: &str| json!({ "const": name });
    let json_of = |name: &str| response("application/json", of(name));
    check_read(
        json!({ "404": json_of("x"), "201": json_of("b"), "200": json_of("a") }),
        of("a"),
        Value::Null,
    );
    check_read(
        json!({ "2XX": json_of("range"), "default": json_of("x") }),
        of("range"),
        Value::Null,
    );
    check_read(
        json!({ "201": json_of("b"), "200": {} }),
        of("b"),
        Value::Null,
    );
    check_read(
        json!({ "default": json_of("any"), "404": json_of("x") }),
        of("any"),
        Value::Null,
    );
    check_read(
        json!({ "204": {}, "default": json_of("x") }),
        json!({ "type": "null" }),
        Value::Null,
    );
    check_read(
        json!({ "200": json_of("a"), "204": {} }),
        json!({ "anyOf": [of("a"), { "type": "null" }] }),
        Value::Null,
    );
    // Nothing said is not nothing given.
    check_read(
        json!({ "200": { "description": "OK" } }),
        Value::Null,
        Value::Null,
    );
    check_read(json!({ "404": json_of("x") }), Value::Null, Value::Null);
}

#[test]
fn a_success_that_is_no_json_is_asked_for() {
    check_read(
        json!({ "200": response("text/plain", json!({})) }),
        json!({ "type": "string" }),
        json!("text/plain"),
    );
    check_read(
        json!({ "200": response("image/png", json!({})) }),
        json!({ "format": "binary" }),
        json!("image/png"),
    );
    check_read(
        json!({ "200": response("application/hal+json", OBJECT()) }),
        OBJECT(),
        json!("application/hal+json"),
    );
    let both =
        json!({ "content": { "application/pdf": {}, "application/json": { "schema": OBJECT() } } });
    check_read(json!({ "200": both }), OBJECT(), Value::Null);
}

#[test]
fn what_travels_one_way_is_not_asked_for_on_the_other() {
    let schemas = json!({ "components": { "schemas": {
        "Id": { "type": "integer", "readOnly": true },
        "User": {
            "type": "object", "required": ["id", "name", "secret", "key"],
            "properties": {
                "id": { "$ref": "#/components/schemas/Id" },
                "key": { "type": "string", "readOnly": true },
                "name": { "type": "string" },
                "secret": { "type": "string", "writeOnly": true },
                "plain": { "$ref": "#/components/schemas/Plain" },
            },
        },
        "Team": { "type": "array", "items": { "$ref": "#/components/schemas/User" } },
        "Plain": { "type": "object" },
    } } });
    let team = response(
        "application/json",
        json!({ "$ref": "#/components/schemas/Team" }),
    );
    let derived = Derived::of(&with(
        one(json!({ "requestBody": team, "responses": { "200": team } })),
        schemas,
    ));
    let (input, output) = (derived.input("m"), derived.output("m"));
    assert_eq!(
        input["properties"]["body"],
        json!({ "$ref": "#/$defs/TeamInput" })
    );
    assert_eq!(
        input["$defs"]["UserInput"],
        json!({
            "type": "object", "required": ["name", "secret"],
            "properties": { "name": { "type": "string" }, "secret": { "type": "string" }, "plain": { "$ref": "#/$defs/Plain" } },
        })
    );
    assert_eq!(output["$ref"], "#/$defs/Team");
    assert_eq!(
        output["$defs"]["User"],
        json!({
            "type": "object", "required": ["id", "name", "key"],
            "properties": {
                "id": { "$ref": "#/$defs/Id" }, "key": { "type": "string" }, "name": { "type": "string" },
                "plain": { "$ref": "#/$defs/Plain" },
            },
        })
    );
}

/// A Swagger 2.0 document with this operation, `PUT /a`, called `m`.
fn swagger(operation: Value, more: Value) -> Value {
    let mut operation = operation;
    operation["operationId"] = json!("m");
    let base = json!({ "swagger": "2.0", "info": {}, "paths": { "/a": { "put": operation } } });
    with(base, more)
}

#[test]
fn swagger_says_where_it_is() {
    for (more, server) in [
        (
            json!({ "host": "h.example", "basePath": "/v1", "schemes": ["http", "https"] }),
            json!("https://h.example/v1"),
        ),
        (
            json!({ "host": "h.example", "schemes": ["http"] }),
            json!("http://h.example"),
        ),
        (json!({ "basePath": "/v1" }), json!("/v1")),
        (json!({}), Value::Null),
    ] {
        let record = Derived::of(&swagger(json!({}), more)).record("m");
        assert_eq!(record["operation"]["server"], server);
    }
}

#[test]
fn swagger_parameters_are_schemas_and_their_lists_have_a_style() {
    let list = |name: &str, format: Value| {
        let base =
            json!({ "name": name, "in": "query", "type": "array", "items": { "type": "integer" } });
        with(base, format)
    };
    let derived = Derived::of(&swagger(
        json!({ "parameters": [
            { "$ref": "#/parameters/Limit" },
            list("plain", json!({})),
            list("multi", json!({ "collectionFormat": "multi" })),
            list("pipes", json!({ "collectionFormat": "pipes", "required": true })),
            list("tabs", json!({ "collectionFormat": "tsv" })),
            { "name": "X-Key", "in": "header", "type": "string" },
        ] }),
        json!({
            "parameters": { "Limit": { "name": "limit", "in": "query", "type": "integer", "maximum": 100, "exclusiveMaximum": true, "x-nullable": true } },
            "securityDefinitions": { "k": { "type": "apiKey", "in": "header", "name": "X-Key" } },
        }),
    ));
    let input = derived.input("m");
    assert_eq!(
        input["properties"]["limit"],
        json!({ "type": ["integer", "null"], "exclusiveMaximum": 100 })
    );
    assert_eq!(
        input["properties"]["plain"],
        json!({ "type": "array", "items": { "type": "integer" } })
    );
    assert_eq!(input["properties"]["tabs"]["type"], "string");
    assert_eq!(input["required"], json!(["pipes"]));
    assert_eq!(
        derived.record("m")["operation"]["parameters"],
        json!([
            { "key": "limit", "in": "query" },
            { "key": "plain", "in": "query", "explode": false },
            { "key": "multi", "in": "query" },
            { "key": "pipes", "in": "query", "required": true, "style": "pipeDelimited" },
            { "key": "tabs", "in": "query" },
        ])
    );
}

#[test]
fn swagger_bodies_and_responses_are_found() {
    let derived = Derived::of(&swagger(
        json!({
            "parameters": [{ "in": "body", "name": "thing", "required": true, "schema": { "$ref": "#/definitions/thing" } }],
            "responses": { "200": { "$ref": "#/responses/Thing" } },
        }),
        json!({
            "consumes": ["application/xml", "application/json"], "produces": ["application/json"],
            "definitions": { "thing": OBJECT() },
            "responses": { "Thing": { "schema": { "type": "array", "items": { "$ref": "#/definitions/thing" } } } },
        }),
    ));
    let input = derived.input("m");
    assert_eq!(
        input["properties"],
        json!({ "body": { "$ref": "#/$defs/Thing" } })
    );
    assert_eq!(input["required"], json!(["body"]));
    assert_eq!(input["$defs"]["Thing"], OBJECT());
    assert_eq!(
        derived.record("m")["operation"]["body"],
        json!({ "required": true, "type": "application/json" })
    );
    assert_eq!(
        derived.output("m")["items"],
        json!({ "$ref": "#/$defs/Thing" })
    );
}

#[test]
fn swagger_forms_are_bodies() {
    let parameters = json!([
        { "in": "formData", "name": "file", "type": "file", "required": true },
        { "in": "formData", "name": "tags", "type": "array", "items": { "type": "string" } },
    ]);
    let derived = Derived::of(&swagger(json!({ "parameters": parameters }), json!({})));
    assert_eq!(
        derived.input("m")["properties"]["body"],
        json!({
            "type": "object",
            "properties": { "file": { "format": "binary" }, "tags": { "type": "array", "items": { "type": "string" } } },
            "required": ["file"],
        })
    );
    assert_eq!(
        derived.record("m")["operation"]["body"],
        json!({ "required": true, "type": "multipart/form-data", "encoding": { "tags": { "explode": false } } })
    );
    let plain = json!([{ "in": "formData", "name": "a", "type": "string" }]);
    let derived = Derived::of(&swagger(json!({ "parameters": plain }), json!({})));
    assert_eq!(
        derived.record("m")["operation"]["body"],
        json!({ "type": "application/x-www-form-urlencoded" })
    );
}
