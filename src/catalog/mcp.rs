//! Methods of an MCP server's tools.

use super::source::{Report, Sink};
use crate::error::{Code, Error};

pub(super) fn derive(_text: &str, _sink: &mut impl Sink) -> Result<Report, Error> {
    Err(Error::new(Code::InvalidInput, "no tool list is read yet"))
}
