//! Entries as a caller sees them, within the size that one reply may have. Nothing stored is shortened: what does not
//! fit is named by its length and whole through `execution(id, { seq })`.

use crate::engine::call::{Outcome, Policy};
use crate::engine::execution::{Entry, Execution, Stage};
use crate::engine::ids::{ExecutionId, Operation};
use crate::engine::text::{Slot, Text, shorten, units};
use crate::error::Error;
use crate::store::sql::Sql;
use crate::store::{Store, StoreError};
use crate::wire::output::{ListedValue, LogEntry, PendingAction};

/// What one reply may hold, in UTF-16 units of value text.
const REPLY_UNITS: u64 = 4 * 1024 * 1024;
/// Longest single value in a listing.
const VALUE_UNITS: u64 = 16 * 1024;
/// What is left of a message that does not fit, in bytes.
const BRIEF_BYTES: usize = 64;
/// What an entry costs besides its values.
const ENTRY_UNITS: u64 = 200;

/// Calls in a list of runs.
const LISTED_CALLS: u32 = 5_000;

/// How much a reply may still hold.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
    longest: u64,
    /// Calls in lists of calls.
    calls: u32,
}

impl Budget {
    pub(super) const fn reply() -> Self {
        Self {
            left: REPLY_UNITS,
            longest: VALUE_UNITS,
            calls: u32::MAX,
        }
    }

    /// For a list of runs. Part of the room is kept for calls, so that the values of one run do not hide those of others.
    pub(super) const fn list() -> Self {
        Self {
            left: REPLY_UNITS - LISTED_CALLS as u64 * ENTRY_UNITS,
            longest: VALUE_UNITS,
            calls: LISTED_CALLS,
        }
    }

    /// For one entry that is asked for by itself.
    pub(super) const fn whole() -> Self {
        Self {
            left: u64::MAX,
            longest: u64::MAX,
            calls: u32::MAX,
        }
    }

    const fn spend(&mut self, units: u64) -> bool {
        units <= self.longest && self.share(units)
    }

    /// For what may be longer than one value.
    const fn share(&mut self, units: u64) -> bool {
        if units > self.left {
            return false;
        }
        self.left -= units;
        true
    }
}

pub(super) fn lines(console: &str) -> Vec<String> {
    console.lines().map(str::to_owned).collect()
}

/// As `lines`, in a listing of several runs.
pub(super) fn lines_within(console: &str, budget: &mut Budget) -> Vec<String> {
    let length = units(console);
    if budget.share(length) {
        lines(console)
    } else {
        vec![format!(
            "[{length} characters of console output are left out here; execution(id) has them]"
        )]
    }
}

/// As `log`, in a listing of several runs: the calls there is room for, and how many are left out.
pub(super) fn log_within<S: Sql>(
    store: &Store<S>,
    execution: &Execution,
    budget: &mut Budget,
) -> Result<(Vec<LogEntry>, usize), Error> {
    let mut entries = Vec::new();
    let mut calls = execution.calls();
    while budget.calls > 0
        && let Some((seq, entry)) = calls.next()
    {
        budget.calls -= 1;
        entries.push(log_entry(store, &execution.id, seq, entry, budget)?);
    }
    Ok((entries, calls.count()))
}

pub(super) fn log<S: Sql>(
    store: &Store<S>,
    execution: &Execution,
    budget: &mut Budget,
) -> Result<Vec<LogEntry>, Error> {
    execution
        .calls()
        .map(|(seq, entry)| log_entry(store, &execution.id, seq, entry, budget))
        .collect()
}

pub(super) fn log_entry<S: Sql>(
    store: &Store<S>,
    id: &ExecutionId,
    seq: u32,
    entry: &Entry,
    budget: &mut Budget,
) -> Result<LogEntry, Error> {
    budget.spend(ENTRY_UNITS);
    let operation = Operation::call(seq);
    let mut result = None;
    let mut failure = None;
    match entry.stage.outcome() {
        Some(Outcome::Value(text)) => {
            result = Some(value(store, id, Slot::Outcome(operation), text, budget)?);
        }
        Some(Outcome::Failure { code, message, .. }) => failure = Some((*code, message.clone())),
        Some(Outcome::Reexecute) | None => {}
    }
    let edited_args = match &entry.edited {
        Some(text) => Some(value(store, id, Slot::EditedArgs(operation), text, budget)?),
        None => None,
    };
    Ok(LogEntry {
        seq,
        connector: entry.call.connector.clone(),
        method: entry.call.method.clone(),
        args: value(store, id, Slot::Args(operation), &entry.call.args, budget)?,
        result,
        state: state(entry),
        code: failure.as_ref().map(|(code, _)| *code),
        error: failure.map(|(_, message)| brief(message, budget)),
        requires_approval: entry.policy.requires_approval(),
        ephemeral: entry.policy == Policy::Reexecute,
        started_at: entry.started_at.0,
        ended_at: entry.ended_at.map(|at| at.0),
        attempt: entry.attempt,
        edited_args,
    })
}

pub(super) fn actions<'a, S: Sql>(
    store: &Store<S>,
    execution: &Execution,
    entries: impl Iterator<Item = (u32, &'a Entry)>,
    budget: &mut Budget,
) -> Result<Vec<PendingAction>, Error> {
    entries
        .map(|(seq, entry)| {
            budget.spend(ENTRY_UNITS);
            Ok(PendingAction {
                execution_id: execution.id.as_str().to_owned(),
                seq,
                connector: entry.call.connector.clone(),
                method: entry.call.method.clone(),
                args: value(
                    store,
                    &execution.id,
                    Slot::Args(Operation::call(seq)),
                    &entry.call.args,
                    budget,
                )?,
            })
        })
        .collect()
}

/// The public state. A call that may be undone or not counts as applied, as is known of it.
fn state(entry: &Entry) -> &'static str {
    match &entry.stage {
        Stage::Checking | Stage::Executing | Stage::Approved => "executing",
        Stage::Pending => "pending",
        Stage::InDoubt => "in_doubt",
        Stage::Reverted(_) => "reverted",
        Stage::Settled(_) | Stage::Reverting(_) if entry.is_applied() => "applied",
        Stage::Settled(_) | Stage::Reverting(_) => "error",
    }
}

/// Arguments that could not leave the sandbox are a text that says why (`!code message`).
pub(super) fn value<S: Sql>(
    store: &Store<S>,
    id: &ExecutionId,
    slot: Slot,
    text: &Text,
    budget: &mut Budget,
) -> Result<ListedValue, Error> {
    let length = text.length();
    if budget.spend(length) {
        readable(store.text(id, slot, text))
    } else {
        Ok(ListedValue::Omitted {
            omitted: true,
            length,
        })
    }
}

/// A value that cannot be read spoils itself and nothing beside it.
pub(super) fn readable(text: Result<String, StoreError>) -> Result<ListedValue, Error> {
    match text {
        Ok(text) => Ok(ListedValue::Text(text)),
        Err(error) if error.is_of_one_record() => Ok(ListedValue::Unreadable {
            unreadable: error.to_string(),
        }),
        Err(error) => Err(error.into()),
    }
}

/// What was printed; where it cannot be read a line that says so.
pub(super) fn console<S: Sql>(store: &Store<S>, execution: &Execution) -> Result<String, Error> {
    let Some(text) = &execution.console else {
        return Ok(String::new());
    };
    match store.text(&execution.id, Slot::Console, text) {
        Ok(text) => Ok(text),
        Err(error) if error.is_of_one_record() => {
            Ok(format!("[the console output cannot be read: {error}]\n"))
        }
        Err(error) => Err(error.into()),
    }
}

/// A message that does not fit is cut with a mark; it is whole with the entry.
fn brief(message: String, budget: &mut Budget) -> String {
    if budget.spend(units(&message)) {
        message
    } else {
        shorten(&message, BRIEF_BYTES)
    }
}

/// A text that is no value text, within the same bounds.
pub(super) fn plain(text: String, budget: &mut Budget) -> ListedValue {
    let length = units(&text);
    if budget.spend(length) {
        ListedValue::Text(text)
    } else {
        ListedValue::Omitted {
            omitted: true,
            length,
        }
    }
}
