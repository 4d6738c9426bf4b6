//! Methods of an MCP server's tools, as the server lists them.
//!
//! A server may list anything. What is no tool is skipped with a reason, a schema that is none is left out with a note, and
//! neither costs another tool. What a server says of its own tools only tightens, unless the application trusts it.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::names::identifiers;
use super::record::{Approval, MethodRecord};
use super::source::{Report, Sink, Skipped};
use crate::error::{Code, Error};

/// Each tool as a text of its own: one that cannot be read (nested without end) must not take the list with it.
#[derive(Deserialize)]
struct Listed<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
    #[serde(default, rename = "trustHints")]
    trust_hints: bool,
    /// Wanted instead of the server's own, by place.
    #[serde(default)]
    names: Vec<Option<String>>,
}

struct Tool {
    name: String,
    wanted: Option<String>,
    fields: Map<String, Value>,
}

pub(super) fn derive(text: &str, sink: &mut impl Sink) -> Result<Report, Error> {
    let listed: Listed = serde_json::from_str(text).map_err(|error| {
        Error::new(
            Code::InvalidInput,
            format!("the list of tools is not readable: {error}"),
        )
    })?;
    let mut report = Report::default();
    let tools = tools(&listed, &mut report);
    let names = identifiers(tools.iter().map(|tool| {
        let wanted = tool.wanted.as_deref().unwrap_or(&tool.name);
        (wanted, tool.name.as_str())
    }));
    for (tool, name) in tools.into_iter().zip(names) {
        sink.method(record(tool, name, listed.trust_hints, &mut report))?;
    }
    Ok(report)
}

fn tools(listed: &Listed, report: &mut Report) -> Vec<Tool> {
    let mut names = BTreeSet::new();
    let mut tools = Vec::new();
    let mut wanted = listed.names.iter();
    for (place, raw) in (1..).zip(&listed.tools) {
        let wanted = wanted.next().cloned().flatten();
        let (what, why) = match read(raw) {
            Ok((name, fields)) if names.insert(name.clone()) => {
                tools.push(Tool {
                    name,
                    wanted,
                    fields,
                });
                continue;
            }
            Ok((name, _)) => (
                name,
                "the server lists this name twice, and can be asked for the first only".to_owned(),
            ),
            Err(why) => (format!("tool {place}"), why),
        };
        report.skipped.push(Skipped { what, why });
    }
    tools
}

fn read(raw: &RawValue) -> Result<(String, Map<String, Value>), String> {
    match serde_json::from_str(raw.get()) {
        Ok(Value::Object(fields)) => match fields.get("name") {
            Some(Value::String(name)) => Ok((name.clone(), fields)),
            _ => Err("it has no name".to_owned()),
        },
        Ok(other) => Err(format!("it is {}, and a tool is an object", kind(&other))),
        Err(error) => Err(format!("it cannot be read: {error}")),
    }
}

fn record(tool: Tool, name: String, trusted: bool, report: &mut Report) -> MethodRecord {
    let mut fields = tool.fields;
    let mut notes = Vec::new();
    let mut schema = |key: &str, effect: &str| match fields.remove(key) {
        Some(Value::Object(schema)) => Some(schema),
        None | Some(Value::Null | Value::Bool(true)) => None,
        Some(other) => {
            let why = format!("its {key} is {}, and a schema is an object", kind(&other));
            notes.push(format!("Note: {why}; {effect}."));
            report.skipped.push(Skipped {
                what: format!("{} ({key})", tool.name),
                why,
            });
            None
        }
    };
    let input_schema = schema("inputSchema", "arguments go out as they are").map(Value::Object);
    let output_schema = schema("outputSchema", "what it returns is not known").map(with_content);

    let annotations = fields.get("annotations");
    let hint = |key: &str| annotations.and_then(|it| it.get(key)) == Some(&Value::Bool(true));
    let mut titles = [
        text(fields.get("description")),
        text(fields.get("title")),
        text(annotations.and_then(|it| it.get("title"))),
    ]
    .into_iter()
    .flatten();
    let said = titles.next();
    let tags = titles.next().into_iter().map(str::to_owned).collect();
    let described = said.into_iter().chain(notes.iter().map(String::as_str));
    let description = described.collect::<Vec<_>>().join("\n\n");

    MethodRecord {
        original: (tool.name != name).then_some(tool.name),
        name,
        description: (!description.is_empty()).then_some(description),
        input_schema,
        output_schema,
        requires_approval: if hint("destructiveHint") {
            Approval::Always
        } else {
            Approval::Never
        },
        read_only: trusted && hint("readOnlyHint"),
        idempotent: trusted && hint("idempotentHint"),
        replay: None,
        revert: false,
        operation: None,
        tags,
    }
}

/// The schema of what a program gets: the structured result, and under one more key the blocks that say more than it
/// (`js-shim/client/mcp-value.ts`). A result that is no object has no place for a key.
fn with_content(mut schema: Map<String, Value>) -> Value {
    if schema
        .get("type")
        .is_some_and(|kind| kind != "object" && *kind != json!(["object"]))
    {
        return Value::Object(schema);
    }
    let properties = schema
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(properties) = properties {
        let mut key = "_content".to_owned();
        while properties.contains_key(&key) {
            key.insert(0, '_');
        }
        properties.insert(key, blocks());
    }
    Value::Object(schema)
}

fn blocks() -> Value {
    json!({
        "type": "array",
        "description": "Blocks of the answer that say more: texts, images, resources; data is a Uint8Array",
        "items": {
            "type": "object",
            "properties": { "type": { "type": "string" }, "text": { "type": "string" }, "mimeType": { "type": "string" }, "data": {} },
            "required": ["type"],
        },
    })
}

/// A text that says something.
fn text(value: Option<&Value>) -> Option<&str> {
    value?.as_str().filter(|text| !text.trim().is_empty())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
