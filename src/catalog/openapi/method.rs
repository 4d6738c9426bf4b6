//! One operation as a method: everything that its record says.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::definitions::Definitions;
use super::operations::{Found, Item, REQUEST};
use super::parameters::{self, Declared, Place};
use super::raw::Fields;
use super::{body, responses, servers};
use crate::catalog::operation::{In, Operation, Parameter};
use crate::catalog::record::{Approval, MethodRecord};
use crate::catalog::types::cut;

const MAX_DESCRIPTION_CHARS: usize = 2_000;
const MAX_TAGS: usize = 20;
const MAX_TAG_CHARS: usize = 100;

/// The key of a body among the arguments.
const BODY: &str = "body";

/// What is the same for all methods of a document.
#[derive(Debug)]
pub(super) struct Common {
    pub(super) server: Option<String>,
    pub(super) credentials: BTreeSet<(In, String)>,
}

/// # Errors
/// Why the operation cannot be called.
pub(super) fn of<'d>(
    found: &Found<'d>,
    item: &Item<'d>,
    common: &Common,
    definitions: &mut Definitions<'_, 'd>,
) -> Result<MethodRecord, String> {
    let operation = Fields::read(found.raw).ok_or("it is no object")?;
    let declared = parameters::declared(definitions.document, &item.fields, &operation)?;
    let mut body = body::of(&operation, &declared, definitions)?;
    if matches!(found.verb.as_str(), "GET" | "HEAD")
        && body.take().is_some_and(|(body, _)| body.required)
    {
        return Err(format!(
            "it needs a body, and a {} request has none",
            found.verb
        ));
    }
    let (parameters, schemas) = parameters(item, common, &declared, body.is_some(), definitions);
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (parameter, schema) in parameters.iter().zip(schemas) {
        properties.insert(parameter.key.clone(), schema);
        if parameter.required {
            required.push(parameter.key.clone());
        }
    }
    let body = body.map(|(body, schema)| {
        properties.insert(BODY.to_owned(), schema);
        if body.required {
            required.push(BODY.to_owned());
        }
        body
    });
    let success = responses::of(&found.verb, &operation, definitions);
    let own = servers::of(&operation).or_else(|| servers::of(&item.fields));
    let tags = operation.texts("tags").into_iter();
    Ok(MethodRecord {
        name: found.name.clone(),
        original: found.id.clone().filter(|id| *id != found.name),
        description: Some(description(found, item, &operation)),
        input_schema: Some(input(properties, required)),
        output_schema: success.schema,
        requires_approval: match found.verb.as_str() {
            "DELETE" => Approval::Always,
            _ => Approval::Never,
        },
        read_only: matches!(found.verb.as_str(), "GET" | "HEAD"),
        idempotent: false,
        replay: None,
        revert: false,
        operation: Some(Operation {
            verb: found.verb.clone(),
            path: sent(&item.path),
            server: own.or_else(|| common.server.clone()),
            parameters,
            body,
            accept: success.accept,
            raw: false,
        }),
        tags: tags
            .take(MAX_TAGS)
            .map(|tag| cut(&tag, MAX_TAG_CHARS))
            .collect(),
    })
}

fn input(properties: Map<String, Value>, required: Vec<String>) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    Value::Object(schema)
}

/// Those that a program gives, and their schemas.
fn parameters<'d>(
    item: &Item<'d>,
    common: &Common,
    declared: &[Declared<'d>],
    with_body: bool,
    definitions: &mut Definitions<'_, 'd>,
) -> (Vec<Parameter>, Vec<Value>) {
    let variables = variables(&item.path);
    let in_path: BTreeSet<&str> = variables.iter().copied().collect();
    let mut all: Vec<(Parameter, Value)> = Vec::new();
    for declared in declared {
        let Place::In(place) = declared.place else {
            continue;
        };
        let absent = place == In::Path && !in_path.contains(declared.name.as_str());
        if !absent && !parameters::hidden(&common.credentials, place, &declared.name) {
            all.push(parameters::written(declared, place, definitions));
        }
    }
    // A template is not filled without a value, whether it is declared or not.
    let known: BTreeSet<String> = all
        .iter()
        .filter(|(parameter, _)| parameter.place == In::Path)
        .map(|(parameter, _)| parameter.key.clone())
        .collect();
    let undeclared = variables.iter().filter(|name| !known.contains(**name));
    all.extend(undeclared.map(|name| (parameters::undeclared(name), json!({ "type": "string" }))));
    let (mut parameters, schemas): (Vec<Parameter>, Vec<Value>) = all.into_iter().unzip();
    let taken = with_body.then(|| BODY.to_owned());
    parameters::keyed(&mut parameters, taken.into_iter().collect());
    (parameters, schemas)
}

/// The path without its fragment, which tells operations apart and is never sent.
fn sent(path: &str) -> String {
    let path = path.split('#').next().unwrap_or_default();
    if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("/{path}")
    }
}

/// The names between braces, each once.
fn variables(path: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut seen = BTreeSet::new();
    let path = path.split('#').next().unwrap_or_default();
    for part in path.split('{').skip(1) {
        if let Some((name, _)) = part.split_once('}')
            && !name.is_empty()
            && seen.insert(name)
        {
            names.push(name);
        }
    }
    names
}

fn description(found: &Found<'_>, item: &Item<'_>, operation: &Fields<'_>) -> String {
    let text = |name: &str| {
        let own = operation.text(name).filter(|text| !text.trim().is_empty());
        own.map(|text| text.trim().to_owned())
    };
    let summary = text("summary");
    let long = text("description");
    let head = match (&summary, &long) {
        (Some(summary), _) => summary.clone(),
        // Nothing but what it asks of whom.
        (None, None) => format!("{} {}", found.verb, item.path),
        (None, Some(_)) => String::new(),
    };
    let mut parts = Vec::new();
    if operation.is_true("deprecated") {
        parts.push(format!("Deprecated. {head}").trim().to_owned());
    } else if !head.is_empty() {
        parts.push(head);
    }
    parts.extend(long.filter(|long| summary.as_ref() != Some(long)));
    cut(&parts.join("\n\n"), MAX_DESCRIPTION_CHARS)
}

/// The escape hatch: whatever the service has that no method stands for.
pub(super) fn request(server: Option<String>) -> MethodRecord {
    let text = |description: &str| json!({ "type": "string", "description": description });
    let schema = json!({
        "type": "object",
        "properties": {
            "method": text("HTTP verb, `GET`"),
            "path": text("With its values filled in and encoded, `/users/a%20b`; never another host"),
            "query": { "type": "object", "additionalProperties": true },
            "headers": { "type": "object", "additionalProperties": { "type": "string" } },
            "body": true,
            "contentType": text("Media type of `body`; `application/json` when left out"),
        },
        "required": ["method", "path"],
        "additionalProperties": false,
    });
    MethodRecord {
        name: REQUEST.to_owned(),
        original: None,
        description: Some(
            "Sends any request to this service. For what no other method does: a named method knows its parameters and \
             its result, so search for one first. Approval follows the verb."
                .to_owned(),
        ),
        input_schema: Some(schema),
        output_schema: None,
        requires_approval: Approval::Ask,
        read_only: false,
        idempotent: false,
        replay: None,
        revert: false,
        operation: Some(Operation {
            server,
            raw: true,
            ..Operation::default()
        }),
        tags: Vec::new(),
    }
}
