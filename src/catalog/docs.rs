//! What a schema says in words and limits, as the text of a JSDoc comment. TypeScript cannot say these things; a model
//! that reads them sends valid arguments the first time.

use serde_json::{Map, Value};

use super::literal::literal;
use super::print::line;

/// A longer description is cut: a type is read for its shape, and one field must not drown the rest.
const MAX_DOC_CHARS: usize = 1_000;
const MAX_VALUE_CHARS: usize = 120;
const MAX_VALUE_MEMBERS: usize = 20;

/// Keywords shown as a tag of the same name, in this order.
#[rustfmt::skip]
const TAGS: [&str; 15] = [
    "default", "format", "pattern", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "minLength",
    "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
];

/// Description and limits: the comment above a member or a named type.
pub(super) fn doc(schema: &Value) -> Option<String> {
    let map = schema.as_object()?;
    let description = description(schema);
    let tags: Vec<String> = TAGS
        .into_iter()
        .filter_map(|name| tag(map, name))
        .chain(deprecated(map))
        .collect();
    let separator = if description.as_ref().is_some_and(|text| text.contains('\n')) {
        "\n"
    } else {
        " "
    };
    let parts: Vec<String> = description
        .into_iter()
        .chain((!tags.is_empty()).then(|| tags.join(" ")))
        .collect();
    (!parts.is_empty()).then(|| parts.join(separator))
}

/// Only the words: the comment of one arm of a union.
pub(super) fn description(schema: &Value) -> Option<String> {
    let text = schema.get("description")?.as_str()?.trim();
    (!text.is_empty()).then(|| cut(text, MAX_DOC_CHARS))
}

/// The text up to so many characters, with a mark where it was cut.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

fn tag(map: &Map<String, Value>, name: &str) -> Option<String> {
    let value = map.get(name)?;
    let shown = match (name, value) {
        ("uniqueItems", Value::Bool(true)) => return Some("@uniqueItems".to_owned()),
        ("uniqueItems", _) => return None,
        // Words, not values: without quotes they read as the keyword does.
        ("format" | "pattern", Value::String(text)) => text.clone(),
        ("format" | "pattern", _) => return None,
        _ => line(&literal(value), MAX_VALUE_MEMBERS),
    };
    let one_line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(format!("@{name} {}", cut(&one_line, MAX_VALUE_CHARS)))
}

fn deprecated(map: &Map<String, Value>) -> Option<String> {
    (map.get("deprecated") == Some(&Value::Bool(true))).then(|| "@deprecated".to_owned())
}
