//! Snippets inside a pass: which go along, and what a program hears when it runs one.
//!
//! A snippet is part of the run from the moment it is first run: its text is recorded then, and every later pass has that
//! one. One that was not foreseen ends the pass as a pause would, when all else has come to rest, and the next pass, which
//! has it, repeats this one.

use std::collections::VecDeque;

use super::pass::Pass;
use super::{Runtime, json};
use crate::engine::decide::Answer;
use crate::engine::execution::{Execution, Stage};
use crate::engine::failure::Failure;
use crate::engine::ids::{EpochMs, Kind, Operation};
use crate::engine::journal::{What, Writes};
use crate::engine::snippet::{RUN, Snippet, missing, too_many};
use crate::engine::surrogates::read_json;
use crate::engine::text::{Slot, Spill};
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::wire::sandbox::LoadedSnippet;

/// The call stays open for this pass.
const OPEN: &str = "p";

/// A snippet whose module the sandbox has.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) snippet: Snippet,
    /// It was run, and its text is part of the record.
    recorded: bool,
}

impl Loaded {
    pub(super) fn listed(&self) -> LoadedSnippet<'_> {
        LoadedSnippet {
            name: &self.snippet.name,
            positions: &self.snippet.positions,
        }
    }
}

impl<S: Sql> Runtime<S> {
    /// What goes along with a pass: all that the run has recorded, and those that these and the program name.
    pub(super) fn loaded(&self, execution: &Execution) -> Result<Vec<Loaded>, Error> {
        let mut all: Vec<Loaded> = Vec::new();
        let mut named: VecDeque<String> = execution.runs.iter().cloned().collect();
        for (number, name) in (0_u32..).zip(&execution.snippets) {
            let text = self
                .store
                .stored(&execution.id, Slot::Snippet(number))?
                .unwrap_or_default();
            let snippet: Snippet = serde_json::from_str(&text).map_err(|error| {
                Error::new(
                    Code::Internal,
                    format!("the recorded text of snippet {name} cannot be read: {error}"),
                )
            })?;
            named.extend(snippet.runs.iter().cloned());
            all.push(Loaded {
                snippet,
                recorded: true,
            });
        }
        while let Some(name) = named.pop_front() {
            if all.iter().any(|loaded| loaded.snippet.name == name) {
                continue;
            }
            let Some(snippet) = self.store.snippet(&name)? else {
                continue;
            };
            if too_many(all.iter().map(|loaded| &loaded.snippet), &snippet).is_some() {
                continue;
            }
            named.extend(snippet.runs.iter().cloned());
            all.push(Loaded {
                snippet,
                recorded: false,
            });
        }
        Ok(all)
    }

    /// `codemode.run`, not yet answered.
    pub(super) fn run_snippet(
        &self,
        pass: &mut Pass,
        operation: Operation,
        args: &str,
        now: EpochMs,
    ) -> Result<String, Error> {
        let Some((name, input)) = run_args(args) else {
            let error = Error::new(
                Code::InvalidInput,
                "codemode.run takes the name of a snippet and one input",
            );
            return self.looked_up(pass, operation, Answer::Failure(Failure::of(&error)), now);
        };
        let here = pass
            .snippets
            .iter()
            .position(|loaded| loaded.snippet.name == name);
        let refusal = match here {
            Some(at) => pass
                .snippets
                .get(at)
                .and_then(|loaded| pass.refusal(&loaded.snippet)),
            None => match self.store.snippet(&name)? {
                None => Some(unknown(pass, &name)),
                Some(snippet) => match self.foreseen(pass, &snippet) {
                    Some(refusal) => Some(refusal),
                    None => return self.take_along(pass, &snippet, now),
                },
            },
        };
        if let Some(text) = refusal {
            let value = json(&serde_json::json!({ "error": text }));
            return self.looked_up(pass, operation, Answer::Value(value), now);
        }
        if let Some(loaded) = here.and_then(|at| pass.snippets.get_mut(at))
            && !loaded.recorded
        {
            loaded.recorded = true;
            let snippet = loaded.snippet.clone();
            pass.record(&snippet, now);
        }
        let schema = here
            .and_then(|at| pass.snippets.get(at))
            .and_then(|loaded| loaded.snippet.input_schema.as_ref());
        if let Some(schema) = schema {
            return Ok(format!(
                "c{}",
                json(&serde_json::json!({ "schema": schema, "input": input }))
            ));
        }
        self.looked_up(pass, operation, Answer::Value(start(&name)), now)
    }

    /// The input of a snippet was held against its schema; `complaint` is empty when it fits.
    pub fn checked(&self, pass: u32, operation: u32, complaint: &str, now: EpochMs) -> String {
        self.during(pass, now, |pass| {
            let operation = Operation(operation);
            let entry = pass.entry(operation)?;
            let asked = operation.kind() == Kind::Lookup
                && entry.call.method == RUN
                && entry.stage == Stage::Executing;
            let args = self.args(pass, operation)?;
            let Some((name, _)) = run_args(&args).filter(|_| asked) else {
                return Err(Error::new(
                    Code::Internal,
                    "an input was checked for what runs no snippet",
                ));
            };
            let answer = if complaint.is_empty() {
                Answer::Value(start(&name))
            } else {
                let error = Error::new(
                    Code::InvalidInput,
                    format!(
                        "snippet {name} was not run: {complaint}; codemode.describe({name:?}) has the type of its input"
                    ),
                );
                Answer::Failure(Failure::of(&error))
            };
            self.looked_up(pass, operation, answer, now)
        })
    }

    fn foreseen(&self, pass: &Pass, snippet: &Snippet) -> Option<String> {
        let known = pass.snippets.iter().filter(|loaded| loaded.recorded);
        pass.refusal(snippet)
            .or_else(|| too_many(known.map(|loaded| &loaded.snippet), snippet))
    }

    /// Recorded now, so that the next pass has the text that was meant, whatever is saved until then.
    fn take_along(
        &self,
        pass: &mut Pass,
        snippet: &Snippet,
        now: EpochMs,
    ) -> Result<String, Error> {
        if !pass.execution.snippets.contains(&snippet.name) {
            pass.record(snippet, now);
            self.flush_pass(pass)?;
        }
        pass.again = true;
        Ok(OPEN.to_owned())
    }
}

impl Pass {
    fn record(&mut self, snippet: &Snippet, now: EpochMs) {
        let number = u32::try_from(self.execution.snippets.len()).unwrap_or(u32::MAX);
        let mut writes = Writes::default();
        writes.spills.push(Spill {
            slot: Slot::Snippet(number),
            text: json(snippet),
        });
        writes.push(
            now,
            What::Snippet {
                name: snippet.name.clone(),
            },
        );
        self.take(writes);
    }

    /// It needs connectors that the sandbox has as globals and the host has at hand.
    fn refusal(&self, snippet: &Snippet) -> Option<String> {
        let has = |names: &[String], name: &str| names.iter().any(|it| it == name);
        missing(snippet, |name| {
            has(&self.execution.connectors, name) && has(&self.connectors, name)
        })
    }
}

/// What tells the sandbox to run it.
fn start(name: &str) -> String {
    json(&serde_json::json!({ "snippet": name }))
}

/// A JSON array: the name, and value text of the input where there is one.
fn run_args(args: &str) -> Option<(String, String)> {
    let args: Vec<String> = read_json(args).ok()?;
    let mut args = args.into_iter();
    Some((args.next()?, args.next().unwrap_or_default()))
}

fn unknown(pass: &Pass, name: &str) -> String {
    let shown: String = name.chars().take(100).collect();
    let near = pass.catalogue.nearest_snippets(name);
    let offer = if near.is_empty() {
        String::new()
    } else {
        format!("Nearest: {}. ", near.join(", "))
    };
    format!(
        "there is no snippet {shown:?}. {offer}codemode.search(\"what it should do\") finds snippets and methods"
    )
}
