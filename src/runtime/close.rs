//! The end of a pass, whoever ends it, and the answer to whoever waits.

use super::listing::{self, Budget};
use super::pass::{PassId, PassState, Purpose};
use super::passes::Passes;
use super::{Next, Runtime, json, parse_id};
use crate::engine::ending::{Report, close};
use crate::engine::execution::{Execution, Status};
use crate::engine::ids::{EpochMs, ExecutionId};
use crate::engine::journal::{End, RecordedResult};
use crate::engine::limits::Limits;
use crate::engine::text::{Slot, units};
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::wire::output::{Output, Reply};
use crate::wire::sandbox::{EndHead, EndKind};

/// Longest final result, in UTF-16 units: what a reply of 32 MiB holds beside the log.
const MAX_RESULT_UNITS: u32 = 30 * 1024 * 1024;

impl<S: Sql> Runtime<S> {
    /// The sandbox says that its pass has ended. `result` is empty when it is too long to be handed over; `length` is
    /// its real length, and js-shim puts the text itself behind the frame.
    pub fn close(
        &self,
        pass: PassId,
        head: &str,
        result: String,
        length: u32,
        now: EpochMs,
    ) -> String {
        let parsed: Result<EndHead, _> = serde_json::from_str(head);
        match parsed {
            Ok(head) => {
                let code = head.code.unwrap_or(Code::Exception);
                let text = head
                    .error
                    .unwrap_or_else(|| "the program failed and gave no text".to_owned());
                let report = match head.end {
                    EndKind::Done => Report::Done {
                        result: result.clone(),
                        length: u64::from(length),
                    },
                    EndKind::Paused => Report::Paused,
                    EndKind::Error => Report::Error(Error::new(code, self.shown(pass, text))),
                    EndKind::Stuck => Report::Error(Error::new(Code::Stuck, text)),
                    EndKind::Diverged => Report::Error(Error::new(Code::Diverged, text)),
                };
                self.end(pass, report, &head.delivered, &head.console, result, now)
            }
            Err(_) => {
                let error = Error::new(
                    Code::SandboxUnavailable,
                    "the sandbox ended without a readable report; run the program again",
                );
                self.end(pass, Report::Error(error), &[], "", String::new(), now)
            }
        }
    }

    /// The result does not fit a reply; only its length came here.
    pub fn close_too_long(&self, pass: PassId, head: &str, length: u32, now: EpochMs) -> String {
        let head: Option<EndHead> = serde_json::from_str(head).ok();
        let error = Error::new(
            Code::TooLarge,
            format!(
                "the result is {length} characters serialised and a reply holds {MAX_RESULT_UNITS}; \
                 store the data elsewhere and return a reference to it, such as a path or an id"
            ),
        );
        let (delivered, console) = head
            .map(|head| (head.delivered, head.console))
            .unwrap_or_default();
        self.end(
            pass,
            Report::Error(error),
            &delivered,
            &console,
            String::new(),
            now,
        )
    }

    /// There was no place for a nested execution, and waiting for one could be for ever.
    pub fn no_place(&self, execution_id: &str, now: EpochMs) -> String {
        let error = Error::new(
            Code::SandboxUnavailable,
            "all passes of this runtime are taken (limits.passes) and this execution was started from inside one of them; \
             start it when that one has ended",
        );
        let ended = parse_id(execution_id).and_then(|id| self.end_unopened(&id, &error, now));
        self.frame_error(execution_id, ended.as_ref().err().unwrap_or(&error))
    }

    fn end_unopened(&self, id: &ExecutionId, error: &Error, now: EpochMs) -> Result<(), Error> {
        let Some(mut execution) = self.store.load(id)? else {
            return Err(super::unknown_execution(id.as_str()));
        };
        let writes = close(
            &execution,
            Report::Error(error.clone()),
            String::new(),
            &Limits::default(),
            now,
        );
        self.record(&mut execution, writes)
    }

    /// The host's deadline came first.
    pub fn close_late(&self, pass: PassId, now: EpochMs) -> String {
        self.end(pass, Report::Deadline, &[], "", String::new(), now)
    }

    /// The sandbox broke: what the platform said of it.
    pub fn close_broken(&self, pass: PassId, text: &str, now: EpochMs) -> String {
        let error = if text.contains("limited to 32MiB") {
            Error::new(
                Code::TooLarge,
                format!(
                    "the program handed out more than one message of the platform holds: {text}; \
                     store the data elsewhere and return a reference to it, such as a path or an id"
                ),
            )
        } else if text.contains("CPU") {
            Error::new(
                Code::CpuLimit,
                format!(
                    "the program used up its CPU time (limits.cpuMs) and was stopped: {text}; compute less in one program"
                ),
            )
        } else {
            Error::new(
                Code::SandboxUnavailable,
                format!("the sandbox broke before the program ended: {text}"),
            )
        };
        self.end(pass, Report::Error(error), &[], "", String::new(), now)
    }

    /// The outcome of a call is unknown: the run stays `running`, nothing false is recorded.
    pub fn interrupt(&self, pass: PassId, now: EpochMs) -> String {
        self.end(pass, Report::Interrupted, &[], "", String::new(), now)
    }

    fn end(
        &self,
        pass: PassId,
        report: Report,
        delivered: &[u32],
        console: &str,
        result: String,
        now: EpochMs,
    ) -> String {
        let mut passes = self.passes.borrow_mut();
        let Some(open) = passes.get_mut(pass) else {
            return self.frame_error(
                "",
                &Error::new(Code::Internal, "the pass is not known any more"),
            );
        };
        let was_open = open.state == PassState::Open;
        open.state = PassState::Told;
        if was_open {
            let report = match open.deliver(delivered, now) {
                Ok(()) => report,
                Err(error) => Report::Error(error),
            };
            open.print(console);
            if open.purpose == Purpose::Audit {
                let frame = audit_frame(&report, &open.console, &result);
                passes.remove(pass);
                return frame;
            }
            if open.again && report == Report::Paused && open.flights.is_empty() {
                return self.again(&mut passes, pass);
            }
            let interrupted = report == Report::Interrupted;
            let writes = close(
                &open.execution,
                report,
                open.console.clone(),
                &open.contact.limits,
                now,
            );
            open.take(writes);
            let written = self.flush_pass(open).and_then(|()| {
                // Its row tells when it was last heard of; an end is marked with its flush.
                if interrupted {
                    self.store.mark(&open.execution)?;
                }
                Ok(())
            });
            if let Err(error) = written {
                return self.frame_error(open.execution.id.as_str(), &error);
            }
            if interrupted {
                let error = still_running(&open.execution);
                let frame = self
                    .frame_of(&open.execution, Some(error), &open.console)
                    .map_or_else(
                        |error| self.frame_error("", &error),
                        |output| with_result(&output, ""),
                    );
                if open.flights.is_empty() {
                    passes.remove(pass);
                }
                return frame;
            }
        }
        let frame = match self.frame_of(&open.execution, None, &open.console) {
            Ok(output) => with_result(
                &output,
                if matches!(output, Output::Completed { .. }) {
                    &result
                } else {
                    ""
                },
            ),
            // It was deleted, and its long texts with it: whoever waits still hears how it ended.
            Err(error) => match &open.execution.status {
                Status::Ended(End::Error { code, error }) => {
                    let error = Error::new(*code, error.clone());
                    self.frame_error(open.execution.id.as_str(), &error)
                }
                Status::Ended(_) | Status::Running => {
                    self.frame_error(open.execution.id.as_str(), &error)
                }
            },
        };
        if open.flights.is_empty() {
            passes.remove(pass);
        }
        frame
    }

    /// Nothing is under way but what the next pass will do; the empty text asks for it.
    fn again(&self, passes: &mut Passes, pass: PassId) -> String {
        let Some(mut open) = passes.remove(pass) else {
            return String::new();
        };
        match self.flush_pass(&mut open) {
            Ok(()) => String::new(),
            Err(error) => self.frame_error(open.execution.id.as_str(), &error),
        }
    }

    /// The outcome of an execution as it stands, for a caller that did not wait for it.
    pub(super) fn outcome(&self, id: &ExecutionId) -> Result<String, Error> {
        let Some(execution) = self.store.load(id)? else {
            return Err(super::unknown_execution(id.as_str()));
        };
        let running = execution
            .status
            .is_running()
            .then(|| still_running(&execution));
        let console = listing::console(&self.store, &execution)?;
        let output = self.frame_of(&execution, running, &console)?;
        let result = match &execution.status {
            Status::Ended(End::Completed {
                result: RecordedResult::Kept(text),
            }) => self.store.text(id, Slot::Result, text)?,
            Status::Ended(End::Completed {
                result: RecordedResult::TooLong { omitted },
            }) => json(&format!(
                "[the result of {omitted} characters was returned once and not recorded]"
            )),
            Status::Ended(_) | Status::Running => String::new(),
        };
        Ok(with_result(&output, &result))
    }

    fn frame_of<'a>(
        &self,
        execution: &'a Execution,
        instead: Option<Error>,
        console: &str,
    ) -> Result<Output<'a>, Error> {
        let mut budget = Budget::reply();
        let execution_id = execution.id.as_str().to_owned();
        let logs = listing::lines(console);
        let pending = listing::actions(&self.store, execution, execution.pending(), &mut budget)?;
        let in_doubt = listing::actions(&self.store, execution, execution.in_doubt(), &mut budget)?;
        let calls = listing::log(&self.store, execution, &mut budget)?;
        if let Some(error) = instead {
            return Ok(Output::Error {
                execution_id,
                error: error.text,
                code: error.code,
                logs,
                calls,
            });
        }
        Ok(match &execution.status {
            Status::Ended(End::Completed { .. }) => Output::Completed {
                execution_id,
                logs,
                calls,
            },
            Status::Ended(End::Paused {}) => Output::Paused {
                execution_id,
                pending,
                in_doubt,
                logs,
                calls,
            },
            Status::Ended(End::Error { code, error }) => Output::Error {
                execution_id,
                error: error.clone(),
                code: *code,
                logs,
                calls,
            },
            Status::Ended(End::Rejected { error }) => Output::Error {
                execution_id,
                error: error.clone(),
                code: Code::Rejected,
                logs,
                calls,
            },
            Status::Ended(End::RolledBack {}) => Output::Error {
                error: format!(
                    "execution {execution_id} was rolled back: of what it did, something was undone; run the program again if that is wanted"
                ),
                execution_id,
                code: Code::Cancelled,
                logs,
                calls,
            },
            Status::Running => {
                let error = still_running(execution);
                Output::Error {
                    execution_id,
                    error: error.text,
                    code: error.code,
                    logs,
                    calls,
                }
            }
        })
    }

    pub(super) fn frame_error(&self, execution_id: &str, error: &Error) -> String {
        let output = Output::Error {
            execution_id: execution_id.to_owned(),
            error: error.text.clone(),
            code: error.code,
            logs: Vec::new(),
            calls: Vec::new(),
        };
        with_result(&output, "")
    }

    pub(super) fn refuse(&self, execution_id: &str, error: &Error) -> Next {
        Next::Reply {
            frame: self.frame_error(execution_id, error),
        }
    }
}

/// `<length of the JSON in UTF-16 units> \n <JSON of the reply> <result>`.
fn with_result(output: &Output<'_>, result: &str) -> String {
    let head = json(&Reply::from(Ok(output)));
    format!("{}\n{head}{result}", units(&head))
}

fn audit_frame(report: &Report, console: &str, result: &str) -> String {
    let (end, error) = match report {
        Report::Done { .. } => ("done", String::new()),
        Report::Error(error) => (error.code.as_str(), error.text.clone()),
        Report::Paused => ("paused", String::new()),
        Report::Deadline => ("timeout", String::new()),
        Report::Interrupted => ("interrupted", String::new()),
    };
    let value = serde_json::json!({ "end": end, "error": error, "logs": listing::lines(console) });
    let head = json(&Reply::from(Ok(value)));
    format!("{}\n{head}{result}", units(&head))
}

fn still_running(execution: &Execution) -> Error {
    Error::new(
        Code::Interrupted,
        format!(
            "execution {} is still running as far as is recorded; if its host or runtime died, recover({{ executionId }}) goes on from the record",
            execution.id
        ),
    )
}
