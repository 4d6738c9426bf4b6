//! What the runtime answers.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::error::{Code, Error};

/// A text in a listing, mostly value text, or how long it is when it does not fit there.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum ListedValue<'a> {
    Text(Cow<'a, str>),
    Omitted {
        omitted: bool,
        length: u64,
    },
    /// It is recorded, and what is recorded cannot be read: why.
    Unreadable {
        unreadable: String,
    },
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogEntry<'a> {
    pub seq: u32,
    pub connector: &'a str,
    pub method: &'a str,
    pub args: ListedValue<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ListedValue<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Cow<'a, str>>,
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
    pub edited_args: Option<ListedValue<'a>>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingAction<'a> {
    pub execution_id: &'a str,
    pub seq: u32,
    pub connector: &'a str,
    pub method: &'a str,
    pub args: ListedValue<'a>,
}

#[derive(Debug, Serialize)]
#[serde(
    tag = "status",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Output<'a> {
    /// The result's text follows behind the frame's head.
    Completed {
        execution_id: String,
        logs: Vec<String>,
        calls: Vec<LogEntry<'a>>,
    },
    Paused {
        execution_id: String,
        pending: Vec<PendingAction<'a>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        in_doubt: Vec<PendingAction<'a>>,
        logs: Vec<String>,
        calls: Vec<LogEntry<'a>>,
    },
    Error {
        execution_id: String,
        error: String,
        code: Code,
        logs: Vec<String>,
        calls: Vec<LogEntry<'a>>,
    },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionState<'a> {
    pub id: &'a str,
    /// The model's text, not value text.
    pub code: ListedValue<'a>,
    pub status: &'static str,
    pub log: Vec<LogEntry<'a>>,
    /// Calls that a listing of several runs had no room for; the last ones of the run.
    #[serde(skip_serializing_if = "is_zero")]
    pub log_omitted: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ListedValue<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<Code>,
    pub logs: Vec<String>,
    pub connectors: &'a [String],
    pub created_at: u64,
    pub updated_at: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Snippet {
    pub name: String,
    pub description: String,
    /// The model's text, not value text.
    pub code: ListedValue<'static>,
    pub saved_at: u64,
    /// JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<serde_json::Value>,
    pub connectors: Vec<String>,
}

/// `executions` with or without a cursor. Each run is written while it is at hand, so that no two are in memory at once.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Executions {
    All(Vec<Box<RawValue>>),
    Page {
        executions: Vec<Box<RawValue>>,
        cursor: Option<String>,
    },
}

/// What `events` gives: the next of them, and where those behind them begin.
#[derive(Debug, Serialize)]
pub struct Events {
    pub events: Vec<RuntimeEvent>,
    pub cursor: String,
    /// More is recorded than there was room for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// Of this execution nothing more will come.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub over: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuntimeEvent {
    pub execution_id: String,
    pub at: u64,
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u32>,
}

#[derive(Debug, Serialize)]
pub struct Cancelled {
    pub cancelled: bool,
    /// For the host, as JSON; sent on when a host is there.
    pub messages: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Expired {
    pub expired: Vec<String>,
    /// There may be others that are due: ask again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

#[derive(Debug, Serialize)]
pub struct Deleted {
    pub deleted: bool,
}

#[derive(Debug, Serialize)]
pub struct Pruned {
    pub deleted: usize,
    /// There may be others beyond what is kept: ask again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RolledBack {
    pub status: &'static str,
    pub report: Vec<RevertReport>,
    pub not_reverted: Vec<NotReverted>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RevertOutcome {
    Reverted,
    NoRevert,
    MissingConnector,
    Failed,
}

#[derive(Debug, Clone, Serialize)]
pub struct RevertReport {
    pub seq: u32,
    pub connector: String,
    pub method: String,
    pub outcome: RevertOutcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct NotReverted {
    pub seq: u32,
    pub connector: String,
    pub method: String,
    /// `in_doubt` or `step`.
    pub why: &'static str,
}

/// Something that connectors are to hear of, as js-shim carries it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwedMessage {
    pub execution_id: String,
    pub kind: String,
    pub status: String,
    pub message: String,
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
