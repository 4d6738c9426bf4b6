//! A method or a snippet to weighted terms: which of its texts counts how much.
//!
//! BM25F: occurrences are weighted by their field and held against the field's length *before* they are saturated, so that
//! a word in the name is worth more than the same word five times in a long text. The usual lengths are fixed, not averages
//! over a catalogue: a segment depends on its source alone and can be stored.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::record::{MethodRecord, SnippetRecord};

use super::super::tokens::words;
use super::super::types::parameters;
use super::acts;
use super::lexicon::Lexicon;
use super::segment::{Card, Segment, Writer};
use super::terms::Terms;
use super::weights::{FIELDS, Field};

/// Words of one field beyond these are not filed: a description may be a book.
const MAX_FIELD_WORDS: usize = 400;
/// Properties of one schema beyond these are not read.
const MAX_PROPERTIES: usize = 200;
/// Weights are stored in sixteenths.
pub(super) const STEPS: f32 = 16.0;

#[derive(Debug, Default)]
pub(in crate::catalog) struct SegmentBuilder {
    writer: Writer,
    terms: Terms,
}

impl SegmentBuilder {
    pub(in crate::catalog) fn add(&mut self, method: &MethodRecord) {
        let mut document = Document::new(&self.terms);
        document.name(&method.name);
        document.name(method.original.as_deref().unwrap_or_default());
        if let Some(operation) = &method.operation {
            document.path(&operation.path);
            document.acts |= acts::of_request(&operation.verb, &operation.path);
        } else if method.read_only {
            document.acts |= acts::READ;
        }
        for tag in &method.tags {
            document.text(&FIELDS.tags, tag);
        }
        document.description(method.description.as_deref().unwrap_or_default());
        document.schema(&method.input_schema);
        document.file(&mut self.writer);
    }

    pub(super) fn add_snippet(&mut self, snippet: &SnippetRecord) {
        let mut document = Document::new(&self.terms);
        document.name(&snippet.name);
        document.text(&FIELDS.tags, super::super::snippets::GROUP);
        document.description(&snippet.description);
        document.schema(&snippet.input_schema);
        document.file(&mut self.writer);
    }

    pub(in crate::catalog) fn finish(self) -> Segment {
        self.writer.segment()
    }
}

struct Document<'t> {
    terms: &'t Terms,
    acts: u8,
    found: BTreeMap<String, Found>,
}

#[derive(Default)]
struct Found {
    in_name: bool,
    weight: f32,
}

impl<'t> Document<'t> {
    fn new(terms: &'t Terms) -> Self {
        Self {
            terms,
            acts: 0,
            found: BTreeMap::new(),
        }
    }

    /// A name's words count once, however often it repeats them (`getCustomersCustomer`).
    fn name(&mut self, name: &str) {
        let terms: Vec<String> = words(name).iter().map(|word| self.terms.of(word)).collect();
        let weight = FIELDS.name.weight(terms.len());
        for term in terms {
            self.acts |= acts::of_term(&term);
            let found = self.found.entry(term).or_default();
            if !found.in_name {
                found.in_name = true;
                found.weight += weight;
            }
        }
    }

    fn path(&mut self, path: &str) {
        let fixed = path.split('/').filter(|part| !part.contains('{'));
        let fixed: Vec<&str> = fixed.collect();
        self.text(&FIELDS.path, &fixed.join(" "));
    }

    fn description(&mut self, description: &str) {
        let plain = plain(description);
        let (summary, rest) = summary(&plain);
        if let Some(first) = words(summary).first() {
            self.acts |= acts::of_term(&self.terms.of(first));
        }
        self.text(&FIELDS.summary, summary);
        self.text(&FIELDS.rest, rest);
    }

    /// Names and descriptions of what is passed, those of an inline body's properties too.
    fn schema(&mut self, schema: &Option<Value>) {
        let Some(schema) = schema else { return };
        let (mut names, mut texts) = (String::new(), String::new());
        for name in parameters(schema).take(MAX_PROPERTIES) {
            push(&mut names, name);
        }
        let own = properties(schema);
        let body = own.and_then(|own| own.get("body")).and_then(properties);
        let inner = body.into_iter().flat_map(Map::keys).take(MAX_PROPERTIES);
        inner.for_each(|name| push(&mut names, name));
        for properties in own.into_iter().chain(body) {
            for property in properties.values().take(MAX_PROPERTIES) {
                let text = property.get("description").and_then(Value::as_str);
                push(&mut texts, text.unwrap_or_default());
            }
        }
        self.text(&FIELDS.parameters, &names);
        self.text(&FIELDS.parameter_texts, &plain(&texts));
    }

    fn text(&mut self, field: &Field, text: &str) {
        let mut words = words(text);
        words.truncate(MAX_FIELD_WORDS);
        words.retain(|word| !Lexicon::get().is_stop_word(word));
        let weight = field.weight(words.len());
        for word in &words {
            self.found.entry(self.terms.of(word)).or_default().weight += weight;
        }
    }

    fn file(mut self, writer: &mut Writer) {
        self.found.remove("");
        let named = self.found.iter().filter(|(_, found)| found.in_name);
        let size: u32 = named
            .map(|(term, _)| u32::from(name_size(acts::of_term(term))))
            .sum();
        let card = Card {
            acts: self.acts,
            name_size: u8::try_from(size).unwrap_or(u8::MAX),
        };
        let terms = self.found.into_iter().map(|(term, found)| {
            let weight = (found.weight * STEPS).round().clamp(1.0, 255.0);
            (term, found.in_name, weight as u8)
        });
        writer.add(card, terms);
    }
}

/// What a word of a name counts in its size, by its act: what a method is about says more than what it does.
pub(super) fn name_size(act: u8) -> u8 {
    if act == 0 { 5 } else { 2 }
}

fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

fn push(text: &mut String, more: &str) {
    text.push_str(more);
    text.push('\n');
}

/// The first paragraph or sentence, whichever is shorter, and what follows.
fn summary(text: &str) -> (&str, &str) {
    let text = text.trim();
    let paragraph = text.find("\n\n");
    let sentence = text.find(". ").or_else(|| text.find(".\n"));
    let end = [paragraph, sentence].into_iter().flatten().min();
    text.split_at(end.unwrap_or(text.len()))
}

/// Without tags of HTML and without addresses: their words are not about the method.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', 'h']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let skipped = if from.starts_with("http://") || from.starts_with("https://") {
            from.find(|c: char| c.is_whitespace() || matches!(c, ')' | '"' | '>' | ']'))
                .unwrap_or(from.len())
        } else if from.starts_with('<') {
            let name = from.trim_start_matches(['<', '/']);
            let tag = name.starts_with(|c: char| c.is_ascii_alphabetic());
            let end = from.find('>').filter(|end| tag && *end < 200);
            end.map_or(0, |end| end + 1)
        } else {
            0
        };
        if skipped == 0 {
            let (one, after) = from.split_at(1);
            out.push_str(one);
            rest = after;
        } else {
            out.push(' ');
            rest = from.get(skipped..).unwrap_or_default();
        }
    }
    out.push_str(rest);
    out
}
