//! A call and the policy under which it runs. Illegal pairs (approval with re-execution) cannot be said.

use serde::{Deserialize, Serialize};

use super::text::Text;

/// Name of the namespace that is the runtime's own.
pub const CODEMODE: &str = "codemode";
/// Method name under which a step is recorded.
pub const STEP: &str = "step";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    pub connector: String,
    pub method: String,
    pub args: Text,
}

impl Call {
    pub fn is_step(&self) -> bool {
        self.connector == CODEMODE && self.method == STEP
    }
}

/// What may be done with a call of which only the intent is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Safety {
    /// Changes nothing: may run again, and its intent may be recorded together with its outcome.
    ReadOnly,
    /// May run again under the same idempotency key.
    Idempotent,
    /// May have happened: only a person can say.
    Effect,
}

impl Safety {
    pub const fn may_run_again(self) -> bool {
        match self {
            Self::ReadOnly | Self::Idempotent => true,
            Self::Effect => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    Record(Safety),
    /// Number and arguments are recorded, the result is not.
    Reexecute,
    /// A person decides first.
    Approve(Safety),
    /// The host is asked, with the arguments, whether a person decides.
    Ask(Safety),
}

impl Policy {
    pub const fn requires_approval(self) -> bool {
        matches!(self, Self::Approve(_))
    }

    pub const fn may_run_again(self) -> bool {
        match self {
            Self::Reexecute => true,
            Self::Record(safety) | Self::Approve(safety) | Self::Ask(safety) => {
                safety.may_run_again()
            }
        }
    }

    /// Whether the intent must be durable before the call leaves.
    pub const fn intent_first(self) -> bool {
        match self {
            Self::Reexecute | Self::Record(Safety::ReadOnly) => false,
            Self::Record(_) | Self::Approve(_) | Self::Ask(_) => true,
        }
    }
}

/// What became of a call, as it is recorded and replayed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Value(Text),
    Failure {
        code: crate::error::Code,
        /// First line for people and models; the whole error is `error`.
        message: String,
        error: Text,
    },
    /// It ran; the result is asked for anew at every replay.
    Reexecute,
}
