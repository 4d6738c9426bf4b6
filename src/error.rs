//! The one table of error codes (spec §11). A host branches on the code, a model reads the text; both are recorded.

use serde::{Deserialize, Serialize};

/// Why a call or an execution failed. The text form is the same in Rust, TypeScript, SQL and JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    InvalidInput,
    Syntax,
    Exception,
    Timeout,
    CpuLimit,
    CallLimit,
    TooLarge,
    NotSerializable,
    Diverged,
    MissingConnector,
    NotPaused,
    NotFound,
    Rejected,
    Cancelled,
    Expired,
    Interrupted,
    Stuck,
    SandboxUnavailable,
    Internal,
}

impl Code {
    pub const ALL: [Self; 19] = [
        Self::InvalidInput,
        Self::Syntax,
        Self::Exception,
        Self::Timeout,
        Self::CpuLimit,
        Self::CallLimit,
        Self::TooLarge,
        Self::NotSerializable,
        Self::Diverged,
        Self::MissingConnector,
        Self::NotPaused,
        Self::NotFound,
        Self::Rejected,
        Self::Cancelled,
        Self::Expired,
        Self::Interrupted,
        Self::Stuck,
        Self::SandboxUnavailable,
        Self::Internal,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid_input",
            Self::Syntax => "syntax",
            Self::Exception => "exception",
            Self::Timeout => "timeout",
            Self::CpuLimit => "cpu_limit",
            Self::CallLimit => "call_limit",
            Self::TooLarge => "too_large",
            Self::NotSerializable => "not_serializable",
            Self::Diverged => "diverged",
            Self::MissingConnector => "missing_connector",
            Self::NotPaused => "not_paused",
            Self::NotFound => "not_found",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Interrupted => "interrupted",
            Self::Stuck => "stuck",
            Self::SandboxUnavailable => "sandbox_unavailable",
            Self::Internal => "internal",
        }
    }

    /// The code a text names; `None` for a word that is not in the table.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == text)
    }
}

/// What went wrong, for the host and for a model: what happened, the numbers, what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Error {
    pub code: Code,
    pub text: String,
}

impl Error {
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
        }
    }
}
