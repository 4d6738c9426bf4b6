//! What the runtime asks of the host's one function, and what it hears.

use serde::{Deserialize, Serialize};

use crate::catalog::MethodRecord;
use crate::error::Code;

#[derive(Debug, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum HostMessage<'a> {
    /// What does it offer? The answer comes in parts and is read by js-shim.
    Catalogue { connector: &'a str, part: u32 },
    /// What does its `tool()` hook change in these methods?
    Change {
        connector: &'a str,
        methods: Vec<MethodRecord>,
    },
    Check {
        connector: &'a str,
        method: &'a str,
        /// Of a method that the host knows only by its source: how the call is made.
        #[serde(skip_serializing_if = "Option::is_none")]
        record: Option<&'a str>,
        args: &'a str,
    },
    Call {
        connector: &'a str,
        method: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        record: Option<&'a str>,
        args: &'a str,
        execution_id: &'a str,
        seq: u32,
        /// The same in every attempt of this call.
        idempotency_key: &'a str,
        attempt: u32,
    },
    Revert {
        connector: &'a str,
        method: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        record: Option<&'a str>,
        /// What the call was made with, and what came of it; the empty text where nothing is recorded.
        args: &'a str,
        result: &'a str,
        execution_id: &'a str,
        seq: u32,
        idempotency_key: &'a str,
    },
    PassEnd {
        execution_id: &'a str,
        status: &'a str,
    },
    Dispose {
        execution_id: &'a str,
        status: &'a str,
    },
    Cancelled {
        execution_id: &'a str,
        connectors: Vec<&'a str>,
    },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum HostReply {
    Allow {},
    Ask {},
    Value {
        value: String,
    },
    Reverted {},
    NoRevert {},
    Failure {
        code: Code,
        error: String,
    },
    /// The connector was asked, and what became of it nobody can know: no failure, as if the host had broken.
    Unknown {},
}
