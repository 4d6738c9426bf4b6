//! What a client asks of the runtime.

use serde::{Deserialize, Deserializer};

use crate::engine::limits::Limits;

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContactConnector {
    pub name: String,
    #[serde(default)]
    pub instructions: Option<String>,
    pub digest: String,
    #[serde(default)]
    pub unavailable: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalRule {
    #[default]
    AsDeclared,
    UnlessReadOnly,
}

/// What the host says of itself at each contact.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Contact {
    pub connectors: Vec<ContactConnector>,
    #[serde(default)]
    pub approval: ApprovalRule,
    #[serde(default)]
    pub limits: Limits,
    #[serde(default = "fifty")]
    pub max_executions: u32,
}

const fn fifty() -> u32 {
    50
}

impl Contact {
    pub fn names(&self) -> Vec<String> {
        self.connectors
            .iter()
            .map(|connector| connector.name.clone())
            .collect()
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Execute {
    pub contact: Contact,
    pub code: String,
    #[serde(default)]
    pub key: Option<String>,
    /// The execution from inside which this one is started, if it is.
    #[serde(default)]
    pub parent: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Approve {
    pub contact: Contact,
    pub execution_id: String,
    #[serde(default)]
    pub seq: Option<u32>,
    #[serde(default)]
    pub args: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RejectMode {
    #[default]
    End,
    Throw,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reject {
    pub contact: Contact,
    pub execution_id: String,
    pub seq: u32,
    #[serde(default)]
    pub reason: Option<String>,
    #[serde(default)]
    pub mode: RejectMode,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Recover {
    pub contact: Contact,
    pub execution_id: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResolveOutcome {
    Applied,
    Failed,
    Rerun,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Resolve {
    pub contact: Contact,
    pub execution_id: String,
    pub seq: u32,
    pub outcome: ResolveOutcome,
    #[serde(default)]
    pub result: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cancel {
    #[serde(default)]
    pub contact: Option<Contact>,
    pub execution_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rollback {
    pub contact: Contact,
    pub execution_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExpirePaused {
    #[serde(default)]
    pub contact: Option<Contact>,
    #[serde(default)]
    pub max_age_ms: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteExecution {
    pub execution_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PruneExecutions {
    #[serde(default)]
    pub keep: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaveSnippet {
    pub contact: Contact,
    pub name: String,
    pub execution_id: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub input_schema: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeleteSnippet {
    pub name: String,
}

/// Any request with a contact, read for the contact alone.
#[derive(Debug, Deserialize)]
pub struct WithContact {
    pub contact: Contact,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pending {
    #[serde(default)]
    pub execution_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Executions {
    #[serde(default)]
    pub limit: Option<u32>,
    /// Given at all: the answer is a page. `null` is the first one.
    #[serde(default, deserialize_with = "given")]
    pub cursor: Option<Option<String>>,
}

/// Tells `null` from what is not there.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Events {
    #[serde(default)]
    pub execution_id: Option<String>,
    /// What the last answer gave.
    #[serde(default)]
    pub cursor: Option<String>,
    /// How long the answer may wait for an event, ms. The core answers at once; js-shim waits.
    #[serde(default)]
    pub wait_ms: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OneExecution {
    pub execution_id: String,
    #[serde(default)]
    pub seq: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    pub contact: Contact,
    pub query: String,
    #[serde(default)]
    pub limit: Option<u32>,
    #[serde(default)]
    pub offset: Option<u32>,
    #[serde(default)]
    pub connector: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Describe {
    pub contact: Contact,
    pub target: String,
}
