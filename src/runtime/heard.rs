//! What is heard of a sandbox, which may be forged: read here, and refused where it is not of the form that
//! `docs/design/wire.md` gives it.

use super::pass::Pass;
use crate::engine::decide::{Answer, Issue};
use crate::engine::failure::Failure;
use crate::engine::ids::{EpochMs, Kind, Operation};
use crate::engine::journal::Writes;
use crate::engine::limits::{MAX_DELIVERIES, too_many_deliveries};
use crate::error::{Code, Error};

/// Longest name of a connector or method, in bytes; the harness refuses names of over 200 characters.
const NAME_BYTES: usize = 800;

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
        let room = (self.contact.limits.log_bytes as usize)
            .saturating_add(256)
            .saturating_sub(self.console.len());
        let mut end = console.len().min(room);
        while !console.is_char_boundary(end) {
            end -= 1;
        }
        self.console.push_str(&console[..end]);
    }
}

pub(super) fn parse_issue(operation: u32, key: &str) -> Result<Issue, Error> {
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
pub(super) fn parse_outcome(outcome: &str) -> Answer {
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

pub(super) fn unreadable(what: &str) -> Failure {
    Failure::of(&Error::new(
        Code::Internal,
        format!("the host's answer cannot be read: {what}"),
    ))
}
