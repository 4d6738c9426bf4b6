//! What connectors last said they offer, so that it crosses once and discovery works while a server is away. A catalogue may
//! have ten thousand methods: each is a row (or several) of its own and is read when it is wanted.
//!
//! **Invariant:** the slot `source` names the version and is written last, so that half a catalogue is none.

use super::chunks::{blobs, chunks};
use super::sql::{Cell, Sql};
use super::{Store, StoreError, texts};

/// What a row belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept<'a> {
    /// Which version this is.
    Source,
    /// What was skipped and why.
    Report,
    /// Names and policies of all methods.
    Heads,
    /// The words of search.
    Words,
    /// What a search shows of it, a line break, its record.
    Method(&'a str),
    /// The method as it was derived, where the host changed it.
    Unchanged(&'a str),
    /// A schema that methods share.
    Definition(&'a str),
}

const UNCHANGED: &str = "unchanged:";
const DEFINITION: &str = "definition:";

impl Kept<'_> {
    fn slot(self) -> String {
        match self {
            Self::Source => "source".to_owned(),
            Self::Report => "report".to_owned(),
            Self::Heads => "heads".to_owned(),
            Self::Words => "words".to_owned(),
            Self::Method(name) => format!("method:{name}"),
            Self::Unchanged(name) => format!("{UNCHANGED}{name}"),
            Self::Definition(key) => format!("{DEFINITION}{key}"),
        }
    }
}

impl<S: Sql> Store<S> {
    /// A text of a connector's catalogue; `None` where there is none.
    pub fn catalogue_text(
        &self,
        connector: &str,
        kept: Kept<'_>,
    ) -> Result<Option<String>, StoreError> {
        self.chunked(
            "SELECT content FROM codemode_catalogues WHERE connector = ? AND slot = ? ORDER BY chunk",
            &[connector.into(), kept.slot().into()],
        )
    }

    /// What stands before the first line break of such a text; empty where there is none.
    pub fn catalogue_line(
        &self,
        connector: &str,
        kept: Kept<'_>,
    ) -> Result<Option<String>, StoreError> {
        self.chunked(
            "SELECT substr(content, 1, instr(content, char(10)) - 1) FROM codemode_catalogues WHERE connector = ? AND slot = ? AND chunk = 0",
            &[connector.into(), kept.slot().into()],
        )
    }

    pub fn catalogue_bytes(
        &self,
        connector: &str,
        kept: Kept<'_>,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let rows = self.sql.exec(
            "SELECT content FROM codemode_catalogues WHERE connector = ? AND slot = ? ORDER BY chunk",
            &[connector.into(), kept.slot().into()],
        )?;
        let mut bytes = None;
        for row in rows {
            match row.into_iter().next() {
                Some(Cell::Blob(part)) => bytes.get_or_insert_with(Vec::new).extend(part),
                _ => return Err(StoreError::Row("bytes")),
            }
        }
        Ok(bytes)
    }

    pub fn keep_catalogue_text(
        &self,
        connector: &str,
        kept: Kept<'_>,
        text: &str,
    ) -> Result<(), StoreError> {
        self.drop_catalogue(connector, kept)?;
        self.add_catalogue_text(connector, kept, text)
    }

    pub fn keep_catalogue_bytes(
        &self,
        connector: &str,
        kept: Kept<'_>,
        bytes: &[u8],
    ) -> Result<(), StoreError> {
        self.drop_catalogue(connector, kept)?;
        self.add_catalogue(connector, kept, blobs(bytes).map(Cell::Blob))
    }

    /// What was not kept before.
    pub fn add_catalogue_text(
        &self,
        connector: &str,
        kept: Kept<'_>,
        text: &str,
    ) -> Result<(), StoreError> {
        self.add_catalogue(connector, kept, chunks(text).into_iter().map(Cell::from))
    }

    fn add_catalogue(
        &self,
        connector: &str,
        kept: Kept<'_>,
        parts: impl Iterator<Item = Cell>,
    ) -> Result<(), StoreError> {
        let slot = kept.slot();
        for (number, content) in (0_u32..).zip(parts) {
            self.sql.exec(
                "INSERT INTO codemode_catalogues (connector, slot, chunk, content) VALUES (?, ?, ?, ?)",
                &[connector.into(), slot.as_str().into(), number.into(), content],
            )?;
        }
        Ok(())
    }

    pub fn drop_catalogue(&self, connector: &str, kept: Kept<'_>) -> Result<(), StoreError> {
        self.sql.exec(
            "DELETE FROM codemode_catalogues WHERE connector = ? AND slot = ?",
            &[connector.into(), kept.slot().into()],
        )?;
        Ok(())
    }

    /// Everything that is kept of a connector.
    pub fn forget_catalogue(&self, connector: &str) -> Result<(), StoreError> {
        self.sql.exec(
            "DELETE FROM codemode_catalogues WHERE connector = ?",
            &[connector.into()],
        )?;
        Ok(())
    }

    /// The methods that are kept otherwise than they were derived.
    pub fn changed_methods(&self, connector: &str) -> Result<Vec<String>, StoreError> {
        self.kept_behind(connector, UNCHANGED)
    }

    /// The schemas that methods share.
    pub fn definition_keys(&self, connector: &str) -> Result<Vec<String>, StoreError> {
        self.kept_behind(connector, DEFINITION)
    }

    /// What follows this beginning in the slots that have it.
    fn kept_behind(&self, connector: &str, beginning: &str) -> Result<Vec<String>, StoreError> {
        let rows = self.sql.exec(
            "SELECT slot FROM codemode_catalogues WHERE connector = ? AND slot GLOB ? AND chunk = 0",
            &[connector.into(), format!("{beginning}*").into()],
        )?;
        texts(rows)
            .map(|slot| Ok(slot?.split_off(beginning.len())))
            .collect()
    }
}
