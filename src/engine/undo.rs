//! Undoing what a run did: which calls can be undone, what is recorded of it, and what nobody here can undo.

use std::collections::BTreeSet;

use super::call::{Outcome, Policy, Safety};
use super::execution::{Entry, Execution, Stage, Status};
use super::failure::Failure;
use super::ids::{EpochMs, Kind, Operation};
use super::journal::{End, What, Writes};
use crate::error::{Code, Error};

/// Refuses while the run may still do something.
pub fn revertible(execution: &Execution) -> Result<(), Error> {
    match execution.status {
        Status::Ended(_) => Ok(()),
        Status::Running => Err(Error::new(
            Code::Interrupted,
            format!(
                "cannot roll back: execution {} is running; wait until its pass ends, or cancel it first",
                execution.id
            ),
        )),
    }
}

/// The last applied call that is not undone and was not looked at yet.
pub fn last_applied<'a>(
    execution: &'a Execution,
    seen: &BTreeSet<Operation>,
) -> Option<(Operation, &'a Entry)> {
    execution
        .entries
        .iter()
        .rev()
        .filter(|(operation, _)| operation.kind() == Kind::Call && !seen.contains(operation))
        .find(|(_, entry)| entry.is_applied() && !entry.call.is_step() && !is_reverted(entry))
        .map(|(operation, entry)| (*operation, entry))
}

const fn is_reverted(entry: &Entry) -> bool {
    matches!(entry.stage, Stage::Reverted(_))
}

/// Before the connector is asked: whether it was asked before can then be told after a crash.
pub fn reverting(operation: Operation, now: EpochMs) -> Writes {
    let mut writes = Writes::default();
    writes.push(now, What::Reverting { operation });
    writes
}

/// The connector undid it. With the first one the run is `rolled_back`: nobody can go on with a run of which a part is
/// undone, not even after a crash in the middle. What waited for a person is closed. Each one is an end of its own, so
/// that connectors that let go after an earlier rollback are told to once more.
pub fn reverted(execution: &Execution, operation: Operation, now: EpochMs) -> Writes {
    let mut writes = Writes::default();
    writes.push(now, What::Reverted { operation });
    for (operation, entry) in &execution.entries {
        let never_left = match entry.stage {
            Stage::Pending | Stage::Checking => true,
            Stage::Approved => entry.attempt == 0,
            Stage::Executing
            | Stage::InDoubt
            | Stage::Settled(_)
            | Stage::Reverting(_)
            | Stage::Reverted(_) => false,
        };
        if never_left {
            let error = Error::new(
                Code::Cancelled,
                format!(
                    "call {} ({}.{}) was never made: closed by rollback",
                    operation.id(),
                    entry.call.connector,
                    entry.call.method
                ),
            );
            let outcome = Failure::of(&error).outcome(*operation, &mut writes.spills);
            let operation = *operation;
            writes.push(now, What::Outcome { operation, outcome });
        }
    }
    writes.push(
        now,
        What::End {
            end: End::RolledBack {},
            console: None,
        },
    );
    writes
}

/// The connector did not undo it and says so.
pub fn not_reverted(operation: Operation, now: EpochMs) -> Writes {
    let mut writes = Writes::default();
    writes.push(now, What::NotReverted { operation });
    writes
}

/// Why no connector is asked to undo a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// Nobody knows whether it happened.
    InDoubt,
    /// It was the program's own work.
    Step,
}

/// What nobody here can undo.
pub fn beyond(execution: &Execution) -> impl Iterator<Item = (u32, &Entry, Beyond)> {
    execution.calls().filter_map(|(seq, entry)| {
        let why = match &entry.stage {
            Stage::InDoubt => Beyond::InDoubt,
            Stage::Executing if !reads(entry.policy) => Beyond::InDoubt,
            Stage::Approved if entry.attempt > 0 => Beyond::InDoubt,
            Stage::Settled(Outcome::Value(_)) if entry.call.is_step() => Beyond::Step,
            Stage::Checking
            | Stage::Executing
            | Stage::Pending
            | Stage::Approved
            | Stage::Settled(_)
            | Stage::Reverting(_)
            | Stage::Reverted(_) => return None,
        };
        Some((seq, entry, why))
    })
}

const fn reads(policy: Policy) -> bool {
    match policy {
        Policy::Record(safety) | Policy::Approve(safety) | Policy::Ask(safety) => {
            matches!(safety, Safety::ReadOnly)
        }
        Policy::Reexecute => false,
    }
}
