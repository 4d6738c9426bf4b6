//! What connectors are still to hear of the ends of passes and runs. Written with the end, gone when it was told; a run
//! that is deleted meanwhile is told of all the same.

use super::sql::{Cell, Sql};
use super::{Store, StoreError};
use crate::engine::ids::ExecutionId;
use crate::engine::journal::Owed;

/// One thing to tell: of which run, what, and the status the run had.
#[derive(Debug)]
pub struct Owing {
    pub execution_id: String,
    pub kind: String,
    pub status: String,
}

impl<S: Sql> Store<S> {
    /// A newer status takes the place of one that was not told.
    pub fn owe(&self, id: &ExecutionId, kind: Owed, status: &str) -> Result<(), StoreError> {
        self.owes.set(true);
        self.sql.exec(
            "INSERT OR REPLACE INTO codemode_owed (execution_id, kind, status) VALUES (?, ?, ?)",
            &[id.as_str().into(), kind.as_str().into(), status.into()],
        )?;
        Ok(())
    }

    /// Whether anything may be owed; `false` is certain.
    pub fn owes(&self) -> bool {
        self.owes.get()
    }

    /// Oldest first, so that of one run the end of its pass comes before the end of all.
    pub fn owed(&self, limit: u32) -> Result<Vec<Owing>, StoreError> {
        let owed = self
            .sql
            .exec(
                // What nobody can be told of must not stand before what is to be told.
                "SELECT execution_id, kind, status FROM codemode_owed
                 WHERE typeof(execution_id) = 'text' AND kind IN ('pass_end', 'dispose')
                   AND status IN ('completed', 'error', 'rejected', 'rolled_back', 'paused')
                 ORDER BY rowid LIMIT ?",
                &[limit.into()],
            )?
            .into_iter()
            .map(|row| match <[Cell; 3]>::try_from(row) {
                Ok(
                    [
                        Cell::Text(execution_id),
                        Cell::Text(kind),
                        Cell::Text(status),
                    ],
                ) => Ok(Owing {
                    execution_id,
                    kind,
                    status,
                }),
                _ => Err(StoreError::Row("what is owed")),
            })
            .collect::<Result<Vec<_>, _>>()?;
        self.owes.set(!owed.is_empty());
        Ok(owed)
    }

    /// It was told. With a status only if that is still the one to tell.
    pub fn paid(
        &self,
        execution_id: &str,
        kind: &str,
        status: Option<&str>,
    ) -> Result<(), StoreError> {
        self.sql.exec(
            "DELETE FROM codemode_owed WHERE execution_id = ?1 AND kind = ?2 AND status = coalesce(?3, status)",
            &[execution_id.into(), kind.into(), status.map(str::to_owned).into()],
        )?;
        Ok(())
    }
}
