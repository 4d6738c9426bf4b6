//! The body of a request: in which media type it is sent, and what a program gives for it.
//!
//! A method without the body that it needs would be a trap, so a lost body loses the method.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::definitions::{Definitions, Way};
use super::document::Dialect;
use super::media::{self, Kind, Media, bytes, is_bytes};
use super::parameters::{Declared, Place};
use super::raw::{Fields, Raw};
use super::schema::{conformed, described};
use super::swagger;
use crate::catalog::operation::{Body, Encoding};

/// # Errors
/// Why the body is lost.
pub(super) fn of<'d>(
    operation: &Fields<'d>,
    declared: &[Declared<'d>],
    definitions: &mut Definitions<'_, 'd>,
) -> Result<Option<(Body, Value)>, String> {
    if definitions.document.dialect == Dialect::Swagger2 {
        return Ok(of_swagger(operation, declared, definitions));
    }
    let Some(raw) = operation
        .get("requestBody")
        .filter(|raw| raw.get() != "null")
    else {
        return Ok(None);
    };
    let site = definitions
        .document
        .follow(raw)
        .map_err(|why| format!("its request body is {why}"))?;
    let required = site.fields.is_true("required");
    let content = site.fields.object("content").unwrap_or_default();
    let Some(media) = media::written(&content) else {
        // It says that there is a body, and nothing of it.
        let body = json_body(required);
        return Ok(required.then_some((body, Value::Bool(true))));
    };
    let pointer = site.within(&["content", &media.name, "schema"]);
    let (schema, kind) = schema(&media, pointer, definitions);
    let schema = with_description(schema, site.fields.text("description"));
    let body = Body {
        required,
        media_type: media::sendable(&media.name, kind),
        encoding: encodings(&media),
    };
    Ok(Some((body, schema)))
}

fn json_body(required: bool) -> Body {
    Body {
        required,
        media_type: "application/json".to_owned(),
        encoding: BTreeMap::new(),
    }
}

/// What a program gives, and what kind it turned out to be.
fn schema<'d>(
    media: &Media<'d>,
    pointer: Option<String>,
    definitions: &mut Definitions<'_, 'd>,
) -> (Value, Kind) {
    let raw: Option<Raw<'d>> = media.fields.get("schema");
    let own = raw
        .and_then(Fields::read)
        .and_then(|it| it.text("description"));
    let schema = match media.kind {
        Kind::Json | Kind::LikeJson | Kind::Form | Kind::Multipart => {
            let schema = raw.map_or(Value::Bool(true), |raw| {
                definitions.schema(raw, pointer, Way::Sent)
            });
            if media.kind == Kind::LikeJson && is_bytes(&schema) {
                return (schema, Kind::Bytes);
            }
            schema
        }
        Kind::Bytes => with_description(bytes(), own),
        Kind::Text | Kind::Xml => with_description(json!({ "type": "string" }), own),
        Kind::Other => with_description(json!({ "anyOf": [{ "type": "string" }, bytes()] }), own),
    };
    (schema, media.kind)
}

fn encodings(media: &Media<'_>) -> BTreeMap<String, Encoding> {
    let encoding = media.fields.object("encoding").unwrap_or_default();
    let read = |raw| {
        let fields = Fields::read(raw)?;
        let types = fields.text("contentType");
        let encoding = Encoding {
            // Of several the first: a part has one.
            content_type: types.and_then(|types| Some(types.split(',').next()?.trim().to_owned())),
            style: fields.text("style"),
            explode: fields.flag("explode"),
            allow_reserved: fields.is_true("allowReserved"),
        };
        let says = encoding.content_type.is_some()
            || encoding.style.is_some()
            || encoding.explode.is_some()
            || encoding.allow_reserved;
        says.then_some(encoding)
    };
    encoding
        .iter()
        .filter_map(|(name, raw)| Some((name.to_owned(), read(raw)?)))
        .collect()
}

fn of_swagger<'d>(
    operation: &Fields<'d>,
    declared: &[Declared<'d>],
    definitions: &mut Definitions<'_, 'd>,
) -> Option<(Body, Value)> {
    let consumes = swagger::types("consumes", operation, &definitions.document.consumes);
    if let Some(body) = declared.iter().find(|it| it.place == Place::Body) {
        let fields = &body.site.fields;
        let best = consumes.iter().min_by_key(|name| Kind::of(name));
        let name = best.map_or("application/json", String::as_str);
        let media = Media {
            name: name.to_owned(),
            kind: Kind::of(name),
            fields: fields.clone(),
        };
        let (schema, kind) = schema(&media, body.site.within(&["schema"]), definitions);
        let body = Body {
            media_type: media::sendable(name, kind),
            ..json_body(fields.is_true("required"))
        };
        return Some((body, with_description(schema, fields.text("description"))));
    }
    let parts = declared.iter().filter(|it| it.place == Place::Form);
    let parts: Vec<&Declared<'d>> = parts.collect();
    if parts.is_empty() {
        return None;
    }
    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut encoding = BTreeMap::new();
    let mut with_files = false;
    for Declared { name, site, .. } in parts {
        let schema = conformed(swagger::schema(&site.fields), Way::Sent, definitions);
        with_files |= is_bytes(&schema);
        properties.insert(name.clone(), schema);
        if site.fields.is_true("required") {
            required.push(name.clone());
        }
        encoding.extend(swagger::encoding(&site.fields).map(|it| (name.clone(), it)));
    }
    let body = Body {
        required: !required.is_empty(),
        media_type: swagger::form_type(&consumes, with_files),
        encoding,
    };
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty()
        && let Value::Object(map) = &mut schema
    {
        map.insert("required".to_owned(), json!(required));
    }
    Some((body, schema))
}

fn with_description(schema: Value, text: Option<String>) -> Value {
    let described = text.as_deref().and_then(described);
    match (schema, described) {
        (Value::Object(mut map), Some((keyword, text))) => {
            map.insert(keyword, text);
            Value::Object(map)
        }
        (Value::Bool(true), Some((keyword, text))) => json!({ keyword: text }),
        (schema, _) => schema,
    }
}
