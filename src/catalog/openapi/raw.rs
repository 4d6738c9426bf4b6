//! JSON that is read no further than it is asked for: an object as its members, each still a slice of the document.
//!
//! A document of 13 MB as a tree of values takes ten times its size; as slices it takes itself. What is read here is not
//! trusted to be of any kind: a wrong one is `None`, and costs who asked. Of a key that comes twice the last counts, as in
//! `JSON.parse`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

pub(super) type Raw<'d> = &'d RawValue;

#[derive(Debug, Clone, Default)]
pub(super) struct Fields<'d>(Vec<(Cow<'d, str>, Raw<'d>)>);

#[derive(Deserialize)]
struct Key<'d>(#[serde(borrow)] Cow<'d, str>);

impl<'d> Fields<'d> {
    pub(super) fn read(raw: Raw<'d>) -> Option<Self> {
        serde_json::from_str(raw.get()).ok()
    }

    pub(super) fn get(&self, name: &str) -> Option<Raw<'d>> {
        let found = self.0.iter().rev().find(|(key, _)| key == name);
        found.map(|(_, raw)| *raw)
    }

    pub(super) fn object(&self, name: &str) -> Option<Self> {
        self.get(name).and_then(Self::read)
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.get(name).and_then(text)
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        self.flag(name) == Some(true)
    }

    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        match self.get(name)?.get() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    pub(super) fn list(&self, name: &str) -> Vec<Raw<'d>> {
        self.get(name).and_then(items).unwrap_or_default()
    }

    /// Texts of a list; what is none is left out.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        self.list(name).into_iter().filter_map(text).collect()
    }

    /// In the order of the document, each key once.
    pub(super) fn unique(&self) -> Vec<(&str, Raw<'d>)> {
        let last: BTreeMap<&str, usize> = self
            .iter()
            .enumerate()
            .map(|(at, (key, _))| (key, at))
            .collect();
        self.iter()
            .enumerate()
            .filter(|(at, (key, _))| last.get(key) == Some(at))
            .map(|(_, entry)| entry)
            .collect()
    }

    /// In the order of the document; a key that comes twice is there twice.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Raw<'d>)> {
        self.0.iter().map(|(key, raw)| (key.as_ref(), *raw))
    }

    /// These members, and those of `base` that are not among them.
    pub(super) fn over(self, mut base: Self) -> Self {
        base.0.extend(self.0);
        base
    }

    pub(super) fn into_entries(self) -> Vec<(Cow<'d, str>, Raw<'d>)> {
        self.0
    }
}

impl<'de: 'd, 'd> Deserialize<'de> for Fields<'d> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'d> Visitor<'d> for Members {
            type Value = Fields<'d>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'d>>(self, mut map: A) -> Result<Fields<'d>, A::Error> {
                let mut entries = Vec::new();
                while let Some((Key(key), raw)) = map.next_entry()? {
                    entries.push((key, raw));
                }
                Ok(Fields(entries))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

pub(super) fn text(raw: Raw<'_>) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

pub(super) fn items(raw: Raw<'_>) -> Option<Vec<Raw<'_>>> {
    serde_json::from_str(raw.get()).ok()
}

/// The whole value; `None` where it nests deeper than can be read or holds half a character.
pub(super) fn value(raw: Raw<'_>) -> Option<Value> {
    serde_json::from_str(raw.get()).ok()
}
