//! Snippets under their names. One that is saved again takes the place of the older one; runs keep their own texts.

use super::chunks::chunks;
use super::sql::{Cell, Sql};
use super::{Store, StoreError};
use crate::engine::ids::EpochMs;
use crate::engine::snippet::Snippet;

const CODE: &str = "code";
const SNIPPET: &str = "snippet";

/// A snippet as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedSnippet {
    pub snippet: Snippet,
    pub description: String,
    /// The text as the model sent it.
    pub code: String,
    pub saved_at: EpochMs,
}

impl<S: Sql> Store<S> {
    pub fn keep_snippet(&self, saved: &SavedSnippet) -> Result<(), StoreError> {
        let name = &saved.snippet.name;
        let snippet = serde_json::to_string(&saved.snippet)
            .map_err(|error| StoreError::Event(error.to_string()))?;
        self.delete_snippet(name)?;
        for (slot, text) in [(CODE, &saved.code), (SNIPPET, &snippet)] {
            for (number, chunk) in (0_u32..).zip(chunks(text)) {
                self.sql.exec(
                    "INSERT INTO codemode_snippet_texts (name, slot, chunk, text) VALUES (?, ?, ?, ?)",
                    &[name.as_str().into(), slot.into(), number.into(), chunk.into()],
                )?;
            }
        }
        self.sql.exec(
            "INSERT INTO codemode_snippets (name, description, saved_at) VALUES (?, ?, ?)",
            &[
                name.as_str().into(),
                saved.description.as_str().into(),
                Cell::try_from(saved.saved_at.0)?,
            ],
        )?;
        Ok(())
    }

    /// What a pass needs of it.
    pub fn snippet(&self, name: &str) -> Result<Option<Snippet>, StoreError> {
        let Some(text) = self.snippet_text(name, SNIPPET)? else {
            return Ok(None);
        };
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|_| StoreError::Row("a snippet"))
    }

    pub fn snippet_code(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.snippet_text(name, CODE)
    }

    /// Names, descriptions and times, by name.
    pub fn snippets(&self) -> Result<Vec<(String, String, EpochMs)>, StoreError> {
        let rows = self.sql.exec(
            "SELECT name, description, saved_at FROM codemode_snippets ORDER BY name",
            &[],
        )?;
        // One that cannot be read hides no other.
        let readable = rows
            .into_iter()
            .filter_map(|row| match <[Cell; 3]>::try_from(row) {
                Ok([Cell::Text(name), Cell::Text(description), Cell::Integer(at)]) => {
                    Some((name, description, EpochMs(u64::try_from(at).unwrap_or(0))))
                }
                _ => None,
            });
        Ok(readable.collect())
    }

    /// Whether there was one.
    pub fn delete_snippet(&self, name: &str) -> Result<bool, StoreError> {
        let known = "SELECT name FROM codemode_snippets WHERE name = ?";
        let known = !self.sql.exec(known, &[name.into()])?.is_empty();
        for statement in [
            "DELETE FROM codemode_snippets WHERE name = ?",
            "DELETE FROM codemode_snippet_texts WHERE name = ?",
        ] {
            self.sql.exec(statement, &[name.into()])?;
        }
        Ok(known)
    }

    fn snippet_text(&self, name: &str, slot: &str) -> Result<Option<String>, StoreError> {
        self.chunked(
            "SELECT text FROM codemode_snippet_texts WHERE name = ? AND slot = ? ORDER BY chunk",
            &[name.into(), slot.into()],
        )
    }
}
