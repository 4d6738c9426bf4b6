//! What a person decides about pending calls. Only a paused execution can be decided on; all else changes nothing.

use super::execution::{Entry, Execution, Stage};
use super::failure::Failure;
use super::ids::{EpochMs, Operation};
use super::journal::{End, What, Writes};
use super::limits::check_size;
use super::text::{Slot, keep, units};
use crate::error::{Code, Error};

/// Approves one pending call or all of them. The run must then go on at once; so it may when nothing is pending any
/// more, because the outcome that was in doubt has arrived since.
pub fn approve(
    execution: &Execution,
    seq: Option<u32>,
    edited: Option<String>,
    now: EpochMs,
) -> Result<Writes, Error> {
    decidable(execution, "approve")?;
    certain(execution)?;
    let mut writes = Writes::default();
    match (seq, edited) {
        (None, Some(_)) => {
            return Err(Error::new(
                Code::InvalidInput,
                "edited args belong to one call: pass seq together with args",
            ));
        }
        (None, None) => {
            for (seq, _) in execution.pending() {
                writes.push(
                    now,
                    What::Approved {
                        operation: Operation::call(seq),
                        edited: None,
                    },
                );
            }
        }
        (Some(seq), edited) => {
            pending_entry(execution, seq)?;
            let operation = Operation::call(seq);
            let edited = match edited {
                Some(text) => {
                    check_size("the edited argument", units(&text))?;
                    Some(keep(Slot::EditedArgs(operation), text, &mut writes.spills))
                }
                None => None,
            };
            writes.push(now, What::Approved { operation, edited });
        }
    }
    Ok(writes)
}

/// What becomes of the run when a person says no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The run ends as `rejected`; what was done stays done.
    End,
    /// The program gets an error with the reason and goes on.
    Throw,
}

/// `None` when the call is no longer pending: then nothing changes.
pub fn reject(
    execution: &Execution,
    seq: u32,
    reason: Option<String>,
    mode: Mode,
    now: EpochMs,
) -> Option<Writes> {
    if !execution.status.is_paused() {
        return None;
    }
    let entry = pending_entry(execution, seq).ok()?;
    let operation = Operation::call(seq);
    let why = reason
        .as_deref()
        .map_or(String::new(), |reason| format!(": {reason}"));
    let path = format!("{}.{}", entry.call.connector, entry.call.method);
    let error = Error::new(
        Code::Rejected,
        format!("call {seq} ({path}) was rejected by a person{why}"),
    );
    let mut writes = Writes::default();
    writes.push(now, What::Refused { operation, reason });
    let outcome = Failure::of(&error).outcome(operation, &mut writes.spills);
    writes.push(now, What::Outcome { operation, outcome });
    match mode {
        Mode::Throw => {}
        Mode::End => writes.push(
            now,
            What::End {
                end: End::Rejected { error: error.text },
                console: None,
            },
        ),
    }
    Some(writes)
}

/// The pending entry under a number, or an error that says what is pending.
pub fn pending_entry(execution: &Execution, seq: u32) -> Result<&Entry, Error> {
    let entry = execution
        .entries
        .get(&Operation::call(seq))
        .filter(|entry| entry.stage == Stage::Pending);
    entry.ok_or_else(|| {
        let pending = names(execution.pending());
        let list = if pending.is_empty() {
            "nothing".to_owned()
        } else {
            pending.join(", ")
        };
        Error::new(
            Code::NotFound,
            format!(
                "call {seq} of execution {} is not pending; pending: {list}",
                execution.id
            ),
        )
    })
}

/// Refuses a decision on an execution that is not paused, with its present status.
pub fn decidable(execution: &Execution, verb: &str) -> Result<(), Error> {
    if execution.status.is_paused() {
        return Ok(());
    }
    let next = if execution.status.is_running() {
        "; wait until its pass ends, or recover it when its host died"
    } else {
        "; it has ended and cannot go on"
    };
    Err(Error::new(
        Code::NotPaused,
        format!(
            "cannot {verb}: execution {} is {}, not paused{next}",
            execution.id,
            execution.status.as_str()
        ),
    ))
}

/// Refuses to let a run go on while it is not known whether some call happened, and names those calls.
pub fn certain(execution: &Execution) -> Result<(), Error> {
    let doubtful = names(execution.in_doubt());
    if doubtful.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        Code::Interrupted,
        format!(
            "execution {} cannot go on: it is not known whether these calls happened: {}; decide on each of them first",
            execution.id,
            doubtful.join(", ")
        ),
    ))
}

pub(super) fn names<'a>(entries: impl Iterator<Item = (u32, &'a Entry)>) -> Vec<String> {
    entries
        .map(|(seq, entry)| format!("{seq} ({}.{})", entry.call.connector, entry.call.method))
        .collect()
}
