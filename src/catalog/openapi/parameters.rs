//! Parameters: which ones an operation has, how each is written into the request, and under which key a program gives it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::definitions::{Definitions, Way};
use super::document::{Dialect, Document, Site};
use super::raw::{Fields, Raw, value};
use super::schema::{conformed, described, example};
use super::{media, swagger};
use crate::catalog::operation::{In, Parameter};

/// Where a declared parameter goes. Swagger 2.0 has bodies among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    In(In),
    Body,
    Form,
}

#[derive(Debug)]
pub(super) struct Declared<'d> {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) site: Site<'d>,
}

/// Header parameters that are the transport's to set (OpenAPI itself says so of three of them).
#[rustfmt::skip]
const TRANSPORT: [&str; 6] = [
    "accept", "authorization", "content-type", "cookie", "content-length", "host",
];

#[rustfmt::skip]
const STYLES: [&str; 7] = [
    "matrix", "label", "simple", "form", "spaceDelimited", "pipeDelimited", "deepObject",
];

/// Those of the path item, and those of the operation in the place of the ones that have their name.
///
/// # Errors
/// Why a parameter is lost, and with it the operation: nobody can know whether it is required.
pub(super) fn declared<'d>(
    document: &Document<'d>,
    item: &Fields<'d>,
    operation: &Fields<'d>,
) -> Result<Vec<Declared<'d>>, String> {
    let mut all: Vec<Declared<'d>> = Vec::new();
    let lists = [item.list("parameters"), operation.list("parameters")];
    let mut seen = BTreeMap::new();
    for raw in lists.into_iter().flatten() {
        let Some(found) = one(document, raw)? else {
            continue;
        };
        let place = match found.place {
            Place::In(place) => Some(place),
            Place::Body | Place::Form => None,
        };
        match seen.get(&(place, found.name.clone())) {
            Some(known) => {
                if let Some(known) = all.get_mut(*known) {
                    *known = found;
                }
            }
            None => {
                seen.insert((place, found.name.clone()), all.len());
                all.push(found);
            }
        }
    }
    Ok(all)
}

fn one<'d>(document: &Document<'d>, raw: Raw<'d>) -> Result<Option<Declared<'d>>, String> {
    let site = document
        .follow(raw)
        .map_err(|why| format!("a parameter is {why}"))?;
    let Some(place) = site.fields.text("in") else {
        return Err("a parameter does not say where it goes (`in`)".to_owned());
    };
    let name = site.fields.text("name").filter(|name| !name.is_empty());
    let swagger = document.dialect == Dialect::Swagger2;
    let place = match place.as_str() {
        "path" => Place::In(In::Path),
        "query" => Place::In(In::Query),
        "header" => Place::In(In::Header),
        "cookie" => Place::In(In::Cookie),
        "body" if swagger => Place::Body,
        "formData" if swagger => Place::Form,
        _ if !site.fields.is_true("required") => return Ok(None),
        place => {
            return Err(format!(
                "a required parameter is in {place:?}, which is unknown"
            ));
        }
    };
    let Some(name) = name.or_else(|| (place == Place::Body).then(|| "body".to_owned())) else {
        // It cannot be sent, and need not be.
        if !site.fields.is_true("required") {
            return Ok(None);
        }
        return Err("a required parameter has no name".to_owned());
    };
    Ok(Some(Declared { name, place, site }))
}

/// What a security scheme of the document says under this name. It is the application's, and hidden from programs.
pub(super) fn credentials(document: &Document<'_>) -> BTreeSet<(In, String)> {
    let schemes = ["/components/securitySchemes", "/securityDefinitions"];
    let found = schemes
        .into_iter()
        .flat_map(|section| document.section(section));
    found
        .filter_map(|(_, raw)| document.follow(raw).ok())
        .filter(|site| site.fields.text("type").as_deref() == Some("apiKey"))
        .filter_map(|site| {
            let place = match site.fields.text("in")?.as_str() {
                "query" => In::Query,
                "header" => In::Header,
                "cookie" => In::Cookie,
                _ => return None,
            };
            Some((place, canonical(place, &site.fields.text("name")?)))
        })
        .collect()
}

/// Names of headers are the same in any case.
fn canonical(place: In, name: &str) -> String {
    match place {
        In::Header => name.to_ascii_lowercase(),
        In::Path | In::Query | In::Cookie => name.to_owned(),
    }
}

/// Is it for the transport or the application to set?
pub(super) fn hidden(credentials: &BTreeSet<(In, String)>, place: In, name: &str) -> bool {
    let name = canonical(place, name);
    place == In::Header && TRANSPORT.contains(&name.as_str())
        || credentials.contains(&(place, name))
}

/// How it is written, its key still to be given, and its schema.
pub(super) fn written<'d>(
    declared: &Declared<'d>,
    place: In,
    definitions: &mut Definitions<'_, 'd>,
) -> (Parameter, Value) {
    let Declared { name, site, .. } = declared;
    let fields = &site.fields;
    let mut parameter = Parameter {
        place,
        required: place == In::Path || fields.is_true("required"),
        allow_reserved: fields.is_true("allowReserved"),
        ..undeclared(name)
    };
    let media = fields.object("content").and_then(|it| media::written(&it));
    let schema = if definitions.document.dialect == Dialect::Swagger2 {
        let style = swagger::style(fields, place);
        (parameter.style, parameter.explode) = (style.style, style.explode);
        conformed(swagger::schema(fields), Way::Sent, definitions)
    } else if let Some(raw) = fields.get("schema") {
        style(fields, &mut parameter);
        definitions.schema(raw, site.within(&["schema"]), Way::Sent)
    } else if let Some(media) = media {
        let pointer = site.within(&["content", &media.name, "schema"]);
        let raw = media.fields.get("schema");
        parameter.content = Some(media::sendable(&media.name, media.kind));
        raw.map_or(Value::Bool(true), |raw| {
            definitions.schema(raw, pointer, Way::Sent)
        })
    } else {
        // Neither, but perhaps a schema's own keywords, as it was done before 3.0.
        conformed(swagger::schema(fields), Way::Sent, definitions)
    };
    (parameter, annotated(schema, fields))
}

/// A variable of the path of which nothing else is said.
pub(super) fn undeclared(name: &str) -> Parameter {
    Parameter {
        key: name.to_owned(),
        name: None,
        place: In::Path,
        required: true,
        style: None,
        explode: None,
        allow_reserved: false,
        content: None,
    }
}

fn style(fields: &Fields<'_>, parameter: &mut Parameter) {
    let usual = match parameter.place {
        In::Path | In::Header => "simple",
        In::Query | In::Cookie => "form",
    };
    let style = fields
        .text("style")
        .filter(|style| STYLES.contains(&style.as_str()))
        .unwrap_or_else(|| usual.to_owned());
    parameter.explode = fields
        .flag("explode")
        .filter(|explode| *explode != (style == "form"));
    parameter.style = (style != usual).then_some(style);
}

/// What is said of the parameter, beside what its schema says.
fn annotated(schema: Value, fields: &Fields<'_>) -> Value {
    let mut map = match schema {
        Value::Object(map) => map,
        Value::Bool(true) => Map::new(),
        schema => return schema,
    };
    map.extend(fields.text("description").and_then(|text| described(&text)));
    if fields.is_true("deprecated") {
        map.insert("deprecated".to_owned(), Value::Bool(true));
    }
    if let Some(example) = fields.get("example").and_then(value).and_then(example) {
        map.insert("examples".to_owned(), Value::Array(vec![example]));
    }
    Value::Object(map)
}

/// Gives each its key: its name, or where the name is taken also its place.
pub(super) fn keyed(parameters: &mut [Parameter], mut taken: BTreeSet<String>) {
    for place in [In::Path, In::Query, In::Header, In::Cookie] {
        for parameter in parameters.iter_mut().filter(|it| it.place == place) {
            let name = parameter.key.clone();
            if taken.insert(name.clone()) {
                continue;
            }
            let mut key = format!("{name}_{}", place.word());
            let mut count = 1_u32;
            while !taken.insert(key.clone()) {
                count = count.saturating_add(1);
                key = format!("{name}_{}_{count}", place.word());
            }
            parameter.key = key;
            parameter.name = Some(name);
        }
    }
}
