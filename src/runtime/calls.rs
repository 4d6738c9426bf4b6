//! What a sandbox sends while its pass is open, and what the host answers.
//!
//! Every entry returns one text: a reply for the sandbox (`docs/design/wire.md`, Bridge), or `h` and a message that
//! js-shim is to hand to the host first. What has to be durable before it leaves is written before the text is returned;
//! the platform holds every outgoing message back until the commit.

use super::Runtime;
use super::declared::declared;
use super::heard::{parse_issue, parse_outcome, unreadable};
use super::pass::{Pass, PassId, PassState, Purpose};
use super::reach::is_open;
use crate::engine::call::Outcome;
use crate::engine::decide::{Answer, Decision, Flush, Recorded, Transition};
use crate::engine::decide::{answered, decide_new, decide_recorded};
use crate::engine::ending::{Report, close};
use crate::engine::execution::{Entry, Stage};
use crate::engine::failure::Failure;
use crate::engine::ids::{EpochMs, Operation};
use crate::engine::snippet::RUN;
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::wire::host::HostReply;
use crate::wire::sandbox::parse_delivered;

/// The pass is closed: nothing settles any more.
const CLOSED: &str = "x";

impl<S: Sql> Runtime<S> {
    /// `bridge.call`: an operation of the program that is new or must be sent again.
    pub fn call(
        &self,
        pass: PassId,
        operation: u32,
        key: &str,
        delivered: &str,
        console: &str,
        now: EpochMs,
    ) -> String {
        self.during(pass, now, |pass| {
            self.heard(pass, delivered, console, now)?;
            let issue = parse_issue(operation, key)?;
            let operation = issue.operation;
            if pass.purpose == Purpose::Audit && !is_reexecuted(pass, operation) {
                return Err(Error::new(Code::Diverged, format!("live call in an audit replay: {}.{}", issue.connector, issue.method)));
            }
            if pass.flights.len() >= pass.contact.limits.inflight.max(1) as usize && !pass.flights.contains_key(&operation) {
                return Err(Error::new(
                    Code::Diverged,
                    format!("more than {} calls came unanswered; the sandbox did not keep to the protocol", pass.contact.limits.inflight),
                ));
            }
            let transition = match pass.execution.entries.get(&operation) {
                None => {
                    let declared = declared(pass, &issue);
                    decide_new(&pass.execution, issue, declared, &pass.contact.limits, now)
                }
                Some(entry) if pass.has_sent(operation) => {
                    decide_recorded(entry, &issue, Recorded::InFlight, now)
                }
                Some(entry) => {
                    let args = self.args(pass, operation)?;
                    decide_recorded(entry, &issue, Recorded::Args(&args), now)
                }
            };
            self.act(pass, operation, transition, now)
        })
    }

    /// The host's reply to the last message about this operation.
    pub fn answer(&self, pass: PassId, operation: u32, reply: &str, now: EpochMs) -> String {
        let answer = match serde_json::from_str(reply) {
            Ok(HostReply::Allow {}) => Answer::Allow,
            Ok(HostReply::Ask {}) => Answer::Ask,
            Ok(HostReply::Value { value }) => Answer::Value(value),
            Ok(HostReply::Failure { code, error }) => Answer::Failure(Failure::parse(code, &error)),
            Ok(HostReply::Reverted {} | HostReply::NoRevert {}) => {
                Answer::Failure(unreadable("what was said of undoing a call"))
            }
            Ok(HostReply::Unknown {}) => return self.unknown(pass, operation),
            Err(error) => Answer::Failure(unreadable(&error.to_string())),
        };
        self.answered(pass, Operation(operation), answer, now)
    }

    /// A value that is too long to be handed over; only its length is known here.
    pub fn answer_too_long(
        &self,
        pass: PassId,
        operation: u32,
        length: u32,
        now: EpochMs,
    ) -> String {
        let error = crate::engine::limits::check_size("the result", u64::from(length)).err();
        let error = error.unwrap_or_else(|| Error::new(Code::TooLarge, "the result is too long"));
        self.answered(
            pass,
            Operation(operation),
            Answer::Failure(Failure::of(&error)),
            now,
        )
    }

    /// No answer will come: whether the call acted is unknown. The pass closes, the run stays `running`.
    pub fn unknown(&self, pass: PassId, operation: u32) -> String {
        let mut passes = self.passes.borrow_mut();
        if let Some(open) = passes.get_mut(pass) {
            open.flights.remove(&Operation(operation));
            if open.state == PassState::Open {
                open.state = PassState::Closed;
                // What is known so far is kept; should this fail, recovery finds a shorter record of the same run.
                let _ = self.flush_pass(open);
            }
            if open.is_over() {
                passes.remove(pass);
            }
        }
        CLOSED.to_owned()
    }

    fn answered(&self, pass: PassId, operation: Operation, answer: Answer, now: EpochMs) -> String {
        let mut passes = self.passes.borrow_mut();
        let Some(open) = passes.get_mut(pass) else {
            return CLOSED.to_owned();
        };
        let Some(attempt) = open.flights.remove(&operation) else {
            return CLOSED.to_owned();
        };
        if open.state == PassState::Open {
            let Some(entry) = open.execution.entries.get(&operation) else {
                return CLOSED.to_owned();
            };
            let transition = answered(entry, operation, attempt, answer, now);
            let result = self.act(open, operation, transition, now);
            return self.or_end(open, result, now);
        }
        let id = open.execution.id.clone();
        let newer = passes.values().any(|other| other.is_open_for(&id));
        let Some(open) = passes.get_mut(pass) else {
            return CLOSED.to_owned();
        };
        // A newer pass of the run that is under way makes its own attempt.
        if !newer {
            // A failing write here leaves the call in doubt, which is what is known of it.
            let _ = self.late(open, operation, attempt, answer, now);
        }
        if open.is_over() {
            passes.remove(pass);
        }
        CLOSED.to_owned()
    }

    /// An outcome that comes after its pass: a fact about the call, nothing the program hears. What is recorded by now
    /// judges it, not what the pass remembers: a later pass may have made the call again, and what that one heard stands.
    fn late(
        &self,
        open: &mut Pass,
        operation: Operation,
        attempt: u32,
        answer: Answer,
        now: EpochMs,
    ) -> Result<(), Error> {
        let recorded = self.store.load(&open.execution.id)?;
        let entry = recorded
            .as_ref()
            .and_then(|execution| execution.entries.get(&operation));
        match entry {
            // The answer to a question: nothing has left, nothing will, and the next pass asks again.
            None
            | Some(Entry {
                stage: Stage::Checking,
                ..
            }) => Ok(()),
            Some(entry) => {
                open.take(answered(entry, operation, attempt, answer, now).writes);
                self.flush_pass(open)
            }
        }
    }

    /// `bridge.settle`: the outcome of a step, whose function ran in the sandbox.
    pub fn settle(
        &self,
        pass: PassId,
        operation: u32,
        outcome: &str,
        delivered: &str,
        console: &str,
        now: EpochMs,
    ) -> String {
        self.during(pass, now, |pass| {
            self.heard(pass, delivered, console, now)?;
            let operation = Operation(operation);
            let attempt = pass.steps.remove(&operation);
            let entry = pass.execution.entries.get(&operation);
            let (Some(attempt), Some(entry)) = (attempt, entry) else {
                return Err(Error::new(Code::Diverged, "an outcome came for what is no step under way; the sandbox did not keep to the protocol"));
            };
            let transition = answered(entry, operation, attempt, parse_outcome(outcome), now);
            self.act(pass, operation, transition, now)
        })
    }

    /// `bridge.note`: nothing is asked; the program waits, and what it printed is told before.
    pub fn note(&self, pass: PassId, delivered: &str, console: &str, now: EpochMs) -> String {
        self.during(pass, now, |pass| {
            self.heard(pass, delivered, console, now)?;
            Ok(String::new())
        })
    }

    /// Deliveries and console output since the last message.
    fn heard(
        &self,
        pass: &mut Pass,
        delivered: &str,
        console: &str,
        now: EpochMs,
    ) -> Result<(), Error> {
        let order = parse_delivered(delivered).ok_or_else(|| {
            Error::new(
                Code::Diverged,
                "a list of deliveries cannot be read; the sandbox did not keep to the protocol",
            )
        })?;
        pass.deliver(&order, now)?;
        pass.print(console);
        Ok(())
    }

    fn act(
        &self,
        pass: &mut Pass,
        operation: Operation,
        transition: Transition,
        now: EpochMs,
    ) -> Result<String, Error> {
        let Transition {
            decision,
            writes,
            flush,
        } = transition;
        pass.take(writes);
        if flush == Flush::Now {
            self.flush_pass(pass)?;
        }
        match decision {
            Decision::Execute { attempt, edited } => {
                pass.called.insert(operation);
                pass.flights.insert(operation, attempt);
                let message = self.call_message(pass, operation, attempt, edited.is_some())?;
                Ok(format!("h{message}"))
            }
            Decision::Check => {
                pass.flights.insert(operation, 0);
                let message = self.check_message(pass, operation)?;
                Ok(format!("h{message}"))
            }
            Decision::RunStep => {
                let entry = pass.entry(operation)?;
                let (attempt, open) = (entry.attempt, is_open(pass, entry));
                pass.steps.insert(operation, attempt);
                Ok(if open { "so" } else { "s" }.to_owned())
            }
            Decision::Lookup => {
                let args = self.args(pass, operation)?;
                let method = &pass.entry(operation)?.call.method;
                if method == RUN {
                    return self.run_snippet(pass, operation, &args, now);
                }
                let answer = match self.look_up(pass, method, &args) {
                    Ok(value) => Answer::Value(value),
                    Err(error) => Answer::Failure(Failure::of(&error)),
                };
                self.looked_up(pass, operation, answer, now)
            }
            Decision::Wait => Ok("p".to_owned()),
            Decision::Fail(failure) => Ok(failure.reply()),
            Decision::Value(text) => Ok(format!("v{text}")),
            Decision::End(error) => Err(error),
            Decision::Ignore => Ok(CLOSED.to_owned()),
        }
    }

    pub(super) fn looked_up(
        &self,
        pass: &mut Pass,
        operation: Operation,
        answer: Answer,
        now: EpochMs,
    ) -> Result<String, Error> {
        let entry = pass.entry(operation)?;
        let transition = answered(entry, operation, entry.attempt, answer, now);
        self.act(pass, operation, transition, now)
    }

    /// Runs what may end the run, and ends it when it does.
    pub(super) fn during(
        &self,
        pass: PassId,
        now: EpochMs,
        act: impl FnOnce(&mut Pass) -> Result<String, Error>,
    ) -> String {
        let mut passes = self.passes.borrow_mut();
        let Some(open) = passes
            .get_mut(pass)
            .filter(|pass| pass.state == PassState::Open)
        else {
            return CLOSED.to_owned();
        };
        let result = act(open);
        self.or_end(open, result, now)
    }

    fn or_end(&self, pass: &mut Pass, result: Result<String, Error>, now: EpochMs) -> String {
        match result {
            Ok(reply) => reply,
            Err(error) => {
                self.end_with(pass, error, now);
                CLOSED.to_owned()
            }
        }
    }

    /// Ends the run from the host's side. The program cannot catch it: its pass is closed first.
    fn end_with(&self, pass: &mut Pass, error: Error, now: EpochMs) {
        pass.state = PassState::Closed;
        let report = Report::Error(error);
        let console = pass.console.clone();
        let writes = close(&pass.execution, report, console, &pass.contact.limits, now);
        pass.take(writes);
        // Should this write fail too, the run stays `running` and can be recovered: nothing false is on record.
        let _ = self.flush_pass(pass);
    }
}

fn is_reexecuted(pass: &Pass, operation: Operation) -> bool {
    pass.execution
        .entries
        .get(&operation)
        .is_some_and(|entry| entry.stage.outcome() == Some(&Outcome::Reexecute))
}
