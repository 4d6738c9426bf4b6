//! JSON values as TypeScript literals: for `const`, `enum` and `default`.

use serde_json::Value;

use super::schema::MAX_DEPTH;
use super::types::{Member, Presence, Primitive, Type};

/// A string literal. U+2028 and U+2029 were line ends in JavaScript's strings for long, and still are for some readers.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || c == '\u{2028}' || c == '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The type that holds exactly this value.
pub(super) fn literal(value: &Value) -> Type {
    literal_at(value, 0)
}

fn literal_at(value: &Value, depth: usize) -> Type {
    if depth > MAX_DEPTH {
        return Type::Unknown;
    }
    match value {
        Value::Null => Type::NULL,
        Value::Bool(value) => Type::Literal(Primitive::Boolean, value.to_string()),
        Value::Number(value) => Type::Literal(Primitive::Number, value.to_string()),
        Value::String(value) => Type::Literal(Primitive::String, quoted(value)),
        Value::Array(values) => Type::Tuple {
            required: values
                .iter()
                .map(|value| literal_at(value, depth + 1))
                .collect(),
            optional: Vec::new(),
            rest: None,
        },
        Value::Object(map) => Type::Object(
            map.iter()
                .map(|(name, value)| Member {
                    name: name.clone(),
                    presence: Presence::Required,
                    doc: None,
                    ty: literal_at(value, depth + 1),
                })
                .collect(),
        ),
    }
}
