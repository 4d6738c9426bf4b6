//! What connectors last said they offer, so that it crosses once and discovery works while a server is away.

use super::chunks::chunks;
use super::sql::{Cell, Sql};
use super::{Store, StoreError, texts};

impl<S: Sql> Store<S> {
    /// The digest of the list that is kept for a connector.
    pub fn catalogue_digest(&self, connector: &str) -> Result<Option<String>, StoreError> {
        let rows = self.sql.exec(
            "SELECT digest FROM codemode_catalogues WHERE connector = ? AND chunk = 0",
            &[connector.into()],
        )?;
        // One that is no text is as good as none: the list is asked for again.
        Ok(texts(rows).next().and_then(Result::ok))
    }

    /// The list as JSON.
    pub fn catalogue(&self, connector: &str) -> Result<Option<String>, StoreError> {
        self.chunked(
            "SELECT text FROM codemode_catalogues WHERE connector = ? ORDER BY chunk",
            &[connector.into()],
        )
    }

    pub fn keep_catalogue(
        &self,
        connector: &str,
        digest: &str,
        text: &str,
    ) -> Result<(), StoreError> {
        self.sql.exec(
            "DELETE FROM codemode_catalogues WHERE connector = ?",
            &[connector.into()],
        )?;
        for (number, chunk) in (0_u32..).zip(chunks(text)) {
            let row: [Cell; 4] = [connector.into(), number.into(), digest.into(), chunk.into()];
            self.sql.exec(
                "INSERT INTO codemode_catalogues (connector, chunk, digest, text) VALUES (?, ?, ?, ?)",
                &row,
            )?;
        }
        Ok(())
    }
}
