//! Whole descriptions, as a model reads them.

use serde_json::{Value, json};

use super::super::DescribeOutput;
use super::{assert_parses, catalogue, connector, small};

#[track_caller]
fn check(target: &str, expected: Value) {
    let found = catalogue().describe(target).expect("it is there");
    assert_parses(&found.types);
    let mut value = serde_json::to_value(&found).expect("JSON");
    let types = value["types"].take();
    let mut expected = expected;
    let lines: Vec<&str> = expected["types"]
        .as_array()
        .expect("lines")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(
        types.as_str().map(str::trim_end),
        Some(lines.join("\n").as_str())
    );
    expected["types"] = Value::Null;
    assert_eq!(value, expected);
}

#[test]
fn a_method_has_its_types_in_full() {
    check(
        "notes.add",
        json!({ "path": "notes.add", "kind": "method", "description": "Add a note.", "types": [
            "declare const notes: { add(input: {",
            "  /** What to remember. */",
            "  text: string;",
            "  /** @default \"inbox\" */",
            "  tag?: string;",
            "}): Promise<{ id: string }> };",
        ] }),
    );
}

#[test]
fn a_recursive_result_is_declared_by_name() {
    check(
        "github.list_issues",
        json!({ "path": "github.list_issues", "kind": "method",
            "description": "List issues of a repository, open ones unless told otherwise.", "types": [
            "declare const github: { list_issues(input: {",
            "  owner: string;",
            "  repo: string;",
            "  /** @default \"open\" */",
            "  state?: \"open\" | \"closed\" | \"all\";",
            "  /** @default 30 @minimum 1 @maximum 100 */",
            "  per_page?: number;",
            "}): Promise<Issue[]> };",
            "type Issue = { number: number; title: string; labels?: string[]; parent?: Issue | null };",
        ] }),
    );
}

#[test]
fn a_connector_shows_all_its_methods_and_their_policy() {
    check(
        "notes",
        json!({ "path": "notes", "kind": "connector", "types": [
            "declare const notes: {",
            "  /** Add a note. */",
            "  add(input: {",
            "    /** What to remember. */",
            "    text: string;",
            "    /** @default \"inbox\" */",
            "    tag?: string;",
            "  }): Promise<{ id: string }>;",
            "  /** Find notes by a word. メモを検索する。 */",
            "  search_notes(input: { word: string }): Promise<unknown>;",
            "  /** Needs approval. */",
            "  clear(input?: unknown): Promise<unknown>;",
            "};",
        ] }),
    );
}

#[test]
fn approval_and_the_whole_text_are_beside_the_types() {
    let found = catalogue()
        .describe("github.merge_pull_request")
        .expect("it is there");
    assert_eq!(found.requires_approval, Some(true));
    assert_eq!(
        found.description.as_deref(),
        Some("Merge a pull request that is ready.\n\nNeeds write access to the base branch.")
    );
    assert!(
        found
            .types
            .starts_with("// May need approval, depending on the arguments.\ndeclare")
    );
}

#[test]
fn a_connector_that_cannot_be_reached_says_why() {
    let found = catalogue().describe("calendar").expect("it is there");
    assert_eq!(
        found.description.as_deref(),
        Some("Cannot be reached now: the server at calendar.test did not answer")
    );
    assert!(found.types.contains("listEvents(input: {"));
}

fn wide(count: usize, properties: usize) -> DescribeOutput {
    let properties: serde_json::Map<String, Value> = (0..properties)
        .map(|n| {
            (
                format!("property_{n}"),
                json!({ "type": "string", "description": "One of many." }),
            )
        })
        .collect();
    let methods: Value = (0..count)
        .map(|n| {
            json!({ "name": format!("method_{n}"), "description": "A method. ".repeat(100), "requiresApproval": false,
                "inputSchema": { "type": "object", "properties": properties } })
        })
        .collect();
    let catalogue = super::Stocked::new(
        vec![connector(json!({ "name": "wide", "methods": methods }))],
        Vec::new(),
    );
    let found = catalogue.describe("wide").expect("it is there");
    assert_parses(&found.types);
    found
}

#[test]
fn a_large_connector_is_a_map_whose_places_are_targets() {
    let methods: Value = (0..120)
        .map(|n| {
            let group = ["list_issues", "list_pulls", "getRepo", "getUser"][n % 4];
            json!({ "name": format!("{group}_{n:03}") })
        })
        .chain([json!({ "name": "ping" })])
        .collect();
    let catalogue = small(methods);
    let types = |target: &str| {
        let found = catalogue.describe(target).expect("it is there");
        assert_parses(&found.types);
        found.types
    };
    assert_eq!(
        types("c"),
        "// 121 methods, by the beginnings of their names:\n// get* 60, list_* 60, ping\n\
         // One group: codemode.describe(\"c.get*\"). Better: codemode.search(\"what it should do\", { connector: \"c\" }).\n\
         // All by name: codemode.search(\"\", { connector: \"c\", limit: 50, offset: 0 })\n"
    );
    assert!(types("c.list_*").contains("// list_issues_* 30, list_pulls_* 30\n"));
    let pulls = types("c.list_pulls_*");
    assert!(
        pulls.contains("list_pulls_001(input?: unknown)") && !pulls.contains("issues"),
        "{pulls}"
    );
    assert!(catalogue.describe("c.nothing*").is_err());
}

#[test]
fn what_a_source_has_and_nobody_can_call_is_told() {
    let mut parts = connector(json!({ "name": "c", "methods": [] }));
    parts.0.listing.report = super::super::Report {
        about: Some("Forms. For more information, see the site.".to_owned()),
        skipped: (0..12)
            .map(|n| super::super::Skipped {
                what: format!("POST /upload/{n}"),
                why: "its body is\nof no known type".to_owned(),
            })
            .collect(),
    };
    let found = super::Stocked::new(vec![parts], Vec::new())
        .describe("c")
        .expect("it is there");
    assert_parses(&found.types);
    assert_eq!(found.description.as_deref(), Some("Forms."));
    assert!(
        found
            .types
            .contains("// Not offered: POST /upload/0 (its body is of no known type)\n")
            && found.types.ends_with("// and 2 more are not offered\n"),
        "{}",
        found.types
    );
}

#[test]
fn a_listing_that_would_be_unreadable_is_one_of_lines() {
    let types = wide(50, 100).types;
    assert!(types.len() < 50 * 500, "{}", types.len());
    assert!(types.starts_with(
        "// Shortened. Complete types of one method: codemode.describe(\"wide.<method>\")\n"
    ));
    assert!(
        types.contains("method_0(input: { property_0?: string; ")
            && types.contains("/* 94 more */"),
        "{types}"
    );
}

#[test]
fn one_bad_schema_costs_only_its_own_method() {
    let catalogue = small(json!([
        { "name": "bad", "inputSchema": { "type": "objekt", "properties": 5 }, "outputSchema": null },
        { "name": "good", "inputSchema": { "properties": { "a": { "type": "string" } } } },
    ]));
    assert_eq!(
        catalogue.describe("c").expect("it is there").types,
        "declare const c: {\n  bad(input?: unknown): Promise<unknown>;\n  good(input: { a?: string }): Promise<unknown>;\n};\n"
    );
}

#[test]
fn names_that_would_mean_something_else_are_quoted() {
    let names = [
        "new",
        "constructor",
        "delete",
        "get",
        "then",
        "__proto__",
        "a-b",
        "",
        "1",
        "\u{2028}",
        "*/",
    ];
    let methods: Value = names
        .iter()
        .map(|name| json!({ "name": name, "description": "*/ x" }))
        .collect();
    let types = small(methods).describe("c").expect("it is there").types;
    assert_parses(&types);
    assert!(
        types.contains("\n  \"new\"(input") && types.contains("\n  delete(input"),
        "{types}"
    );
}
