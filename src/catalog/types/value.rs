//! TypeScript types as values, simplified as they are built.
//!
//! Between the schema that is read and the text that is printed: here `A | unknown` collapses and members are merged, so
//! that neither the reader nor the printer thinks about it. Knows no JSON Schema and prints nothing. Wide unions and
//! objects cost what they are long.

use std::collections::{BTreeMap, BTreeSet};

/// Deeper schemas are `unknown`. Real ones stay under ten levels; a wasm stack is 1 MiB.
pub(super) const MAX_DEPTH: usize = 30;

const OBJECT: &str = "object";

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::catalog) enum Type {
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
pub(in crate::catalog) enum Primitive {
    String,
    Number,
    Boolean,
    Null,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::catalog) struct Member {
    pub(super) name: String,
    pub(super) presence: Presence,
    pub(super) doc: Option<String>,
    pub(super) ty: Type,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::catalog) enum Presence {
    Required,
    Optional,
}

impl Type {
    pub(super) const NULL: Self = Self::Primitive(Primitive::Null);

    /// An object of which nothing more is said here.
    pub(super) fn object() -> Self {
        Self::Name(OBJECT.to_owned())
    }

    pub(super) fn bytes() -> Self {
        Self::Name("Uint8Array".to_owned())
    }

    /// Is everything that it is made of written out: no object in it was closed?
    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Name(name) => name != OBJECT,
            Self::Unknown | Self::Never | Self::Primitive(_) | Self::Literal(..) => true,
            Self::Array(ty) | Self::Map(ty) | Self::Documented(_, ty) => ty.is_open(),
            Self::Object(members) => members.iter().all(|member| member.ty.is_open()),
            Self::Union(types) | Self::Intersection(types) => types.iter().all(Self::is_open),
            Self::Tuple {
                required,
                optional,
                rest,
            } => required
                .iter()
                .chain(optional)
                .chain(rest.as_deref())
                .all(Self::is_open),
        }
    }

    pub(super) fn takes_null(&self) -> bool {
        match self.bare() {
            Self::Union(arms) => arms.iter().any(|arm| arm.bare() == &Self::NULL),
            other => other == &Self::NULL,
        }
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
    let mut objects: Option<Members> = None;
    let mut primitives: Option<Type> = None;
    let mut others = Vec::new();
    let mut seen = BTreeSet::new();
    let mut any_map = false;
    for part in parts.into_iter().flat_map(flat) {
        match part {
            Type::Unknown => {}
            Type::Never => return Type::Never,
            Type::Map(values) if *values == Type::Unknown => any_map = true,
            Type::Object(members) => objects.get_or_insert_default().merge(members),
            part if part.is_primitive() => {
                primitives =
                    Some(primitives.map_or_else(|| part.clone(), |first| narrowed(first, &part)));
            }
            part if !seen.insert(part.clone()) => {}
            part => others.push(part),
        }
    }
    let mut all: Vec<Type> = objects
        .map(|members| Type::Object(members.all))
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

/// Members of one object that are found by name, however many they are.
#[derive(Default)]
struct Members {
    all: Vec<Member>,
    by_name: BTreeMap<String, usize>,
}

impl Members {
    /// What TypeScript makes of `{ a: T } & { a: U }`: `{ a: T & U }`, required if one of them requires it.
    fn merge(&mut self, more: Vec<Member>) {
        for member in more {
            let index = *self
                .by_name
                .entry(member.name.clone())
                .or_insert(self.all.len());
            match self.all.get_mut(index) {
                None => self.all.push(member),
                Some(known) => {
                    known.presence = known.presence.min(member.presence);
                    known.doc = known.doc.take().or(member.doc);
                    let ty = std::mem::replace(&mut known.ty, Type::Unknown);
                    known.ty = intersection([ty, member.ty]);
                }
            }
        }
    }
}

/// What two primitive types have in common.
fn narrowed(left: Type, right: &Type) -> Type {
    let right = right.clone().into_arms();
    let has: BTreeSet<&Type> = right.iter().map(Type::bare).collect();
    union(left.into_arms().into_iter().flat_map(|arm| {
        match arm.bare() {
            Type::Primitive(wide) if !has.contains(arm.bare()) => right
                .iter()
                .filter(|other| matches!(other.bare(), Type::Literal(class, _) if class == wide))
                .cloned()
                .collect(),
            Type::Literal(class, _)
                if !has.contains(arm.bare()) && !has.contains(&Type::Primitive(*class)) =>
            {
                Vec::new()
            }
            Type::Primitive(_) | Type::Literal(..) => vec![arm],
            _ => Vec::new(),
        }
    }))
}
