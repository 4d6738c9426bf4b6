//! Reads JSON Schema, draft 4 to 2020-12, as types. What it cannot make sense of is `unknown` at that place and nowhere else.
//!
//! It reads shapes only: `if`/`then`, `not` and formats say nothing about a type. Remote references are not followed. All
//! recursion is bounded here, not by the parser that made the value: a host may hand over a schema built in memory.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Words;
use super::at::{At, Place};
use super::docs::{description, doc};
use super::literal::literal;
use super::print::line;
use super::refs::{Document, Named, key, pascal, pointed};
use super::value::{MAX_DEPTH, Primitive, Type, intersection, union};

/// A signature is a line: a schema that needs more places than this to read is too long for it in any case. It also ends
/// the growth of references that are opened in place, each of which may hold several more.
const MAX_INLINE_NODES: usize = 400;
/// A shared definition without objects stands where it is used, up to this length.
const MAX_REPEATED_CHARS: usize = 40;
/// An object of plain members that would only be named is written out instead, up to this length.
const MAX_SHORT_CHARS: usize = 80;

/// The schema as one type for a line: objects below `nest` levels are only `object`, and definitions kept elsewhere are
/// their names.
pub(in crate::catalog) fn inline(root: &Value, nest: usize) -> Type {
    probed(root, root, nest)
}

/// `inline` for a schema that is part of a document.
pub(super) fn probed(root: &Value, schema: &Value, nest: usize) -> Type {
    let mut document = Document::new(root);
    let mut reader = Reader {
        document: &mut document,
        nodes: MAX_INLINE_NODES,
        words: Words::None,
        refs: Refs::Inline(Vec::new()),
    };
    reader.read(schema, At::root(nest))
}

/// The names of the parameters that an input schema declares at its top.
pub(in crate::catalog) fn parameters(schema: &Value) -> impl Iterator<Item = &str> {
    let properties = top(schema).get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
}

/// The same, those that must be there apart from the others.
pub(in crate::catalog) fn required(schema: &Value) -> (Vec<String>, Vec<String>) {
    let required = top(schema).get("required").and_then(Value::as_array);
    let required: BTreeSet<&str> = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    parameters(schema)
        .map(str::to_owned)
        .partition(|name| required.contains(name.as_str()))
}

/// The schema that a document's own reference leads to, or itself.
fn top(schema: &Value) -> &Value {
    let target = schema.get("$ref").and_then(Value::as_str);
    target
        .and_then(|target| pointed(schema, target))
        .map_or(schema, |(_, found)| found)
}

/// What becomes of a `$ref`.
pub(super) enum Refs<'s, 'n> {
    /// The target in its place. The pointers that are being read, so that a recursion ends.
    Inline(Vec<String>),
    /// A name; but what is not shared stands in its place, where it is known.
    Named {
        named: Named<'s, 'n>,
        shared: Option<BTreeSet<String>>,
    },
}

pub(super) struct Reader<'s, 'n, 'd> {
    pub(super) document: &'d mut Document<'s>,
    pub(super) nodes: usize,
    pub(super) words: Words,
    pub(super) refs: Refs<'s, 'n>,
}

impl<'s> Reader<'s, '_, '_> {
    pub(super) fn read(&mut self, schema: &'s Value, at: At<'s>) -> Type {
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(false) => return Type::Never,
            _ => return Type::Unknown,
        };
        if self.nodes == 0 || at.depth > MAX_DEPTH {
            return Type::Unknown;
        }
        self.nodes -= 1;
        if at.nest == 0
            && matches!(self.refs, Refs::Named { .. })
            && let Some(closed) = self.closed(schema, map, at)
        {
            return closed;
        }
        // Every keyword is one more condition on the same value; none of them hides another.
        let mut parts = vec![self.own(map, at)];
        if let Some(target) = Document::reference(map) {
            parts.push(self.reference(target, at));
        }
        if let Some(Value::Array(all)) = map.get("allOf") {
            parts.extend(all.iter().map(|part| self.read(part, at.beside())));
        }
        for keyword in ["anyOf", "oneOf"] {
            // An empty list is a mistake in the schema, not a value that cannot be.
            if let Some(Value::Array(arms)) = map.get(keyword)
                && !arms.is_empty()
                && !arms.iter().all(only_requires)
            {
                parts.push(union(arms.iter().map(|arm| self.arm(arm, at))));
            }
        }
        let ty = intersection(parts);
        if map.get("nullable") == Some(&Value::Bool(true)) {
            union([ty, Type::NULL])
        } else {
            ty
        }
    }

    fn arm(&mut self, schema: &'s Value, at: At<'s>) -> Type {
        let ty = self.read(schema, at.beside());
        match description(schema, "", self.words) {
            Some(text) if !matches!(ty, Type::Union(_)) => Type::Documented(text, Box::new(ty)),
            _ => ty,
        }
    }

    /// What the schema says without combinators and references.
    fn own(&mut self, map: &'s Map<String, Value>, at: At<'s>) -> Type {
        if let Some(value) = map.get("const") {
            return literal(value);
        }
        if let Some(Value::Array(values)) = map.get("enum") {
            return union(values.iter().map(literal));
        }
        match map.get("type") {
            Some(Value::String(word)) => self.typed(word, map, at),
            Some(Value::Array(words)) if !words.is_empty() => union(words.iter().map(|word| {
                word.as_str()
                    .map_or(Type::Unknown, |word| self.typed(word, map, at))
            })),
            _ => self.inferred(map, at),
        }
    }

    fn typed(&mut self, word: &str, map: &'s Map<String, Value>, at: At<'s>) -> Type {
        match word {
            "string" => Type::Primitive(Primitive::String),
            "number" | "integer" => Type::Primitive(Primitive::Number),
            "boolean" => Type::Primitive(Primitive::Boolean),
            "null" => Type::NULL,
            "array" => self.array(map, at),
            "object" => self.object(map, at),
            _ => Type::Unknown,
        }
    }

    /// Many schemas leave `type` out where another keyword says it.
    fn inferred(&mut self, map: &'s Map<String, Value>, at: At<'s>) -> Type {
        let has = |keywords: &[&str], fits: fn(&Value) -> bool| {
            keywords.iter().any(|key| map.get(*key).is_some_and(fits))
        };
        if is_object(map) {
            self.object(map, at)
        } else if has(&["items"], Value::is_object)
            || has(&["prefixItems", "items"], Value::is_array)
        {
            self.array(map, at)
        } else if map.get("format").and_then(Value::as_str) == Some("binary") {
            Type::bytes()
        } else if has(
            &["minLength", "maxLength", "pattern", "contentEncoding"],
            |_| true,
        ) {
            Type::Primitive(Primitive::String)
        } else if has(&["minimum", "maximum", "multipleOf"], Value::is_number) {
            Type::Primitive(Primitive::Number)
        } else {
            Type::Unknown
        }
    }

    fn reference(&mut self, target: &str, at: At<'s>) -> Type {
        let Some((pointer, schema)) = self.document.resolve(target) else {
            return match (&self.refs, key(target)) {
                (Refs::Inline(_), Some(key)) => Type::Name(pascal(&[key])),
                _ => Type::Unknown,
            };
        };
        match &mut self.refs {
            Refs::Inline(open) if open.contains(&pointer) => {
                if schema.get("properties").is_some() {
                    Type::object()
                } else {
                    Type::Unknown
                }
            }
            Refs::Inline(open) => {
                open.push(pointer);
                let ty = self.read(schema, at.beside());
                if let Refs::Inline(open) = &mut self.refs {
                    open.pop();
                }
                ty
            }
            Refs::Named { named, shared } => {
                let once = shared.as_ref().is_some_and(|all| !all.contains(&pointer));
                if once {
                    return self.read(schema, at.beside());
                }
                let plain = if named.knows(&pointer) {
                    Type::Unknown
                } else {
                    probed(self.document.root, schema, 0)
                };
                if plain.is_open()
                    && plain != Type::Unknown
                    && line(&plain, usize::MAX).len() <= MAX_REPEATED_CHARS
                {
                    return plain;
                }
                match at.place {
                    Place::Enclosed => named.open(&pointer, schema, at.nest),
                    Place::Bare => named.open_bare(&pointer, schema, at.nest),
                }
            }
        }
    }

    /// A schema where no object is opened any more: written out without objects or a short one, else a name. None: what is
    /// inside it, not itself, has to be closed.
    fn closed(
        &mut self,
        schema: &'s Value,
        map: &'s Map<String, Value>,
        at: At<'s>,
    ) -> Option<Type> {
        let shape = self.complete(schema, 0)?;
        if shape.is_open() {
            return (shape != Type::Unknown).then_some(shape);
        }
        let target = Document::reference(map).and_then(|target| self.document.resolve(target));
        let wraps = !has_members(map)
            && map
                .get("allOf")
                .and_then(Value::as_array)
                .is_none_or(|all| all.len() < 2);
        if target.is_none() && wraps {
            return None;
        }
        if let Some(short) = self.complete(schema, 1)
            && short.is_open()
            && line(&short, usize::MAX).len() <= MAX_SHORT_CHARS
        {
            return Some(short);
        }
        let Refs::Named { named, .. } = &mut self.refs else {
            return None;
        };
        let name = match target {
            Some((pointer, target)) => named.close(&pointer, target),
            None => named.close_inline(at.label, schema),
        };
        Some(if shape.takes_null() {
            union([name, Type::NULL])
        } else {
            name
        })
    }

    /// The schema as one type, if all definitions that this needs are here; otherwise they are asked for.
    fn complete(&mut self, schema: &'s Value, nest: usize) -> Option<Type> {
        let mut document = Document::new(self.document.root);
        let mut reader = Reader {
            document: &mut document,
            nodes: MAX_INLINE_NODES,
            words: Words::None,
            refs: Refs::Inline(Vec::new()),
        };
        let ty = reader.read(schema, At::root(nest));
        let missing = std::mem::take(&mut document.missing);
        let all_here = missing.is_empty();
        self.document.missing.extend(missing);
        all_here.then_some(ty)
    }

    /// The comment of a member, or of what its reference leads to where that has no comment of its own.
    pub(super) fn doc(&mut self, schema: &'s Value, name: &str) -> Option<String> {
        let own = doc(schema, name, self.words);
        if own.is_some() || self.words == Words::None {
            return own;
        }
        let Refs::Named { shared, .. } = &self.refs else {
            return None;
        };
        let (pointer, target) = self
            .document
            .resolve(Document::reference(schema.as_object()?)?)?;
        let stands_here = shared.as_ref().is_some_and(|all| !all.contains(&pointer));
        stands_here.then(|| doc(target, name, self.words)).flatten()
    }
}

/// Has it members of its own, not only any?
fn has_members(map: &Map<String, Value>) -> bool {
    ["properties", "required"].iter().any(|key| {
        map.get(*key).is_some_and(|value| match value {
            Value::Object(map) => !map.is_empty(),
            Value::Array(list) => !list.is_empty(),
            _ => false,
        })
    })
}

fn is_object(map: &Map<String, Value>) -> bool {
    [
        "properties",
        "additionalProperties",
        "patternProperties",
        "unevaluatedProperties",
        "dependentSchemas",
    ]
    .iter()
    .any(|key| map.get(*key).is_some_and(Value::is_object))
        || map
            .get("required")
            .and_then(Value::as_array)
            .is_some_and(|names| !names.is_empty())
}

/// An arm that only says which members must be there: which of them is more than a type can say shortly.
fn only_requires(arm: &Value) -> bool {
    const SILENT: [&str; 5] = ["required", "type", "title", "description", "not"];
    arm.as_object().is_some_and(|map| {
        map.contains_key("required") && map.keys().all(|key| SILENT.contains(&key.as_str()))
    })
}
