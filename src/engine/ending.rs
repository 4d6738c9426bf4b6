//! How a pass ends: from what the sandbox reports, or from what happened to it, to the state of the run.

use super::execution::{Execution, Stage, Status};
use super::ids::EpochMs;
use super::journal::{End, RecordedResult, What, Writes};
use super::limits::{Limits, error_text};
use super::recovery::doubts;
use super::text::{MAX_VALUE_UNITS, Slot, keep};
use crate::error::{Code, Error};

/// What ended the pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// The program returned. The text is empty when the result is too long to be recorded; `length` is its real one.
    Done {
        result: String,
        length: u64,
    },
    Error(Error),
    Paused,
    /// The host's deadline came.
    Deadline,
    /// The outcome of a call is unknown (its host broke): the run stays `running`.
    Interrupted,
}

/// Writes the end of a pass. Empty when the run has ended already: a late report changes nothing.
pub fn close(
    execution: &Execution,
    report: Report,
    console: String,
    limits: &Limits,
    now: EpochMs,
) -> Writes {
    let mut writes = Writes::default();
    if !matches!(execution.status, Status::Running) {
        return writes;
    }
    let waiting = execution.pending().next().is_some() || execution.in_doubt().next().is_some();
    let end = match report {
        Report::Interrupted => return writes,
        // A person is waited for, whatever the sandbox says of itself. Calls still in flight (at the deadline, or when it
        // did not wait for them as it should) may or may not happen; their late outcomes settle the doubt.
        Report::Done { .. } | Report::Paused | Report::Deadline if waiting => {
            writes.events.extend(doubts(execution, now).events);
            End::Paused {}
        }
        Report::Paused => error_end(&Error::new(
            Code::Stuck,
            "the program waits for a promise that nothing will settle, and no call is pending",
        )),
        Report::Done { result, length } => End::Completed {
            result: recorded(result, length, &mut writes),
        },
        Report::Error(error) => error_end(&error),
        Report::Deadline => error_end(&limits.timeout(
            execution.recorded(super::ids::Kind::Call),
            &in_flight(execution),
        )),
    };
    let console = (!console.is_empty()).then(|| keep(Slot::Console, console, &mut writes.spills));
    writes.push(now, What::End { end, console });
    writes
}

/// The end of a run that someone cancelled. Empty when it has ended already; a paused one has not.
pub fn cancel(execution: &Execution, console: String, now: EpochMs) -> Writes {
    let error = Error::new(
        Code::Cancelled,
        format!(
            "execution {} was cancelled; what it did stays done, and a call that was under way may still happen",
            execution.id
        ),
    );
    end_live(execution, error_end(&error), console, now)
}

/// The end of a run on which nobody decided, or with which nobody went on, within `age` ms.
pub fn expire(execution: &Execution, age: u64, now: EpochMs) -> Writes {
    let end = if execution.status.is_running() {
        error_end(&Error::new(
            Code::Expired,
            format!(
                "expired: nobody went on with this execution within {age} ms; run the program again"
            ),
        ))
    } else {
        End::Rejected {
            error: format!(
                "expired: nobody decided on this execution within {age} ms; run the program again"
            ),
        }
    };
    end_live(execution, end, String::new(), now)
}

fn end_live(execution: &Execution, end: End, console: String, now: EpochMs) -> Writes {
    let mut writes = Writes::default();
    if execution.status.is_live() {
        let console =
            (!console.is_empty()).then(|| keep(Slot::Console, console, &mut writes.spills));
        writes.push(now, What::End { end, console });
    }
    writes
}

fn recorded(result: String, length: u64, writes: &mut Writes) -> RecordedResult {
    if length > MAX_VALUE_UNITS {
        return RecordedResult::TooLong { omitted: length };
    }
    RecordedResult::Kept(keep(Slot::Result, result, &mut writes.spills))
}

fn error_end(error: &Error) -> End {
    End::Error {
        code: error.code,
        error: error_text(&error.text),
    }
}

fn in_flight(execution: &Execution) -> Vec<String> {
    execution
        .calls()
        .filter(|(_, entry)| entry.stage == Stage::Executing)
        .map(|(seq, entry)| format!("{seq} ({}.{})", entry.call.connector, entry.call.method))
        .collect()
}
