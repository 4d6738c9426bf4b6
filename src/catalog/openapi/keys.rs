//! Names of definitions: `full-repository` is `FullRepository`. They are types in descriptions and keys on the shelf.

use std::collections::{BTreeMap, BTreeSet};

/// Types that declarations use as they are.
const TAKEN: [&str; 8] = [
    "Array",
    "Date",
    "Map",
    "Promise",
    "Record",
    "Set",
    "Uint8Array",
    "Partial",
];

const MAX_CHARS: usize = 80;

#[derive(Debug)]
pub(super) struct Keys {
    taken: BTreeSet<String>,
    /// How often a name was wanted, so that the next number is not sought from the first.
    wanted: BTreeMap<String, u32>,
}

impl Keys {
    pub(super) fn new() -> Self {
        Self {
            taken: TAKEN.into_iter().map(str::to_owned).collect(),
            wanted: BTreeMap::new(),
        }
    }

    /// A free key made of this name, and `FullRepository2` the next time.
    pub(super) fn claim(&mut self, name: &str) -> String {
        let wanted = pascal(name);
        let count = self.wanted.entry(wanted.clone()).or_insert(1);
        let mut key = wanted.clone();
        while !self.taken.insert(key.clone()) {
            *count = count.saturating_add(1);
            key = format!("{wanted}{count}");
        }
        key
    }
}

fn pascal(name: &str) -> String {
    let words = name
        .split(|c: char| !unicode_id_start::is_id_continue(c) || c == '_')
        .filter(|word| !word.is_empty());
    let mut key = String::new();
    for word in words {
        let mut chars = word.chars();
        key.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        key.push_str(chars.as_str());
    }
    let key: String = key.chars().take(MAX_CHARS).collect();
    if key.starts_with(unicode_id_start::is_id_start) {
        key
    } else {
        format!("Type{key}")
    }
}
