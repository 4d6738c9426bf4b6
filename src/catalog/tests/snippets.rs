//! Snippets beside the methods.

use serde_json::{Value, json};

use super::super::{Catalogue, Kind, SearchOptions, SnippetRecord};
use super::{assert_parses, connectors};

fn snippet(name: &str, description: &str, input_schema: Option<Value>) -> SnippetRecord {
    SnippetRecord {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema,
    }
}

fn with(snippets: Vec<SnippetRecord>) -> super::Stocked {
    super::Stocked::new(connectors(), snippets)
}

#[test]
fn one_is_found_by_its_name_its_description_and_its_input() {
    let schema =
        json!({ "type": "object", "properties": { "sprintNumber": { "type": "integer" } } });
    let catalogue = with(vec![
        snippet("burn-down", "Draws how much is left.", Some(schema)),
        snippet("zebra", "", None),
    ]);
    for query in [
        "burn down",
        "how much is left",
        "sprint number",
        "burn-down",
    ] {
        let best = catalogue
            .search(query, &SearchOptions::default())
            .results
            .remove(0);
        assert_eq!(
            (best.path.as_str(), best.kind),
            ("burn-down", Kind::Snippet),
            "{query}"
        );
    }
}

#[test]
fn it_is_listed_among_the_others_and_counted() {
    let all = SearchOptions::default();
    let without = with(Vec::new()).search("", &all).total;
    let catalogue = with(vec![snippet("zebra", "", None)]);
    assert_eq!(catalogue.search("", &all).total, without + 1);
    let alone = SearchOptions {
        connector: Some("snippet".to_owned()),
        ..all
    };
    assert_eq!(catalogue.search("", &alone).total, 1);
}

#[test]
fn its_types_are_typescript_whatever_its_name_and_texts_are() {
    let schema = json!({ "type": "object", "properties": { "a */ b": { "type": "string", "description": "ends */ here" } } });
    for name in ["weekly-report", "v1.2", "週報", "0", "class", "__proto__"] {
        for schema in [
            None,
            Some(schema.clone()),
            Some(json!(true)),
            Some(
                json!({ "$ref": "#/$defs/N", "$defs": { "N": { "type": "array", "items": { "$ref": "#" } } } }),
            ),
        ] {
            let record = snippet(name, "Says */ and\n\nmore.", schema);
            let described = Catalogue::describe_snippet(&record, "async () => 1".to_owned());
            assert_parses(&described.types);
            assert!(
                described
                    .types
                    .contains(&format!("run(name: \"{name}\", input")),
                "{}",
                described.types
            );
            assert_eq!(described.code.as_deref(), Some("async () => 1"));
        }
    }
}

#[test]
fn a_long_text_is_left_out_of_its_description() {
    let record = snippet("long", "", None);
    assert_eq!(
        Catalogue::describe_snippet(&record, "x".repeat(12_001)).code,
        None
    );
}

#[test]
fn a_namespace_and_what_may_be_its_methods_come_first() {
    let first = connectors()[0].0.name.clone();
    let names = [
        first.clone(),
        format!("{first}.anything"),
        "codemode".to_owned(),
        "codemode.run".to_owned(),
    ];
    let catalogue = with(names.iter().map(|name| snippet(name, "", None)).collect());
    for name in &names {
        assert!(catalogue.shadowed(name).is_some(), "{name}");
        assert_eq!(catalogue.snippet(name), None, "{name}");
    }
    assert_eq!(catalogue.shadowed("weekly.report"), None);
}

#[test]
fn a_name_that_is_near_is_offered() {
    let catalogue = with(vec![
        snippet("weekly-report", "", None),
        snippet("zebra", "", None),
    ]);
    assert_eq!(
        catalogue.nearest_snippets("weekly-repot"),
        ["weekly-report"]
    );
    assert_eq!(catalogue.nearest_snippets("qqqqqqqq"), Vec::<String>::new());
}
