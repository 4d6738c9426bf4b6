//! JSON values as TypeScript literals: for `const`, `enum` and `default`.

use serde_json::Value;

use super::text::quoted;
use super::value::{MAX_DEPTH, Member, Presence, Primitive, Type};

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
