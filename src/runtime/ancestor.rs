//! A database that an earlier system left behind: its snippets become ours, once; the rest is left, and said.

use super::Runtime;
use super::snippets::made;
use crate::engine::ids::EpochMs;
use crate::engine::snippet::check_name;
use crate::error::{Code, Error};
use crate::store::ancestor::AncestorSnippet;
use crate::store::sql::Sql;
use crate::store::{SavedSnippet, StoreError};

impl<S: Sql> Runtime<S> {
    /// What was taken over and what was not, for whoever reads the log of the Worker. `None` when there was nothing.
    pub fn adopt(&self) -> Option<String> {
        match self.try_adopt() {
            Ok(report) => report,
            Err(error) => Some(format!(
                "codemode: the tables that @cloudflare/codemode left in this database could not be read: {error}"
            )),
        }
    }

    fn try_adopt(&self) -> Result<Option<String>, StoreError> {
        let Some(found) = self.store.ancestor()? else {
            return Ok(None);
        };
        let (mut taken, mut left) = (Vec::new(), Vec::new());
        for snippet in found.snippets {
            let name = snippet.name.clone();
            match self.take_over(snippet) {
                Ok(()) => taken.push(name),
                Err(error) => left.push(format!("{name} ({})", error.text)),
            }
        }
        self.store.ancestor_read()?;
        let mut report = format!(
            "codemode: found the tables of @cloudflare/codemode; {} of its snippets are snippets here now: [{}].",
            taken.len(),
            taken.join(", ")
        );
        if !left.is_empty() {
            report.push_str(&format!(" Not taken over: {}.", left.join("; ")));
        }
        report.push_str(&format!(
            " Its tables stay as they are: {} executions, {} of them paused, which cannot be resumed here.",
            found.executions, found.paused
        ));
        Ok(Some(report))
    }

    fn take_over(&self, found: AncestorSnippet) -> Result<(), Error> {
        check_name(&found.name)?;
        if self.store.snippet(&found.name)?.is_some() {
            return Err(Error::new(
                Code::InvalidInput,
                "there is one of this name already",
            ));
        }
        let connectors = match &found.connectors {
            None => Vec::new(),
            Some(text) => serde_json::from_str(text).map_err(|error| {
                Error::new(
                    Code::InvalidInput,
                    format!("its connectors cannot be read: {error}"),
                )
            })?,
        };
        let snippet = made(found.name, &found.code, connectors, found.input_schema)?;
        self.keep(SavedSnippet {
            snippet,
            description: found.description,
            code: found.code,
            saved_at: EpochMs(u64::try_from(found.saved_at).unwrap_or(0)),
        })?;
        Ok(())
    }
}
