//! A schema of any dialect as JSON Schema 2020-12 that says what a program needs, and nothing else.
//!
//! Keywords are taken by name, so what is not known here does not get through. What the dialects say in their own way
//! (null, exclusive limits, tuples, files) is said in the standard's. `oneOf` becomes `anyOf`: documents are full of arms
//! that overlap, and the service has the last word. What has the wrong kind is left out, and never more than that.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::definitions::{Definitions, Way};
use super::document::Dialect;
use super::media::{bytes, is_bytes};
use crate::catalog::types::cut;

/// Deeper schemas are `true`. What is made here is read again, and parsers stop at 128 levels; one of these may be four.
const MAX_LEVELS: usize = 24;
const MAX_DESCRIPTION_CHARS: usize = 2_000;
/// Of a default, as JSON. A longer one says nothing that a type does not.
const MAX_DEFAULT: usize = 200;
const MAX_EXAMPLE: usize = 60;
const MAX_VALUE_LEVELS: usize = 8;

pub(super) fn conformed(schema: Value, way: Way, definitions: &mut Definitions<'_, '_>) -> Value {
    Conform { way, definitions }.schema(schema, MAX_LEVELS)
}

struct Conform<'c, 'a, 'd> {
    way: Way,
    definitions: &'c mut Definitions<'a, 'd>,
}

impl Conform<'_, '_, '_> {
    fn schema(&mut self, schema: Value, levels: usize) -> Value {
        let map = match schema {
            Value::Object(map) if levels > 0 => map,
            Value::Bool(false) => return schema,
            _ => return Value::Bool(true),
        };
        let nullable = ["nullable", "x-nullable"]
            .iter()
            .any(|keyword| map.get(*keyword) == Some(&Value::Bool(true)));
        let mut schema = self.keywords(map, levels - 1);
        if nullable {
            schema = with_null(schema);
        }
        if schema.is_empty() {
            Value::Bool(true)
        } else {
            Value::Object(schema)
        }
    }

    fn keywords(&mut self, mut map: Map<String, Value>, levels: usize) -> Map<String, Value> {
        if let Some(Value::String(reference)) = map.get("$ref") {
            let target = self.definitions.reference(reference, self.way);
            // In 3.0 and before, what stands beside a reference is not part of it.
            if self.definitions.document.dialect != Dialect::OpenApi31 {
                map.retain(|keyword, _| {
                    matches!(keyword.as_str(), "description" | "deprecated" | "default")
                });
            }
            let mut schema = match target {
                Some(Value::Object(target)) => target,
                _ => Map::new(),
            };
            map.remove("$ref");
            schema.extend(self.keywords(map, levels));
            return schema;
        }
        if is_file(&map) {
            let Value::Object(mut schema) = bytes() else {
                return Map::new();
            };
            let text = map.get("description").and_then(Value::as_str);
            schema.extend(text.and_then(described));
            return schema;
        }
        let dropped = self.one_way(&map);
        let exclusive = exclusive_limits(&mut map);
        let tuple = map.get("items").is_some_and(Value::is_array);
        let rest = map.remove("additionalItems");
        let mut schema = Map::new();
        let mut second = None;
        for (keyword, value) in map {
            let value = match keyword.as_str() {
                "properties" => self.members(value, &dropped, levels),
                "patternProperties" | "dependentSchemas" => {
                    self.members(value, &BTreeSet::new(), levels)
                }
                "items" if tuple => {
                    if let Some(prefix) = self.list(value, levels) {
                        schema.insert("prefixItems".to_owned(), prefix);
                    }
                    rest.clone().and_then(|rest| self.sub(rest, levels))
                }
                "items"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "unevaluatedItems"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames" => self.sub(value, levels),
                "allOf" | "prefixItems" => self.list(value, levels),
                "anyOf" | "oneOf" => {
                    if let Some(arms) = self.list(value, levels)
                        && let Some(first) = schema.insert("anyOf".to_owned(), arms)
                    {
                        second = Some(json!({ "anyOf": first }));
                    }
                    continue;
                }
                "required" => required(value, &dropped),
                "example" => {
                    if let Some(example) = example(value)
                        && !schema.contains_key("examples")
                    {
                        schema.insert("examples".to_owned(), Value::Array(vec![example]));
                    }
                    continue;
                }
                _ => plain(&keyword, value),
            };
            if let Some(value) = value {
                schema.insert(keyword, value);
            }
        }
        schema.extend(exclusive);
        if contradicts(&schema) {
            schema.shift_remove("type");
        }
        // `anyOf` and `oneOf` at once: one more condition.
        if let Some(second) = second {
            match schema.get_mut("allOf") {
                Some(Value::Array(all)) => all.push(second),
                _ => {
                    schema.insert("allOf".to_owned(), Value::Array(vec![second]));
                }
            }
        }
        schema
    }

    /// Properties that do not travel this way.
    fn one_way(&self, map: &Map<String, Value>) -> BTreeSet<String> {
        let properties = map.get("properties").and_then(Value::as_object);
        properties
            .into_iter()
            .flatten()
            .filter(|(_, schema)| self.definitions.leaves_out(schema, self.way))
            .map(|(name, _)| name.clone())
            .collect()
    }

    fn sub(&mut self, value: Value, levels: usize) -> Option<Value> {
        (value.is_object() || value.is_boolean()).then(|| self.schema(value, levels))
    }

    fn members(
        &mut self,
        value: Value,
        dropped: &BTreeSet<String>,
        levels: usize,
    ) -> Option<Value> {
        let Value::Object(members) = value else {
            return None;
        };
        let kept = members
            .into_iter()
            .filter(|(name, _)| !dropped.contains(name.as_str()));
        let members: Map<String, Value> = kept
            .map(|(name, schema)| (name, self.schema(schema, levels)))
            .collect();
        Some(Value::Object(members))
    }

    /// An empty list of alternatives is a mistake, not a value that cannot be.
    fn list(&mut self, value: Value, levels: usize) -> Option<Value> {
        let Value::Array(items) = value else {
            return None;
        };
        let items: Vec<Value> = items
            .into_iter()
            .map(|item| self.schema(item, levels))
            .collect();
        (!items.is_empty()).then_some(Value::Array(items))
    }
}

/// Keywords without schemas in them, where they are of the right kind.
fn plain(keyword: &str, value: Value) -> Option<Value> {
    match keyword {
        "type" => types(value),
        "enum" => value
            .as_array()
            .is_some_and(|values| !values.is_empty() && is_flat(&value))
            .then_some(value),
        "const" => is_flat(&value).then_some(value),
        "default" => shallow(value, MAX_DEFAULT),
        "examples" => match value {
            Value::Array(mut examples) if !examples.is_empty() => {
                example(examples.swap_remove(0)).map(|first| Value::Array(vec![first]))
            }
            _ => None,
        },
        "description" => value.as_str().and_then(described).map(|(_, text)| text),
        "format" => value.is_string().then_some(value),
        "pattern" => value.as_str().map(|text| json!(without_slashes(text))),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            value.is_number().then_some(value)
        }
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
        | "minContains" | "maxContains" => value.is_u64().then_some(value),
        "uniqueItems" | "deprecated" => (value == Value::Bool(true)).then_some(value),
        _ => None,
    }
}

/// The keyword of a text that says something.
pub(super) fn described(text: &str) -> Option<(String, Value)> {
    let text = text.trim();
    let text = (!text.is_empty()).then(|| cut(text, MAX_DESCRIPTION_CHARS))?;
    Some(("description".to_owned(), Value::String(text)))
}

fn types(value: Value) -> Option<Value> {
    match value {
        Value::String(word) => known(&word).map(|word| json!(word)),
        Value::Array(words) => {
            let words: Vec<&str> = words
                .iter()
                .filter_map(Value::as_str)
                .filter_map(known)
                .collect();
            (!words.is_empty()).then(|| json!(words))
        }
        _ => None,
    }
}

/// The standard's word for a type, also where the document has another of the same meaning.
fn known(word: &str) -> Option<&'static str> {
    let word = match word {
        "string" | "date" | "date-time" | "datetime" | "uuid" | "uri" | "email" | "password" => {
            "string"
        }
        "number" | "float" | "double" | "decimal" => "number",
        "integer" | "int" | "int32" | "int64" | "long" => "integer",
        "boolean" | "bool" => "boolean",
        "array" | "list" => "array",
        "object" | "map" => "object",
        "null" => "null",
        _ => return None,
    };
    Some(word)
}

/// A pattern written as a literal of JavaScript matches nothing: no text has a slash before its beginning.
fn without_slashes(pattern: &str) -> &str {
    let inner = pattern
        .strip_prefix('/')
        .and_then(|it| it.strip_suffix('/'));
    inner
        .filter(|it| it.starts_with('^') && it.ends_with('$'))
        .unwrap_or(pattern)
}

/// A type that a listed value is not of is a mistake (of YAML, which reads `no` as false): the values tell more.
fn contradicts(schema: &Map<String, Value>) -> bool {
    let Some(Value::Array(values)) = schema.get("enum") else {
        return false;
    };
    let has = |word: &str| match schema.get("type") {
        Some(Value::Array(words)) => words.iter().any(|it| it == word),
        Some(it) => it == word,
        None => true,
    };
    values.iter().any(|value| match value {
        // Null goes its own way (`with_null`).
        Value::Null => false,
        Value::Bool(_) => !has("boolean"),
        Value::Number(number) => !has("number") && (!has("integer") || number.is_f64()),
        Value::String(_) => !has("string"),
        Value::Array(_) => !has("array"),
        Value::Object(_) => !has("object"),
    })
}

fn required(value: Value, dropped: &BTreeSet<String>) -> Option<Value> {
    let Value::Array(names) = value else {
        return None;
    };
    let names: Vec<Value> = names
        .into_iter()
        .filter(|name| name.as_str().is_some_and(|name| !dropped.contains(name)))
        .collect();
    (!names.is_empty()).then_some(Value::Array(names))
}

/// An example that costs a reader next to nothing.
pub(super) fn example(value: Value) -> Option<Value> {
    shallow(value, MAX_EXAMPLE)
}

/// A value that is short and flat.
fn shallow(value: Value, most: usize) -> Option<Value> {
    (value.to_string().len() <= most && is_flat(&value)).then_some(value)
}

/// Not so nested that what holds it could not be read again, and nothing that looks like a reference in it.
fn is_flat(value: &Value) -> bool {
    fn fits(value: &Value, levels: usize) -> bool {
        match value {
            Value::Array(items) => levels > 0 && items.iter().all(|it| fits(it, levels - 1)),
            Value::Object(map) => {
                levels > 0
                    && !map.contains_key("$ref")
                    && map.values().all(|it| fits(it, levels - 1))
            }
            _ => true,
        }
    }
    fits(value, MAX_VALUE_LEVELS)
}

/// Swagger's `file`, 3.0's `binary`, and 3.1's content without an encoding.
fn is_file(map: &Map<String, Value>) -> bool {
    let has = |keyword: &str, value: &str| map.get(keyword).is_some_and(|it| it == value);
    has("type", "file")
        || has("type", "string")
            && (has("format", "binary")
                || has("contentMediaType", "application/octet-stream")
                    && !map.contains_key("contentEncoding"))
}

/// Until draft 4 an exclusive limit was a flag beside the limit.
fn exclusive_limits(map: &mut Map<String, Value>) -> Vec<(String, Value)> {
    let mut limits = Vec::new();
    for (flag, limit) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        if map.get(flag) == Some(&Value::Bool(true)) {
            map.shift_remove(flag);
            let value = map.shift_remove(limit).filter(Value::is_number);
            limits.extend(value.map(|value| (flag.to_owned(), value)));
        }
    }
    limits
}

/// The same schema, and null.
fn with_null(mut schema: Map<String, Value>) -> Map<String, Value> {
    let null = json!({ "type": "null" });
    let has = |keyword: &str| schema.contains_key(keyword);
    if has("$ref") || has("allOf") || has("const") || has("not") || has("anyOf") && has("type") {
        let described = schema.shift_remove("description");
        let either = Value::Array(vec![Value::Object(schema), null]);
        let described = described.map(|text| ("description".to_owned(), text));
        return described
            .into_iter()
            .chain([("anyOf".to_owned(), either)])
            .collect();
    }
    if let Some(Value::Array(arms)) = schema.get_mut("anyOf") {
        if !arms.contains(&null) {
            arms.push(null);
        }
        return schema;
    }
    if is_bytes(&Value::Object(schema.clone())) {
        return schema;
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    match schema.get_mut("type") {
        Some(Value::Array(words)) if !words.contains(&json!("null")) => words.push(json!("null")),
        Some(Value::String(word)) if word != "null" => {
            let both = json!([word, "null"]);
            schema.insert("type".to_owned(), both);
        }
        _ => {}
    }
    schema
}
