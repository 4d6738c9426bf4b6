//! Where a `$ref` leads, and the names under which its targets are declared.
//!
//! Only references inside the document are followed: a description must not wait for a network, nor reach one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::types::Type;

/// The type names of one description, so that no two declarations share one.
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// `Promise` is the one built-in name of ours that a definition could take.
    pub(super) fn new() -> Self {
        Self {
            taken: BTreeSet::from(["Promise".to_owned()]),
        }
    }

    /// A free name made of these parts: `list-issues`, `Input` is `ListIssuesInput`, and `ListIssuesInput2` the next time.
    pub(super) fn claim(&mut self, parts: &[&str]) -> String {
        let wanted: String = parts.iter().map(|part| pascal(part)).collect();
        let wanted = if wanted.starts_with(|c: char| c.is_ascii_alphabetic()) {
            wanted
        } else {
            format!("Type{wanted}")
        };
        let mut name = wanted.clone();
        let mut count = 1_u32;
        while !self.taken.insert(name.clone()) {
            count = count.saturating_add(1);
            name = format!("{wanted}{count}");
        }
        name
    }
}

fn pascal(text: &str) -> String {
    let words = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    words
        .map(|word| {
            let (first, rest) = word.split_at(1);
            format!("{}{rest}", first.to_ascii_uppercase())
        })
        .collect()
}

/// The definitions of one document in the order they were found; the first is the document itself.
pub(super) struct Named<'s, 'n> {
    names: &'n mut Names,
    found: Vec<Target<'s>>,
    by_pointer: BTreeMap<String, usize>,
    current: usize,
}

struct Target<'s> {
    name: String,
    schema: &'s Value,
    /// Definitions that this one names outside any object or array.
    bare: BTreeSet<usize>,
}

impl<'s, 'n> Named<'s, 'n> {
    pub(super) fn new(root: &'s Value, name: String, names: &'n mut Names) -> Self {
        let found = vec![Target {
            name,
            schema: root,
            bare: BTreeSet::new(),
        }];
        Self {
            names,
            found,
            by_pointer: BTreeMap::from([(String::new(), 0)]),
            current: 0,
        }
    }

    /// What follows is read as the definition of this number, if there are so many.
    pub(super) fn begin(&mut self, index: usize) -> Option<(String, &'s Value)> {
        self.current = index;
        self.found
            .get(index)
            .map(|target| (target.name.clone(), target.schema))
    }

    pub(super) fn name(&mut self, pointer: String, schema: &'s Value) -> Type {
        let index = self.index(pointer, schema);
        self.found
            .get(index)
            .map_or(Type::Unknown, |target| Type::Name(target.name.clone()))
    }

    /// Like `name`, where TypeScript forbids a circle (`type A = B; type B = A | string`): the reference that would close
    /// one is `unknown`.
    pub(super) fn bare_name(&mut self, pointer: String, schema: &'s Value) -> Type {
        let index = self.index(pointer.clone(), schema);
        if self.reaches_current(index) {
            return Type::Unknown;
        }
        if let Some(current) = self.found.get_mut(self.current) {
            current.bare.insert(index);
        }
        self.name(pointer, schema)
    }

    fn index(&mut self, pointer: String, schema: &'s Value) -> usize {
        let next = self.found.len();
        *self
            .by_pointer
            .entry(pointer)
            .or_insert_with_key(|pointer| {
                let last = pointer
                    .rsplit('/')
                    .next()
                    .unwrap_or_default()
                    .replace("~1", "/")
                    .replace("~0", "~");
                self.found.push(Target {
                    name: self.names.claim(&[&last]),
                    schema,
                    bare: BTreeSet::new(),
                });
                next
            })
    }

    fn reaches_current(&self, from: usize) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(index) = open.pop() {
            if index == self.current {
                return true;
            }
            if seen.insert(index) {
                open.extend(
                    self.found
                        .get(index)
                        .into_iter()
                        .flat_map(|target| &target.bare),
                );
            }
        }
        false
    }
}

/// The target of a reference inside the same document, and its pointer in plain form.
pub(super) fn resolve<'s>(root: &'s Value, target: &str) -> Option<(String, &'s Value)> {
    let fragment = target.strip_prefix('#')?;
    // A pointer in a fragment is percent-encoded; many are written without.
    [Some(fragment.to_owned()), percent_decoded(fragment)]
        .into_iter()
        .flatten()
        .find_map(|pointer| {
            let found = root.pointer(&pointer)?;
            Some((pointer, found))
        })
}

pub(super) fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let (byte, after) = match (first, tail) {
            (b'%', [high, low, after @ ..]) => {
                let digit = |byte: &u8| {
                    char::from(*byte)
                        .to_digit(16)
                        .and_then(|digit| u8::try_from(digit).ok())
                };
                (digit(high)? * 16 + digit(low)?, after)
            }
            _ => (*first, tail),
        };
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}
