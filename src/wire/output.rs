//! What the runtime answers.

use serde::Serialize;

use crate::error::{Code, Error};

/// A text in a listing, mostly value text, or how long it is when it does not fit there.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum ListedValue {
    Text(String),
    Omitted { omitted: bool, length: u64 },
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogEntry {
    pub seq: u32,
    pub connector: String,
    pub method: String,
    pub args: ListedValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ListedValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    pub requires_approval: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ephemeral: bool,
    pub state: &'static str,
    pub started_at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<u64>,
    pub attempt: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited_args: Option<ListedValue>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingAction {
    pub execution_id: String,
    pub seq: u32,
    pub connector: String,
    pub method: String,
    pub args: ListedValue,
}

#[derive(Debug, Serialize)]
#[serde(
    tag = "status",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Output {
    /// The result's text follows behind the frame's head.
    Completed {
        execution_id: String,
        logs: Vec<String>,
        calls: Vec<LogEntry>,
    },
    Paused {
        execution_id: String,
        pending: Vec<PendingAction>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        in_doubt: Vec<PendingAction>,
        logs: Vec<String>,
        calls: Vec<LogEntry>,
    },
    Error {
        execution_id: String,
        error: String,
        code: Code,
        logs: Vec<String>,
        calls: Vec<LogEntry>,
    },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionState {
    pub id: String,
    /// The model's text, not value text.
    pub code: ListedValue,
    pub status: &'static str,
    pub log: Vec<LogEntry>,
    /// Calls that a listing of several runs had no room for; the last ones of the run.
    #[serde(skip_serializing_if = "is_zero")]
    pub log_omitted: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ListedValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<Code>,
    pub logs: Vec<String>,
    pub connectors: Vec<String>,
    pub created_at: u64,
    pub updated_at: u64,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// `{ ok: true, value } | { ok: false, code, error }`
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Reply<T> {
    Value { ok: bool, value: T },
    Error { ok: bool, code: Code, error: String },
}

impl<T> From<Result<T, Error>> for Reply<T> {
    fn from(result: Result<T, Error>) -> Self {
        match result {
            Ok(value) => Self::Value { ok: true, value },
            Err(error) => Self::Error {
                ok: false,
                code: error.code,
                error: error.text,
            },
        }
    }
}
