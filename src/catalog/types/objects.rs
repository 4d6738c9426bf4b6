//! The two schemas with something inside: arrays and objects.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::at::At;
use super::reader::{Reader, Refs};
use super::value::{Member, Presence, Type, intersection, union};

impl<'s> Reader<'s, '_, '_> {
    pub(super) fn array(&mut self, map: &'s Map<String, Value>, at: At<'s>) -> Type {
        // Since 2020 a tuple is `prefixItems` and its rest `items`; before, `items` and `additionalItems`.
        let (prefix, rest) = match (map.get("prefixItems"), map.get("items")) {
            (Some(Value::Array(prefix)), rest) => (prefix, rest),
            (_, Some(Value::Array(prefix))) => (prefix, map.get("additionalItems")),
            (_, items) => {
                return Type::Array(Box::new(
                    items.map_or(Type::Unknown, |items| self.read(items, at.item())),
                ));
            }
        };
        let mut required: Vec<Type> = prefix
            .iter()
            .map(|item| self.read(item, at.item()))
            .collect();
        // The letter of the law makes every place optional that `minItems` does not claim; but who leaves `minItems` out
        // means all of them.
        let least = map
            .get("minItems")
            .and_then(Value::as_u64)
            .and_then(|least| usize::try_from(least).ok());
        let optional = required.split_off(least.unwrap_or(required.len()).min(required.len()));
        let rest = match rest {
            None | Some(Value::Bool(false)) => None,
            Some(rest) => Some(Box::new(self.read(rest, at.item()))),
        };
        Type::Tuple {
            required,
            optional,
            rest,
        }
    }

    pub(super) fn object(&mut self, map: &'s Map<String, Value>, at: At<'s>) -> Type {
        if at.nest == 0 && matches!(self.refs, Refs::Inline(_)) {
            return Type::object();
        }
        let mut parts = Vec::new();
        let members = self.members(map, at);
        let closed = ["additionalProperties", "unevaluatedProperties"]
            .iter()
            .any(|keyword| map.get(*keyword) == Some(&Value::Bool(false)));
        if !members.is_empty() || closed || map.get("properties").is_some_and(Value::is_object) {
            parts.push(Type::Object(members));
        }
        let patterns = map
            .get("patternProperties")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::values);
        let rest = ["additionalProperties", "unevaluatedProperties"]
            .iter()
            .filter_map(|keyword| map.get(*keyword));
        let values: Vec<Type> = patterns
            .chain(rest.filter(|values| values.is_object()))
            .map(|values| self.read(values, at.member("value")))
            .collect();
        if !values.is_empty() {
            // Beside members as an intersection: inside one literal they would have to agree with it.
            parts.push(Type::Map(Box::new(union(values))));
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            // What is there only beside another member may be there.
            let more = map.get(keyword).and_then(Value::as_object);
            for schema in more.into_iter().flat_map(Map::values) {
                if let Type::Object(members) = self.read(schema, at.beside()) {
                    parts.push(Type::Object(members.into_iter().map(optional).collect()));
                }
            }
        }
        if parts.is_empty() {
            Type::Map(Box::new(Type::Unknown))
        } else {
            intersection(parts)
        }
    }

    /// Required members first, in the order they are required in: it is the author's, and a signature may be cut.
    fn members(&mut self, map: &'s Map<String, Value>, at: At<'s>) -> Vec<Member> {
        let properties = map.get("properties").and_then(Value::as_object);
        let mut seen = BTreeSet::new();
        let required = map
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        let required: Vec<&str> = required.filter(|name| seen.insert(*name)).collect();
        let optional: Vec<&str> = properties
            .into_iter()
            .flat_map(Map::keys)
            .map(String::as_str)
            .filter(|name| !seen.contains(name))
            .collect();
        let named = required.iter().map(|name| (*name, Presence::Required));
        named
            .chain(optional.iter().map(|name| (*name, Presence::Optional)))
            .map(|(name, presence)| {
                let schema = properties.and_then(|properties| properties.get(name));
                Member {
                    name: name.to_owned(),
                    presence,
                    doc: schema.and_then(|schema| self.doc(schema, name)),
                    ty: schema.map_or(Type::Unknown, |schema| self.read(schema, at.member(name))),
                }
            })
            .collect()
    }
}

fn optional(member: Member) -> Member {
    Member {
        presence: Presence::Optional,
        ..member
    }
}
