//! Undoing what a run did, call by call, backwards. One message at a time goes to the host; what is asked of it is on
//! record before, and what it said right after, so that nothing is undone twice, whenever a machine dies.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde::Serialize;

use super::{Runtime, json, parse, parse_id};
use crate::catalog::{Catalogue, Head};
use crate::engine::call::{Call, Outcome};
use crate::engine::execution::{Entry, Execution, Stage};
use crate::engine::failure::Failure;
use crate::engine::ids::{EpochMs, ExecutionId, Operation};
use crate::engine::text::Slot;
use crate::engine::undo::{
    Beyond, beyond, last_applied, not_reverted, reverted, revertible, reverting,
};
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::wire::host::{HostMessage, HostReply};
use crate::wire::output::{NotReverted, Reply, RevertOutcome, RevertReport, RolledBack};
use crate::wire::request;

const UNKNOWN: &str = "it is not known whether the revert happened";

/// A rollback that is under way. Lost with the machine; the record says what it had come to.
#[derive(Debug)]
pub(super) struct Rollback {
    catalogue: Rc<Catalogue>,
    connectors: Vec<String>,
    /// What was looked at, whatever came of it.
    seen: BTreeSet<Operation>,
    /// Of what the host has not said yet whether it is undone.
    asked: Option<Operation>,
    report: Vec<RevertReport>,
}

/// What js-shim does next.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Next {
    /// Hand this to the host and come back with what it says (`seq` is in it).
    Next { seq: u32, message: String },
    /// Answer with this.
    Reply { reply: String },
}

/// What the host said of one call.
enum Said {
    Reverted,
    /// It is not undone, as a fact.
    Not(RevertOutcome, Option<String>),
    Unknown(String),
}

impl<S: Sql> Runtime<S> {
    pub fn rollback(&self, request: &str, now: EpochMs) -> String {
        answer(self.begin_rollback(request, now))
    }

    /// What the host said of the message about a call.
    pub fn rollback_answer(&self, id: &str, seq: u32, reply: &str, now: EpochMs) -> String {
        let said = match parse::<HostReply>(reply) {
            Ok(HostReply::Reverted {}) => Said::Reverted,
            Ok(HostReply::NoRevert {}) => Said::Not(RevertOutcome::NoRevert, None),
            Ok(HostReply::Failure { code, error }) => {
                let message = Failure::parse(code, &error).message;
                Said::Not(RevertOutcome::Failed, Some(message))
            }
            Ok(HostReply::Unknown {}) => Said::Unknown(format!("unknown: {UNKNOWN}")),
            Ok(HostReply::Allow {} | HostReply::Ask {} | HostReply::Value { .. }) => {
                Said::Unknown(format!("{UNKNOWN}: the host answered something else"))
            }
            Err(error) => Said::Unknown(format!("{UNKNOWN}: {}", error.text)),
        };
        answer(self.heard_of_revert(id, seq, said, now))
    }

    /// The host broke: whether it undid the call is unknown, and the others are gone on with.
    pub fn rollback_lost(&self, id: &str, seq: u32, now: EpochMs) -> String {
        let said = Said::Unknown(format!("unknown: the host broke, and {UNKNOWN}"));
        answer(self.heard_of_revert(id, seq, said, now))
    }

    pub(super) fn is_rolling_back(&self, id: &ExecutionId) -> bool {
        self.rollbacks.borrow().contains_key(id)
    }

    fn begin_rollback(&self, request: &str, now: EpochMs) -> Result<Next, Error> {
        let request: request::Rollback = parse(request)?;
        let id = parse_id(&request.execution_id)?;
        if self.is_rolling_back(&id) {
            return Err(under_way(&id));
        }
        // As its open pass sees it, which may know more than the record.
        self.with_execution(&id, revertible)??;
        let execution = self.recorded(&id)?;
        let contact = self.contact(&request.contact)?;
        let rollback = Rollback {
            catalogue: self.catalogue(&contact)?,
            connectors: contact.names(),
            seen: BTreeSet::new(),
            asked: None,
            report: Vec::new(),
        };
        self.rollbacks.borrow_mut().insert(id.clone(), rollback);
        self.go_on(&id, execution, now)
    }

    fn heard_of_revert(&self, id: &str, seq: u32, said: Said, now: EpochMs) -> Result<Next, Error> {
        let id = parse_id(id)?;
        let operation = Operation::call(seq);
        let asked = self
            .rollbacks
            .borrow()
            .get(&id)
            .and_then(|rollback| rollback.asked);
        if asked != Some(operation) {
            return Err(Error::new(
                Code::NotFound,
                format!(
                    "no rollback of execution {id} waits for call {seq}; the execution was deleted, or the runtime restarted: \
                     rollback({{ executionId }}) goes on from the record"
                ),
            ));
        }
        let heard = self.note_revert(&id, operation, said, now);
        match heard {
            Ok(execution) => self.go_on(&id, execution, now),
            Err(error) => {
                self.rollbacks.borrow_mut().remove(&id);
                Err(error)
            }
        }
    }

    fn note_revert(
        &self,
        id: &ExecutionId,
        operation: Operation,
        said: Said,
        now: EpochMs,
    ) -> Result<Execution, Error> {
        let mut execution = self.recorded(id)?;
        let (outcome, error) = match said {
            Said::Reverted => {
                let writes = reverted(&execution, operation, now);
                self.record(&mut execution, writes)?;
                (RevertOutcome::Reverted, None)
            }
            Said::Not(outcome, error) => {
                self.record(&mut execution, not_reverted(operation, now))?;
                (outcome, error)
            }
            Said::Unknown(error) => (RevertOutcome::Failed, Some(error)),
        };
        if let Some(rollback) = self.rollbacks.borrow_mut().get_mut(id) {
            rollback.asked = None;
            rollback.note(&execution, operation, outcome, error);
        }
        Ok(execution)
    }

    /// To the next message for the host, or to the answer.
    fn go_on(
        &self,
        id: &ExecutionId,
        mut execution: Execution,
        now: EpochMs,
    ) -> Result<Next, Error> {
        let mut rollbacks = self.rollbacks.borrow_mut();
        let Some(rollback) = rollbacks.get_mut(id) else {
            return Err(super::unknown_execution(id.as_str()));
        };
        let next = self.next_message(&mut execution, rollback, now);
        match next {
            Ok(Some((seq, message))) => Ok(Next::Next { seq, message }),
            Ok(None) => {
                let report = std::mem::take(&mut rollback.report);
                rollbacks.remove(id);
                Ok(Next::Reply {
                    reply: json(&Reply::from(Ok(told(&execution, report)))),
                })
            }
            Err(error) => {
                rollbacks.remove(id);
                Err(error)
            }
        }
    }

    fn next_message(
        &self,
        execution: &mut Execution,
        rollback: &mut Rollback,
        now: EpochMs,
    ) -> Result<Option<(u32, String)>, Error> {
        while let Some((operation, entry)) = last_applied(execution, &rollback.seen) {
            match rollback.verdict(entry) {
                Ok(()) => {}
                Err((outcome, error)) => {
                    rollback.note(execution, operation, outcome, error);
                    continue;
                }
            }
            let message = self.revert_message(&rollback.catalogue, execution, operation, entry)?;
            if !matches!(entry.stage, Stage::Reverting(_)) {
                self.record(execution, reverting(operation, now))?;
            }
            rollback.seen.insert(operation);
            rollback.asked = Some(operation);
            return Ok(Some((operation.id(), message)));
        }
        Ok(None)
    }

    fn revert_message(
        &self,
        catalogue: &Catalogue,
        execution: &Execution,
        operation: Operation,
        entry: &Entry,
    ) -> Result<String, Error> {
        let id = &execution.id;
        let args = match &entry.edited {
            Some(text) => self.store.text(id, Slot::EditedArgs(operation), text)?,
            None => self
                .store
                .text(id, Slot::Args(operation), &entry.call.args)?,
        };
        let result = match entry.stage.outcome() {
            Some(Outcome::Value(text)) => self.store.text(id, Slot::Outcome(operation), text)?,
            Some(Outcome::Failure { .. } | Outcome::Reexecute) | None => String::new(),
        };
        let seq = operation.id();
        let Call {
            connector, method, ..
        } = &entry.call;
        let record = self.record_for_call(catalogue, connector, method)?;
        Ok(json(&HostMessage::Revert {
            connector,
            method,
            record: record.as_deref(),
            args: &args,
            result: &result,
            execution_id: id.as_str(),
            seq,
            // Not the key of the call: a service that knows that one would answer with the call's own result.
            idempotency_key: &format!("{id}:{seq}:revert"),
        }))
    }

    fn recorded(&self, id: &ExecutionId) -> Result<Execution, Error> {
        self.store
            .load(id)?
            .ok_or_else(|| super::unknown_execution(id.as_str()))
    }
}

impl Rollback {
    /// Whether the host is to be asked, or what is reported instead.
    fn verdict(&self, entry: &Entry) -> Result<(), (RevertOutcome, Option<String>)> {
        let method = self
            .method(entry)
            .map_err(|why| (RevertOutcome::MissingConnector, Some(why)))?;
        match &entry.stage {
            _ if !method.revert => Err((RevertOutcome::NoRevert, None)),
            Stage::Reverting(_) if !method.idempotent => {
                let text =
                    format!("{UNKNOWN}: an earlier rollback asked for it and was not answered");
                Err((RevertOutcome::Failed, Some(text)))
            }
            Stage::Checking
            | Stage::Executing
            | Stage::Pending
            | Stage::Approved
            | Stage::InDoubt
            | Stage::Settled(_)
            | Stage::Reverting(_)
            | Stage::Reverted(_) => Ok(()),
        }
    }

    fn method(&self, entry: &Entry) -> Result<&Head, String> {
        let name = &entry.call.connector;
        if !self.connectors.contains(name) {
            return Err(format!("connector {name} is not configured now"));
        }
        let connector = self.catalogue.connector(name);
        if let Some(why) = connector.and_then(|connector| connector.unavailable.as_ref()) {
            return Err(format!("connector {name} cannot be reached now: {why}"));
        }
        self.catalogue
            .method(name, &entry.call.method)
            .ok_or_else(|| format!("connector {name} has no method {} now", entry.call.method))
    }

    fn note(
        &mut self,
        execution: &Execution,
        operation: Operation,
        outcome: RevertOutcome,
        error: Option<String>,
    ) {
        self.seen.insert(operation);
        if let Some(entry) = execution.entries.get(&operation) {
            self.report.push(RevertReport {
                seq: operation.id(),
                connector: entry.call.connector.clone(),
                method: entry.call.method.clone(),
                outcome,
                error,
            });
        }
    }
}

fn told(execution: &Execution, report: Vec<RevertReport>) -> RolledBack {
    let not_reverted = beyond(execution)
        .map(|(seq, entry, why)| NotReverted {
            seq,
            connector: entry.call.connector.clone(),
            method: entry.call.method.clone(),
            why: match why {
                Beyond::InDoubt => "in_doubt",
                Beyond::Step => "step",
            },
        })
        .collect();
    RolledBack {
        status: execution.status.as_str(),
        report,
        not_reverted,
    }
}

pub(super) fn under_way(id: &ExecutionId) -> Error {
    Error::new(
        Code::Interrupted,
        format!("execution {id} is being rolled back; wait until that has ended"),
    )
}

fn answer(next: Result<Next, Error>) -> String {
    json(&next.unwrap_or_else(|error| Next::Reply {
        reply: json(&Reply::<()>::from(Err(error))),
    }))
}
