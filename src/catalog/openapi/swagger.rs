//! What Swagger 2.0 says in another way than OpenAPI 3: parameters that are schemas themselves, forms and bodies among
//! them, lists as one text.

use serde_json::{Map, Value};

use super::media::{Kind, essence};
use super::raw::{Fields, value};
use crate::catalog::operation::{Encoding, In};

#[derive(Debug, Default)]
pub(super) struct Style {
    pub(super) style: Option<String>,
    pub(super) explode: Option<bool>,
}

/// `collectionFormat` in the words of OpenAPI 3, where they are not the defaults of the place.
pub(super) fn style(fields: &Fields<'_>, place: In) -> Style {
    let is_list = fields.text("type").as_deref() == Some("array");
    let in_query = matches!(place, In::Query | In::Cookie);
    if !is_list || !in_query {
        // Elsewhere a list is its items with commas between them, which is the default of these places.
        return Style::default();
    }
    match fields.text("collectionFormat").as_deref() {
        // A program writes tabs itself (`schema`).
        Some("multi" | "tsv") => Style::default(),
        Some("ssv") => Style {
            style: Some("spaceDelimited".to_owned()),
            explode: None,
        },
        Some("pipes") => Style {
            style: Some("pipeDelimited".to_owned()),
            explode: None,
        },
        _ => Style {
            style: None,
            explode: Some(false),
        },
    }
}

/// The same for a part of a form.
pub(super) fn encoding(fields: &Fields<'_>) -> Option<Encoding> {
    let Style { style, explode } = style(fields, In::Query);
    (style.is_some() || explode.is_some()).then_some(Encoding {
        content_type: None,
        style,
        explode,
        allow_reserved: false,
    })
}

/// A parameter as the schema of its value. Lists with tabs between their items have no name in OpenAPI 3; a program
/// writes such a text itself.
pub(super) fn schema(fields: &Fields<'_>) -> Value {
    if fields.text("collectionFormat").as_deref() == Some("tsv") {
        let text = "values with a tab between each two of them";
        return serde_json::json!({ "type": "string", "description": text });
    }
    let own = |keyword: &str| !matches!(keyword, "name" | "in" | "required" | "schema" | "content");
    let keywords = fields.iter().filter(|(keyword, _)| own(keyword));
    let map: Map<String, Value> = keywords
        .filter_map(|(keyword, raw)| Some((keyword.to_owned(), value(raw)?)))
        .collect();
    Value::Object(map)
}

/// What an operation takes or gives (`consumes`, `produces`); the document's own where it does not say.
pub(super) fn types(name: &str, operation: &Fields<'_>, usual: &[String]) -> Vec<String> {
    let own = operation.texts(name);
    if own.is_empty() { usual.to_vec() } else { own }
}

/// The type of a form: files travel in parts.
pub(super) fn form_type(consumes: &[String], with_files: bool) -> String {
    let offered = |kind: Kind| consumes.iter().find(|name| Kind::of(name) == kind);
    let urlencoded = offered(Kind::Form);
    match offered(Kind::Multipart) {
        Some(multipart) if with_files || urlencoded.is_none() => essence(multipart),
        None if with_files => "multipart/form-data".to_owned(),
        _ => "application/x-www-form-urlencoded".to_owned(),
    }
}
