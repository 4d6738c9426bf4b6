//! What a client asks of the runtime.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::engine::journal::Owed;
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
    /// What its `tool()` hook changed, by a digest; the empty text: it has one and has not seen the methods yet.
    #[serde(default)]
    pub changes: Option<String>,
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
    /// What steps reach beside the sandbox.
    #[serde(default)]
    pub reach: Reach,
    /// Modules of the application by their name as a global of the sandbox.
    #[serde(default)]
    pub modules: BTreeMap<String, String>,
    /// What its connectors have hooks for; left out, it is all that there is to hear.
    #[serde(default = "all")]
    pub hears: Vec<Owed>,
}

/// What the host lets steps reach through it, at this contact. Never stored, and never taken from a sandbox.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reach {
    /// There is a way out to the network.
    #[serde(default)]
    pub egress: bool,
    /// By name: the value text of a plain value, or nothing for an object whose methods the host calls.
    #[serde(default)]
    pub bindings: BTreeMap<String, Option<String>>,
}

impl Reach {
    pub fn is_empty(&self) -> bool {
        !self.egress && self.bindings.values().all(Option::is_some)
    }

    /// Whether `what` is the network (`fetch`) or a binding with methods (`env.NAME`).
    pub fn has(&self, what: &str) -> bool {
        match what.strip_prefix("env.") {
            Some(name) => self.bindings.get(name).is_some_and(Option::is_none),
            None => what == "fetch" && self.egress,
        }
    }
}

const fn fifty() -> u32 {
    50
}

fn all() -> Vec<Owed> {
    Owed::ALL.to_vec()
}

impl Contact {
    pub fn names(&self) -> Vec<String> {
        self.connectors
            .iter()
            .map(|connector| connector.name.clone())
            .collect()
    }

    /// How many passes may be open at once.
    pub fn places(&self) -> u32 {
        self.limits.passes.max(1)
    }

    pub fn has(&self, connector: &str) -> bool {
        let mut all = self.connectors.iter();
        all.any(|one| one.name == connector)
    }
}

// In requests a contact is a text, to be read once for all that have the same.

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Execute {
    pub contact: Box<RawValue>,
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
    pub contact: Box<RawValue>,
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
    pub contact: Box<RawValue>,
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
    pub contact: Box<RawValue>,
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
    pub contact: Box<RawValue>,
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
    pub contact: Box<RawValue>,
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
    pub contact: Box<RawValue>,
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
    pub contact: Box<RawValue>,
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
    pub contact: Box<RawValue>,
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
    pub contact: Box<RawValue>,
    pub target: String,
}
