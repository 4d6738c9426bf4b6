//! The journal: what happened, in order, and never changed. Everything else about an execution is folded from it.
//!
//! **Invariant:** what is durable is always a prefix of the sequence, and the intent of every effect lies inside that
//! prefix before the effect leaves. Events are therefore written whole and in order, or not at all.

use serde::{Deserialize, Serialize};

use super::call::{Call, Outcome, Policy};
use super::ids::{EpochMs, Operation};
use super::text::{Spill, Text};
use crate::error::Code;

/// The protocol by which a recorded run can be repeated. A run of another number is refused, naming both.
pub const PROTOCOL: u32 = 1;

const DELIVERIES_PER_EVENT: usize = 10_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    pub at: EpochMs,
    #[serde(flatten)]
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum What {
    Begin {
        protocol: u32,
        /// 64 hex digits; chance in the program is drawn from it.
        seed: String,
        /// All that were configured, used or not.
        connectors: Vec<String>,
        /// Snippets that the program runs by a name written out: they go along with each of its passes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        runs: Vec<String>,
    },
    /// A snippet is part of the run from here on; its text lies under the next number of its slot.
    Snippet {
        name: String,
    },
    /// A sandbox is about to be loaded.
    Pass {
        number: u32,
    },
    /// Flat pairs: operation, milliseconds the program's clock moved.
    Deliver {
        order: Vec<u32>,
    },
    Intent {
        operation: Operation,
        call: Call,
        policy: Policy,
    },
    /// A recorded call is about to be made: after approval, a check, a crash.
    Attempt {
        operation: Operation,
        policy: Policy,
    },
    Outcome {
        operation: Operation,
        outcome: Outcome,
    },
    Pending {
        operation: Operation,
        policy: Policy,
    },
    Approved {
        operation: Operation,
        edited: Option<Text>,
    },
    /// A person said no. The outcome follows, and with mode `end` the end of the run.
    Refused {
        operation: Operation,
        reason: Option<String>,
    },
    /// Whether it happened is not known.
    InDoubt {
        operation: Operation,
    },
    /// A person said what became of a call in doubt. Its outcome follows, unless the call is to be made again.
    Resolved {
        operation: Operation,
        resolution: Resolution,
    },
    /// The connector is about to be asked to undo an applied call.
    Reverting {
        operation: Operation,
    },
    /// It is undone.
    Reverted {
        operation: Operation,
    },
    /// The connector said that it is not: the call stands as it did, and undoing it may be tried again.
    NotReverted {
        operation: Operation,
    },
    End {
        end: End,
        console: Option<Text>,
    },
}

/// What a person says of a call of which nobody knows whether it happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    Applied,
    Failed,
    /// The call is made again, under the same key.
    Rerun,
}

/// How a pass, or the run, ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum End {
    Completed {
        result: RecordedResult,
    },
    Paused {},
    Error {
        code: Code,
        error: String,
    },
    Rejected {
        error: String,
    },
    /// Of what it did, something was undone.
    RolledBack {},
}

impl End {
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Paused {} => "paused",
            Self::Completed { .. } => "completed",
            Self::Error { .. } => "error",
            Self::Rejected { .. } => "rejected",
            Self::RolledBack {} => "rolled_back",
        }
    }

    /// What connectors are to hear of it, in this order: that a pass has ended, and that the run will never go on.
    pub const fn owes(&self) -> &'static [Owed] {
        match self {
            Self::Paused {} => &[Owed::PassEnd],
            Self::Completed { .. }
            | Self::Error { .. }
            | Self::Rejected { .. }
            | Self::RolledBack {} => &[Owed::PassEnd, Owed::Dispose],
        }
    }
}

/// What connectors hear of an end. It is written down with the end and told when a host is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owed {
    PassEnd,
    Dispose,
}

impl Owed {
    /// What a host hears that has not said what it has ears for.
    pub const ALL: [Self; 2] = [Self::PassEnd, Self::Dispose];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PassEnd => "pass_end",
            Self::Dispose => "dispose",
        }
    }
}

/// The final result as the audit row keeps it. Replay never needs it, so one that does not fit leaves a notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RecordedResult {
    Kept(Text),
    TooLong { omitted: u64 },
}

/// Events to append and the long texts that belong to them.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Writes {
    pub events: Vec<Event>,
    pub spills: Vec<Spill>,
}

impl Writes {
    pub fn push(&mut self, at: EpochMs, what: What) {
        self.events.push(Event { at, what });
    }

    /// Deliveries in events that each fit a row.
    pub fn push_deliveries(&mut self, at: EpochMs, order: &[u32]) {
        for part in order.chunks(DELIVERIES_PER_EVENT * 2) {
            self.push(
                at,
                What::Deliver {
                    order: part.to_vec(),
                },
            );
        }
    }
}
