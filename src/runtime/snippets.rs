//! Snippets outside a pass: saved from a run that has ended, listed, deleted, and as the catalogue knows them.

use super::listing::{self, Budget};
use super::{Runtime, json, parse, parse_id};
use crate::catalog::SnippetRecord;
use crate::engine::ids::EpochMs;
use crate::engine::limits::check_size;
use crate::engine::snippet::{Snippet, check_name};
use crate::engine::text::{Slot, units};
use crate::error::{Code, Error};
use crate::program::{self, Options, intake};
use crate::store::SavedSnippet;
use crate::store::sql::Sql;
use crate::wire::output::{self, Deleted, Reply};
use crate::wire::request::{DeleteSnippet, SaveSnippet};

/// Most snippets of one runtime: each is in the index of every search.
const MAX_SAVED: usize = 1_000;
/// Longest description, in UTF-16 units.
const MAX_DESCRIPTION: u64 = 10_000;

impl<S: Sql> Runtime<S> {
    pub fn save_snippet(&self, request: &str, now: EpochMs) -> String {
        json(&Reply::from(self.try_save_snippet(request, now)))
    }

    fn try_save_snippet(&self, request: &str, now: EpochMs) -> Result<output::Snippet, Error> {
        let request: SaveSnippet = parse(request)?;
        let name = request.name;
        check_name(&name)?;
        let contact = self.contact(&request.contact)?;
        if let Some(why) = self.catalogue(&contact)?.shadowed(&name) {
            return Err(invalid(&format!(
                "a snippet cannot be called {name:?}: {why}; choose another name"
            )));
        }
        if units(&request.description) > MAX_DESCRIPTION {
            return Err(invalid(&format!(
                "a description has at most {MAX_DESCRIPTION} characters, this one {}",
                units(&request.description)
            )));
        }
        let id = parse_id(&request.execution_id)?;
        let (live, status, connectors) = self.with_execution(&id, |execution| {
            let status = &execution.status;
            (
                status.is_live(),
                status.as_str(),
                execution.connectors.clone(),
            )
        })?;
        if live {
            return Err(invalid(&format!(
                "execution {id} is {status}; only one that has ended can be saved as a snippet"
            )));
        }
        let code = self.store.stored(&id, Slot::Code)?.unwrap_or_default();
        let input_schema = match request.input_schema {
            None | Some(serde_json::Value::Null) => None,
            Some(schema @ (serde_json::Value::Object(_) | serde_json::Value::Bool(_))) => {
                let text = json(&schema);
                check_size("the input schema", units(&text))?;
                Some(text)
            }
            Some(_) => return Err(invalid("inputSchema has to be a JSON Schema: an object")),
        };
        let snippet = made(name, &code, connectors, input_schema)?;
        self.keep(SavedSnippet {
            snippet,
            description: request.description,
            code,
            saved_at: now,
        })
    }

    /// Takes the place of an older one of the same name.
    pub(super) fn keep(&self, saved: SavedSnippet) -> Result<output::Snippet, Error> {
        let others = self.store.snippets()?;
        let is_new = others.iter().all(|(name, ..)| *name != saved.snippet.name);
        if is_new && others.len() >= MAX_SAVED {
            return Err(invalid(&format!(
                "this runtime keeps {MAX_SAVED} snippets and has as many; delete one first (deleteSnippet)"
            )));
        }
        self.store.keep_snippet(&saved)?;
        self.forget_built();
        Ok(listed(saved, &mut Budget::whole()))
    }

    /// All of them by name. Long texts are left out of a long list, `describe` has them.
    pub fn snippets(&self) -> String {
        json(&Reply::from(self.try_snippets()))
    }

    fn try_snippets(&self) -> Result<Vec<output::Snippet>, Error> {
        let mut budget = Budget::reply();
        let mut all = Vec::new();
        for (name, description, saved_at) in self.store.snippets()? {
            // One that cannot be read hides no other.
            let Ok(Some(snippet)) = self.store.snippet(&name) else {
                continue;
            };
            let code = self.store.snippet_code(&name)?.unwrap_or_default();
            let saved = SavedSnippet {
                snippet,
                description,
                code,
                saved_at,
            };
            all.push(listed(saved, &mut budget));
        }
        Ok(all)
    }

    /// Runs that have run it keep their own text.
    pub fn delete_snippet(&self, request: &str) -> String {
        let deleted = parse::<DeleteSnippet>(request)
            .and_then(|request| Ok(self.store.delete_snippet(&request.name)?));
        self.forget_built();
        json(&Reply::from(deleted.map(|deleted| Deleted { deleted })))
    }

    pub(super) fn snippet_records(&self) -> Result<Vec<SnippetRecord>, Error> {
        let mut all = Vec::new();
        for (name, description, _) in self.store.snippets()? {
            if let Ok(Some(snippet)) = self.store.snippet(&name) {
                all.push(SnippetRecord {
                    name,
                    description,
                    input_schema: schema(&snippet),
                });
            }
        }
        Ok(all)
    }
}

/// Read as a program before it is saved: a text that does not parse would fail every pass that it goes along with.
pub(super) fn made(
    name: String,
    code: &str,
    connectors: Vec<String>,
    input_schema: Option<String>,
) -> Result<Snippet, Error> {
    // Always with a count: whoever runs it may have a budget, whoever saved it had one or not.
    let options = Options {
        namespaces: &connectors,
        budget: program::Budget::Counted,
    };
    let module = intake(code, &options)?;
    if input_schema.is_some() && !module.takes_input {
        return Err(invalid(&format!(
            "the program of snippet {name} takes no input, because it is not a function; leave inputSchema out, or write it as \
             `async (input) => {{ … }}` and run that first"
        )));
    }
    Ok(Snippet {
        name,
        module: module.text,
        positions: module.positions,
        connectors,
        input_schema,
        runs: module.runs,
    })
}

fn listed(saved: SavedSnippet, budget: &mut Budget) -> output::Snippet {
    output::Snippet {
        input_schema: schema(&saved.snippet),
        name: saved.snippet.name,
        description: saved.description,
        code: listing::plain(saved.code.into(), budget),
        saved_at: saved.saved_at.0,
        connectors: saved.snippet.connectors,
    }
}

fn schema(snippet: &Snippet) -> Option<serde_json::Value> {
    serde_json::from_str(snippet.input_schema.as_deref()?).ok()
}

fn invalid(text: &str) -> Error {
    Error::new(Code::InvalidInput, text)
}
