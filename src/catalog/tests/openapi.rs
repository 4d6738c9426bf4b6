//! Documents of a few lines, each for one rule of derivation: names, policies, what is said, what is refused.

use serde_json::{Map, Value, json};

use super::super::{Format, Memory, Report, closed, derive};
use crate::error::Error;

/// What a document gives; the escape hatch is left out where nobody asks for it.
pub(super) struct Derived {
    pub(super) shelf: Vec<Memory>,
    pub(super) report: Report,
}

impl Derived {
    pub(super) fn of(document: &Value) -> Self {
        Self::of_text(&document.to_string()).expect("a document")
    }

    pub(super) fn of_text(text: &str) -> Result<Self, Error> {
        let mut memory = Memory {
            connector: "c".to_owned(),
            ..Memory::default()
        };
        let report = derive(Format::Openapi, text, &mut memory)?;
        let shelf = vec![memory];
        Ok(Self { shelf, report })
    }

    pub(super) fn names(&self) -> Vec<&str> {
        let names = self.shelf[0].records.iter().map(|it| it.name.as_str());
        names.filter(|name| *name != "request").collect()
    }

    #[track_caller]
    pub(super) fn record(&self, name: &str) -> Value {
        let found = self.shelf[0].records.iter().find(|it| it.name == name);
        let found =
            found.unwrap_or_else(|| panic!("no {name}: {:?} {:?}", self.names(), self.report));
        serde_json::to_value(found).expect("a record is JSON")
    }

    /// The input schema with all that it names.
    #[track_caller]
    pub(super) fn input(&self, name: &str) -> Value {
        closed("c", &self.record(name)["inputSchema"], 9, &self.shelf).expect("a shelf in memory")
    }

    #[track_caller]
    pub(super) fn output(&self, name: &str) -> Value {
        closed("c", &self.record(name)["outputSchema"], 9, &self.shelf).expect("a shelf in memory")
    }

    pub(super) fn skipped(&self) -> Vec<(&str, &str)> {
        let skipped = self.report.skipped.iter();
        skipped
            .map(|it| (it.what.as_str(), it.why.as_str()))
            .collect()
    }
}

/// An OpenAPI 3.0 document of these paths.
pub(super) fn document(paths: Value) -> Value {
    json!({ "openapi": "3.0.3", "info": { "title": "T", "version": "1" }, "paths": paths })
}

/// The only operation of a document, `PUT /a`, which is called `m`.
pub(super) fn one(operation: Value) -> Value {
    let mut operation = operation;
    operation["operationId"] = json!("m");
    document(json!({ "/a": { "put": operation } }))
}

pub(super) fn with(mut document: Value, more: Value) -> Value {
    let Value::Object(more) = more else {
        panic!("an object")
    };
    document.as_object_mut().expect("an object").extend(more);
    document
}

#[track_caller]
fn names(paths: Value, expected: &[&str]) {
    assert_eq!(Derived::of(&document(paths)).names(), expected);
}

#[test]
fn a_name_is_the_operation_id_as_an_identifier() {
    names(
        json!({ "/a": {
            "get": { "operationId": "repos/list-for-user" },
            "post": { "operationId": "class" },
            "put": { "operationId": "名前" },
        } }),
        &["repos_list_for_user", "class_", "名前"],
    );
    let derived = Derived::of(&one(json!({})));
    assert_eq!(derived.record("m").get("original"), None);
}

#[test]
fn a_long_id_fits_with_a_mark_of_its_own() {
    let id = "a/".repeat(60);
    let derived = Derived::of(&document(json!({ "/a": { "get": { "operationId": id } } })));
    let name = derived.names()[0];
    assert_eq!(name.chars().count(), 96);
    assert_eq!(derived.record(name)["original"], id);
}

#[test]
fn without_an_id_a_name_is_made_of_verb_and_path() {
    names(
        json!({
            "/a/b": { "get": {} },
            "/ab": { "get": {} },
            "/users/{user-id}/posts": { "get": {}, "post": {} },
            "/users/id/posts": { "get": { "operationId": "" } },
            "/": { "get": { "operationId": 7 } },
        }),
        &[
            "get_a_b",
            "get_ab",
            "get_users_by_user_id_posts",
            "post_users_by_user_id_posts",
            "get_users_id_posts",
            "get",
        ],
    );
}

#[test]
fn operations_that_share_an_id_are_told_apart_by_verb_and_path() {
    let first = json!({ "get": { "operationId": "list" } });
    let second = json!({ "get": { "operationId": "list" } });
    names(
        json!({ "/x": first, "/y": second }),
        &["list_get_x", "list_get_y"],
    );
    let first = json!({ "get": { "operationId": "issues/list" } });
    let second = json!({ "get": { "operationId": "issueslist" } });
    names(
        json!({ "/x": first, "/y": second }),
        &["issues_list", "issueslist"],
    );
}

#[test]
fn the_escape_hatch_is_in_every_document_and_keeps_its_name() {
    let derived = Derived::of(&document(
        json!({ "/a": { "get": { "operationId": "request" } } }),
    ));
    assert_eq!(derived.names(), ["request_2"]);
    let request = derived.record("request");
    assert_eq!(request["operation"]["raw"], true);
    assert_eq!(request["requiresApproval"], "ask");
}

#[test]
fn policies_follow_the_verb() {
    let verbs = [
        "get", "head", "post", "put", "patch", "delete", "options", "trace",
    ];
    let item: Map<String, Value> = verbs
        .iter()
        .map(|verb| ((*verb).to_owned(), json!({ "operationId": verb })))
        .collect();
    let derived = Derived::of(&document(json!({ "/a": item })));
    let policies = verbs.map(|verb| {
        let name = if verb == "delete" { "delete_" } else { verb };
        let record = derived.record(name);
        assert_eq!(record["operation"]["verb"], verb.to_uppercase());
        let read = record.get("readOnly").is_some();
        (verb, read, record["requiresApproval"] == true)
    });
    let expected = verbs.map(|verb| (verb, verb == "get" || verb == "head", verb == "delete"));
    assert_eq!(policies, expected);
}

#[test]
fn a_record_says_what_the_document_says() {
    let derived = Derived::of(&one(json!({
        "summary": "Put it", "description": "There.\n\nNow.", "deprecated": true, "tags": ["things", 7],
        "parameters": [{
            "name": "q", "in": "query", "description": "What", "deprecated": true, "example": "x",
            "schema": { "type": "string", "description": "less", "minLength": 1 },
        }],
    })));
    let record = derived.record("m");
    assert_eq!(
        record["description"],
        "Deprecated. Put it\n\nThere.\n\nNow."
    );
    assert_eq!(record["tags"], json!(["things"]));
    assert_eq!(
        record["inputSchema"]["properties"]["q"],
        json!({ "type": "string", "description": "What", "minLength": 1, "deprecated": true, "examples": ["x"] })
    );
    assert_eq!(derived.report.about.as_deref(), Some("T 1"));
    let plain = Derived::of(&one(json!({})));
    assert_eq!(plain.record("m")["description"], "PUT /a");
}

#[test]
fn what_is_no_openapi_document_is_refused_with_what_it_is() {
    for (text, says) in [
        ("openapi: 3.0.0\npaths: {}\n", "is YAML"),
        ("# petstore\nopenapi: 3.0.0\n", "is YAML"),
        ("<html>", "does not begin with `{`"),
        ("", "does not begin with `{`"),
        ("{", "not readable as JSON"),
        ("{}", "neither `openapi` nor `swagger`"),
        (r#"{"openapi":"4.0.0"}"#, "`openapi` is \"4.0.0\""),
        (r#"{"swagger":"1.2"}"#, "`swagger` is \"1.2\""),
        (r#"{"openapi":{}}"#, "`openapi` is \"{}\""),
    ] {
        let error = Derived::of_text(text).map(|it| it.report).unwrap_err();
        assert!(error.text.contains(says), "{text}: {}", error.text);
    }
}

#[test]
fn a_mark_before_the_text_and_keys_that_come_twice_are_read_as_javascript_does() {
    let text = "\u{feff} {\"openapi\":\"3.1.0\",\"paths\":{\"/a\":{\"get\":{\"operationId\":\"x\"}},
        \"/a\":{\"get\":{\"operationId\":\"y\",\"operationId\":\"z\"},\"get\":{\"operationId\":\"last\"}}}}";
    let derived = Derived::of_text(text).expect("a document");
    assert_eq!(derived.names(), ["last"]);
}

#[test]
fn a_bad_part_costs_its_own_method() {
    let derived = Derived::of(&document(json!({
        "/a": 7,
        "/b": { "get": [] , "put": { "operationId": "fine", "parameters": 7, "requestBody": 7, "responses": [], "tags": {} } },
        "/c": { "get": { "operationId": "c", "parameters": [{ "in": "query", "required": true }] } },
        "/d": { "get": { "operationId": "d", "parameters": [{ "name": "x" }] } },
        "/e": { "get": { "operationId": "e", "requestBody": { "required": true, "content": {} } } },
    })));
    assert_eq!(derived.names(), Vec::<&str>::new());
    assert_eq!(
        derived.skipped(),
        [
            ("/a", "its path item is no object"),
            ("GET /b", "it is no object"),
            ("PUT /b", "its request body is something that is no object"),
            ("GET /c", "a required parameter has no name"),
            ("GET /d", "a parameter does not say where it goes (`in`)"),
            ("GET /e", "it needs a body, and a GET request has none"),
        ]
    );
}

#[test]
fn verbs_that_nobody_can_send_are_skipped_by_name() {
    let item =
        json!({ "query": {}, "additionalOperations": { "LINK": {} }, "x-odd": {}, "get": {} });
    let derived = Derived::of(&document(json!({ "/a": item })));
    let why = "its verb is none that can be sent";
    assert_eq!(derived.skipped(), [("QUERY /a", why), ("LINK /a", why)]);
    assert_eq!(derived.names(), ["get_a"]);
}

/// A fifth of a megabyte that a careless reader would take hours over: each part refers to all of it again.
#[test]
fn what_refers_to_itself_over_and_over_ends_soon() {
    let long = "x".repeat(200_000);
    let paths: Map<String, Value> = (0..2_000)
        .map(|at| (format!("/{at}"), json!({ "$ref": "#/paths/~1big" })))
        .chain([("/big".to_owned(), json!({ "get": { "description": long } }))])
        .collect();
    let derived = Derived::of(&document(Value::Object(paths)));
    // 32 MB of reading, and not 400.
    let read = derived.names().len();
    assert!((120..180).contains(&read), "{read}");
    let (what, why) = derived.skipped()[0];
    assert!(what.starts_with('/') && why.ends_with("refers to parts of this size too often"));
    assert_eq!(read + derived.skipped().len(), 2_001);
}
