//! What a schema says in words and limits, as the text of a JSDoc comment. TypeScript cannot say these things; a model
//! that reads them sends valid arguments the first time.

use serde_json::{Map, Value};

use super::Words;
use super::literal::literal;
use super::print::line;
use super::prose::{brief, repeats};
use super::text::cut;

/// A longer description is cut: a type is read for its shape, and one field must not drown the rest.
const MAX_DOC_CHARS: usize = 1_000;
const MAX_BRIEF_CHARS: usize = 100;
const MAX_TERSE_CHARS: usize = 48;
const MAX_VALUE_CHARS: usize = 120;
const MAX_VALUE_MEMBERS: usize = 20;

/// Keywords shown as a tag of the same name, in this order.
#[rustfmt::skip]
const TAGS: [&str; 15] = [
    "default", "format", "pattern", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "minLength",
    "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
];

/// How numbers are stored says nothing to a program whose numbers are all alike.
const SILENT_FORMATS: [&str; 6] = ["int32", "int64", "float", "double", "binary", "byte"];

/// Description and limits: the comment above a member or a named type. `name` is what stands beside it.
pub(super) fn doc(schema: &Value, name: &str, words: Words) -> Option<String> {
    let map = schema.as_object()?;
    if words == Words::None {
        return None;
    }
    let description = description(schema, name, words);
    let tags: Vec<String> = TAGS
        .into_iter()
        .filter_map(|name| tag(map, name, words))
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
pub(super) fn description(schema: &Value, name: &str, words: Words) -> Option<String> {
    let text = schema.get("description")?.as_str()?.trim();
    let text = match words {
        Words::Whole => cut(text, MAX_DOC_CHARS),
        Words::Brief => brief(text, MAX_BRIEF_CHARS),
        Words::Terse => brief(text, MAX_TERSE_CHARS),
        Words::Limits | Words::None => return None,
    };
    let says = !text.is_empty() && (words == Words::Whole || !repeats(&text, &[name]));
    says.then_some(text)
}

fn tag(map: &Map<String, Value>, name: &str, words: Words) -> Option<String> {
    let value = map.get(name)?;
    let shown = match (name, value) {
        ("uniqueItems", Value::Bool(true)) => return Some("@uniqueItems".to_owned()),
        ("uniqueItems", _) => return None,
        ("format", Value::String(text)) if SILENT_FORMATS.contains(&text.as_str()) => return None,
        ("default", Value::Null) if words != Words::Whole => return None,
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
