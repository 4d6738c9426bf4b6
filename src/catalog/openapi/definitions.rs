//! The schemas that others name: which of them are used, under which keys, each made once.
//!
//! A definition is made when it is first named, and written when all methods are. Where a schema holds what is only sent
//! or only read, it is two definitions, one for each way; the others are one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Map, Value};

use super::document::Document;
use super::keys::Keys;
use super::one_way;
use super::raw::{Raw, value};
use super::schema::conformed;
use crate::catalog::source::Sink;
use crate::error::Error;

/// Which way a value travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    Sent,
    Read,
}

#[derive(Debug)]
pub(super) struct Definitions<'a, 'd> {
    pub(super) document: &'a Document<'d>,
    keys: Keys,
    known: BTreeMap<(String, Way), String>,
    waiting: VecDeque<Waiting<'d>>,
    /// Components that are another schema when they are sent than when they are read.
    one_way: BTreeSet<String>,
}

#[derive(Debug)]
struct Waiting<'d> {
    key: String,
    raw: Raw<'d>,
    way: Way,
}

/// A schema that a reference led to is written where it is used only up to this length in the document.
const MAX_COPIED: usize = 300;

impl<'a, 'd> Definitions<'a, 'd> {
    pub(super) fn new(document: &'a Document<'d>, text: &str) -> Self {
        Self {
            document,
            keys: Keys::new(),
            known: BTreeMap::new(),
            waiting: VecDeque::new(),
            one_way: one_way::components(document, text),
        }
    }

    /// The schema of a parameter, body or response. `pointer` where it lies behind a reference: then it may be used by
    /// many, and is a definition unless it is short.
    pub(super) fn schema(&mut self, raw: Raw<'d>, pointer: Option<String>, way: Way) -> Value {
        match pointer {
            Some(pointer) if raw.get().len() > MAX_COPIED => self.named(pointer, raw, way),
            _ => conformed(value(raw).unwrap_or(Value::Bool(true)), way, self),
        }
    }

    /// What stands for a `$ref` in a schema; `None` where it leads nowhere.
    pub(super) fn reference(&mut self, reference: &str, way: Way) -> Option<Value> {
        let (pointer, raw) = self.document.follow_schema(reference)?;
        match raw.get().as_bytes().first() {
            Some(b'{') => Some(self.named(pointer, raw, way)),
            _ => None,
        }
    }

    fn named(&mut self, pointer: String, raw: Raw<'d>, way: Way) -> Value {
        let way = match one_way::concerns(&self.one_way, &pointer) {
            true => way,
            false => Way::Read,
        };
        let name = pointer.rsplit('/').next().unwrap_or_default();
        let keys = &mut self.keys;
        let waiting = &mut self.waiting;
        let key = self.known.entry((pointer.clone(), way)).or_insert_with(|| {
            let name = name_of(&pointer, name);
            let key = match way {
                Way::Sent => keys.claim(&format!("{name} input")),
                Way::Read => keys.claim(&name),
            };
            waiting.push_back(Waiting {
                key: key.clone(),
                raw,
                way,
            });
            key
        });
        let target = format!("#/$defs/{key}");
        Value::Object(Map::from_iter([("$ref".to_owned(), Value::String(target))]))
    }

    /// Writes what was named, and what that names in its turn.
    ///
    /// # Errors
    /// What the sink answers.
    pub(super) fn write(mut self, sink: &mut impl Sink) -> Result<(), Error> {
        while let Some(Waiting { key, raw, way }) = self.waiting.pop_front() {
            let schema = value(raw).unwrap_or(Value::Bool(true));
            let schema = conformed(schema, way, &mut self);
            sink.definition(&key, &schema.to_string())?;
        }
        Ok(())
    }
}

/// The last word of a pointer that is a name: of `/components/responses/Pets/content/application~1json/schema` it is `Pets`.
fn name_of(pointer: &str, last: &str) -> String {
    let telling = |token: &&str| {
        !matches!(
            *token,
            "schema"
                | "content"
                | "items"
                | "allOf"
                | "anyOf"
                | "oneOf"
                | "properties"
                | "additionalProperties"
        ) && !token.contains("~1")
            && token.parse::<u32>().is_err()
    };
    let found = pointer.rsplit('/').find(telling).unwrap_or(last);
    found.replace("~1", " ").replace("~0", "~")
}
