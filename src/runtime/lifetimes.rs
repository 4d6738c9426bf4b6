//! Runs that end because someone says so or because time has passed, and what connectors are to hear of an end.

use std::collections::BTreeSet;

use super::pass::{Pass, PassState, Purpose};
use super::{Runtime, json, parse, parse_id};
use crate::engine::ending::{cancel, expire};
use crate::engine::ids::{EpochMs, ExecutionId};
use crate::engine::journal::{End, Owed, Writes};
use crate::error::{Code, Error};
use crate::store::Listed;
use crate::store::sql::Sql;
use crate::wire::host::HostMessage;
use crate::wire::output::{Cancelled, Deleted, Expired, OwedMessage, Pruned, Reply};
use crate::wire::request::{Cancel, DeleteExecution, ExpirePaused, PruneExecutions};

/// How long a run waits when nobody says: a day, in ms.
const AGE: u64 = 24 * 60 * 60 * 1000;
/// How many ended runs are kept when nobody says.
const KEPT: u32 = 50;
/// How many runs one call into the core expires or forgets; the rest is for the next one.
const AT_ONCE: u32 = 100;
/// How much of what is owed is told at one contact.
const OWED: usize = 50;

impl<S: Sql> Runtime<S> {
    /// Ends a run that may still go on. What is in flight is not called back: its outcome is recorded when it comes.
    pub fn cancel(&self, request: &str, now: EpochMs) -> String {
        json(&Reply::from(self.try_cancel(request, now)))
    }

    fn try_cancel(&self, request: &str, now: EpochMs) -> Result<Cancelled, Error> {
        let request: Cancel = parse(request)?;
        let id = parse_id(&request.execution_id)?;
        let cancelled = self.stop(&id, now)?;
        let messages = if cancelled {
            self.cancelled_message(&id).into_iter().collect()
        } else {
            Vec::new()
        };
        Ok(Cancelled {
            cancelled,
            messages,
        })
    }

    /// `false` when it had ended before; then nothing changes.
    fn stop(&self, id: &ExecutionId, now: EpochMs) -> Result<bool, Error> {
        let mut passes = self.passes.borrow_mut();
        if let Some(open) = passes.values_mut().find(|pass| pass.is_open_for(id)) {
            // Closed first: the next message of its sandbox is answered with `x`, whatever becomes of the write.
            open.state = PassState::Closed;
            open.take(cancel(&open.execution, open.console.clone(), now));
            self.flush_pass(open)?;
            return Ok(true);
        }
        drop(passes);
        let Some(mut execution) = self.store.load(id)? else {
            return Err(super::unknown_execution(id.as_str()));
        };
        let writes = cancel(&execution, String::new(), now);
        if writes.events.is_empty() {
            return Ok(false);
        }
        self.record(&mut execution, writes)?;
        Ok(true)
    }

    /// Names the connectors that are carrying out a call of this run.
    fn cancelled_message(&self, id: &ExecutionId) -> Option<String> {
        let passes = self.passes.borrow();
        let of_run = passes
            .values()
            .filter(|pass| pass.purpose == Purpose::Run && pass.execution.id == *id);
        let connectors: BTreeSet<&str> = of_run
            .flat_map(|pass| {
                let called = pass.flights.iter().filter(|(_, attempt)| **attempt > 0);
                called.filter_map(|(operation, _)| pass.execution.entries.get(operation))
            })
            .map(|entry| entry.call.connector.as_str())
            .collect();
        (!connectors.is_empty()).then(|| {
            json(&HostMessage::Cancelled {
                execution_id: id.as_str(),
                connectors: connectors.into_iter().collect(),
            })
        })
    }

    /// Ends what nobody decided on, or went on with, for too long.
    pub fn expire_paused(&self, request: &str, now: EpochMs) -> String {
        json(&Reply::from(self.try_expire(request, now)))
    }

    fn try_expire(&self, request: &str, now: EpochMs) -> Result<Expired, Error> {
        let request: ExpirePaused = parse(request)?;
        let age = request.max_age_ms.unwrap_or(AGE);
        let mut expired = Vec::new();
        let Some(until) = now.0.checked_sub(age) else {
            return Ok(Expired {
                expired,
                more: false,
            });
        };
        // Room for those that are passed over, or they could keep everyone behind them from ever being found.
        let open = u32::try_from(self.passes.borrow().len()).unwrap_or(u32::MAX);
        let most = AT_ONCE.saturating_add(open);
        let due = self.store.unchanged_since(EpochMs(until), most)?;
        let more = due.len() >= most as usize;
        for row in due {
            if self.expire_one(&row, age, now)? {
                expired.push(row.id);
            }
        }
        Ok(Expired { expired, more })
    }

    fn expire_one(&self, row: &Listed, age: u64, now: EpochMs) -> Result<bool, Error> {
        let Some(id) = ExecutionId::parse(&row.id) else {
            self.store.give_up(&row.id, now)?;
            return Ok(true);
        };
        // A pass that is under way ends by its own deadline.
        if self.is_open(&id) {
            return Ok(false);
        }
        match self.store.load(&id) {
            Ok(Some(mut execution)) => {
                let writes = expire(&execution, age, now);
                if writes.events.is_empty() {
                    // Its row had fallen behind its journal and would be found again and again.
                    self.store.mark(&execution)?;
                    return Ok(false);
                }
                self.record(&mut execution, writes)?;
            }
            // One whose record cannot be read holds up no other, and is not found again either.
            Ok(None) => self.give_up(&id, now)?,
            Err(error) if error.is_of_one_record() => self.give_up(&id, now)?,
            Err(error) => return Err(error.into()),
        }
        Ok(true)
    }

    /// Nothing of its record can be read, so its end is in its row alone. What it may hold is let go of all the same.
    fn give_up(&self, id: &ExecutionId, now: EpochMs) -> Result<(), Error> {
        self.store.give_up(id.as_str(), now)?;
        self.owe_end(id)
    }

    fn owe_end(&self, id: &ExecutionId) -> Result<(), Error> {
        let end = End::Error {
            code: Code::Internal,
            error: String::new(),
        };
        let mut owed = end.owes().iter();
        Ok(owed.try_for_each(|kind| self.store.owe(id, *kind, end.as_str()))?)
    }

    /// When the run that will expire first does, in ms since 1970; 0 when none will.
    pub fn next_expiry(&self) -> u64 {
        let open = self.passes.borrow().len();
        let limit = u32::try_from(open).unwrap_or(u32::MAX).saturating_add(1);
        let Ok(live) = self.store.unchanged(limit) else {
            return 0;
        };
        live.into_iter()
            .find(|row| ExecutionId::parse(&row.id).is_none_or(|id| !self.is_open(&id)))
            .map_or(0, |row| row.updated_at.0.saturating_add(AGE))
    }

    /// Forgets a run. One that may still go on is cancelled first, so that its connectors hear of its end.
    pub fn delete_execution(&self, request: &str, now: EpochMs) -> String {
        json(&Reply::from(self.try_delete(request, now)))
    }

    fn try_delete(&self, request: &str, now: EpochMs) -> Result<Deleted, Error> {
        let request: DeleteExecution = parse(request)?;
        let Some(row) = self.store.known(&request.execution_id)? else {
            return Ok(Deleted { deleted: false });
        };
        if let Some(id) = ExecutionId::parse(&row.id) {
            // Also one whose end cannot be written, or whose record cannot be read: this is how one is rid of it.
            let stopped = self.stop(&id, now);
            if stopped.is_err() && matches!(row.status.as_str(), "running" | "paused") {
                let _ = self.owe_end(&id);
            }
        }
        self.erase(&row.id)?;
        Ok(Deleted { deleted: true })
    }

    pub fn prune_executions(&self, request: &str) -> String {
        let request: Result<PruneExecutions, Error> = parse(request);
        let pruned = request.and_then(|request| self.prune(request.keep.unwrap_or(KEPT)));
        json(&Reply::from(pruned))
    }

    /// Forgets the oldest runs that have ended, beyond `keep` of them; not one that is being rolled back.
    pub(super) fn prune(&self, keep: u32) -> Result<Pruned, Error> {
        let undoing = u32::try_from(self.rollbacks.borrow().len()).unwrap_or(u32::MAX);
        let most = AT_ONCE.saturating_add(undoing);
        let beyond = self.store.beyond(keep, most)?;
        let more = beyond.len() >= most as usize;
        let mut deleted = 0;
        for row in beyond {
            let undoing = ExecutionId::parse(&row.id).is_some_and(|id| self.is_rolling_back(&id));
            if !undoing {
                self.erase(&row.id)?;
                deleted += 1;
            }
        }
        Ok(Pruned { deleted, more })
    }

    /// Nothing of a run may come back after this: what its passes hold in memory goes as well.
    fn erase(&self, id: &str) -> Result<(), Error> {
        if let Some(id) = ExecutionId::parse(id) {
            self.fence(&id);
            self.rollbacks.borrow_mut().remove(&id);
        }
        Ok(self.store.delete(id)?)
    }

    /// A journal has one writer. Before another one writes, what an older pass could not write is given up: it would
    /// come behind what it was to come before.
    pub(super) fn fence(&self, id: &ExecutionId) {
        let mut passes = self.passes.borrow_mut();
        let older = |pass: &&mut Pass| pass.execution.id == *id && pass.state != PassState::Open;
        for pass in passes.values_mut().filter(older) {
            pass.unwritten = Writes::default();
        }
    }

    pub fn owes(&self) -> bool {
        self.store.owes()
    }

    /// What connectors are to hear, as messages. A run that is being rolled back still needs what it would let go of.
    pub fn owed(&self) -> String {
        let rollbacks = self.rollbacks.borrow();
        let most = u32::try_from(OWED + 2 * rollbacks.len()).unwrap_or(u32::MAX);
        let messages: Vec<OwedMessage> = self
            .store
            .owed(most)
            .unwrap_or_default()
            .into_iter()
            .filter(|owing| !rollbacks.keys().any(|id| id.as_str() == owing.execution_id))
            .take(OWED)
            .map(|owing| {
                let (execution_id, status) = (&owing.execution_id, &owing.status);
                let message = if owing.kind == Owed::PassEnd.as_str() {
                    json(&HostMessage::PassEnd {
                        execution_id,
                        status,
                    })
                } else {
                    json(&HostMessage::Dispose {
                        execution_id,
                        status,
                    })
                };
                OwedMessage {
                    message,
                    execution_id: owing.execution_id,
                    kind: owing.kind,
                    status: owing.status,
                }
            })
            .collect();
        json(&messages)
    }

    /// It was told. With the status that was told, a newer one that has come meanwhile stays owed.
    pub fn paid(&self, execution_id: &str, kind: &str, status: Option<&str>) -> String {
        let paid = self.store.paid(execution_id, kind, status);
        json(&Reply::from(paid.map_err(Error::from)))
    }

    /// What is said to someone whose run ended before its pass began: its outcome as it stands.
    pub fn outcome_frame(&self, execution_id: &str) -> String {
        parse_id(execution_id)
            .and_then(|id| self.outcome(&id))
            .unwrap_or_else(|error| self.frame_error(execution_id, &error))
    }
}
