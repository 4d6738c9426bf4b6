//! The journal as it was written: in the order of all runs, or of one. A reader goes on from where it was and never meets
//! a row twice, whatever was deleted meanwhile.

use super::sql::{Cell, Sql};
use super::{Store, StoreError};
use crate::engine::ids::ExecutionId;

/// One row: lines of JSON, as they are. Who reads on after it begins with a greater number.
#[derive(Debug)]
pub struct Row {
    pub number: u64,
    pub execution_id: String,
    pub lines: String,
}

impl<S: Sql> Store<S> {
    /// Of all runs, numbered in the order in which they were written; no number is used twice.
    pub fn history(&self, from: u64, limit: u32) -> Result<Vec<Row>, StoreError> {
        self.rows(
            "SELECT number, execution_id, events FROM codemode_journal WHERE number >= ? ORDER BY number LIMIT ?",
            &[Cell::try_from(from)?, limit.into()],
        )
    }

    /// Of one run, numbered from 0: by these numbers its rows are found without a look at those of others.
    pub fn history_of(
        &self,
        id: &ExecutionId,
        from: u64,
        limit: u32,
    ) -> Result<Vec<Row>, StoreError> {
        self.rows(
            "SELECT position, execution_id, events FROM codemode_journal
             WHERE execution_id = ? AND position >= ? ORDER BY position LIMIT ?",
            &[id.as_str().into(), Cell::try_from(from)?, limit.into()],
        )
    }

    fn rows(&self, query: &str, params: &[Cell]) -> Result<Vec<Row>, StoreError> {
        let rows = self.sql.exec(query, params)?;
        rows.into_iter()
            .map(|row| match <[Cell; 3]>::try_from(row) {
                Ok(
                    [
                        Cell::Integer(number),
                        Cell::Text(execution_id),
                        Cell::Text(lines),
                    ],
                ) => Ok(Row {
                    number: u64::try_from(number)
                        .map_err(|_| StoreError::Row("a number of the journal"))?,
                    execution_id,
                    lines,
                }),
                _ => Err(StoreError::Row("a row of the journal")),
            })
            .collect()
    }

    /// Whether a run has ended for good; `None` when there is no such run.
    pub fn has_ended(&self, id: &ExecutionId) -> Result<Option<bool>, StoreError> {
        let query =
            "SELECT status NOT IN ('running', 'paused') FROM codemode_executions WHERE id = ?";
        let rows = self.sql.exec(query, &[id.as_str().into()])?;
        match rows.first().map(Vec::as_slice) {
            None => Ok(None),
            Some([Cell::Integer(ended)]) => Ok(Some(*ended == 1)),
            Some(_) => Err(StoreError::Row("whether a run has ended")),
        }
    }

    /// Another number than before: something was written to the journal, or deleted from it. It counts from when the
    /// store was opened.
    pub const fn revision(&self) -> u32 {
        self.revision.get()
    }

    pub(super) fn revise(&self) {
        self.revision.set(self.revision.get().wrapping_add(1));
    }
}
