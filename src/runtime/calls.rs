//! What a sandbox sends while its pass is open, and what the host answers.
//!
//! Every entry returns one text: a reply for the sandbox (`docs/design/wire.md`, Bridge), or `h` and a message that
//! js-shim is to hand to the host first. What has to be durable before it leaves is written before the text is returned;
//! the platform holds every outgoing message back until the commit.

use super::pass::{Pass, PassId, PassState, Purpose};
use super::{Runtime, json};
use crate::catalog::{Approval, MethodRecord, Replay, SearchOptions};
use crate::engine::call::{CODEMODE, Outcome, Policy, STEP, Safety};
use crate::engine::decide::{Answer, Decision, Declared, Flush, Issue, Recorded, Transition};
use crate::engine::decide::{answered, decide_new, decide_recorded};
use crate::engine::execution::{Entry, Stage};
use crate::engine::failure::Failure;
use crate::engine::ids::{EpochMs, Kind, Operation};
use crate::engine::journal::{End, What, Writes};
use crate::engine::limits::{MAX_DELIVERIES, error_text, too_many_deliveries};
use crate::engine::surrogates::read_json;
use crate::engine::text::Slot;
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::wire::host::{HostMessage, HostReply};
use crate::wire::request::ApprovalRule;
use crate::wire::sandbox::parse_delivered;

/// The pass is closed: nothing settles any more.
const CLOSED: &str = "x";

/// Longest name of a connector or method, in bytes; the harness refuses names of over 200 characters.
const NAME_BYTES: usize = 800;

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
            if pass.flights.len() >= pass.limits.inflight.max(1) as usize && !pass.flights.contains_key(&operation) {
                return Err(Error::new(
                    Code::Diverged,
                    format!("more than {} calls came unanswered; the sandbox did not keep to the protocol", pass.limits.inflight),
                ));
            }
            let transition = match pass.execution.entries.get(&operation) {
                None => {
                    let declared = self.declared(pass, &issue);
                    decide_new(&pass.execution, issue, declared, &pass.limits, now)
                }
                Some(_)
                    if pass.flights.contains_key(&operation)
                        || pass.steps.contains_key(&operation)
                        || pass.called.contains(&operation) =>
                {
                    let Some(entry) = pass.execution.entries.get(&operation) else { return Ok(CLOSED.to_owned()) };
                    decide_recorded(entry, &issue, Recorded::InFlight, now)
                }
                Some(entry) => {
                    let args = self.store.text(&pass.execution.id, Slot::Args(operation), &entry.call.args);
                    // A value of this very pass may still wait to be written.
                    let args = match args {
                        Ok(args) => args,
                        Err(_) => unwritten(pass, Slot::Args(operation)).ok_or_else(|| lost(operation))?,
                    };
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
            Ok(HostReply::Catalogue { .. }) => Answer::Failure(unreadable("a method list")),
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
        if let Some(open) = passes.get_mut(&pass) {
            open.flights.remove(&Operation(operation));
            if open.state == PassState::Open {
                open.state = PassState::Closed;
                // What is known so far is kept; should this fail, recovery finds a shorter record of the same run.
                let _ = self.flush_pass(open);
            }
            if open.is_over() {
                passes.remove(&pass);
            }
        }
        CLOSED.to_owned()
    }

    fn answered(&self, pass: PassId, operation: Operation, answer: Answer, now: EpochMs) -> String {
        let mut passes = self.passes.borrow_mut();
        let id = passes.get(&pass).map(|pass| pass.execution.id.clone());
        let newer = id.is_some_and(|id| {
            passes
                .iter()
                .any(|(number, other)| *number != pass && other.is_open_for(&id))
        });
        let Some(open) = passes.get_mut(&pass) else {
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
        // A newer pass of the run that is under way makes its own attempt.
        if !newer {
            // A failing write here leaves the call in doubt, which is what is known of it.
            let _ = self.late(open, operation, attempt, answer, now);
        }
        if open.is_over() {
            passes.remove(&pass);
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
                let args = self.args(pass, operation)?;
                let entry = pass
                    .execution
                    .entries
                    .get(&operation)
                    .ok_or_else(|| lost(operation))?;
                let message = HostMessage::Check {
                    connector: &entry.call.connector,
                    method: &entry.call.method,
                    args: &args,
                };
                Ok(format!("h{}", json(&message)))
            }
            Decision::RunStep => {
                let attempt = pass
                    .execution
                    .entries
                    .get(&operation)
                    .map_or(1, |entry| entry.attempt);
                pass.steps.insert(operation, attempt);
                Ok("s".to_owned())
            }
            Decision::Lookup => {
                let answer = self.look_up(pass, operation)?;
                let entry = pass
                    .execution
                    .entries
                    .get(&operation)
                    .ok_or_else(|| lost(operation))?;
                let transition = answered(entry, operation, entry.attempt, answer, now);
                self.act(pass, operation, transition, now)
            }
            Decision::Wait => Ok("p".to_owned()),
            Decision::Fail(failure) => Ok(failure.reply()),
            Decision::Value(text) => Ok(format!("v{text}")),
            Decision::End(error) => Err(error),
            Decision::Ignore => Ok(CLOSED.to_owned()),
        }
    }

    fn call_message(
        &self,
        pass: &Pass,
        operation: Operation,
        attempt: u32,
        edited: bool,
    ) -> Result<String, Error> {
        let entry = pass
            .execution
            .entries
            .get(&operation)
            .ok_or_else(|| lost(operation))?;
        let args = match (&entry.edited, edited) {
            (Some(text), true) => {
                self.store
                    .text(&pass.execution.id, Slot::EditedArgs(operation), text)?
            }
            _ => self.args(pass, operation)?,
        };
        let id = pass.execution.id.as_str();
        let seq = operation.id();
        Ok(json(&HostMessage::Call {
            connector: &entry.call.connector,
            method: &entry.call.method,
            args: &args,
            execution_id: id,
            seq,
            idempotency_key: &format!("{id}:{seq}"),
            attempt,
        }))
    }

    /// Recorded arguments, also when they still wait to be written.
    fn args(&self, pass: &Pass, operation: Operation) -> Result<String, Error> {
        if let Some(text) = unwritten(pass, Slot::Args(operation)) {
            return Ok(text);
        }
        let entry = pass
            .execution
            .entries
            .get(&operation)
            .ok_or_else(|| lost(operation))?;
        Ok(self
            .store
            .text(&pass.execution.id, Slot::Args(operation), &entry.call.args)?)
    }

    fn declared(&self, pass: &Pass, issue: &Issue) -> Declared {
        if issue.operation.kind() == Kind::Lookup {
            return Declared::Lookup;
        }
        if issue.connector == CODEMODE && issue.method == STEP {
            return Declared::Step(Safety::ReadOnly);
        }
        if !pass.execution.connectors.contains(&issue.connector)
            || !pass.connectors.contains(&issue.connector)
        {
            return Declared::Refused(Error::new(
                Code::MissingConnector,
                format!(
                    "there is no connector {}; there are: {}",
                    issue.connector,
                    pass.connectors.join(", ")
                ),
            ));
        }
        let unavailable = pass
            .catalogue
            .connector(&issue.connector)
            .and_then(|connector| connector.unavailable.clone());
        if let Some(why) = unavailable {
            return Declared::Refused(Error::new(
                Code::MissingConnector,
                format!(
                    "connector {} cannot be reached now: {why}; the others can; try again later",
                    issue.connector
                ),
            ));
        }
        match pass.catalogue.method(&issue.connector, &issue.method) {
            Some(method) => Declared::Method(policy(method, pass.approval)),
            None => Declared::Refused(Error::new(
                Code::NotFound,
                pass.catalogue
                    .unknown_method(&issue.connector, &issue.method),
            )),
        }
    }

    /// Search, describe and load are answered from what is stored here; nobody else is asked.
    fn look_up(&self, pass: &Pass, operation: Operation) -> Result<Answer, Error> {
        let args = self.args(pass, operation)?;
        let entry = pass
            .execution
            .entries
            .get(&operation)
            .ok_or_else(|| lost(operation))?;
        Ok(match look_up(pass, &entry.call.method, &args) {
            Ok(value) => Answer::Value(value),
            Err(error) => Answer::Failure(Failure::of(&error)),
        })
    }

    /// Runs what may end the run, and ends it when it does.
    fn during(
        &self,
        pass: PassId,
        now: EpochMs,
        act: impl FnOnce(&mut Pass) -> Result<String, Error>,
    ) -> String {
        let mut passes = self.passes.borrow_mut();
        let Some(open) = passes
            .get_mut(&pass)
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
        let mut writes = Writes::default();
        writes.push(
            now,
            What::End {
                end: End::Error {
                    code: error.code,
                    error: error_text(&error.text),
                },
                console: None,
            },
        );
        pass.take(writes);
        // Should this write fail too, the run stays `running` and can be recovered: nothing false is on record.
        if self.flush_pass(pass).is_ok() && pass.purpose == Purpose::Run {
            let _ = self.store.mark(&pass.execution);
        }
    }
}

impl Pass {
    pub(super) fn deliver(&mut self, order: &[u32], now: EpochMs) -> Result<(), Error> {
        if !order.len().is_multiple_of(2) {
            return Err(Error::new(
                Code::Diverged,
                "a list of deliveries is not one of pairs; the sandbox did not keep to the protocol",
            ));
        }
        if (self.execution.order.len() + order.len()) / 2 > MAX_DELIVERIES {
            return Err(too_many_deliveries());
        }
        let mut writes = Writes::default();
        writes.push_deliveries(now, order);
        self.take(writes);
        Ok(())
    }

    /// Console output, up to the limit: the harness cuts with a mark, a forged one is cut here.
    pub(super) fn print(&mut self, console: &str) {
        let room = (self.limits.log_bytes as usize)
            .saturating_add(256)
            .saturating_sub(self.console.len());
        let mut end = console.len().min(room);
        while !console.is_char_boundary(end) {
            end -= 1;
        }
        self.console.push_str(&console[..end]);
    }
}

fn policy(method: &MethodRecord, rule: ApprovalRule) -> Policy {
    let safety = match (method.read_only, method.idempotent) {
        (true, _) => Safety::ReadOnly,
        (false, true) => Safety::Idempotent,
        (false, false) => Safety::Effect,
    };
    match (method.requires_approval, rule) {
        (Approval::Always, _) => Policy::Approve(safety),
        (_, ApprovalRule::UnlessReadOnly) if safety != Safety::ReadOnly => Policy::Approve(safety),
        (Approval::Ask, _) => Policy::Ask(safety),
        (Approval::Never, _) if method.replay == Some(Replay::Reexecute) => Policy::Reexecute,
        (Approval::Never, _) => Policy::Record(safety),
    }
}

fn look_up(pass: &Pass, method: &str, args: &str) -> Result<String, Error> {
    let wrong = |what: &str| Error::new(Code::InvalidInput, format!("codemode.{method}: {what}"));
    let args: Vec<serde_json::Value> =
        read_json(args).map_err(|_| wrong("the arguments must be plain JSON"))?;
    let text = args.first().and_then(serde_json::Value::as_str);
    match method {
        "search" => {
            let query = text.ok_or_else(|| {
                wrong("the query must be a text, as in codemode.search(\"list issues\")")
            })?;
            let options = match args.get(1) {
                None | Some(serde_json::Value::Null) => SearchOptions::default(),
                Some(options) => serde_json::from_value(options.clone()).map_err(|error| {
                    wrong(&format!(
                        "options are {{ limit?, offset?, connector? }}: {error}"
                    ))
                })?,
            };
            Ok(json(&pass.catalogue.search(query, &options)))
        }
        "describe" => {
            let target = text.ok_or_else(|| {
                wrong("the target must be a text, such as \"notes\" or \"notes.add\"")
            })?;
            Ok(json(&pass.catalogue.describe(target)?))
        }
        "load" => {
            let name = text.ok_or_else(|| wrong("the name of a snippet must be a text"))?;
            Ok(json(
                &serde_json::json!({ "error": format!("there is no snippet {name}") }),
            ))
        }
        _ => Err(wrong(
            "there is no such method; codemode has search, describe, step and run",
        )),
    }
}

fn parse_issue(operation: u32, key: &str) -> Result<Issue, Error> {
    let operation = Operation(operation);
    let mut parts = key.splitn(3, '\0');
    match (operation.kind(), parts.next(), parts.next(), parts.next()) {
        (Kind::Call | Kind::Lookup, Some(connector), Some(method), Some(args))
            if connector.len() <= NAME_BYTES && method.len() <= NAME_BYTES =>
        {
            Ok(Issue {
                operation,
                connector: connector.to_owned(),
                method: method.to_owned(),
                args: args.to_owned(),
            })
        }
        _ => Err(Error::new(
            Code::Diverged,
            "a call cannot be read; the sandbox did not keep to the protocol",
        )),
    }
}

/// `v` + value text, or `e` + code + space + Error value.
fn parse_outcome(outcome: &str) -> Answer {
    if let Some(value) = outcome.strip_prefix('v') {
        return Answer::Value(value.to_owned());
    }
    let failure = outcome
        .strip_prefix('e')
        .and_then(|rest| rest.split_once(' '));
    match failure {
        Some((code, error)) => Answer::Failure(Failure::parse(
            Code::parse(code).unwrap_or(Code::Exception),
            error,
        )),
        None => Answer::Failure(unreadable("the outcome of a step")),
    }
}

fn is_reexecuted(pass: &Pass, operation: Operation) -> bool {
    pass.execution
        .entries
        .get(&operation)
        .is_some_and(|entry| entry.stage == Stage::Settled(Outcome::Reexecute))
}

fn unwritten(pass: &Pass, slot: Slot) -> Option<String> {
    pass.unwritten
        .spills
        .iter()
        .rev()
        .find(|spill| spill.slot == slot)
        .map(|spill| spill.text.clone())
}

fn unreadable(what: &str) -> Failure {
    Failure::of(&Error::new(
        Code::Internal,
        format!("the host's answer cannot be read: {what}"),
    ))
}

fn lost(operation: Operation) -> Error {
    Error::new(
        Code::Internal,
        format!(
            "operation {} is not in the record it was just found in",
            operation.0
        ),
    )
}
