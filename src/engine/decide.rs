//! What happens with an operation that the sandbox issues. `decide` is a function of recorded facts and one call.

use super::call::{Call, Outcome, Policy, Safety};
use super::execution::{Entry, Execution, Stage};
use super::failure::Failure;
use super::ids::{EpochMs, Kind, Operation};
use super::journal::{What, Writes};
use super::limits::{Limits, check_size};
use super::text::{Slot, Text, keep, units};
use crate::error::{Code, Error};

/// An operation as it comes from a sandbox, which may be forged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    pub operation: Operation,
    pub connector: String,
    pub method: String,
    pub args: String,
}

/// What the catalogue knows of the method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declared {
    Method(Policy),
    Step(Safety),
    Lookup,
    /// There is no such connector or method, or it cannot be reached: the call fails with this.
    Refused(Error),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The connector is called with the program's arguments, or with those a person put in their place.
    Execute {
        attempt: u32,
        edited: Option<Text>,
    },
    /// The host is asked whether the arguments are valid and whether a person decides.
    Check,
    RunStep,
    Lookup,
    /// The call stays open until a person decides.
    Wait,
    /// The program hears of a failure; no one is called.
    Fail(Failure),
    Value(String),
    /// The run ends with an error that the program cannot catch.
    End(Error),
    /// Nothing to do: the outcome is no longer asked for.
    Ignore,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    pub decision: Decision,
    pub writes: Writes,
    pub flush: Flush,
}

/// When what was written must be durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flush {
    /// Before anything leaves.
    Now,
    /// With the next one that must, or after a short idle time.
    Later,
}

impl Transition {
    fn only(decision: Decision) -> Self {
        Self {
            decision,
            writes: Writes::default(),
            flush: Flush::Later,
        }
    }

    fn end(error: Error) -> Self {
        Self::only(Decision::End(error))
    }
}

/// How a recorded call stands to one that comes under its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded<'a> {
    /// The text of its recorded arguments.
    Args(&'a str),
    /// The same, and this pass has already sent it and waits for the outcome.
    InFlight,
}

/// First appearance of an operation.
pub fn decide_new(
    execution: &Execution,
    issue: Issue,
    declared: Declared,
    limits: &Limits,
    now: EpochMs,
) -> Transition {
    let expected = execution.recorded(issue.operation.kind());
    if issue.operation.id() != expected {
        return Transition::end(forged(format!(
            "operation {} came where {expected} was next",
            issue.operation.id()
        )));
    }
    // Lookups have numbers of their own and would otherwise fill the record without bound.
    if expected >= limits.calls {
        return Transition::end(match issue.operation.kind() {
            Kind::Lookup => limits.too_many_lookups(),
            Kind::Call | Kind::Timer | Kind::Local => limits.too_many_calls(),
        });
    }
    // The size first: a refusal is a text of the sandbox too, and a forged one may be as long as it likes.
    let refused = check_size("the argument", units(&issue.args))
        .err()
        .or_else(|| refused_args(&issue.args));
    let mut writes = Writes::default();
    if let Some(error) = refused {
        return fail(&mut writes, issue, &error, now);
    }
    let policy = match declared {
        Declared::Method(policy) => policy,
        Declared::Step(safety) => Policy::Record(safety),
        Declared::Lookup => Policy::Record(Safety::ReadOnly),
        Declared::Refused(ref error) => return fail(&mut writes, issue, error, now),
    };
    record_intent(&mut writes, issue, policy, now);
    let decision = match (&declared, policy) {
        (Declared::Step(_), _) => Decision::RunStep,
        (Declared::Lookup, _) => Decision::Lookup,
        (Declared::Method(_) | Declared::Refused(_), Policy::Approve(_) | Policy::Ask(_)) => {
            Decision::Check
        }
        (Declared::Method(_) | Declared::Refused(_), Policy::Record(_) | Policy::Reexecute) => {
            Decision::Execute {
                attempt: 1,
                edited: None,
            }
        }
    };
    // A question to the host is no effect; the answer's own transition makes the intent durable.
    let flush = if decision != Decision::Check && policy.intent_first() {
        Flush::Now
    } else {
        Flush::Later
    };
    Transition {
        decision,
        writes,
        flush,
    }
}

/// An operation under a number that is recorded. The harness compares before it sends, so a difference is a forgery.
pub fn decide_recorded(
    entry: &Entry,
    issue: &Issue,
    recorded: Recorded<'_>,
    now: EpochMs,
) -> Transition {
    let args = match recorded {
        Recorded::InFlight => {
            return Transition::end(forged(format!("{} came twice", name(issue))));
        }
        Recorded::Args(args) => args,
    };
    if entry.call.connector != issue.connector
        || entry.call.method != issue.method
        || args != issue.args
    {
        return Transition::end(Error::new(
            Code::Diverged,
            format!(
                "{} came where {}.{} is recorded",
                name(issue),
                entry.call.connector,
                entry.call.method
            ),
        ));
    }
    let operation = issue.operation;
    match &entry.stage {
        Stage::Pending => Transition::only(Decision::Wait),
        Stage::Checking => Transition::only(Decision::Check),
        Stage::Settled(Outcome::Reexecute)
        | Stage::Reverting(Outcome::Reexecute)
        | Stage::Reverted(Outcome::Reexecute) => Transition::only(Decision::Execute {
            attempt: entry.attempt.saturating_add(1),
            edited: None,
        }),
        Stage::Approved => attempt(entry, operation, now),
        // Only the intent is recorded. What may be repeated is; anything else was set in doubt before the pass began.
        Stage::Executing if entry.call.is_step() => Transition::only(Decision::RunStep),
        Stage::Executing if operation.kind() == Kind::Lookup => Transition::only(Decision::Lookup),
        Stage::Executing if entry.policy.may_run_again() => attempt(entry, operation, now),
        Stage::Executing
        | Stage::InDoubt
        | Stage::Settled(Outcome::Value(_) | Outcome::Failure { .. })
        | Stage::Reverting(Outcome::Value(_) | Outcome::Failure { .. })
        | Stage::Reverted(Outcome::Value(_) | Outcome::Failure { .. }) => Transition::end(forged(
            format!("{} has its outcome and was sent again", name(issue)),
        )),
    }
}

/// The host's answer to what was asked of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The arguments are valid; the connector does not ask for approval.
    Allow,
    /// The arguments are valid; a person must decide.
    Ask,
    Value(String),
    Failure(Failure),
}

/// Takes in an answer. `attempt` is the one that was asked: the answer to an older one changes nothing.
pub fn answered(
    entry: &Entry,
    operation: Operation,
    attempt: u32,
    answer: Answer,
    now: EpochMs,
) -> Transition {
    let mut writes = Writes::default();
    match &entry.stage {
        Stage::Checking => return checked(entry, operation, answer, now),
        // Approved to be made again, and the attempt that was in doubt answers after all: that settles it.
        Stage::Approved if attempt > 0 && attempt == entry.attempt => {}
        Stage::Pending | Stage::Approved => return Transition::only(Decision::Ignore),
        // A re-executed call is settled before it is asked; its value is passed on and not recorded.
        Stage::Settled(Outcome::Reexecute)
        | Stage::Reverting(Outcome::Reexecute)
        | Stage::Reverted(Outcome::Reexecute) => {}
        Stage::Settled(Outcome::Value(_) | Outcome::Failure { .. })
        | Stage::Reverting(Outcome::Value(_) | Outcome::Failure { .. })
        | Stage::Reverted(Outcome::Value(_) | Outcome::Failure { .. }) => {
            return Transition::only(Decision::Ignore);
        }
        Stage::Executing | Stage::InDoubt if attempt != entry.attempt => {
            return Transition::only(Decision::Ignore);
        }
        Stage::Executing | Stage::InDoubt => {}
    }
    let replayed = entry.policy == Policy::Reexecute && entry.stage != Stage::Executing;
    let (decision, outcome) = match answer {
        Answer::Value(text) => match check_size(&result_of(entry), units(&text)) {
            Ok(()) if entry.policy == Policy::Reexecute => {
                (Decision::Value(text), Outcome::Reexecute)
            }
            Ok(()) => {
                let kept = keep(Slot::Outcome(operation), text.clone(), &mut writes.spills);
                (Decision::Value(text), Outcome::Value(kept))
            }
            Err(error) => failed(Failure::of(&error), operation, &mut writes),
        },
        Answer::Failure(failure) => failed(failure, operation, &mut writes),
        Answer::Allow | Answer::Ask => {
            let error = Error::new(
                Code::Internal,
                format!("the host answered {} with no value", path(&entry.call)),
            );
            failed(Failure::of(&error), operation, &mut writes)
        }
    };
    if replayed {
        return Transition::only(decision);
    }
    writes.push(now, What::Outcome { operation, outcome });
    Transition {
        decision,
        writes,
        flush: Flush::Later,
    }
}

fn checked(entry: &Entry, operation: Operation, answer: Answer, now: EpochMs) -> Transition {
    let mut writes = Writes::default();
    match (answer, entry.policy) {
        (Answer::Allow, Policy::Ask(safety)) => {
            let policy = Policy::Record(safety);
            writes.push(now, What::Attempt { operation, policy });
            let flush = if policy.intent_first() {
                Flush::Now
            } else {
                Flush::Later
            };
            let decision = Decision::Execute {
                attempt: entry.attempt.saturating_add(1),
                edited: None,
            };
            Transition {
                decision,
                writes,
                flush,
            }
        }
        (
            Answer::Allow | Answer::Ask,
            Policy::Approve(safety) | Policy::Ask(safety) | Policy::Record(safety),
        ) => {
            writes.push(
                now,
                What::Pending {
                    operation,
                    policy: Policy::Approve(safety),
                },
            );
            Transition {
                decision: Decision::Wait,
                writes,
                flush: Flush::Now,
            }
        }
        (Answer::Failure(failure), _) => {
            let (decision, outcome) = failed(failure, operation, &mut writes);
            writes.push(now, What::Outcome { operation, outcome });
            Transition {
                decision,
                writes,
                flush: Flush::Later,
            }
        }
        (Answer::Value(_), _) | (Answer::Allow | Answer::Ask, Policy::Reexecute) => {
            let error = Error::new(
                Code::Internal,
                format!(
                    "the host gave a value when {} was checked",
                    path(&entry.call)
                ),
            );
            let (decision, outcome) = failed(Failure::of(&error), operation, &mut writes);
            writes.push(now, What::Outcome { operation, outcome });
            Transition {
                decision,
                writes,
                flush: Flush::Later,
            }
        }
    }
}

fn attempt(entry: &Entry, operation: Operation, now: EpochMs) -> Transition {
    let mut writes = Writes::default();
    writes.push(
        now,
        What::Attempt {
            operation,
            policy: entry.policy,
        },
    );
    let flush = if entry.policy.intent_first() {
        Flush::Now
    } else {
        Flush::Later
    };
    // A step in doubt that a person had made again: its function is the program's, and no host is asked.
    let decision = if entry.call.is_step() {
        Decision::RunStep
    } else {
        Decision::Execute {
            attempt: entry.attempt.saturating_add(1),
            edited: entry.edited.clone(),
        }
    };
    Transition {
        decision,
        writes,
        flush,
    }
}

/// What no connector was asked: its record shows no attempt.
const UNASKED: Policy = Policy::Ask(Safety::ReadOnly);

fn fail(writes: &mut Writes, issue: Issue, error: &Error, now: EpochMs) -> Transition {
    let operation = issue.operation;
    let args = if units(&issue.args) > super::text::MAX_VALUE_UNITS {
        // Too long to be kept, and the harness refuses such arguments itself: only the notice is recorded.
        format!("!{} {}", error.code.as_str(), error.text)
    } else {
        issue.args
    };
    record_intent(writes, Issue { args, ..issue }, UNASKED, now);
    let (decision, outcome) = failed(Failure::of(error), operation, writes);
    writes.push(now, What::Outcome { operation, outcome });
    Transition {
        decision,
        writes: std::mem::take(writes),
        flush: Flush::Later,
    }
}

fn failed(failure: Failure, operation: Operation, writes: &mut Writes) -> (Decision, Outcome) {
    let failure = failure.within_limit();
    let outcome = failure.clone().outcome(operation, &mut writes.spills);
    (Decision::Fail(failure), outcome)
}

fn record_intent(writes: &mut Writes, issue: Issue, policy: Policy, now: EpochMs) {
    let args = keep(Slot::Args(issue.operation), issue.args, &mut writes.spills);
    let call = Call {
        connector: issue.connector,
        method: issue.method,
        args,
    };
    writes.push(
        now,
        What::Intent {
            operation: issue.operation,
            call,
            policy,
        },
    );
}

/// `!code message`: arguments that could not leave the sandbox. An odd one is taken as bad input.
fn refused_args(args: &str) -> Option<Error> {
    let refusal = args.strip_prefix('!')?;
    let (code, text) = refusal.split_once(' ').unwrap_or(("", refusal));
    Some(match Code::parse(code) {
        Some(code @ (Code::NotSerializable | Code::TooLarge | Code::InvalidInput)) => {
            Error::new(code, text)
        }
        _ => Error::new(Code::InvalidInput, refusal),
    })
}

fn forged(what: String) -> Error {
    Error::new(
        Code::Diverged,
        format!("{what}; the sandbox did not keep to the protocol, and the run is ended"),
    )
}

fn result_of(entry: &Entry) -> String {
    format!("the result of {}", path(&entry.call))
}

fn path(call: &Call) -> String {
    format!("{}.{}", call.connector, call.method)
}

fn name(issue: &Issue) -> String {
    format!(
        "call {} ({}.{})",
        issue.operation.id(),
        issue.connector,
        issue.method
    )
}
