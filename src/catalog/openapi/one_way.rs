//! Which schemas differ by the way they travel: those that hold a `readOnly` or `writeOnly` part, and those that name one.
//!
//! Told for whole components, so that one look at each is enough; what lies elsewhere is taken to differ as soon as
//! anything does.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::document::Document;
use super::raw::value;

const SECTIONS: [&str; 2] = ["/components/schemas", "/definitions"];

pub(super) fn components(document: &Document<'_>, text: &str) -> BTreeSet<String> {
    if !text.contains("\"readOnly\"") && !text.contains("\"writeOnly\"") {
        return BTreeSet::new();
    }
    let mut named_by: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut open = Vec::new();
    for section in SECTIONS {
        for (name, raw) in document.section(section) {
            let own = format!("{section}/{}", super::document::escaped(name));
            let mut holds = false;
            visit(
                &value(raw).unwrap_or_default(),
                &mut |keyword, value| match (keyword, value) {
                    ("readOnly" | "writeOnly", Value::Bool(true)) => holds = true,
                    ("$ref", Value::String(reference)) => {
                        let target = document.locate(reference).map(|(pointer, _)| pointer);
                        match target.as_deref().map(component) {
                            Some(Some(target)) => {
                                named_by.entry(target).or_default().push(own.clone());
                            }
                            Some(None) => holds = true,
                            None => {}
                        }
                    }
                    _ => {}
                },
            );
            if holds {
                open.push(own);
            }
        }
    }
    let mut found = BTreeSet::new();
    while let Some(name) = open.pop() {
        open.extend(named_by.remove(&name).unwrap_or_default());
        found.insert(name);
    }
    found
}

/// Does what lies there differ by the way it travels?
pub(super) fn concerns(found: &BTreeSet<String>, pointer: &str) -> bool {
    !found.is_empty() && component(pointer).is_none_or(|name| found.contains(&name))
}

/// The component that a pointer leads into.
fn component(pointer: &str) -> Option<String> {
    SECTIONS.into_iter().find_map(|section| {
        let name = pointer.strip_prefix(section)?.strip_prefix('/')?;
        let name = name.split('/').next()?;
        Some(format!("{section}/{name}"))
    })
}

/// Every member of every object in it.
fn visit(value: &Value, see: &mut impl FnMut(&str, &Value)) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    see(key, value);
                    open.push(value);
                }
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
}
