//! Runs that end because someone says so or because time has passed, and what connectors are to hear of an end.

use std::collections::BTreeSet;

use super::pass::{Pass, PassState, Purpose};
use super::{Runtime, json, parse, parse_id};
use crate::engine::ending::{cancel, expire};
use crate::engine::ids::{EpochMs, ExecutionId};
use crate::engine::journal::Owed;
use crate::engine::journal::Writes;
use crate::error::Error;
use crate::store::sql::Sql;
use crate::wire::host::HostMessage;
use crate::wire::output::{Cancelled, Deleted, Expired, OwedMessage, Pruned, Reply};
use crate::wire::request::{Cancel, DeleteExecution, ExpirePaused, PruneExecutions};

/// How long a run waits when nobody says: a day, in ms.
const AGE: u64 = 24 * 60 * 60 * 1000;
/// How many ended runs are kept when nobody says.
const KEPT: u32 = 50;
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
            return Ok(Expired { expired });
        };
        for id in self.store.unchanged_since(EpochMs(until))? {
            // A pass that is under way ends by its own deadline.
            if self.is_open(&id) {
                continue;
            }
            // One whose record cannot be read holds up no other; it can still be deleted.
            let Ok(Some(mut execution)) = self.store.load(&id) else {
                continue;
            };
            let writes = expire(&execution, age, now);
            if writes.events.is_empty() {
                // Its row had fallen behind its journal and would be found again and again.
                self.store.mark(&execution)?;
                continue;
            }
            self.record(&mut execution, writes)?;
            expired.push(id.as_str().to_owned());
        }
        Ok(Expired { expired })
    }

    /// When the run that will expire first does, in ms since 1970; 0 when none will.
    pub fn next_expiry(&self) -> u64 {
        let open = self.passes.borrow().len();
        let limit = u32::try_from(open).unwrap_or(u32::MAX).saturating_add(1);
        let Ok(live) = self.store.unchanged(limit) else {
            return 0;
        };
        live.into_iter()
            .find(|(id, _)| !self.is_open(id))
            .map_or(0, |(_, at)| at.0.saturating_add(AGE))
    }

    /// Forgets a run. One that may still go on is cancelled first, so that its connectors hear of its end.
    pub fn delete_execution(&self, request: &str, now: EpochMs) -> String {
        json(&Reply::from(self.try_delete(request, now)))
    }

    fn try_delete(&self, request: &str, now: EpochMs) -> Result<Deleted, Error> {
        let request: DeleteExecution = parse(request)?;
        let known = match ExecutionId::parse(&request.execution_id) {
            Some(id) => self.store.is_known(&id)?.then_some(id),
            None => None,
        };
        let Some(id) = known else {
            return Ok(Deleted { deleted: false });
        };
        // Also one whose end cannot be written, or whose record cannot be read: this is how one is rid of it.
        let _ = self.stop(&id, now);
        self.erase(&id)?;
        Ok(Deleted { deleted: true })
    }

    pub fn prune_executions(&self, request: &str) -> String {
        let request: Result<PruneExecutions, Error> = parse(request);
        let pruned = request.and_then(|request| self.prune(request.keep.unwrap_or(KEPT)));
        json(&Reply::from(pruned.map(|deleted| Pruned { deleted })))
    }

    /// Forgets the oldest runs that have ended, beyond `keep` of them; not one that is being rolled back.
    pub(super) fn prune(&self, keep: u32) -> Result<usize, Error> {
        let mut deleted = 0;
        for id in self.store.beyond(keep)? {
            if !self.is_rolling_back(&id) {
                self.erase(&id)?;
                deleted += 1;
            }
        }
        Ok(deleted)
    }

    /// Nothing of a run may come back after this: what its passes hold in memory goes as well.
    fn erase(&self, id: &ExecutionId) -> Result<(), Error> {
        self.fence(id);
        self.rollbacks.borrow_mut().remove(id);
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
