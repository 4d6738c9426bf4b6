//! Which definitions are named more than once, so that they need a declaration; the others stand where they are used.
//!
//! Goes where the reader goes. A circle always has such a definition: it is reached from outside and from itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::refs::Document;

const ONE: [&str; 4] = [
    "items",
    "additionalProperties",
    "unevaluatedProperties",
    "additionalItems",
];
const LISTS: [&str; 5] = ["items", "prefixItems", "allOf", "anyOf", "oneOf"];
const MAPS: [&str; 4] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
];

/// Pointers of what this schema leads to by more than one way.
pub(super) fn shared<'s>(document: &mut Document<'s>, schema: &'s Value) -> BTreeSet<String> {
    let mut ways: BTreeMap<String, usize> = BTreeMap::new();
    if std::ptr::eq(document.root, schema) {
        ways.insert(String::new(), 1);
    }
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        let Value::Object(map) = schema else {
            continue;
        };
        if let Some(target) = Document::reference(map)
            && let Some((pointer, target)) = document.resolve(target)
        {
            let count = ways.entry(pointer).or_default();
            *count += 1;
            if *count == 1 {
                open.push(target);
            }
        }
        open.extend(parts(map));
    }
    ways.into_iter()
        .filter(|(_, count)| *count > 1)
        .map(|(pointer, _)| pointer)
        .collect()
}

/// The schemas directly inside one.
fn parts(map: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let one = ONE.into_iter().filter_map(|keyword| map.get(keyword));
    let lists = LISTS
        .into_iter()
        .filter_map(|keyword| map.get(keyword)?.as_array())
        .flatten();
    let maps = MAPS
        .into_iter()
        .filter_map(|keyword| map.get(keyword)?.as_object())
        .flat_map(Map::values);
    one.chain(lists).chain(maps)
}
