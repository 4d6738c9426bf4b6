//! What a connector says of itself and of each method, as it comes from the host (wire.md, `MethodRecord`).
//!
//! A mirror of the wire, so it can hold contradictions; `register` is where they are refused. It does not look into the
//! schemas: a bad one costs only its own method, when it is described.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::operation::Operation;
use super::search::{Segment, SegmentBuilder};
use super::source::Report;
use crate::error::{Code, Error};

/// Does a call wait for a person? On the wire `false`, `true` or `"ask"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "ApprovalWire", into = "ApprovalWire")]
pub enum Approval {
    Never,
    Always,
    /// A function of the arguments: the host is asked with `check`.
    Ask,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ApprovalWire {
    Flag(bool),
    Word(ApprovalWord),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ApprovalWord {
    Ask,
}

impl From<ApprovalWire> for Approval {
    fn from(wire: ApprovalWire) -> Self {
        match wire {
            ApprovalWire::Flag(false) => Self::Never,
            ApprovalWire::Flag(true) => Self::Always,
            ApprovalWire::Word(ApprovalWord::Ask) => Self::Ask,
        }
    }
}

impl From<Approval> for ApprovalWire {
    fn from(approval: Approval) -> Self {
        match approval {
            Approval::Never => Self::Flag(false),
            Approval::Always => Self::Flag(true),
            Approval::Ask => Self::Word(ApprovalWord::Ask),
        }
    }
}

/// How a replay answers a call, where it is not from the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Replay {
    Reexecute,
}

/// One method. Fields that this version does not know are ignored, so that an older runtime serves a newer host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MethodRecord {
    pub name: String,
    /// The source's own name, where `name` had to be made an identifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    pub requires_approval: Approval,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub idempotent: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub revert: bool,
    /// How a call becomes a request, of a method that came from a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    /// Words to find it by, beside its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

impl MethodRecord {
    /// What discovery shows: `true` where a call may wait for a person, nothing where it never does.
    pub(super) fn shown_approval(&self) -> Option<bool> {
        (self.requires_approval != Approval::Never).then_some(true)
    }
}

/// What a call needs to know of a method before it is made; the rest of the record is on the shelf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Head {
    pub name: String,
    pub requires_approval: Approval,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub idempotent: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub revert: bool,
}

impl From<&MethodRecord> for Head {
    fn from(record: &MethodRecord) -> Self {
        Self {
            name: record.name.clone(),
            requires_approval: record.requires_approval,
            read_only: record.read_only,
            idempotent: record.idempotent,
            replay: record.replay,
            revert: record.revert,
        }
    }
}

/// A namespace of methods. Its name was checked when the host constructed it: an identifier that is not reserved.
#[derive(Debug, Clone)]
pub struct Connector {
    pub name: String,
    pub instructions: Option<String>,
    /// Why it cannot be reached now; `listing` is then the last that is known.
    pub unavailable: Option<String>,
    /// The host knows its methods only by what is derived here.
    pub derived: bool,
    pub listing: Listing,
}

impl Connector {
    pub(super) fn methods(&self) -> &[Head] {
        &self.listing.heads
    }

    pub(super) fn method(&self, name: &str) -> Option<&Head> {
        self.methods().iter().find(|method| method.name == name)
    }
}

/// What a catalogue holds of the methods of one connector.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    pub report: Report,
    pub heads: Vec<Head>,
    pub segment: Segment,
}

/// Makes a listing of records as they are derived.
#[derive(Debug, Default)]
pub struct Lister {
    heads: Vec<Head>,
    segment: SegmentBuilder,
}

impl Lister {
    pub fn add(&mut self, record: &MethodRecord) {
        self.heads.push(Head::from(record));
        self.segment.add(record);
    }

    pub fn finish(self, report: Report) -> Listing {
        Listing {
            report,
            heads: self.heads,
            segment: self.segment.finish(),
        }
    }
}

/// A program that was saved under a name. Discovery treats it like a method that is called otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct SnippetRecord {
    pub name: String,
    pub description: String,
    pub input_schema: Option<Value>,
}

/// Refuses methods whose policies contradict each other.
///
/// A re-executed call keeps no result: there would be nothing to show that a person's approval was used up, so a replay
/// would act a second time on one approval; and nothing to hand to `revert`.
pub fn register(methods: &[MethodRecord]) -> Result<(), Error> {
    for method in methods
        .iter()
        .filter(|method| method.replay == Some(Replay::Reexecute))
    {
        let conflict = match (method.requires_approval, method.revert) {
            (Approval::Always | Approval::Ask, _) => {
                "`requiresApproval`: a replay would repeat the call on an approval already used"
            }
            (Approval::Never, true) => "`revert`: the result that `revert` needs is not kept",
            (Approval::Never, false) => continue,
        };
        let text = format!(
            "method {:?} declares `replay: \"reexecute\"` together with {conflict}; remove one of the two",
            method.name
        );
        return Err(Error::new(Code::InvalidInput, text));
    }
    Ok(())
}
