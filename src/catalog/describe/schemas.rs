//! The schemas of a method or a type with the definitions that they need, fetched as reading asks for them, and read as far
//! as there is room.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::catalog::shelf::Shelf;
use crate::catalog::types::{Form, Names, Sheet, Start, View, Words, read, whole};
use crate::error::Error;

/// An input beyond this is opened level by level: about 6,000 tokens.
const MAX_INPUT_CHARS: usize = 24_000;
/// Items of a list beyond this are only named.
const MAX_ITEM_CHARS: usize = 1_000;
/// How an input that is too long is opened instead; the last is taken as it is.
const LESS: [View; 3] = [View::Levels(3), View::Levels(2), View::Levels(1)];
/// Of an input that needs more definitions, less is shown.
const MAX_DEFINITIONS: usize = 400;
/// How often definitions are fetched that those before refer to.
pub(super) const MAX_ROUNDS: usize = 24;

/// Input and result of one method with what they refer to.
pub(in crate::catalog) struct Shown {
    pub(super) input: Option<Document>,
    pub(super) output: Option<Document>,
}

/// A schema, and which of its definitions came from the shelf.
#[derive(Clone)]
pub(super) struct Document {
    pub(super) root: Value,
    fetched: BTreeSet<String>,
}

impl Document {
    pub(super) fn new(root: Value) -> Self {
        Self {
            root,
            fetched: BTreeSet::new(),
        }
    }

    /// The key on the shelf of what a name stands for.
    pub(super) fn key<'p>(&self, pointer: Option<&'p str>) -> Option<&'p str> {
        pointer?
            .strip_prefix("/$defs/")
            .filter(|key| self.fetched.contains(*key))
    }

    /// Puts in a definition of the shelf.
    pub(super) fn put(&mut self, key: &str, definition: Value) {
        if let Value::Object(map) = &mut self.root {
            let definitions = map
                .entry("$defs")
                .or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(definitions) = definitions {
                definitions.insert(key.to_owned(), definition);
                self.fetched.insert(key.to_owned());
            }
        }
    }

    /// Gives up what was fetched: it is more than can be shown.
    fn forget(&mut self) {
        if let Some(Value::Object(definitions)) = self.root.get_mut("$defs") {
            definitions.retain(|key, _| !self.fetched.contains(key));
        }
        self.fetched.clear();
    }

    /// Fetches what is missing. What nobody has says nothing, and is not asked for again.
    pub(super) fn fetch(
        &mut self,
        connector: &str,
        missing: &[String],
        shelf: &impl Shelf,
    ) -> Result<(), Error> {
        for key in missing {
            let found = shelf.definition(connector, key)?;
            self.put(key, found.unwrap_or(Value::Bool(true)));
        }
        Ok(())
    }
}

/// What is read of a method at one time.
pub(in crate::catalog) struct Sheets<'s> {
    pub(super) input: Option<Sheet<'s>>,
    pub(super) output: Option<Sheet<'s>>,
}

impl Shown {
    pub(super) fn new(input: &Option<Value>, output: &Option<Value>) -> Self {
        Self {
            input: input.clone().map(Document::new),
            output: output.clone().map(Document::new),
        }
    }

    /// Reads both, fetching definitions until all are there, and hands them to `then`.
    pub(super) fn read<T>(
        &mut self,
        connector: &str,
        name: &str,
        words: (Words, Words),
        shelf: &impl Shelf,
        then: impl FnOnce(&Self, &Sheets<'_>) -> T,
    ) -> Result<T, Error> {
        let mut views = (View::Whole, View::Result);
        let mut less = LESS.into_iter();
        let mut rounds = 0;
        loop {
            rounds += 1;
            let sheets = self.sheets(name, views, words);
            let (input, output) = (
                missing(sheets.input.as_ref()),
                missing(sheets.output.as_ref()),
            );
            let many = |document: &Option<Document>| {
                let fetched = document.as_ref().map_or(0, |it| it.fetched.len());
                fetched > MAX_DEFINITIONS
            };
            if many(&self.input)
                && let Some(next) = less.next()
            {
                views.0 = next;
                if let Some(document) = &mut self.input {
                    document.forget();
                }
                continue;
            }
            if rounds > MAX_ROUNDS || input.is_empty() && output.is_empty() {
                let long = |sheet: &Option<Sheet<'_>>| sheet.as_ref().map_or(0, length);
                if long(&sheets.input) > MAX_INPUT_CHARS
                    && let Some(next) = less.next()
                {
                    views.0 = next;
                } else if long(&sheets.output) > MAX_ITEM_CHARS && views.1 == View::Result {
                    views.1 = View::List;
                } else {
                    return Ok(then(self, &sheets));
                }
                continue;
            }
            for (document, keys) in [(&mut self.input, input), (&mut self.output, output)] {
                if let Some(document) = document {
                    document.fetch(connector, &keys, shelf)?;
                }
            }
        }
    }

    fn sheets(
        &self,
        name: &str,
        views: (View, View),
        (input, output): (Words, Words),
    ) -> Sheets<'_> {
        let mut names = Names::new();
        let own = |role| format!("{name} {role}");
        Sheets {
            input: self.input.as_ref().map(|it| {
                read(
                    &it.root,
                    Start::Root(&own("Input")),
                    views.0,
                    input,
                    &mut names,
                )
            }),
            output: self.output.as_ref().map(|it| {
                read(
                    &it.root,
                    Start::Root(&own("Output")),
                    views.1,
                    output,
                    &mut names,
                )
            }),
        }
    }
}

fn missing(sheet: Option<&Sheet<'_>>) -> Vec<String> {
    sheet.map_or_else(Vec::new, |sheet| sheet.missing.clone())
}

/// About so many characters are printed.
fn length(sheet: &Sheet<'_>) -> usize {
    if !sheet.is_whole {
        return usize::MAX;
    }
    let definitions = sheet
        .definitions
        .iter()
        .map(|it| whole(&it.ty, Form::Line).len());
    whole(&sheet.ty, Form::Line).len() + definitions.sum::<usize>()
}
