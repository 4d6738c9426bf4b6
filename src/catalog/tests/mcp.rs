//! What becomes of a list of tools: names, texts, schemas, policy, and what is skipped.

use proptest::prelude::{any, prop, prop_assert_eq, proptest};
use serde_json::{Value, json};

use super::super::{Approval, Format, Memory, MethodRecord, Report, derive};
use super::property::schema;

fn derived(source: &Value) -> (Vec<MethodRecord>, Report) {
    let mut memory = Memory::default();
    let report = derive(Format::Mcp, &source.to_string(), &mut memory).expect("a list of tools");
    (memory.records, report)
}

fn of_tools(tools: Value) -> (Vec<MethodRecord>, Report) {
    derived(&json!({ "tools": tools }))
}

#[track_caller]
fn only(tool: Value) -> MethodRecord {
    let (mut records, _) = of_tools(json!([tool]));
    assert_eq!(records.len(), 1);
    records.remove(0)
}

fn skipped(report: &Report) -> Vec<(&str, &str)> {
    let entries = report.skipped.iter();
    entries
        .map(|it| (it.what.as_str(), it.why.as_str()))
        .collect()
}

#[test]
fn names_become_identifiers_and_the_servers_own_are_kept() {
    let originals = [
        "get-user", "a.b", "a/b", "查询", "获取", "class", "then", "list",
    ];
    let (records, report) = of_tools(
        originals
            .iter()
            .map(|name| json!({ "name": name }))
            .collect(),
    );
    let named: Vec<_> = records
        .iter()
        .map(|it| (it.name.as_str(), it.original.as_deref()))
        .collect();
    assert_eq!(named[0], ("get_user", Some("get-user")));
    assert!(
        named[1].0.starts_with("a_b_")
            && named[2].0.starts_with("a_b_")
            && named[1].0 != named[2].0
    );
    assert_eq!(
        named[3..],
        [
            ("查询", None),
            ("获取", None),
            ("class_", Some("class")),
            ("then_", Some("then")),
            ("list", None)
        ]
    );
    assert_eq!(report, Report::default());
}

#[test]
fn wanted_names_count_by_place_and_the_original_is_what_the_server_hears() {
    let tools = json!([{ "name": "gitlab-get_x" }, { "name": "y" }, 5, { "name": "z" }]);
    let (records, _) =
        derived(&json!({ "tools": tools, "names": ["get_x", null, "lost", "get-z"] }));
    let named: Vec<_> = records
        .iter()
        .map(|it| (it.name.as_str(), it.original.as_deref()))
        .collect();
    assert_eq!(
        named,
        [
            ("get_x", Some("gitlab-get_x")),
            ("y", None),
            ("get_z", Some("z"))
        ]
    );
}

#[test]
fn the_text_is_the_first_that_says_something() {
    for (tool, description, tags) in [
        (
            json!({ "description": "d", "title": "t", "annotations": { "title": "a" } }),
            Some("d"),
            vec!["t"],
        ),
        (
            json!({ "description": " ", "title": "t", "annotations": { "title": "a" } }),
            Some("t"),
            vec!["a"],
        ),
        (
            json!({ "description": 5, "annotations": { "title": "a" } }),
            Some("a"),
            vec![],
        ),
        (json!({ "annotations": "x" }), None, vec![]),
    ] {
        let mut tool = tool;
        tool["name"] = json!("n");
        let record = only(tool);
        assert_eq!(record.description.as_deref(), description);
        assert_eq!(record.tags, tags);
    }
}

#[test]
fn hints_tighten_and_loosen_only_when_they_are_trusted() {
    let all = json!({ "readOnlyHint": true, "idempotentHint": true, "destructiveHint": true });
    for (trust, annotations, expected) in [
        (false, json!({}), (Approval::Never, false, false)),
        (false, all.clone(), (Approval::Always, false, false)),
        (true, all, (Approval::Always, true, true)),
        (
            true,
            json!({ "readOnlyHint": "yes", "destructiveHint": 1 }),
            (Approval::Never, false, false),
        ),
        (
            true,
            json!({ "destructiveHint": false, "readOnlyHint": false }),
            (Approval::Never, false, false),
        ),
    ] {
        let tools = json!([{ "name": "a", "annotations": annotations }]);
        let (records, _) = derived(&json!({ "tools": tools, "trustHints": trust }));
        let record = &records[0];
        assert_eq!(
            (
                record.requires_approval,
                record.read_only,
                record.idempotent
            ),
            expected,
            "{annotations} {trust}"
        );
    }
}

#[test]
fn what_is_no_tool_is_skipped_with_a_reason_and_costs_no_other() {
    let deep = format!("{}{}", r#"{"name":"deep","inputSchema":"#, "[".repeat(2000))
        + &"]".repeat(2000)
        + "}";
    let text = format!(
        r#"{{"tools":[null,5,"a",[],{{}},{{"name":7}},{deep},{{"name":"same","title":"first"}},{{"name":"same"}},{{"name":"good"}}]}}"#
    );
    let mut memory = Memory::default();
    let report = derive(Format::Mcp, &text, &mut memory).expect("a list of tools");
    let names: Vec<_> = memory.records.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["same", "good"]);
    assert_eq!(memory.records[0].description.as_deref(), Some("first"));
    let skipped = skipped(&report);
    let whats: Vec<_> = skipped.iter().map(|it| it.0).collect();
    assert_eq!(
        whats,
        [
            "tool 1", "tool 2", "tool 3", "tool 4", "tool 5", "tool 6", "tool 7", "same"
        ]
    );
    assert!(
        skipped[0].1.contains("null")
            && skipped[4].1.contains("no name")
            && skipped[6].1.contains("recursion limit")
    );
    assert!(skipped[7].1.contains("twice"));
}

#[test]
fn a_schema_that_is_none_is_left_out_and_said() {
    for (key, schema, note) in [
        ("inputSchema", json!([1]), "its inputSchema is an array"),
        ("inputSchema", json!(false), "its inputSchema is a boolean"),
        ("outputSchema", json!("x"), "its outputSchema is a text"),
    ] {
        let (records, report) =
            of_tools(json!([{ "name": "a-b", "description": "Does.", key: schema }]));
        let record = &records[0];
        assert_eq!(
            (&record.input_schema, &record.output_schema),
            (&None, &None)
        );
        let description = record.description.as_deref().expect("it has one");
        assert!(
            description.starts_with("Does.\n\nNote: ") && description.contains(note),
            "{description}"
        );
        assert_eq!(report.skipped[0].what, format!("a-b ({key})"));
    }
    for schema in [Value::Null, json!(true)] {
        let (records, report) = of_tools(json!([{ "name": "a", "inputSchema": schema }]));
        assert_eq!(
            (&records[0].description, report),
            (&None, Report::default())
        );
    }
}

#[test]
fn schemas_are_as_the_server_wrote_them_and_an_object_result_has_its_blocks_beside() {
    let input = json!({ "type": "object", "zeta": 1, "alpha": { "$ref": "#/x" } });
    let record = only(
        json!({ "name": "a", "inputSchema": input, "outputSchema": { "type": "object", "properties": { "ok": {} }, "additionalProperties": false } }),
    );
    assert_eq!(record.input_schema, Some(input));
    let output = record.output_schema.expect("it has one");
    let keys: Vec<_> = output["properties"]
        .as_object()
        .expect("an object")
        .keys()
        .collect();
    assert_eq!(keys, ["ok", "_content"]);
    for (schema, key) in [
        (
            json!({ "type": "object", "properties": { "_content": {} } }),
            Some("__content"),
        ),
        (
            json!({ "$ref": "#/$defs/a", "$defs": { "a": {} } }),
            Some("_content"),
        ),
        (json!({ "type": ["object"] }), Some("_content")),
        (json!({ "type": "array", "items": {} }), None),
        (json!({ "type": ["object", "null"] }), None),
        (json!({ "properties": 5 }), None),
    ] {
        let output = only(json!({ "name": "a", "outputSchema": schema }))
            .output_schema
            .expect("it has one");
        match key {
            Some(key) => assert_eq!(output["properties"][key]["type"], "array", "{output}"),
            None => assert_eq!(output, schema),
        }
    }
}

#[test]
fn only_a_text_that_is_no_list_is_refused() {
    for text in [
        "",
        "[]",
        "{}",
        r#"{"tools":{}}"#,
        r#"{"tools":[],"names":5}"#,
        "{\"tools\":[",
    ] {
        let error = derive(Format::Mcp, text, &mut Memory::default()).expect_err(text);
        assert!(
            error
                .to_string()
                .contains("the list of tools is not readable"),
            "{error}"
        );
    }
    assert_eq!(of_tools(json!([])), (Vec::new(), Report::default()));
}

proptest! {
    #[test]
    fn each_tool_is_a_method_or_is_reported(fields in prop::collection::vec(prop::collection::vec((prop::sample::select(vec!["name", "title", "description", "inputSchema", "outputSchema", "annotations"]), schema()), 0..6), 0..6), trust in any::<bool>()) {
        let tools: Vec<Value> = fields.into_iter().map(|pairs| Value::Object(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())).collect();
        let (records, report) = derived(&json!({ "tools": tools, "trustHints": trust }));
        let lost = report.skipped.iter().filter(|it| !it.what.contains("Schema)")).count();
        prop_assert_eq!(records.len() + lost, tools.len());
    }

    #[test]
    fn no_text_panics(text in any::<String>(), value in schema()) {
        let _ = derive(Format::Mcp, &text, &mut Memory::default());
        let _ = derive(Format::Mcp, &value.to_string(), &mut Memory::default());
        let _ = derive(Format::Mcp, &json!({ "tools": [value.clone(), [value]] }).to_string(), &mut Memory::default());
    }
}
