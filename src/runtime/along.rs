//! Which snippets go along with a pass. A module costs something even unused, so it is only those that may be run.

use std::collections::VecDeque;

use super::Runtime;
use crate::engine::execution::Execution;
use crate::engine::snippet::{Snippet, too_many};
use crate::engine::text::Slot;
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::wire::sandbox::LoadedSnippet;

/// A snippet whose module the sandbox has.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) snippet: Snippet,
    /// It was run, and its text is part of the record.
    pub(super) recorded: bool,
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
        if execution.runs.is_empty() && execution.snippets.is_empty() {
            return Ok(Vec::new());
        }
        self.load_all(execution)
    }

    #[cold]
    fn load_all(&self, execution: &Execution) -> Result<Vec<Loaded>, Error> {
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
}
