//! The schemas that others name: which of them are used, under which keys, each made once.
//!
//! A definition is made when it is first named, and written when all methods are. Where a schema holds what is only sent
//! or only read, it is two definitions, one for each way; the others are one.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Map, Value};

use super::document::Document;
use super::keys::Keys;
use super::one_way::{OneWay, is_component};
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
    one_way: OneWay,
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
            one_way: OneWay::of(document, text),
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

    /// Is a property of this schema left out on this way?
    pub(super) fn leaves_out(&self, schema: &Value, way: Way) -> bool {
        self.one_way.leaves_out(self.document, schema, way)
    }

    fn named(&mut self, pointer: String, raw: Raw<'d>, way: Way) -> Value {
        let way = match self.one_way.concerns(&pointer) {
            true => way,
            false => Way::Read,
        };
        let keys = &mut self.keys;
        let waiting = &mut self.waiting;
        let key = self.known.entry((pointer.clone(), way)).or_insert_with(|| {
            let name = name_of(&pointer);
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
fn name_of(pointer: &str) -> String {
    #[rustfmt::skip]
    const STRUCTURE: [&str; 8] = [
        "schema", "content", "items", "allOf", "anyOf", "oneOf", "properties", "additionalProperties",
    ];
    let is_type = |token: &str| token.contains("~1") && !is_component(pointer);
    let telling = |token: &&str| {
        !STRUCTURE.contains(token) && !is_type(token) && token.parse::<u32>().is_err()
    };
    let last = pointer.rsplit('/').next().unwrap_or_default();
    let found = pointer.rsplit('/').find(telling).unwrap_or(last);
    found.replace("~1", " ").replace("~0", "~")
}
