//! The index: one row per run, to list them and to find them by age, status and key. A row that is odd is shown as far as it
//! can be read; it hides no other, and it can be deleted.

use super::sql::{Cell, Sql};
use super::{Store, StoreError, texts};
use crate::engine::ids::{EpochMs, ExecutionId};

/// JavaScript's largest safe integer: behind every number that is stored here.
const LAST: u64 = (1 << 53) - 1;

/// An id that is no text is shown as SQL writes it, in brackets, so that it can be named and is no other run's.
const SHOWN_ID: &str = "CASE typeof(id) WHEN 'text' THEN id ELSE '(' || quote(id) || ')' END";

/// A run as its row tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub id: String,
    pub status: String,
    pub created_at: EpochMs,
    pub updated_at: EpochMs,
    /// Where it stands in a list by age; SQLite sorts what is no number behind all numbers.
    pub place: Place,
}

/// Where a list of runs goes on: behind this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub created_at: EpochMs,
    pub id: String,
}

impl<S: Sql> Store<S> {
    /// Newest first.
    pub fn newest(&self, limit: u32) -> Result<Vec<Listed>, StoreError> {
        self.listed("ORDER BY created_at DESC, id DESC LIMIT ?", &[limit.into()])
    }

    /// Newest first, those that come behind a place.
    pub fn newest_behind(&self, place: &Place, limit: u32) -> Result<Vec<Listed>, StoreError> {
        self.listed(
            "WHERE (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?",
            &[
                Cell::try_from(place.created_at.0)?,
                place.id.as_str().into(),
                limit.into(),
            ],
        )
    }

    /// One run, by its id or by what stands for it in a list.
    pub fn known(&self, id: &str) -> Result<Option<Listed>, StoreError> {
        let plain = self.listed("WHERE id = ?", &[id.into()])?.pop();
        if plain.is_some() || ExecutionId::parse(id).is_some() {
            return Ok(plain);
        }
        Ok(self
            .listed(&format!("WHERE {SHOWN_ID} = ?"), &[id.into()])?
            .pop())
    }

    /// Paused ones, newest first.
    pub fn paused(&self) -> Result<Vec<ExecutionId>, StoreError> {
        self.ids(
            "WHERE status = 'paused' ORDER BY created_at DESC, id DESC",
            &[],
        )
    }

    /// One whose id cannot be read is an error: a second run under its key would be one too many.
    pub fn by_key(&self, key: &str) -> Result<Option<ExecutionId>, StoreError> {
        let rows = self.sql.exec(
            &format!("SELECT {SHOWN_ID} FROM codemode_executions WHERE key = ?"),
            &[key.into()],
        )?;
        texts(rows)
            .next()
            .map(|id| {
                ExecutionId::parse(&id?).ok_or(StoreError::Row("the id of the run with this key"))
            })
            .transpose()
    }

    /// Those whose id cannot be read are passed over: nothing can be done with them but to list and to delete them.
    pub(super) fn ids(&self, which: &str, params: &[Cell]) -> Result<Vec<ExecutionId>, StoreError> {
        let rows = self.sql.exec(
            &format!("SELECT id FROM codemode_executions {which}"),
            params,
        )?;
        Ok(texts(rows)
            .filter_map(|id| ExecutionId::parse(&id.ok()?))
            .collect())
    }

    pub(super) fn listed(&self, which: &str, params: &[Cell]) -> Result<Vec<Listed>, StoreError> {
        let query = format!(
            "SELECT {SHOWN_ID}, status, created_at, updated_at FROM codemode_executions {which}"
        );
        let rows = self.sql.exec(&query, params)?;
        Ok(rows.into_iter().map(listed).collect())
    }

    /// Takes a run out of the index and out of everything else. What connectors are owed of it stays.
    pub fn delete(&self, id: &str) -> Result<(), StoreError> {
        for statement in [
            "DELETE FROM codemode_journal WHERE execution_id = ?",
            "DELETE FROM codemode_values WHERE execution_id = ?",
            "DELETE FROM codemode_executions WHERE id = ?",
        ] {
            self.sql.exec(statement, &[id.into()])?;
        }
        if ExecutionId::parse(id).is_none() {
            let odd = format!("DELETE FROM codemode_executions WHERE {SHOWN_ID} = ?");
            self.sql.exec(&odd, &[id.into()])?;
        }
        self.revise();
        Ok(())
    }

    /// Ends a run of which nothing but its row can be read, so that it is not found again among those that go on.
    pub fn give_up(&self, id: &str, at: EpochMs) -> Result<(), StoreError> {
        let query = format!(
            "UPDATE codemode_executions SET status = 'error', updated_at = ? WHERE {SHOWN_ID} = ?"
        );
        self.sql.exec(&query, &[Cell::try_from(at.0)?, id.into()])?;
        Ok(())
    }
}

fn listed(row: Vec<Cell>) -> Listed {
    let mut cells = row.into_iter();
    let mut text = || match cells.next() {
        Some(Cell::Text(text)) => text,
        Some(Cell::Null | Cell::Integer(_) | Cell::Blob(_) | Cell::Other) | None => String::new(),
    };
    let (id, status) = (text(), text());
    let mut time = || match cells.next() {
        Some(Cell::Integer(at)) => u64::try_from(at).ok().map(EpochMs),
        Some(Cell::Null | Cell::Text(_) | Cell::Blob(_) | Cell::Other) | None => None,
    };
    let (created_at, updated_at) = (time(), time());
    Listed {
        place: Place {
            created_at: created_at.unwrap_or(EpochMs(LAST)),
            id: id.clone(),
        },
        id,
        status,
        created_at: created_at.unwrap_or(EpochMs(0)),
        updated_at: updated_at.unwrap_or(EpochMs(0)),
    }
}
