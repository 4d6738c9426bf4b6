//! Documents of a few lines, each for one rule of parameters, references and servers.

use serde_json::{Value, json};

use super::openapi::{Derived, document, one, with};

#[test]
fn parameters_of_the_path_item_count_and_the_operations_own_go_before() {
    let derived = Derived::of(&document(json!({ "/users/{id}": {
        "parameters": [
            { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
            { "name": "page", "in": "query", "schema": { "type": "string" } },
            { "name": "page", "in": "header", "schema": { "type": "boolean" } },
        ],
        "get": { "operationId": "m", "parameters": [
            { "name": "page", "in": "query", "required": true, "schema": { "type": "integer" } },
        ] },
    } })));
    assert_eq!(
        derived.input("m"),
        json!({
            "type": "object",
            "properties": {
                "id": { "type": "string" },
                "page": { "type": "integer" },
                "page_header": { "type": "boolean" },
            },
            "required": ["id", "page"],
            "additionalProperties": false,
        })
    );
    assert_eq!(
        derived.record("m")["operation"]["parameters"],
        json!([
            { "key": "id", "in": "path", "required": true },
            { "key": "page", "in": "query", "required": true },
            { "key": "page_header", "name": "page", "in": "header" },
        ])
    );
}

#[test]
fn what_a_path_needs_is_asked_for_and_what_it_lacks_is_not() {
    let derived = Derived::of(&document(json!({ "/a/{x}/{y}#{z}": { "get": {
        "operationId": "m",
        "parameters": [
            { "name": "y", "in": "path", "required": true, "schema": { "type": "integer" } },
            { "name": "other", "in": "path", "required": true, "schema": { "type": "integer" } },
        ],
    } } })));
    let input = derived.input("m");
    assert_eq!(
        input["properties"],
        json!({ "y": { "type": "integer" }, "x": { "type": "string" } })
    );
    assert_eq!(derived.record("m")["operation"]["path"], "/a/{x}/{y}");
}

#[test]
fn references_are_followed_wherever_they_are_and_lead() {
    let paths = json!({
        "/a~b/{c}": { "$ref": "#/paths/~1other~01" },
        "/other~1": {
            "post": {
                "operationId": "m",
                "parameters": [
                    { "$ref": "#/components/parameters/Page%20Size" },
                    { "$ref": "#/paths/~1third/get/parameters/0" },
                ],
                "requestBody": { "$ref": "#/components/requestBodies/Thing" },
                "responses": { "200": { "$ref": "#/components/responses/Thing" } },
            },
        },
        "/third": { "get": { "operationId": "third", "parameters": [
            { "name": "q", "in": "query", "schema": { "$ref": "#/components/responses/Thing/content/application~1json/schema/properties/a" } },
        ] } },
    });
    let components = json!({ "components": {
        "parameters": {
            "Page Size": { "$ref": "#/components/parameters/Size" },
            "Size": { "name": "size", "in": "query", "schema": { "type": "integer" } },
        },
        "requestBodies": { "Thing": { "required": true, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Alias" } } } } },
        "responses": { "Thing": { "content": { "application/json": { "schema": { "type": "object", "properties": { "a": { "enum": ["x"] } } } } } } },
        "schemas": {
            "Alias": { "$ref": "#/components/schemas/a-thing" },
            "a-thing": { "type": "object", "properties": { "b": { "type": "string" } } },
        },
    } });
    let derived = Derived::of(&with(document(paths), components));
    assert_eq!(derived.skipped(), []);
    let name = "m_post_other_1";
    let input = derived.input(name);
    assert_eq!(input["properties"]["size"], json!({ "type": "integer" }));
    assert_eq!(input["properties"]["q"], json!({ "$ref": "#/$defs/A" }));
    assert_eq!(
        input["properties"]["body"],
        json!({ "$ref": "#/$defs/AThing" })
    );
    assert_eq!(input["$defs"]["A"], json!({ "enum": ["x"] }));
    assert_eq!(input["required"], json!(["body"]));
    assert_eq!(
        derived.output(name)["properties"]["a"],
        json!({ "enum": ["x"] })
    );
    // The path that is made of another one.
    assert_eq!(
        derived.record("m_post_a_b_by_c")["operation"]["path"],
        "/a~b/{c}"
    );
}

#[test]
fn circles_of_every_kind_end() {
    let paths = json!({
        "/a": { "$ref": "#/paths/~1a" },
        "/b": { "get": { "operationId": "param", "parameters": [{ "$ref": "#/components/parameters/P" }] } },
        "/c": { "put": { "operationId": "body", "requestBody": { "$ref": "#/components/requestBodies/B" } } },
        "/d": { "get": { "operationId": "response", "responses": { "200": { "$ref": "#/components/responses/R" } } } },
        "/e": { "put": { "operationId": "schema", "requestBody": { "required": true, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/S" } } } } } },
        "/f": { "put": { "operationId": "tree", "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Tree" } } } } } },
    });
    let components = json!({ "components": {
        "parameters": { "P": { "$ref": "#/components/parameters/P" } },
        "requestBodies": { "B": { "$ref": "#/components/requestBodies/B" } },
        "responses": { "R": { "$ref": "#/components/responses/R" } },
        "schemas": {
            "S": { "$ref": "#/components/schemas/S" },
            "Tree": { "type": "object", "properties": { "leaf": { "$ref": "#/components/schemas/Leaf" } } },
            "Leaf": { "type": "array", "items": { "$ref": "#/components/schemas/Tree" } },
        },
    } });
    let derived = Derived::of(&with(document(paths), components));
    assert_eq!(
        derived.skipped(),
        [
            ("/a", "its path item is a circle of references"),
            ("GET /b", "a parameter is a circle of references"),
            ("PUT /c", "its request body is a circle of references"),
        ]
    );
    assert_eq!(derived.record("response").get("outputSchema"), None);
    assert_eq!(derived.input("schema")["properties"]["body"], true);
    let tree = derived.input("tree");
    assert_eq!(
        tree["$defs"]["Leaf"]["items"],
        json!({ "$ref": "#/$defs/Tree" })
    );
    assert_eq!(
        tree["$defs"]["Tree"]["properties"]["leaf"],
        json!({ "$ref": "#/$defs/Leaf" })
    );
}

#[test]
fn what_another_document_holds_costs_no_more_than_its_place() {
    let schema = json!({ "$ref": "./pets.json#/Pet" });
    let derived = Derived::of(&one(json!({
        "requestBody": { "content": { "application/json": { "schema": schema } } },
    })));
    assert_eq!(derived.input("m")["properties"], json!({ "body": true }));
    let lost = "which is in another document; bundle the two into one";
    for (part, why) in [
        (
            json!({ "parameters": [{ "$ref": "p.json" }] }),
            format!("a parameter is `p.json`, {lost}"),
        ),
        (
            json!({ "requestBody": { "$ref": "b.json" } }),
            format!("its request body is `b.json`, {lost}"),
        ),
    ] {
        let derived = Derived::of(&one(part));
        assert_eq!(derived.skipped(), [("PUT /a", why.as_str())]);
    }
}

#[test]
fn what_authenticates_is_not_for_programs() {
    let parameter = |name: &str, place: &str| json!({ "name": name, "in": place, "required": true, "schema": { "type": "string" } });
    let operation = json!({ "parameters": [
        parameter("Authorization", "header"),
        parameter("accept", "header"),
        parameter("X-API-KEY", "header"),
        parameter("key", "query"),
        parameter("key", "cookie"),
        parameter("session", "cookie"),
    ] });
    let schemes = json!({ "components": { "securitySchemes": {
        "a": { "type": "apiKey", "in": "header", "name": "x-api-key" },
        "b": { "type": "apiKey", "in": "query", "name": "key" },
        "c": { "type": "http", "scheme": "bearer" },
    } } });
    let derived = Derived::of(&with(one(operation), schemes));
    assert_eq!(
        derived.record("m")["operation"]["parameters"],
        json!([
            { "key": "key", "in": "cookie", "required": true },
            { "key": "session", "in": "cookie", "required": true },
        ])
    );
}

#[test]
fn a_style_is_told_where_it_is_not_the_usual_one() {
    let parameter = |name: &str, style: Value| {
        let base =
            json!({ "name": name, "in": "query", "schema": { "type": "array", "items": {} } });
        with(base, style)
    };
    let derived = Derived::of(&one(json!({ "parameters": [
        parameter("plain", json!({ "style": "form", "explode": true })),
        parameter("commas", json!({ "explode": false })),
        parameter("spaces", json!({ "style": "spaceDelimited" })),
        parameter("deep", json!({ "style": "deepObject", "explode": true, "allowReserved": true })),
        parameter("odd", json!({ "style": "wild", "explode": "yes" })),
        { "name": "filter", "in": "query", "content": { "application/json": { "schema": { "type": "object" } } } },
    ] })));
    assert_eq!(
        derived.record("m")["operation"]["parameters"],
        json!([
            { "key": "plain", "in": "query" },
            { "key": "commas", "in": "query", "explode": false },
            { "key": "spaces", "in": "query", "style": "spaceDelimited" },
            { "key": "deep", "in": "query", "style": "deepObject", "explode": true, "allowReserved": true },
            { "key": "odd", "in": "query" },
            { "key": "filter", "in": "query", "content": "application/json" },
        ])
    );
}

#[test]
fn a_parameter_called_body_leaves_the_body_its_key() {
    let parameters = json!([{ "name": "body", "in": "query", "schema": { "type": "string" } }]);
    let body = json!({ "required": true, "content": { "application/json": { "schema": { "type": "array" } } } });
    let derived = Derived::of(&one(
        json!({ "parameters": parameters, "requestBody": body }),
    ));
    assert_eq!(
        derived.input("m")["properties"],
        json!({ "body_query": { "type": "string" }, "body": { "type": "array" } })
    );
}

#[test]
fn the_nearest_server_counts_and_its_variables_are_filled() {
    let server = |url: &str| json!([{ "url": url, "variables": { "region": { "default": "eu" }, "port": { "enum": ["1", "2"] } } }]);
    let mut document = document(json!({
        "/own": { "servers": server("/item"), "get": { "operationId": "own", "servers": server("https://{region}.own:{port}/v1") } },
        "/item": { "servers": server("/item"), "get": { "operationId": "item" } },
        "/root": { "get": { "operationId": "root" } },
    }));
    let servers = |document: &Value| {
        let derived = Derived::of(document);
        ["own", "item", "root", "request"]
            .map(|name| derived.record(name)["operation"]["server"].clone())
    };
    assert_eq!(
        servers(&document),
        [
            json!("https://eu.own:1/v1"),
            json!("/item"),
            Value::Null,
            Value::Null
        ]
    );
    let plain = json!([{ "url": "http://a" }, { "url": "https://b" }, { "url": "https://a" }]);
    document["servers"] = plain;
    assert_eq!(servers(&document)[2], "https://a");
    document["servers"] = server("https://root");
    assert_eq!(servers(&document)[2..], ["https://root", "https://root"]);
}
