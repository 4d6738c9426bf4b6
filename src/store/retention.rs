//! How long runs are kept, and how they are found by age. What is found at once is bounded: what is beyond it is found the
//! next time.

use super::index::Listed;
use super::sql::{Cell, Sql};
use super::{Store, StoreError};
use crate::engine::ids::EpochMs;

const LIVE: &str = "('running', 'paused')";

impl<S: Sql> Store<S> {
    /// The oldest runs that have ended, beyond `keep` of them, and no more than `most`. Running and paused ones are not
    /// among them.
    pub fn beyond(&self, keep: u32, most: u32) -> Result<Vec<Listed>, StoreError> {
        let ended = format!("WHERE status NOT IN {LIVE}");
        let query = format!("SELECT count(*) FROM codemode_executions {ended}");
        let count = match self
            .sql
            .exec(&query, &[])?
            .first()
            .and_then(|row| row.first())
        {
            Some(Cell::Integer(count)) => u32::try_from(*count).unwrap_or(u32::MAX),
            Some(Cell::Null | Cell::Text(_) | Cell::Blob(_) | Cell::Other) | None => 0,
        };
        let beyond = count.saturating_sub(keep).min(most);
        if beyond == 0 {
            return Ok(Vec::new());
        }
        self.listed(
            &format!("{ended} ORDER BY created_at, id LIMIT ?"),
            &[beyond.into()],
        )
    }

    /// Running and paused runs to which nothing has happened since `until`, longest unchanged first.
    pub fn unchanged_since(&self, until: EpochMs, most: u32) -> Result<Vec<Listed>, StoreError> {
        self.listed(
            &format!("WHERE status IN {LIVE} AND updated_at <= ? ORDER BY updated_at, id LIMIT ?"),
            &[Cell::try_from(until.0)?, most.into()],
        )
    }

    /// Running and paused runs, longest unchanged first.
    pub fn unchanged(&self, limit: u32) -> Result<Vec<Listed>, StoreError> {
        self.listed(
            &format!("WHERE status IN {LIVE} ORDER BY updated_at, id LIMIT ?"),
            &[limit.into()],
        )
    }
}
