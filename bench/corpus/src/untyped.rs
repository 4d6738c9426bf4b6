//! How many properties whose schema has a type are printed as `unknown`.
//!
//! Each property's schema is put, as it was derived, into a method of a made-up connector, under a name that tells it from
//! all others, and that method is described: so what counts is what a model reads. Behind each reference lies the same
//! object: whether definitions are there is counted elsewhere, and this way a property is judged by itself.

use std::collections::BTreeMap;

use codemode::catalog::{Approval, Catalogue, Memory, MethodRecord, Shelf};
use codemode::error::Error;
use serde_json::{Map, Value, json};

use crate::types::catalogue;

/// Properties in one description.
const AT_ONCE: usize = 40;
const MAX_EXAMPLES: usize = 20;
const MAX_EXAMPLE_CHARS: usize = 160;

#[derive(Default)]
pub struct Count {
    pub typed: usize,
    pub untyped: usize,
    pub unknown: usize,
    printed_unknown: BTreeMap<String, usize>,
}

/// Keywords that say of which type a value is.
const TELLING: [&str; 11] = [
    "type",
    "$ref",
    "enum",
    "const",
    "properties",
    "items",
    "prefixItems",
    "additionalProperties",
    "anyOf",
    "allOf",
    "format",
];

struct Probe(MethodRecord);

impl Shelf for Probe {
    fn record(&self, _: &str, _: &str) -> Result<Option<MethodRecord>, Error> {
        Ok(Some(self.0.clone()))
    }

    fn line(&self, _: &str, _: &str) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn definition(&self, _: &str, _: &str) -> Result<Option<Value>, Error> {
        let stand_in = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        Ok(Some(stand_in))
    }

    fn definitions(&self, _: &str) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }
}

impl Count {
    pub fn add(&mut self, memory: &Memory) {
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        let records = memory.records.iter();
        let schemas = records.flat_map(|it| it.input_schema.iter().chain(&it.output_schema));
        for schema in schemas.chain(memory.definitions.values()) {
            properties(schema, &mut |property| {
                if is_typed(property) {
                    self.typed += 1;
                    *found.entry(property.to_string()).or_default() += 1;
                } else {
                    self.untyped += 1;
                }
            });
        }
        let found: Vec<(String, usize)> = found.into_iter().collect();
        for some in found.chunks(AT_ONCE) {
            self.probe(some);
        }
    }

    fn probe(&mut self, some: &[(String, usize)]) {
        let name = |number: usize| format!("property{number}of");
        let members: Map<String, Value> = some
            .iter()
            .enumerate()
            .map(|(number, (text, _))| {
                let mut schema: Value = serde_json::from_str(text).unwrap_or_default();
                if let Value::Object(map) = &mut schema {
                    map.remove("description");
                }
                (name(number), schema)
            })
            .collect();
        let record = MethodRecord {
            name: "m".to_owned(),
            original: None,
            description: None,
            input_schema: Some(json!({ "type": "object", "properties": members })),
            output_schema: None,
            requires_approval: Approval::Never,
            read_only: false,
            idempotent: false,
            replay: None,
            revert: false,
            operation: None,
            tags: Vec::new(),
        };
        let memory = Memory {
            connector: "c".to_owned(),
            records: vec![record.clone()],
            ..Memory::default()
        };
        let catalogue: Catalogue = catalogue(&memory);
        let Ok(described) = catalogue.describe("c.m", &Probe(record)) else {
            return;
        };
        for (number, (text, count)) in some.iter().enumerate() {
            let member = format!("{}?: ", name(number));
            let printed = described.types.split_once(member.as_str());
            let rest = printed.map_or("unknown", |(_, rest)| rest);
            let is_unknown = rest
                .strip_prefix("unknown")
                .is_some_and(|rest| !rest.starts_with(['[', ' ']) || rest.starts_with(" }"));
            if is_unknown {
                self.unknown += count;
                let text: String = text.chars().take(MAX_EXAMPLE_CHARS).collect();
                *self.printed_unknown.entry(text).or_default() += count;
            }
        }
    }

    /// The schemas that are most often printed as unknown.
    pub fn examples(&self) -> Vec<(&str, usize)> {
        let all = self.printed_unknown.iter();
        let mut all: Vec<(&str, usize)> =
            all.map(|(text, count)| (text.as_str(), *count)).collect();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        all.truncate(MAX_EXAMPLES);
        all
    }
}

fn is_typed(schema: &Value) -> bool {
    let Some(map) = schema.as_object() else {
        return false;
    };
    TELLING
        .iter()
        .any(|keyword| match (*keyword, map.get(*keyword)) {
            (_, None) => false,
            ("anyOf" | "allOf", Some(Value::Array(arms))) => arms.iter().any(is_typed),
            ("additionalProperties" | "items", Some(value)) => value.is_object(),
            ("format", Some(value)) => value == "binary",
            _ => true,
        })
}

/// Every property of every object in a schema. What is named by reference is another schema.
fn properties(schema: &Value, see: &mut impl FnMut(&Value)) {
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        let Some(map) = schema.as_object() else {
            continue;
        };
        for (keyword, value) in map {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(members)) => {
                    for member in members.values() {
                        see(member);
                        open.push(member);
                    }
                }
                ("patternProperties" | "dependentSchemas", Value::Object(members)) => {
                    open.extend(members.values());
                }
                ("allOf" | "anyOf" | "prefixItems", Value::Array(arms)) => open.extend(arms),
                (
                    "items" | "additionalProperties" | "not" | "if" | "then" | "else" | "contains",
                    value,
                ) => {
                    open.push(value);
                }
                _ => {}
            }
        }
    }
}
