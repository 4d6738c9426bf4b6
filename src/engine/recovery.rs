//! What is left of a run whose host or runtime died: the journal. `recover` says which calls may simply run again and
//! which only a person can decide on.

use super::execution::{Execution, Stage};
use super::ids::{EpochMs, Kind};
use super::journal::{End, PROTOCOL, What, Writes};
use crate::error::{Code, Error};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovery {
    /// Replay what is recorded and go on.
    Resume,
    /// Some calls may or may not have happened: the run is paused until someone says.
    InDoubt(Writes),
}

pub fn recover(execution: &Execution, now: EpochMs) -> Result<Recovery, Error> {
    if !execution.status.is_running() {
        return Err(Error::new(
            Code::NotPaused,
            format!(
                "cannot recover: execution {} is {}, not running",
                execution.id,
                execution.status.as_str()
            ),
        ));
    }
    let mut writes = doubts(execution, now);
    if writes.events.is_empty() && execution.in_doubt().next().is_none() {
        return Ok(Recovery::Resume);
    }
    writes.push(
        now,
        What::End {
            end: End::Paused {},
            console: None,
        },
    );
    Ok(Recovery::InDoubt(writes))
}

/// Marks every call of which only the intent is recorded and that must not simply run again.
pub fn doubts(execution: &Execution, now: EpochMs) -> Writes {
    let mut writes = Writes::default();
    for (operation, entry) in &execution.entries {
        let lost = operation.kind() == Kind::Call
            && entry.stage == Stage::Executing
            && !entry.policy.may_run_again();
        if lost {
            writes.push(
                now,
                What::InDoubt {
                    operation: *operation,
                },
            );
        }
    }
    writes
}

/// Why this runtime cannot repeat a run, whatever is done: it was recorded in another way.
pub fn outdated(execution: &Execution) -> Option<Error> {
    (execution.protocol != PROTOCOL).then(|| {
        Error::new(
            Code::Diverged,
            format!(
                "execution {} was recorded with protocol {} and this runtime speaks {PROTOCOL}, so it cannot go on; what it did stands, rollback can undo it; run the program again",
                execution.id, execution.protocol
            ),
        )
    })
}

/// Refuses to resume a run that lacks a connector it was begun with.
pub fn resumable(execution: &Execution, configured: &[String]) -> Result<(), Error> {
    let missing: Vec<&str> = execution
        .connectors
        .iter()
        .filter(|name| !configured.contains(name))
        .map(String::as_str)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        Code::MissingConnector,
        format!(
            "execution {} was begun with connectors that are not configured now: {}; configure them and try again",
            execution.id,
            missing.join(", ")
        ),
    ))
}
