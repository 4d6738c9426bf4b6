//! Approve, reject, recover: what is recorded when someone decides, and whether a pass follows.

use std::rc::Rc;

use super::rollback::under_way;
use super::{Next, Runtime, json, parse, parse_id};
use crate::engine::approval::{Mode, approve, certain, decidable, pending_entry, reject};
use crate::engine::call::Call;
use crate::engine::doubt::{Word, resolve};
use crate::engine::execution::Execution;
use crate::engine::failure::Failure;
use crate::engine::ids::{EpochMs, ExecutionId};
use crate::engine::journal::{End, Owed, What, Writes};
use crate::engine::recovery::{Recovery, outdated, recover, resumable};
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::wire::host::{HostMessage, HostReply};
use crate::wire::output::Reply;
use crate::wire::request::{
    Approve, Contact, Recover, Reject, RejectMode, Resolve, ResolveOutcome,
};

/// A result that a person gives has to be value text, or no pass could ever be opened again.
fn value_text(result: Option<String>) -> Result<String, Error> {
    let text = result.unwrap_or_default();
    let json = text.strip_prefix('@').unwrap_or(&text);
    match serde_json::from_str::<serde::de::IgnoredAny>(json) {
        Err(error) if !text.is_empty() => Err(Error::new(
            Code::InvalidInput,
            format!("the result is no value text: {error}"),
        )),
        Ok(_) | Err(_) => Ok(text),
    }
}

/// Longest reason of a rejection, in bytes.
const REASON_BYTES: usize = 10_000;

/// What js-shim does after a rejection.
#[derive(Debug, serde::Serialize)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
enum Rejected {
    /// The run has ended, or it was not pending and nothing changed.
    Ended { ended: bool },
    /// The program hears of it: open a pass.
    Open { execution_id: String, places: u32 },
}

impl<S: Sql> Runtime<S> {
    /// The message with which the host checks edited arguments before they are decided on; `null` when there are none.
    pub fn check_edited(&self, request: &str, now: EpochMs) -> String {
        json(&Reply::from(self.try_check_edited(request, now)))
    }

    fn try_check_edited(&self, request: &str, now: EpochMs) -> Result<Option<String>, Error> {
        let request: Approve = parse(request)?;
        let (Some(seq), Some(args)) = (request.seq, request.args) else {
            return Ok(None);
        };
        let contact = self.contact(&request.contact)?;
        let execution = self.decidable(&request.execution_id, "approve", &contact, now)?;
        let entry = pending_entry(&execution, seq)?;
        let catalogue = self.catalogue(&contact)?;
        let Call {
            connector, method, ..
        } = &entry.call;
        let record = self.record_for_call(&catalogue, connector, method)?;
        let message = HostMessage::Check {
            connector,
            method,
            record: record.as_deref(),
            args: &args,
        };
        Ok(Some(json(&message)))
    }

    /// What the host said of edited arguments: an error when they are not valid.
    pub fn edited_verdict(&self, reply: &str) -> String {
        let verdict = match parse::<HostReply>(reply) {
            Ok(HostReply::Allow {} | HostReply::Ask {}) => Ok(()),
            Ok(HostReply::Failure { code, error }) => {
                let failure = Failure::parse(code, &error);
                Err(Error::new(
                    code,
                    format!(
                        "the edited args were not accepted, nothing was approved: {}",
                        failure.message
                    ),
                ))
            }
            Ok(
                HostReply::Value { .. }
                | HostReply::Reverted {}
                | HostReply::NoRevert {}
                | HostReply::Unknown {},
            ) => Err(Error::new(
                Code::Internal,
                "the host did not say whether the edited args are valid",
            )),
            Err(error) => Err(error),
        };
        json(&Reply::from(verdict))
    }

    pub fn approve(&self, request: &str, now: EpochMs) -> String {
        let next = parse::<Approve>(request)
            .map_err(|error| (String::new(), error))
            .and_then(|request| {
                let id = request.execution_id.clone();
                self.try_approve(request, now).map_err(|error| (id, error))
            });
        json(&next.unwrap_or_else(|(id, error)| self.refuse(&id, &error)))
    }

    fn try_approve(&self, request: Approve, now: EpochMs) -> Result<Next, Error> {
        let contact = self.contact(&request.contact)?;
        let execution = self.decidable(&request.execution_id, "approve", &contact, now)?;
        let writes = approve(&execution, request.seq, request.args, now)?;
        self.resume(execution, writes, &contact, now)
    }

    pub fn reject(&self, request: &str, now: EpochMs) -> String {
        json(&Reply::from(self.try_reject(request, now)))
    }

    fn try_reject(&self, request: &str, now: EpochMs) -> Result<Rejected, Error> {
        let request: Reject = parse(request)?;
        if request
            .reason
            .as_ref()
            .is_some_and(|reason| reason.len() > REASON_BYTES)
        {
            return Err(Error::new(
                Code::InvalidInput,
                format!("a reason may have {REASON_BYTES} bytes; give a shorter one"),
            ));
        }
        let id = parse_id(&request.execution_id)?;
        if self.is_rolling_back(&id) {
            return Err(under_way(&id));
        }
        let Some(mut execution) = self.store.load(&id)? else {
            return Err(super::unknown_execution(id.as_str()));
        };
        match request.mode {
            RejectMode::End => {
                let Some(writes) = reject(&execution, request.seq, request.reason, Mode::End, now)
                else {
                    return Ok(Rejected::Ended { ended: false });
                };
                self.record(&mut execution, writes)?;
                Ok(Rejected::Ended { ended: true })
            }
            RejectMode::Throw => {
                decidable(&execution, "reject")?;
                certain(&execution)?;
                self.repeatable(&mut execution, now)?;
                let contact = self.contact(&request.contact)?;
                resumable(&execution, &contact.names())?;
                pending_entry(&execution, request.seq)?;
                let Some(writes) =
                    reject(&execution, request.seq, request.reason, Mode::Throw, now)
                else {
                    return Ok(Rejected::Ended { ended: false });
                };
                self.resume(execution, writes, &contact, now)?;
                Ok(Rejected::Open {
                    execution_id: id.as_str().to_owned(),
                    places: contact.places(),
                })
            }
        }
    }

    /// Says what became of a call in doubt. The run goes on at once when no doubt is left.
    pub fn resolve(&self, request: &str, now: EpochMs) -> String {
        let next = parse::<Resolve>(request)
            .map_err(|error| (String::new(), error))
            .and_then(|request| {
                let id = request.execution_id.clone();
                self.try_resolve(request, now).map_err(|error| (id, error))
            });
        json(&next.unwrap_or_else(|(id, error)| self.refuse(&id, &error)))
    }

    fn try_resolve(&self, request: Resolve, now: EpochMs) -> Result<Next, Error> {
        let contact = self.contact(&request.contact)?;
        let mut execution = self.decidable(&request.execution_id, "resolve", &contact, now)?;
        let word = match (request.outcome, request.result) {
            (ResolveOutcome::Applied, result) => Word::Applied(value_text(result)?),
            (ResolveOutcome::Failed, None) => Word::Failed,
            (ResolveOutcome::Rerun, None) => Word::Rerun,
            (ResolveOutcome::Failed | ResolveOutcome::Rerun, Some(_)) => {
                return Err(Error::new(
                    Code::InvalidInput,
                    "a result belongs to outcome \"applied\"; leave it out",
                ));
            }
        };
        let writes = resolve(&execution, request.seq, word, now)?;
        if execution.in_doubt().count() <= 1 {
            return self.resume(execution, writes, &contact, now);
        }
        self.record(&mut execution, writes)?;
        Ok(Next::Reply {
            frame: self.outcome(&execution.id)?,
        })
    }

    pub fn recover(&self, request: &str, now: EpochMs) -> String {
        let next = parse::<Recover>(request)
            .map_err(|error| (String::new(), error))
            .and_then(|request| {
                let id = request.execution_id.clone();
                self.try_recover(&request, now).map_err(|error| (id, error))
            });
        json(&next.unwrap_or_else(|(id, error)| self.refuse(&id, &error)))
    }

    fn try_recover(&self, request: &Recover, now: EpochMs) -> Result<Next, Error> {
        let id = parse_id(&request.execution_id)?;
        let mut execution = self.quiet(&id)?;
        // Read first: a run that has ended stays as it ended.
        let recovery = recover(&execution, now)?;
        self.repeatable(&mut execution, now)?;
        let contact = self.contact(&request.contact)?;
        resumable(&execution, &contact.names())?;
        match recovery {
            Recovery::Resume => Ok(Next::Open {
                execution_id: id.as_str().to_owned(),
                places: contact.places(),
                nested: false,
            }),
            Recovery::InDoubt(writes) => {
                self.record(&mut execution, writes)?;
                Ok(Next::Reply {
                    frame: self.outcome(&id)?,
                })
            }
        }
    }

    /// An execution of which no pass is under way: an open pass is the only writer of its journal.
    fn quiet(&self, id: &ExecutionId) -> Result<Execution, Error> {
        if self.is_open(id) {
            return Err(Error::new(
                Code::NotPaused,
                format!(
                    "execution {id} is running, not paused: a pass of it is under way; wait until it ends"
                ),
            ));
        }
        if self.is_rolling_back(id) {
            return Err(under_way(id));
        }
        self.store
            .load(id)?
            .ok_or_else(|| super::unknown_execution(id.as_str()))
    }

    /// A run that no pass can repeat any more has ended as `diverged`, whoever finds it out.
    fn repeatable(&self, execution: &mut Execution, now: EpochMs) -> Result<(), Error> {
        let Some(error) = outdated(execution) else {
            return Ok(());
        };
        let mut writes = Writes::default();
        let end = End::Error {
            code: error.code,
            error: error.text.clone(),
        };
        writes.push(now, What::End { end, console: None });
        self.record(execution, writes)?;
        Err(error)
    }

    fn decidable(
        &self,
        execution_id: &str,
        verb: &str,
        contact: &Contact,
        now: EpochMs,
    ) -> Result<Execution, Error> {
        let mut execution = self.quiet(&parse_id(execution_id)?)?;
        decidable(&execution, verb)?;
        self.repeatable(&mut execution, now)?;
        resumable(&execution, &contact.names())?;
        Ok(execution)
    }

    /// Records a decision together with `running`, so that a second decision at the same time finds the run taken.
    fn resume(
        &self,
        mut execution: Execution,
        mut writes: Writes,
        contact: &Rc<Contact>,
        now: EpochMs,
    ) -> Result<Next, Error> {
        writes.push(
            now,
            What::Pass {
                number: execution.passes,
            },
        );
        self.record(&mut execution, writes)?;
        let next = Next::Open {
            execution_id: execution.id.as_str().to_owned(),
            places: contact.places(),
            nested: false,
        };
        self.keep_ready(execution, None, contact);
        Ok(next)
    }

    pub(super) fn record(
        &self,
        execution: &mut Execution,
        mut writes: Writes,
    ) -> Result<(), Error> {
        self.fence(&execution.id);
        for event in &writes.events {
            execution.fold(event.clone());
        }
        self.store.append(&execution.id, &mut writes, &Owed::ALL)?;
        Ok(self.store.mark(execution)?)
    }
}
