//! What a model reads of a target: a connector, a group of its methods, a method, or a type of one.
//!
//! Descriptions are bounded. A method shows its whole input and the first level of its result; what is deeper is a name
//! that is a target itself. The text is TypeScript whatever the schemas hold.

mod beside;
mod connector;
mod method;
mod schemas;
mod signature;
mod target;

use serde::{Deserialize, Serialize};

use super::Kind;

pub(super) use method::input;
pub(super) use signature::{fitted, hit, room};
pub(super) use target::answer;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DescribeOutput {
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<bool>,
    pub types: String,
    /// The text of a snippet, where it is not long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    pub kind: Kind,
}
