//! What crosses between the runtime and the harness in the sandbox. The harness may be forged: everything that comes
//! from it is parsed, never trusted.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::Code;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest<'a> {
    pub protocol: u32,
    pub started_at: u64,
    pub seed: &'a str,
    pub order: &'a [u32],
    pub rows: Vec<Row<'a>>,
    pub pages: usize,
    pub calls: u32,
    pub lookups: u32,
    pub namespaces: &'a [String],
    pub inflight: u32,
    pub log_bytes: u32,
    pub loop_budget: u32,
    pub positions: &'a [u32],
    pub snippets: Vec<LoadedSnippet<'a>>,
    pub snippet_depth: u32,
    /// Names of the application's modules.
    pub modules: Vec<&'a str>,
    pub egress: bool,
    pub bindings: &'a BTreeMap<String, Option<String>>,
    pub audit: bool,
}

/// A snippet that goes along; its module is `snippet-<number in the list>.js`.
#[derive(Debug, Serialize)]
pub struct LoadedSnippet<'a> {
    pub name: &'a str,
    pub positions: &'a [u32],
}

/// operation, key, state, outcome.
#[derive(Debug, Serialize)]
pub struct Row<'a>(pub u32, pub String, pub &'static str, pub Cow<'a, str>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndKind {
    Done,
    Error,
    Paused,
    Stuck,
    Diverged,
}

/// What the harness says at the end; the result's text travels beside it.
#[derive(Debug, Deserialize)]
pub struct EndHead {
    pub end: EndKind,
    #[serde(default)]
    pub delivered: Vec<u32>,
    #[serde(default)]
    pub console: String,
    #[serde(default)]
    pub code: Option<Code>,
    #[serde(default)]
    pub error: Option<String>,
}

/// `operation,ms,operation,ms…`; `None` for anything else.
pub fn parse_delivered(text: &str) -> Option<Vec<u32>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let order: Vec<u32> = text
        .split(',')
        .map(|number| number.parse().ok())
        .collect::<Option<_>>()?;
    order.len().is_multiple_of(2).then_some(order)
}
