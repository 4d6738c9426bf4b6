//! Where records and definitions are read from when they are wanted. A catalogue of ten thousand methods holds their names
//! and policies; everything else stays where it is stored.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::record::MethodRecord;
use super::search::line;
use super::source::Sink;
use crate::error::Error;

/// What is stored of connectors.
pub trait Shelf {
    fn record(&self, connector: &str, method: &str) -> Result<Option<MethodRecord>, Error>;
    /// What `line` made of the record, where that is kept.
    fn line(&self, connector: &str, method: &str) -> Result<Option<String>, Error>;
    /// The schema that records of this connector name as `#/$defs/<key>`.
    fn definition(&self, connector: &str, key: &str) -> Result<Option<Value>, Error>;
    /// The keys of all definitions of this connector, to offer one that was meant.
    fn definitions(&self, connector: &str) -> Result<Vec<String>, Error>;
}

/// Definitions in one closed schema. A document may hold more that hang together than anybody can use.
const MAX_CLOSED: usize = 2_000;

/// The schema with all definitions that it needs, under `$defs`: a JSON Schema by itself. `depth` is how many steps of
/// reference are followed; what lies behind stays a reference that leads nowhere.
pub fn closed(
    connector: &str,
    schema: &Value,
    depth: usize,
    shelf: &impl Shelf,
) -> Result<Value, Error> {
    let mut found: Map<String, Value> = Map::new();
    let mut open = keys(schema);
    for _ in 0..depth {
        let mut next = Vec::new();
        for key in open {
            if found.contains_key(&key) || found.len() >= MAX_CLOSED {
                continue;
            }
            if let Some(definition) = shelf.definition(connector, &key)? {
                next.extend(keys(&definition));
                found.insert(key, definition);
            }
        }
        if next.is_empty() {
            break;
        }
        open = next;
    }
    let mut schema = schema.clone();
    if let Value::Object(map) = &mut schema
        && !found.is_empty()
    {
        match map.get_mut("$defs") {
            Some(Value::Object(own)) => own.extend(found),
            _ => {
                map.insert("$defs".to_owned(), Value::Object(found));
            }
        }
    }
    Ok(schema)
}

/// The keys of definitions that a schema names, in the order they are met.
fn keys(schema: &Value) -> Vec<String> {
    let mut keys = Vec::new();
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                if let Some(Value::String(target)) = map.get("$ref")
                    && let Some(key) = target.strip_prefix("#/$defs/")
                    && !key.contains('/')
                {
                    keys.push(key.to_owned());
                }
                open.extend(map.values().rev());
            }
            Value::Array(items) => open.extend(items.iter().rev()),
            _ => {}
        }
    }
    keys
}

/// One connector's records and definitions in memory: what derivation gives where nothing is stored.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    pub connector: String,
    pub records: Vec<MethodRecord>,
    pub definitions: BTreeMap<String, Value>,
}

impl Sink for Memory {
    fn method(&mut self, record: MethodRecord) -> Result<(), Error> {
        self.records.push(record);
        Ok(())
    }

    fn definition(&mut self, key: &str, schema: &str) -> Result<(), Error> {
        // What is handed on was read before.
        let schema = serde_json::from_str(schema).unwrap_or(Value::Bool(true));
        self.definitions.insert(key.to_owned(), schema);
        Ok(())
    }
}

impl Shelf for Vec<Memory> {
    fn record(&self, connector: &str, method: &str) -> Result<Option<MethodRecord>, Error> {
        let own = self.iter().find(|memory| memory.connector == connector);
        let mut records = own.into_iter().flat_map(|memory| &memory.records);
        Ok(records.find(|record| record.name == method).cloned())
    }

    fn line(&self, connector: &str, method: &str) -> Result<Option<String>, Error> {
        let record = self.record(connector, method)?;
        Ok(record.map(|record| line(connector, &record)))
    }

    fn definition(&self, connector: &str, key: &str) -> Result<Option<Value>, Error> {
        let own = self.iter().find(|memory| memory.connector == connector);
        Ok(own.and_then(|memory| memory.definitions.get(key).cloned()))
    }

    fn definitions(&self, connector: &str) -> Result<Vec<String>, Error> {
        let own = self.iter().find(|memory| memory.connector == connector);
        let keys = own.into_iter().flat_map(|memory| memory.definitions.keys());
        Ok(keys.cloned().collect())
    }
}
