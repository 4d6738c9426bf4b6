//! Whatever the schema: the description parses, the signature parses and is short, and nothing panics.

use proptest::prelude::{Just, Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};
use serde_json::{Map, Value, json};

use super::super::SearchOptions;
use super::{assert_parses, assert_signature, documented, small};

/// Keys and texts: keywords of JSON Schema, names with a meaning in TypeScript, and noise.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "a",
            "b",
            "string",
            "object",
            "array",
            "null",
            "integer",
            "new",
            "get",
            "readonly",
            "__proto__",
            "constructor",
            "*/",
            "/*",
            "//",
            "a-b",
            "1",
            "",
            "\u{2028}",
            "\"",
            "\\",
            "\n",
            "${",
            "`",
            "é",
            "型",
            "Promise",
            "#",
            "#/$defs/a",
            "#/$defs/b",
            "#/properties/a",
            "#/$defs/a~1b",
            "#/anyOf/0",
            "%",
            "~",
            "<",
            "?",
            ";",
            "*",
            "\0",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ]
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|number| json!(number)),
        any::<f64>().prop_map(|number| json!(number)),
        word().prop_map(Value::String),
    ]
}

const KEYWORDS: [&str; 28] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "items",
    "prefixItems",
    "additionalItems",
    "minItems",
    "anyOf",
    "oneOf",
    "allOf",
    "enum",
    "const",
    "$ref",
    "$defs",
    "definitions",
    "nullable",
    "description",
    "default",
    "format",
    "pattern",
    "minimum",
    "maxLength",
    "uniqueItems",
    "deprecated",
    "not",
    "if",
];

/// A value that is often a schema, and often nearly one.
pub(super) fn schema() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(6, 96, 6, |inner| {
        let named = || prop::collection::vec((word(), inner.clone()), 0..4).prop_map(|pairs| Value::Object(pairs.into_iter().collect()));
        let list = || prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array);
        let entry = (prop::sample::select(KEYWORDS.to_vec()), prop_oneof![inner.clone(), list(), named()]);
        let shaped = (inner.clone(), named(), list(), named(), word()).prop_map(|(values, properties, arms, defs, target)| {
            json!({ "properties": properties, "additionalProperties": values, "anyOf": arms, "$defs": defs, "$ref": target })
        });
        prop_oneof![
            prop::collection::vec(entry, 0..5).prop_map(|entries| {
                Value::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
            }),
            shaped,
            list(),
            named(),
        ]
    })
}

proptest! {
    #[test]
    fn a_description_always_parses(name in word(), input in schema(), output in schema(), description in word()) {
        let catalogue = small(json!([{ "name": name, "description": description, "inputSchema": input, "outputSchema": output }]));
        for target in ["c".to_owned(), format!("c.{name}")] {
            assert_parses(&catalogue.describe(&target).expect("it is there").types);
        }
        let output = catalogue.search("", &SearchOptions::default());
        if let Some(signature) = &output.results[0].signature {
            assert_signature(signature, "c");
        }
    }

    #[test]
    fn what_a_description_names_can_be_opened(input in schema(), output in schema(), one in schema(), two in schema(), operation in any::<bool>()) {
        let mut method = json!({ "name": "x", "inputSchema": input, "outputSchema": output });
        if operation {
            method["operation"] = json!({ "verb": "GET", "path": "/x" });
        }
        let catalogue = documented(json!([method]), json!({ "a": one, "b": two }));
        let mut targets = vec!["c.x".to_owned(), "c#a".to_owned(), "c#b".to_owned()];
        for _ in 0..8 {
            let Some(target) = targets.pop() else { break };
            let types = catalogue.describe(&target).expect("it is there").types;
            assert_parses(&types);
            let printed = types.split("} // codemode.describe(").skip(1);
            targets.extend(printed.map(|rest| {
                let (path, _) = rest.split_once(")\n").expect("a call on one line");
                serde_json::from_str::<String>(path).expect("a quoted path")
            }));
        }
    }

    #[test]
    fn a_search_never_panics_and_repeats_itself(query in any::<String>(), names in prop::collection::vec(word(), 0..8), offset in any::<u32>()) {
        let methods: Value = names.iter().map(|name| json!({ "name": name, "description": name })).collect();
        let catalogue = small(methods);
        let options = SearchOptions { offset: Some(offset % 16), ..SearchOptions::default() };
        prop_assert_eq!(catalogue.search(&query, &options), catalogue.search(&query, &options));
        let _ = catalogue.unknown_method("c", &query);
        let _ = catalogue.describe(&query);
    }
}
