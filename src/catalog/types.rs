//! TypeScript types as values, simplified as they are built.
//!
//! Between the schema that is read and the text that is printed: here `A | unknown` collapses and members are merged, so
//! that neither the reader nor the printer thinks about it. Knows no JSON Schema and prints nothing.

use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Type {
    Unknown,
    Never,
    Primitive(Primitive),
    /// A literal as it is written in TypeScript, and the primitive it belongs to.
    Literal(Primitive, String),
    /// The name of a declared type, or a built-in one.
    Name(String),
    Array(Box<Type>),
    Tuple {
        required: Vec<Type>,
        optional: Vec<Type>,
        rest: Option<Box<Type>>,
    },
    Object(Vec<Member>),
    /// Any keys, one type of value.
    Map(Box<Type>),
    Union(Vec<Type>),
    Intersection(Vec<Type>),
    /// An arm of a union with its own comment.
    Documented(String, Box<Type>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Primitive {
    String,
    Number,
    Boolean,
    Null,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) presence: Presence,
    pub(super) doc: Option<String>,
    pub(super) ty: Type,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Presence {
    Required,
    Optional,
}

impl Type {
    pub(super) const NULL: Self = Self::Primitive(Primitive::Null);

    pub(super) fn object() -> Self {
        Self::Name("object".to_owned())
    }

    /// The arms of a union, or the type itself as the only one.
    fn into_arms(self) -> Vec<Self> {
        match self {
            Self::Union(arms) => arms,
            other => vec![other],
        }
    }

    fn bare(&self) -> &Self {
        match self {
            Self::Documented(_, ty) => ty.bare(),
            other => other,
        }
    }

    fn is_primitive(&self) -> bool {
        match self.bare() {
            Self::Primitive(_) | Self::Literal(..) => true,
            Self::Union(arms) => arms.iter().all(Self::is_primitive),
            _ => false,
        }
    }
}

/// `unknown` swallows the others, `never` vanishes, an arm comes once, `null` comes last.
pub(super) fn union(parts: impl IntoIterator<Item = Type>) -> Type {
    let mut arms = Vec::new();
    let mut nulls = Vec::new();
    let mut seen = BTreeSet::new();
    for arm in parts.into_iter().flat_map(Type::into_arms) {
        match arm.bare() {
            Type::Unknown => return Type::Unknown,
            Type::Never => {}
            bare if !seen.insert(bare.clone()) => {}
            Type::Primitive(Primitive::Null) => nulls.push(arm),
            _ => arms.push(arm),
        }
    }
    arms.append(&mut nulls);
    single(arms, Type::Never, Type::Union)
}

/// `unknown` vanishes, `never` swallows the others, object literals become one, literals stand for the primitive they
/// narrow. So `{ type: "string", oneOf: [const …] }` is its literals, and two closed objects are one with all members.
pub(super) fn intersection(parts: impl IntoIterator<Item = Type>) -> Type {
    let mut objects: Option<Vec<Member>> = None;
    let mut primitives: Option<Type> = None;
    let mut others = Vec::new();
    let mut any_map = false;
    for part in parts.into_iter().flat_map(flat) {
        match part {
            Type::Unknown => {}
            Type::Never => return Type::Never,
            Type::Map(values) if *values == Type::Unknown => any_map = true,
            Type::Object(members) => objects = Some(merged(objects.unwrap_or_default(), members)),
            part if part.is_primitive() => {
                primitives =
                    Some(primitives.map_or_else(|| part.clone(), |first| narrowed(first, &part)));
            }
            part if others.contains(&part) => {}
            part => others.push(part),
        }
    }
    let mut all: Vec<Type> = objects
        .map(Type::Object)
        .into_iter()
        .chain(primitives)
        .chain(others)
        .collect();
    // "Any object" says nothing beside another type.
    if any_map && all.is_empty() {
        all.push(Type::Map(Box::new(Type::Unknown)));
    }
    if all.contains(&Type::Never) {
        return Type::Never;
    }
    single(all, Type::Unknown, Type::Intersection)
}

fn flat(part: Type) -> Vec<Type> {
    match part {
        Type::Intersection(parts) => parts,
        other => vec![other],
    }
}

fn single(mut parts: Vec<Type>, none: Type, many: fn(Vec<Type>) -> Type) -> Type {
    match parts.len() {
        0 => none,
        1 => parts.remove(0),
        _ => many(parts),
    }
}

/// What TypeScript makes of `{ a: T } & { a: U }`: `{ a: T & U }`, required if one of them requires it.
fn merged(mut members: Vec<Member>, more: Vec<Member>) -> Vec<Member> {
    for member in more {
        match members.iter_mut().find(|known| known.name == member.name) {
            None => members.push(member),
            Some(known) => {
                known.presence = known.presence.min(member.presence);
                known.doc = known.doc.take().or(member.doc);
                known.ty = intersection([known.ty.clone(), member.ty]);
            }
        }
    }
    members
}

fn narrowed(left: Type, right: &Type) -> Type {
    let right = right.clone().into_arms();
    union(left.into_arms().into_iter().flat_map(|a| {
        right
            .iter()
            .filter_map(move |b| met(&a, b))
            .collect::<Vec<_>>()
    }))
}

/// What two primitive arms have in common.
fn met(a: &Type, b: &Type) -> Option<Type> {
    match (a.bare(), b.bare()) {
        (Type::Primitive(x), Type::Literal(y, _)) if x == y => Some(b.clone()),
        (Type::Literal(x, _), Type::Primitive(y)) if x == y => Some(a.clone()),
        (x, y) => (x == y).then(|| a.clone()),
    }
}
