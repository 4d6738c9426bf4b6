//! Snippets inside a pass: what a program hears when it runs one.
//!
//! A snippet is part of the run from the moment it is first run: its text is recorded then, and every later pass has that
//! one. One that was not foreseen ends the pass as a pause would, when all else has come to rest, and the next pass, which
//! has it, repeats this one.

use super::pass::Pass;
use super::{Runtime, json};
use crate::engine::decide::Answer;
use crate::engine::execution::Stage;
use crate::engine::failure::Failure;
use crate::engine::ids::{EpochMs, Kind, Operation};
use crate::engine::journal::{What, Writes};
use crate::engine::snippet::{RUN, Snippet, missing, too_many};
use crate::engine::surrogates::read_json;
use crate::engine::text::{Slot, Spill};
use crate::error::{Code, Error};
use crate::store::sql::Sql;

/// The call stays open for this pass.
const OPEN: &str = "p";

impl<S: Sql> Runtime<S> {
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
        let mut along = pass.snippets.iter();
        let Some(loaded) = along.find(|loaded| loaded.snippet.name == name) else {
            return self.run_unforeseen(pass, operation, &name, now);
        };
        let (snippet, is_new) = (loaded.snippet.clone(), !loaded.recorded);
        if let Some(refusal) = pass.refusal(&snippet) {
            return self.refuse_run(pass, operation, &refusal, now);
        }
        if is_new {
            pass.record(&snippet, now);
        }
        if let Some(schema) = snippet.input_schema {
            let question = serde_json::json!({ "schema": schema, "input": input });
            return Ok(format!("c{}", json(&question)));
        }
        self.looked_up(pass, operation, Answer::Value(start(&name)), now)
    }

    /// Its text is recorded now, so that the next pass has the one that was meant, whatever is saved until then.
    fn run_unforeseen(
        &self,
        pass: &mut Pass,
        operation: Operation,
        name: &str,
        now: EpochMs,
    ) -> Result<String, Error> {
        let refusal = match self.store.snippet(name)? {
            None => unknown(pass, name),
            Some(snippet) => {
                let known = pass.snippets.iter().filter(|loaded| loaded.recorded);
                let refusal = pass
                    .refusal(&snippet)
                    .or_else(|| too_many(known.map(|loaded| &loaded.snippet), &snippet));
                match refusal {
                    Some(refusal) => refusal,
                    None => {
                        if !pass.execution.snippets.contains(&snippet.name) {
                            pass.record(&snippet, now);
                            self.flush_pass(pass)?;
                        }
                        pass.again = true;
                        return Ok(OPEN.to_owned());
                    }
                }
            }
        };
        self.refuse_run(pass, operation, &refusal, now)
    }

    /// The program gets an object that says why.
    fn refuse_run(
        &self,
        pass: &mut Pass,
        operation: Operation,
        why: &str,
        now: EpochMs,
    ) -> Result<String, Error> {
        let value = json(&serde_json::json!({ "error": why }));
        self.looked_up(pass, operation, Answer::Value(value), now)
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
        let along = self.snippets.iter_mut();
        for loaded in along.filter(|loaded| loaded.snippet.name == snippet.name) {
            loaded.recorded = true;
        }
    }

    /// It needs connectors that the sandbox has as globals and the host has at hand.
    fn refusal(&self, snippet: &Snippet) -> Option<String> {
        let has = |names: &[String], name: &str| names.iter().any(|it| it == name);
        missing(snippet, |name| {
            has(&self.execution.connectors, name) && self.contact.has(name)
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
