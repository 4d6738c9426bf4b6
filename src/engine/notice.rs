//! What someone who watches runs is told of the record: how each began, its calls, what was decided on them, and each of
//! its ends. Passes, deliveries, attempts and undoing are the runtime's own affair; lookups and timers are no calls.

use super::ids::{Kind, Operation};
use super::journal::What;

/// A call by its `seq`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    Begin,
    Intent(u32),
    Outcome(u32),
    Pending(u32),
    /// A person approved or refused a call, or said what became of one in doubt.
    Decision(u32),
    /// Of a pass, and so perhaps of the run.
    End,
}

impl Notice {
    pub fn of(what: &What) -> Option<Self> {
        match what {
            What::Begin { .. } => Some(Self::Begin),
            What::Intent { operation, .. } => of_call(*operation, Self::Intent),
            What::Outcome { operation, .. } => of_call(*operation, Self::Outcome),
            What::Pending { operation, .. } => of_call(*operation, Self::Pending),
            What::Approved { operation, .. }
            | What::Refused { operation, .. }
            | What::Resolved { operation, .. } => of_call(*operation, Self::Decision),
            What::End { .. } => Some(Self::End),
            What::Pass { .. }
            | What::Deliver { .. }
            | What::Attempt { .. }
            | What::InDoubt { .. }
            | What::Reverting { .. }
            | What::Reverted { .. }
            | What::NotReverted { .. }
            | What::Snippet { .. } => None,
        }
    }

    pub const fn kind(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Intent(_) => "intent",
            Self::Outcome(_) => "outcome",
            Self::Pending(_) => "pending",
            Self::Decision(_) => "decision",
            Self::End => "end",
        }
    }

    pub const fn seq(self) -> Option<u32> {
        match self {
            Self::Intent(seq) | Self::Outcome(seq) | Self::Pending(seq) | Self::Decision(seq) => {
                Some(seq)
            }
            Self::Begin | Self::End => None,
        }
    }
}

fn of_call(operation: Operation, notice: impl FnOnce(u32) -> Notice) -> Option<Notice> {
    match operation.kind() {
        Kind::Call => Some(notice(operation.id())),
        Kind::Lookup | Kind::Timer | Kind::Local => None,
    }
}
