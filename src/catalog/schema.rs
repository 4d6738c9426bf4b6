//! JSON Schema to types. What it cannot make sense of is `unknown` at that place and nowhere else.
//!
//! It reads shapes only: `if`/`then`, `not` and formats say nothing about a type. Remote references are not followed. All
//! recursion is bounded here, not by the parser that made the value: a host may hand over a schema built in memory.

use serde_json::{Map, Value};

use super::docs::{description, doc};
use super::literal::literal;
use super::refs::{Named, Names, resolve};
use super::types::{Primitive, Type, intersection, union};

/// Deeper schemas are `unknown`. Real ones stay under ten levels; a wasm stack is 1 MiB.
pub(super) const MAX_DEPTH: usize = 30;
/// A signature is a line: a schema that needs more places than this to read is too long for it in any case. It also ends
/// the growth of references that are opened in place, each of which may hold several more.
const MAX_INLINE_NODES: usize = 400;

/// A declared type: `type <name> = <ty>`, with its comment.
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) doc: Option<String>,
    pub(super) ty: Type,
}

/// The whole schema as declarations, the root first under the name it was given. Each target of a `$ref` is declared once
/// under its own name, so recursion and sharing cost nothing.
pub(super) fn declared(root: &Value, name: String, names: &mut Names) -> Vec<Definition> {
    let mut reader = Reader {
        root,
        nodes: usize::MAX,
        refs: Refs::Named(Named::new(root, name, names)),
    };
    let mut definitions = Vec::new();
    // Reading one definition may find more of them; they are appended.
    while let Some((name, schema)) = reader.begin(definitions.len()) {
        let ty = reader.read(schema, At::ROOT);
        definitions.push(Definition {
            name,
            doc: doc(schema),
            ty,
        });
    }
    definitions
}

/// The schema as one type without names, for a line: objects below `nest` levels are only `object`.
pub(super) fn inline(root: &Value, nest: usize) -> Type {
    let refs = Refs::Inline(vec![String::new()]);
    let mut reader = Reader {
        root,
        nodes: MAX_INLINE_NODES,
        refs,
    };
    reader.read(root, At { nest, ..At::ROOT })
}

/// The names of the parameters that an input schema declares at its top.
pub(super) fn parameters(schema: &Value) -> impl Iterator<Item = &str> {
    let target = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|target| resolve(schema, target));
    let top = target.map_or(schema, |(_, found)| found);
    top.get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
}

/// Where the reader stands.
#[derive(Clone, Copy)]
pub(super) struct At {
    depth: usize,
    /// How many objects may still be opened.
    pub(super) nest: usize,
    place: Place,
}

/// An alias may name itself inside an object or array, but not bare: `type A = A | string` is an error in TypeScript.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Bare,
    Enclosed,
}

impl At {
    const ROOT: Self = Self {
        depth: 0,
        nest: usize::MAX,
        place: Place::Bare,
    };

    /// A schema that is a part of the same type.
    fn beside(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    pub(super) fn item(self) -> Self {
        Self {
            depth: self.depth + 1,
            place: Place::Enclosed,
            ..self
        }
    }

    pub(super) fn member(self) -> Self {
        Self {
            depth: self.depth + 1,
            nest: self.nest.saturating_sub(1),
            place: Place::Enclosed,
        }
    }
}

/// What becomes of a `$ref`: a name, or the target in its place.
enum Refs<'s, 'n> {
    Named(Named<'s, 'n>),
    /// The pointers that are being read, so that a recursion ends.
    Inline(Vec<String>),
}

pub(super) struct Reader<'s, 'n> {
    root: &'s Value,
    nodes: usize,
    refs: Refs<'s, 'n>,
}

impl<'s> Reader<'s, '_> {
    fn begin(&mut self, index: usize) -> Option<(String, &'s Value)> {
        match &mut self.refs {
            Refs::Named(named) => named.begin(index),
            Refs::Inline(_) => None,
        }
    }

    pub(super) fn read(&mut self, schema: &'s Value, at: At) -> Type {
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(false) => return Type::Never,
            _ => return Type::Unknown,
        };
        if self.nodes == 0 || at.depth > MAX_DEPTH {
            return Type::Unknown;
        }
        self.nodes -= 1;
        // Every keyword is one more condition on the same value; none of them hides another.
        let mut parts = vec![self.own(map, at)];
        if let Some(Value::String(target)) = map.get("$ref") {
            parts.push(self.reference(target, at));
        }
        if let Some(Value::Array(all)) = map.get("allOf") {
            parts.extend(all.iter().map(|part| self.read(part, at.beside())));
        }
        for keyword in ["anyOf", "oneOf"] {
            // An empty list is a mistake in the schema, not a value that cannot be.
            if let Some(Value::Array(arms)) = map.get(keyword)
                && !arms.is_empty()
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

    fn arm(&mut self, schema: &'s Value, at: At) -> Type {
        let ty = self.read(schema, at.beside());
        match description(schema) {
            Some(text) if !matches!(ty, Type::Union(_)) => Type::Documented(text, Box::new(ty)),
            _ => ty,
        }
    }

    /// What the schema says without combinators and references.
    fn own(&mut self, map: &'s Map<String, Value>, at: At) -> Type {
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

    fn typed(&mut self, word: &str, map: &'s Map<String, Value>, at: At) -> Type {
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
    fn inferred(&mut self, map: &'s Map<String, Value>, at: At) -> Type {
        let has = |keywords: &[&str], fits: fn(&Value) -> bool| {
            keywords.iter().any(|key| map.get(*key).is_some_and(fits))
        };
        if has(
            &["properties", "additionalProperties", "patternProperties"],
            Value::is_object,
        ) || has(&["required"], |value| {
            value.as_array().is_some_and(|names| !names.is_empty())
        }) {
            self.object(map, at)
        } else if has(&["items"], Value::is_object)
            || has(&["prefixItems", "items"], Value::is_array)
        {
            self.array(map, at)
        } else {
            Type::Unknown
        }
    }

    fn reference(&mut self, target: &str, at: At) -> Type {
        let Some((pointer, schema)) = resolve(self.root, target) else {
            return Type::Unknown;
        };
        match &mut self.refs {
            Refs::Named(named) => match at.place {
                Place::Enclosed => named.name(pointer, schema),
                Place::Bare => named.bare_name(pointer, schema),
            },
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
        }
    }
}
