//! What a step reaches beside the sandbox: the network and the application's bindings, both through the host.
//!
//! Allowed only while a step runs whose intent is durable and says that it may act. The sandbox is not asked for that: a
//! forged one that reaches out at any other time ends its run, and its message reaches no host.

use serde::Serialize;

use super::pass::{Pass, PassId};
use super::{Runtime, json};
use crate::engine::call::Policy;
use crate::engine::execution::Entry;
use crate::engine::ids::{EpochMs, Operation};
use crate::error::{Code, Error};
use crate::store::sql::Sql;

/// What js-shim puts into the message for the host.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Reached<'a> {
    execution_id: &'a str,
    seq: u32,
    /// How many may be on their way at once.
    inflight: u32,
}

/// Whether a step that runs now may reach out. One whose intent is recorded without that stays closed, although this
/// contact would open it: after a crash it would simply run again.
pub(super) fn is_open(pass: &Pass, entry: &Entry) -> bool {
    !pass.contact.reach.is_empty() && may_act(entry)
}

const fn may_act(entry: &Entry) -> bool {
    match entry.policy {
        Policy::Record(safety) => !safety.may_run_again(),
        Policy::Reexecute | Policy::Approve(_) | Policy::Ask(_) => false,
    }
}

impl<S: Sql> Runtime<S> {
    /// `bridge.reach`: a step wants `fetch`, or a method of `env.NAME`. Answers `h` and JSON when it may.
    pub fn reach(&self, pass: PassId, operation: u32, what: &str, now: EpochMs) -> String {
        self.during(pass, now, |pass| {
            let operation = Operation(operation);
            let entry = pass.execution.entries.get(&operation);
            let running = pass.steps.contains_key(&operation);
            if !running || !entry.is_some_and(may_act) || !pass.contact.reach.has(what) {
                return Err(Error::new(
                    Code::Diverged,
                    "something outside was reached for, and not from inside a step that may; the sandbox did not keep to the protocol",
                ));
            }
            if pass.reached >= pass.contact.limits.calls {
                return Err(Error::new(
                    Code::CallLimit,
                    format!(
                        "the steps of one pass reached out more than {} times, with fetch or env (limits.calls); \
                         ask for more at once, or split the work over several executions",
                        pass.contact.limits.calls
                    ),
                ));
            }
            pass.reached += 1;
            let reached = Reached {
                execution_id: pass.execution.id.as_str(),
                seq: operation.id(),
                inflight: pass.contact.limits.inflight.max(1),
            };
            Ok(format!("h{}", json(&reached)))
        })
    }
}
