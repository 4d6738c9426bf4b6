//! A sample of operations, the same every time: for comparing the requests that are made of them.
//!
//! One method of each of so many documents, spread over all of them, and beside these the first methods that do something
//! unusual: another style, a body that is not JSON, a cookie, a header.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use codemode::catalog::{Memory, MethodRecord, closed};
use serde_json::{Value, json};

const SPREAD: usize = 200;
const OF_A_KIND: usize = 12;
/// A schema that hangs together with half a document says nothing more of a request.
const MAX_CHARS: usize = 60_000;
const DEPTH: usize = 12;

pub struct Sample {
    every: usize,
    seen: usize,
    kinds: BTreeMap<String, usize>,
    lines: Vec<String>,
}

impl Sample {
    pub fn new(documents: usize) -> Self {
        Self {
            every: (documents / SPREAD).max(1),
            seen: 0,
            kinds: BTreeMap::new(),
            lines: Vec::new(),
        }
    }

    pub fn consider(&mut self, place: &Path, memory: &Memory) {
        let records = || memory.records.iter().filter(|it| it.name != "request");
        let count = records().count();
        let chosen = (self.seen % self.every == 0 && count > 0).then(|| self.seen * 7 % count);
        self.seen += 1;
        let mut of_document = 0;
        for (number, record) in records().enumerate() {
            let kind = kind(record).filter(|_| of_document < 3);
            let rare = kind.is_some_and(|kind| {
                let taken = self.kinds.entry(kind).or_default();
                *taken += 1;
                *taken <= OF_A_KIND
            });
            of_document += usize::from(rare);
            if rare || chosen == Some(number) {
                self.take(place, record, memory);
            }
        }
    }

    fn take(&mut self, place: &Path, record: &MethodRecord, memory: &Memory) {
        let shelf = vec![Memory {
            connector: memory.connector.clone(),
            records: Vec::new(),
            definitions: memory.definitions.clone(),
        }];
        let mut record = record.clone();
        record.output_schema = None;
        let input = record.input_schema.take().unwrap_or_default();
        record.input_schema = closed(&memory.connector, &input, DEPTH, &shelf).ok();
        let line = json!({ "document": place.display().to_string(), "record": record }).to_string();
        if line.len() <= MAX_CHARS {
            self.lines.push(line);
        }
    }

    pub fn write(&self, file: &Path) -> Result<(), String> {
        println!("{} operations in {}", self.lines.len(), file.display());
        let text: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(file, text).map_err(|error| format!("{file:?}: {error}"))
    }
}

/// What is unusual about the request of a method.
fn kind(record: &MethodRecord) -> Option<String> {
    let operation = serde_json::to_value(record.operation.as_ref()?).ok()?;
    let parameters = operation["parameters"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let styled = parameters.iter().find_map(|parameter| {
        let place = parameter["in"].as_str()?;
        let how = ["style", "explode", "content", "allowReserved"]
            .into_iter()
            .filter_map(|it| Some(format!("{it} {}", parameter.get(it)?)))
            .collect::<Vec<_>>();
        (!how.is_empty()).then(|| format!("{place} {}", how.join(" ")))
    });
    let body = operation["body"]["type"]
        .as_str()
        .filter(|it| *it != "application/json");
    let unusual = parameters
        .iter()
        .filter_map(|parameter| parameter["in"].as_str())
        .find(|place| matches!(*place, "cookie" | "header"));
    let encoded = operation["body"]
        .get("encoding")
        .filter(|it| **it != Value::Null);
    styled
        .or_else(|| encoded.map(|_| "encoding".to_owned()))
        .or_else(|| body.map(str::to_owned))
        .or_else(|| unusual.map(str::to_owned))
}
