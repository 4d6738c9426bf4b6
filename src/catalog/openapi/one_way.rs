//! Which schemas differ by the way they travel: those that hold a `readOnly` or `writeOnly` part, and those that name one.
//!
//! Told for whole components, so that one look at each is enough; what lies elsewhere is taken to differ as soon as
//! anything does.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::definitions::Way;
use super::document::{Document, escaped};
use super::raw::value;

const SECTIONS: [&str; 2] = ["/components/schemas", "/definitions"];

/// What differs, and what a property may be without saying so itself.
#[derive(Debug, Default)]
pub(super) struct OneWay {
    differing: BTreeSet<String>,
    read_only: BTreeSet<String>,
    write_only: BTreeSet<String>,
}

impl OneWay {
    pub(super) fn of(document: &Document<'_>, text: &str) -> Self {
        let mut found = Self::default();
        if !text.contains("\"readOnly\"") && !text.contains("\"writeOnly\"") {
            return found;
        }
        let mut named_by: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut open = Vec::new();
        for section in SECTIONS {
            for (name, raw) in document.section(section) {
                let own = format!("{section}/{}", escaped(name));
                let schema = value(raw).unwrap_or_default();
                if says(&schema, "readOnly") {
                    found.read_only.insert(own.clone());
                }
                if says(&schema, "writeOnly") {
                    found.write_only.insert(own.clone());
                }
                if holds(document, &schema, &own, &mut named_by) {
                    open.push(own);
                }
            }
        }
        // Of what is marked as a whole, those differ that have it as a part.
        for marked in found.read_only.iter().chain(&found.write_only) {
            open.extend(named_by.remove(marked).unwrap_or_default());
        }
        while let Some(name) = open.pop() {
            open.extend(named_by.remove(&name).unwrap_or_default());
            found.differing.insert(name);
        }
        found
    }

    /// Does what lies there differ by the way it travels?
    pub(super) fn concerns(&self, pointer: &str) -> bool {
        !self.differing.is_empty()
            && component(pointer).is_none_or(|name| self.differing.contains(&name))
    }

    /// Is a property of this schema left out on this way?
    pub(super) fn leaves_out(&self, document: &Document<'_>, schema: &Value, way: Way) -> bool {
        let (marked, whole) = match way {
            Way::Sent => ("readOnly", &self.read_only),
            Way::Read => ("writeOnly", &self.write_only),
        };
        let reference = || schema.get("$ref").and_then(Value::as_str);
        says(schema, marked)
            || !whole.is_empty()
                && reference()
                    .and_then(|reference| document.locate(reference))
                    .is_some_and(|(pointer, _)| whole.contains(&pointer))
    }
}

/// Has it a part that says so, or one that is told by no component? What it names is written down.
fn holds(
    document: &Document<'_>,
    schema: &Value,
    own: &str,
    named_by: &mut BTreeMap<String, Vec<String>>,
) -> bool {
    let mut holds = false;
    let mut open = vec![schema];
    while let Some(part) = open.pop() {
        match part {
            Value::Object(map) => {
                let marked = says(part, "readOnly") || says(part, "writeOnly");
                holds |= marked && !std::ptr::eq(part, schema);
                if let Some(Value::String(reference)) = map.get("$ref")
                    && let Some((pointer, _)) = document.locate(reference)
                {
                    match component(&pointer) {
                        Some(target) => named_by.entry(target).or_default().push(own.to_owned()),
                        None => holds = true,
                    }
                }
                open.extend(map.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    holds
}

fn says(schema: &Value, keyword: &str) -> bool {
    schema.get(keyword) == Some(&Value::Bool(true))
}

/// Does the pointer lead to a schema that the document names, rather than into one?
pub(super) fn is_component(pointer: &str) -> bool {
    component(pointer).is_some_and(|name| name == pointer)
}

/// The component that a pointer leads into.
fn component(pointer: &str) -> Option<String> {
    SECTIONS.into_iter().find_map(|section| {
        let name = pointer.strip_prefix(section)?.strip_prefix('/')?;
        let name = name.split('/').next()?;
        Some(format!("{section}/{name}"))
    })
}
