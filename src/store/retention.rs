//! How long runs are kept, and how they are found by age.

use super::sql::{Cell, Sql};
use super::{Store, StoreError};
use crate::engine::ids::{EpochMs, ExecutionId};

/// Where a list of runs goes on: behind this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub created_at: EpochMs,
    pub id: ExecutionId,
}

impl<S: Sql> Store<S> {
    /// Newest first, those that come behind a place.
    pub fn newest_behind(&self, place: &Place, limit: u32) -> Result<Vec<ExecutionId>, StoreError> {
        self.ids(
            "SELECT id FROM codemode_executions WHERE (created_at, id) < (?, ?)
             ORDER BY created_at DESC, id DESC LIMIT ?",
            &[
                Cell::try_from(place.created_at.0)?,
                place.id.as_str().into(),
                limit.into(),
            ],
        )
    }

    /// The oldest runs that have ended, beyond `keep` of them. Running and paused ones are not among them.
    pub fn beyond(&self, keep: u32) -> Result<Vec<ExecutionId>, StoreError> {
        self.ids(
            "SELECT id FROM codemode_executions WHERE status NOT IN ('running', 'paused')
             ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?",
            &[keep.into()],
        )
    }

    pub fn is_known(&self, id: &ExecutionId) -> Result<bool, StoreError> {
        let query = "SELECT id FROM codemode_executions WHERE id = ?";
        Ok(!self.ids(query, &[id.as_str().into()])?.is_empty())
    }

    /// Forgets a run. What connectors are owed of it stays.
    pub fn delete(&self, id: &ExecutionId) -> Result<(), StoreError> {
        for statement in [
            "DELETE FROM codemode_journal WHERE execution_id = ?",
            "DELETE FROM codemode_values WHERE execution_id = ?",
            "DELETE FROM codemode_executions WHERE id = ?",
        ] {
            self.sql.exec(statement, &[id.as_str().into()])?;
        }
        self.revise();
        Ok(())
    }

    /// Running and paused runs to which nothing has happened since `until`, longest unchanged first.
    pub fn unchanged_since(&self, until: EpochMs) -> Result<Vec<ExecutionId>, StoreError> {
        self.ids(
            "SELECT id FROM codemode_executions WHERE status IN ('running', 'paused') AND updated_at <= ?
             ORDER BY updated_at, id",
            &[Cell::try_from(until.0)?],
        )
    }

    /// When running and paused runs last changed, longest unchanged first.
    pub fn unchanged(&self, limit: u32) -> Result<Vec<(ExecutionId, EpochMs)>, StoreError> {
        let rows = self.sql.exec(
            "SELECT id, updated_at FROM codemode_executions WHERE status IN ('running', 'paused')
             ORDER BY updated_at, id LIMIT ?",
            &[limit.into()],
        )?;
        rows.into_iter()
            .map(|row| match <[Cell; 2]>::try_from(row) {
                Ok([Cell::Text(id), Cell::Integer(at)]) => {
                    let id = ExecutionId::parse(&id).ok_or(StoreError::Row("an execution id"))?;
                    let at = u64::try_from(at).map_err(|_| StoreError::Row("a time"))?;
                    Ok((id, EpochMs(at)))
                }
                _ => Err(StoreError::Row("the age of a run")),
            })
            .collect()
    }
}
