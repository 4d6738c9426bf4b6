//! What a success gives: the type of what a call resolves to, and the media type that is asked for.

use serde_json::{Value, json};

use super::definitions::{Definitions, Way};
use super::document::{Dialect, Site};
use super::media::{self, Kind, Media, bytes, essence, is_bytes, is_one};
use super::raw::{Fields, Raw};
use super::swagger;

#[derive(Debug, Default)]
pub(super) struct Success {
    pub(super) schema: Option<Value>,
    pub(super) accept: Option<String>,
}

pub(super) fn of<'d>(
    verb: &str,
    operation: &Fields<'d>,
    definitions: &mut Definitions<'_, 'd>,
) -> Success {
    let nothing = Success {
        schema: Some(json!({ "type": "null" })),
        accept: None,
    };
    if verb == "HEAD" {
        return nothing;
    }
    let responses = operation.object("responses").unwrap_or_default();
    let mut successes: Vec<(&str, Raw<'d>)> = responses
        .iter()
        .filter(|(status, _)| is_success(status))
        .collect();
    successes.sort_by_key(|(status, _)| status.to_ascii_uppercase());
    if successes.is_empty() {
        successes.extend(responses.get("default").map(|raw| ("default", raw)));
    }
    let empty = |status: &str| status == "204" || status == "205";
    let with_empty = successes.iter().any(|(status, _)| empty(status));
    let found = successes
        .iter()
        .filter(|(status, _)| !empty(status))
        .find_map(|(_, raw)| {
            let site = definitions.document.follow(raw).ok()?;
            body(&site, operation, definitions)
        });
    match found {
        Some(mut success) => {
            if with_empty {
                success.schema = success.schema.map(or_null);
            }
            success
        }
        None if with_empty => nothing,
        // A success of which nothing is said is often one of which nothing was written down.
        None => Success::default(),
    }
}

fn is_success(status: &str) -> bool {
    status.len() == 3 && status.starts_with('2')
}

fn or_null(schema: Value) -> Value {
    match schema {
        Value::Bool(true) => schema,
        schema => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

fn body<'d>(
    site: &Site<'d>,
    operation: &Fields<'d>,
    definitions: &mut Definitions<'_, 'd>,
) -> Option<Success> {
    let (media, pointer) = match definitions.document.dialect {
        Dialect::Swagger2 => {
            let produces = swagger::types("produces", operation, &definitions.document.produces);
            site.fields.get("schema")?;
            let all = produces.iter().map(|name| (name.clone(), Kind::of(name)));
            let best = all.min_by_key(|(_, kind)| kind.reading_rank());
            let (name, kind) = best.unwrap_or(("application/json".to_owned(), Kind::Json));
            let fields = site.fields.clone();
            (Media { name, kind, fields }, site.within(&["schema"]))
        }
        Dialect::OpenApi30 | Dialect::OpenApi31 => {
            let media = media::read(&site.fields.object("content")?)?;
            let pointer = site.within(&["content", &media.name, "schema"]);
            (media, pointer)
        }
    };
    let schema = match media.kind {
        Kind::Json | Kind::LikeJson => {
            let raw = media.fields.get("schema");
            raw.map(|raw| definitions.schema(raw, pointer, Way::Read))
        }
        Kind::Text | Kind::Xml | Kind::Form => Some(json!({ "type": "string" })),
        Kind::Bytes | Kind::Multipart => Some(bytes()),
        Kind::Other => None,
    };
    // A file that is said to be JSON is a file.
    let plain = !is_one(&media.name) || essence(&media.name) == "application/json";
    let accept = (!plain || schema.as_ref().is_some_and(is_bytes)).then_some(media.name);
    Some(Success { schema, accept })
}
