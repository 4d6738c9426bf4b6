//! Entries as a caller sees them, within the size that one reply may have. Nothing stored is shortened: what does not
//! fit is named by its length and whole through `execution(id, { seq })`.

use std::borrow::Cow;

use crate::engine::call::{Outcome, Policy};
use crate::engine::execution::{Entry, Execution, Stage};
use crate::engine::ids::{ExecutionId, Operation};
use crate::engine::text::{Slot, Text, shorten, units};
use crate::error::Error;
use crate::store::sql::Sql;
use crate::store::texts::Texts;
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
pub(super) fn log_within<'a, S: Sql>(
    store: &Store<S>,
    execution: &'a Execution,
    budget: &mut Budget,
) -> Result<(Vec<LogEntry<'a>>, usize), Error> {
    let mut calls: Vec<(u32, &Entry)> = execution.calls().collect();
    let shown = calls.len().min(budget.calls as usize);
    budget.calls -= shown as u32;
    let omitted = calls.split_off(shown).len();
    Ok((entries(store, &execution.id, &calls, budget)?, omitted))
}

pub(super) fn log<'a, S: Sql>(
    store: &Store<S>,
    execution: &'a Execution,
    budget: &mut Budget,
) -> Result<Vec<LogEntry<'a>>, Error> {
    let calls: Vec<(u32, &Entry)> = execution.calls().collect();
    entries(store, &execution.id, &calls, budget)
}

fn entries<'a, S: Sql>(
    store: &Store<S>,
    id: &ExecutionId,
    calls: &[(u32, &'a Entry)],
    budget: &mut Budget,
) -> Result<Vec<LogEntry<'a>>, Error> {
    let mut texts = store.texts(id);
    texts.read_ahead(&long_results(calls, budget));
    calls
        .iter()
        .map(|(seq, entry)| log_entry(&mut texts, *seq, entry, budget))
        .collect()
}

/// The results that lie beside the journal and that there may be room for.
fn long_results(calls: &[(u32, &Entry)], budget: &Budget) -> Vec<Slot> {
    let mut left = budget.left;
    let mut slots = Vec::new();
    for (seq, entry) in calls {
        if let Some(Outcome::Value(Text::Stored { length })) = entry.stage.outcome()
            && *length <= budget.longest
            && *length <= left
        {
            left -= length;
            slots.push(Slot::Outcome(Operation::call(*seq)));
        }
    }
    slots
}

pub(super) fn log_entry<'a, S: Sql>(
    texts: &mut Texts<'_, S>,
    seq: u32,
    entry: &'a Entry,
    budget: &mut Budget,
) -> Result<LogEntry<'a>, Error> {
    budget.spend(ENTRY_UNITS);
    let operation = Operation::call(seq);
    let mut result = None;
    let mut failure = None;
    match entry.stage.outcome() {
        Some(Outcome::Value(text)) => {
            result = Some(value(texts, Slot::Outcome(operation), text, budget)?);
        }
        Some(Outcome::Failure { code, message, .. }) => failure = Some((*code, message)),
        Some(Outcome::Reexecute) | None => {}
    }
    let edited_args = match &entry.edited {
        Some(text) => Some(value(texts, Slot::EditedArgs(operation), text, budget)?),
        None => None,
    };
    Ok(LogEntry {
        seq,
        connector: &entry.call.connector,
        method: &entry.call.method,
        args: value(texts, Slot::Args(operation), &entry.call.args, budget)?,
        result,
        state: state(entry),
        code: failure.map(|(code, _)| code),
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
    execution: &'a Execution,
    entries: impl Iterator<Item = (u32, &'a Entry)>,
    budget: &mut Budget,
) -> Result<Vec<PendingAction<'a>>, Error> {
    let mut texts = store.texts(&execution.id);
    entries
        .map(|(seq, entry)| {
            budget.spend(ENTRY_UNITS);
            Ok(PendingAction {
                execution_id: execution.id.as_str(),
                seq,
                connector: &entry.call.connector,
                method: &entry.call.method,
                args: value(
                    &mut texts,
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
pub(super) fn value<'a, S: Sql>(
    texts: &mut Texts<'_, S>,
    slot: Slot,
    text: &'a Text,
    budget: &mut Budget,
) -> Result<ListedValue<'a>, Error> {
    let length = text.length();
    if budget.spend(length) {
        readable(texts.get(slot, text))
    } else {
        Ok(ListedValue::Omitted {
            omitted: true,
            length,
        })
    }
}

/// A value that cannot be read spoils itself and nothing beside it.
pub(super) fn readable(text: Result<Cow<'_, str>, StoreError>) -> Result<ListedValue<'_>, Error> {
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
fn brief<'a>(message: &'a str, budget: &mut Budget) -> Cow<'a, str> {
    if budget.spend(units(message)) {
        Cow::Borrowed(message)
    } else {
        Cow::Owned(shorten(message, BRIEF_BYTES))
    }
}

/// A text that is no value text, within the same bounds.
pub(super) fn plain<'a>(text: Cow<'a, str>, budget: &mut Budget) -> ListedValue<'a> {
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
