//! The only SQL. Remembers what the engine decided; decides nothing.
//!
//! **Invariant:** every function is synchronous, so that between reading the facts and writing the transition there is
//! no await. **Invariant:** a stored value is never shortened.

pub mod ancestor;
mod catalogues;
mod chunks;
pub mod history;
mod index;
pub mod owed;
pub mod retention;
mod schema;
mod snippets;
pub mod sql;
pub mod texts;

use crate::engine::execution::Execution;
use crate::engine::ids::{EpochMs, ExecutionId};
use crate::engine::journal::{Event, Owed, What, Writes};
use crate::engine::line;
use crate::engine::text::{Slot, Spill, Text};
pub use catalogues::Kept;
use chunks::{CHUNK_BYTES, chunks};
pub use index::{Listed, Place};
pub use snippets::SavedSnippet;
use sql::{Cell, Sql};

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database refused a statement: {0}")]
    Sql(String),
    #[error("{0} is no number that can be stored exactly")]
    Number(u64),
    #[error("a row is not of the expected form: {0}")]
    Row(&'static str),
    #[error("a stored event cannot be read: {0}")]
    Event(String),
    #[error("execution {0} lacks its {1}")]
    Missing(ExecutionId, String),
}

#[derive(Debug)]
pub struct Store<S> {
    sql: S,
    revision: std::cell::Cell<u32>,
    /// Connectors may have something to hear.
    owes: std::cell::Cell<bool>,
}

/// A new run as it is first written.
#[derive(Debug)]
pub struct NewExecution<'a> {
    pub id: &'a ExecutionId,
    pub at: EpochMs,
    /// The caller's own name for this run; a second one under it is the same run.
    pub key: Option<String>,
}

impl StoreError {
    /// It is about what is stored of one run, and not about the database.
    pub const fn is_of_one_record(&self) -> bool {
        match self {
            Self::Row(_) | Self::Event(_) | Self::Missing(..) => true,
            Self::Sql(_) | Self::Number(_) => false,
        }
    }
}

impl<S: Sql> Store<S> {
    pub fn open(sql: S) -> Result<Self, StoreError> {
        schema::migrate(&sql)?;
        Ok(Self {
            sql,
            revision: std::cell::Cell::new(0),
            owes: std::cell::Cell::new(true),
        })
    }

    pub fn insert(&self, new: &NewExecution<'_>, writes: &mut Writes) -> Result<(), StoreError> {
        let at = Cell::try_from(new.at.0)?;
        self.sql.exec(
            "INSERT INTO codemode_executions (id, status, created_at, updated_at, key) VALUES (?, 'running', ?, ?, ?)",
            &[new.id.as_str().into(), at.clone(), at, new.key.clone().into()],
        )?;
        // Of a new run no text can be there already.
        for spill in writes.spills.drain(..) {
            self.add(new.id, &spill)?;
        }
        self.write(new.id, writes)
    }

    /// Appends events in order and takes them out of `writes` as they are written. After a failure the rest is still in
    /// there, so that what is durable stays a prefix of what happened.
    /// What its end owes to connectors that hear of it is written with it.
    pub fn append(
        &self,
        id: &ExecutionId,
        writes: &mut Writes,
        hears: &[Owed],
    ) -> Result<(), StoreError> {
        // With the last end alone: what came before it in the same breath was told to nobody.
        let owed = writes.events.iter().rev().find_map(|event| {
            if let What::End { end, .. } = &event.what {
                return Some((end.owes(), end.as_str()));
            }
            None
        });
        self.write(id, writes)?;
        owed.map_or(Ok(()), |(kinds, status)| {
            let heard = kinds.iter().filter(|kind| hears.contains(kind));
            heard
                .copied()
                .try_for_each(|kind| self.owe(id, kind, status))
        })
    }

    fn write(&self, id: &ExecutionId, writes: &mut Writes) -> Result<(), StoreError> {
        for spill in &writes.spills {
            self.keep(id, spill)?;
        }
        while !writes.events.is_empty() {
            let (row, count) = first_row(&writes.events)?;
            self.append_row(id, row)?;
            writes.events.drain(..count);
        }
        writes.spills.clear();
        Ok(())
    }

    fn append_row(&self, id: &ExecutionId, events: String) -> Result<(), StoreError> {
        self.sql.exec(
            "INSERT INTO codemode_journal (execution_id, position, events)
             SELECT ?1, coalesce(max(position), -1) + 1, ?2 FROM codemode_journal WHERE execution_id = ?1",
            &[id.as_str().into(), events.into()],
        )?;
        self.revise();
        Ok(())
    }

    /// Keeps the searchable row in step with the journal.
    pub fn mark(&self, execution: &Execution) -> Result<(), StoreError> {
        self.sql.exec(
            "UPDATE codemode_executions SET status = ?, updated_at = ? WHERE id = ?",
            &[
                execution.status.as_str().into(),
                Cell::try_from(execution.updated_at.0)?,
                execution.id.as_str().into(),
            ],
        )?;
        Ok(())
    }

    fn keep(&self, id: &ExecutionId, spill: &Spill) -> Result<(), StoreError> {
        // A value may be written anew (a second approval with other arguments) and may then have fewer chunks.
        self.sql.exec(
            "DELETE FROM codemode_values WHERE execution_id = ? AND slot = ?",
            &[id.as_str().into(), spill.slot.name().as_str().into()],
        )?;
        self.add(id, spill)
    }

    fn add(&self, id: &ExecutionId, spill: &Spill) -> Result<(), StoreError> {
        let slot = spill.slot.name();
        for (number, chunk) in (0_u32..).zip(chunks(&spill.text)) {
            self.sql.exec(
                "INSERT INTO codemode_values (execution_id, slot, chunk, text) VALUES (?, ?, ?, ?)",
                &[
                    id.as_str().into(),
                    slot.as_str().into(),
                    number.into(),
                    chunk.into(),
                ],
            )?;
        }
        Ok(())
    }

    /// The whole of a text, wherever it is kept.
    pub fn text(&self, id: &ExecutionId, slot: Slot, text: &Text) -> Result<String, StoreError> {
        match text {
            Text::Inline(text) => Ok(text.clone()),
            Text::Stored { .. } => self.long(id, slot),
        }
    }

    fn long(&self, id: &ExecutionId, slot: Slot) -> Result<String, StoreError> {
        self.stored(id, slot)?
            .ok_or_else(|| StoreError::Missing(id.clone(), slot.name()))
    }

    /// A text that is always kept beside the journal.
    pub fn stored(&self, id: &ExecutionId, slot: Slot) -> Result<Option<String>, StoreError> {
        self.chunked(
            "SELECT text FROM codemode_values WHERE execution_id = ? AND slot = ? ORDER BY chunk",
            &[id.as_str().into(), slot.name().into()],
        )
    }

    /// A text that lies in rows of chunks, in order; `None` where there is no row.
    fn chunked(&self, query: &str, params: &[Cell]) -> Result<Option<String>, StoreError> {
        let rows = self.sql.exec(query, params)?;
        if rows.is_empty() {
            return Ok(None);
        }
        texts(rows)
            .collect::<Result<String, StoreError>>()
            .map(Some)
    }

    pub fn load(&self, id: &ExecutionId) -> Result<Option<Execution>, StoreError> {
        let rows = self.sql.exec(
            "SELECT events FROM codemode_journal WHERE execution_id = ? ORDER BY position",
            &[id.as_str().into()],
        )?;
        if rows.is_empty() {
            return Ok(None);
        }
        let mut execution = Execution::new(id.clone());
        for row in texts(rows) {
            for line in row?.lines() {
                let event =
                    line::read(line).map_err(|error| StoreError::Event(error.to_string()))?;
                execution.fold(event);
            }
        }
        Ok(Some(execution))
    }
}

/// As many of the events as a row holds, at least one, as lines; and how many they are.
fn first_row(events: &[Event]) -> Result<(String, usize), StoreError> {
    let mut row = String::new();
    let mut count = 0;
    for event in events {
        let line =
            serde_json::to_string(event).map_err(|error| StoreError::Event(error.to_string()))?;
        if count > 0 && row.len() + line.len() > CHUNK_BYTES {
            break;
        }
        row.push_str(&line);
        row.push('\n');
        count += 1;
    }
    Ok((row, count))
}

/// The first column of each row, which must be a text.
fn texts(rows: Vec<Vec<Cell>>) -> impl Iterator<Item = Result<String, StoreError>> {
    rows.into_iter().map(|row| match row.into_iter().next() {
        Some(Cell::Text(text)) => Ok(text),
        Some(Cell::Null | Cell::Integer(_) | Cell::Blob(_) | Cell::Other) | None => {
            Err(StoreError::Row("a text"))
        }
    })
}
