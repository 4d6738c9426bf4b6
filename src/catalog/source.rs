//! From the text that a host has to records: the doorway of derivation (catalogue.md, *Sources*).
//!
//! Each record and definition is handed on as soon as it is made, so that a document of ten thousand operations is never
//! held twice. What cannot be derived is skipped with a reason; only a text that is no source at all is refused.

use serde::{Deserialize, Serialize};

use super::record::{MethodRecord, register};
use super::{mcp, openapi, toolset};
use crate::error::{Code, Error};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Records of the host's own, under their final names.
    Records,
    /// The same, under names that are still to be made identifiers.
    Toolset,
    /// The tools of an MCP server as it lists them.
    Mcp,
    /// OpenAPI 3.0, 3.1 or Swagger 2.0.
    Openapi,
}

/// Takes what is derived, in order.
pub trait Sink {
    fn method(&mut self, record: MethodRecord) -> Result<(), Error>;
    /// A schema that others name as `#/$defs/<key>`, as JSON.
    fn definition(&mut self, key: &str, schema: &str) -> Result<(), Error>;
}

/// What a source says beside its methods.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Guidance for the model from the source itself: a document's title and description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// What the source has and no method stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// `POST /upload`, or the name of a tool.
    pub what: String,
    pub why: String,
}

/// # Errors
/// `invalid_input` when the text is no source of this format, or a record contradicts itself; what the sink answers.
pub fn derive(format: Format, text: &str, sink: &mut impl Sink) -> Result<Report, Error> {
    match format {
        Format::Records => handed_on(records("method list", text)?, sink),
        Format::Toolset => toolset::derive(text, sink),
        Format::Mcp => mcp::derive(text, sink),
        Format::Openapi => openapi::derive(text, sink),
    }
}

pub(super) fn records(what: &str, text: &str) -> Result<Vec<MethodRecord>, Error> {
    serde_json::from_str(text).map_err(|error| {
        Error::new(
            Code::InvalidInput,
            format!("the {what} is not readable: {error}"),
        )
    })
}

/// Records that nothing has to be made of any more. None is handed on where one contradicts itself.
pub(super) fn handed_on(records: Vec<MethodRecord>, sink: &mut impl Sink) -> Result<Report, Error> {
    register(&records)?;
    records
        .into_iter()
        .try_for_each(|record| sink.method(record))?;
    Ok(Report::default())
}
