//! Limits of a pass and of an execution (spec §4.9). They are the host's; each message says which, how much, what next.

use serde::Deserialize;

use crate::error::{Code, Error};

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Limits {
    /// Time a pass may take, ms, without human waiting and without waiting for an isolate.
    pub pass_ms: u32,
    /// CPU time of the sandbox, ms; enforced by the platform.
    pub cpu_ms: u32,
    /// Calls and steps of one execution.
    pub calls: u32,
    /// Calls unanswered at once; the rest queue in order.
    pub inflight: u32,
    /// Passes at once per runtime object.
    pub passes: u32,
    /// Console output, bytes of UTF-8.
    pub log_bytes: u32,
    /// Loop iterations and function entries of a pass; with 0 the program is made one that does not count.
    pub loop_budget: u32,
    /// Snippets that call snippets.
    pub snippet_depth: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pass_ms: 60_000,
            cpu_ms: 30_000,
            calls: 10_000,
            inflight: 16,
            passes: 8,
            log_bytes: 65_536,
            loop_budget: 10_000_000,
            snippet_depth: 8,
        }
    }
}

impl Limits {
    /// Searches and descriptions have numbers of their own, under the same limit.
    pub fn too_many_lookups(&self) -> Error {
        Error::new(
            Code::CallLimit,
            format!(
                "the program searched or described more than {} times, the limit of one execution (limits.calls); \
                 keep what was found, or search for something more general",
                self.calls
            ),
        )
    }

    pub fn too_many_calls(&self) -> Error {
        Error::new(
            Code::CallLimit,
            format!(
                "the program made more than {} calls, the limit of one execution (limits.calls); \
                 fetch several items with one call, or split the work over several executions",
                self.calls
            ),
        )
    }

    /// `in_flight` names calls that had not been answered, oldest first.
    pub fn timeout(&self, calls: u32, in_flight: &[String]) -> Error {
        let waiting = match in_flight.last() {
            Some(last) => format!(
                "{} calls were in flight, the last of them {last}",
                in_flight.len()
            ),
            None => "no call was in flight, so the time went into the program itself or its timers"
                .to_owned(),
        };
        Error::new(
            Code::Timeout,
            format!(
                "the pass took longer than {} ms (limits.passMs) after {calls} calls; {waiting}; \
                 do less in one program, or wait for less at once",
                self.pass_ms
            ),
        )
    }
}

/// Deliveries (of outcomes, timers, local work) that one execution may record. A program that only waits for its own
/// timers reaches it after hours; without it the record would grow without bound.
pub const MAX_DELIVERIES: usize = 1_000_000;

pub fn too_many_deliveries() -> Error {
    Error::new(
        Code::CallLimit,
        format!(
            "the program heard of more than {MAX_DELIVERIES} outcomes and timers, the limit of one execution; \
             use fewer timers, or split the work over several executions"
        ),
    )
}

/// Longest text of an error that ends a run, in bytes. An error's text is a message, not a value: the cut is marked.
const ERROR_BYTES: usize = 16 * 1024;

pub fn error_text(text: &str) -> String {
    super::text::shorten(text, ERROR_BYTES)
}

/// Refuses a value that cannot be recorded. Never shortened: a shortened value would replay as another one.
pub fn check_size(what: &str, length: u64) -> Result<(), Error> {
    let limit = super::text::MAX_VALUE_UNITS;
    if length <= limit {
        return Ok(());
    }
    Err(Error::new(
        Code::TooLarge,
        format!(
            "{what} is {length} characters serialised and the limit is {limit}; \
             store the data elsewhere and pass a reference to it, such as a path or an id"
        ),
    ))
}
