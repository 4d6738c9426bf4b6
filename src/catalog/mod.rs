//! What connectors offer: look a method up, search for one, describe it as TypeScript (spec §7).
//!
//! Pure rules over plain data. This room has no async, clock, SQL or JavaScript, and imports nothing of ours but the error
//! table. A catalogue holds names, policies and the words of search; records come from a `Shelf` when they are wanted. It
//! deliberately does not validate arguments: the host does, next to the real thing.

mod describe;
mod mcp;
mod names;
mod nearest;
mod openapi;
mod operation;
mod record;
mod search;
mod shelf;
mod snippets;
mod source;
mod tokens;
mod toolset;
mod types;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use describe::DescribeOutput;
pub use operation::Operation;
pub use record::{
    Approval, Connector, Head, Lister, Listing, MethodRecord, Replay, SnippetRecord, register,
};
pub use search::{SearchOptions, SearchOutput, SearchResult, Segment, line};
pub use shelf::{Memory, Shelf, closed};
pub use source::{Format, Report, Sink, Skipped, derive};

use crate::error::Error;

/// What a path of the catalogue stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Connector,
    Method,
    Snippet,
}

/// All connectors of one contact and the snippets beside them, indexed once and then only read.
#[derive(Debug)]
pub struct Catalogue {
    connectors: Vec<Connector>,
    snippets: Vec<SnippetRecord>,
    index: search::Index,
}

impl Catalogue {
    pub fn new(connectors: Vec<Connector>, snippets: Vec<SnippetRecord>) -> Self {
        let index = search::Index::new(&connectors, &snippets);
        Self {
            connectors,
            snippets,
            index,
        }
    }

    pub fn connector(&self, name: &str) -> Option<&Connector> {
        self.connectors
            .iter()
            .find(|connector| connector.name == name)
    }

    /// The method of exactly this spelling: names that differ only by case are different methods.
    pub fn method(&self, connector: &str, method: &str) -> Option<&Head> {
        self.connector(connector)?.method(method)
    }

    /// Up to three paths (`connector.method`) that may have been meant, nearest first. A known connector answers from its
    /// own methods, an unknown one from everybody's.
    pub fn nearest(&self, connector: &str, method: &str) -> Vec<String> {
        nearest::methods(&self.connectors, connector, method)
    }

    /// The error text for a call of a method that is not there.
    pub fn unknown_method(&self, connector: &str, method: &str) -> String {
        nearest::unknown_method(&self.connectors, connector, method)
    }

    /// The snippet of this name, where no connector or method is called so.
    pub fn snippet(&self, name: &str) -> Option<&SnippetRecord> {
        if self.shadowed(name).is_some() {
            return None;
        }
        self.snippets.iter().find(|snippet| snippet.name == name)
    }

    /// What stands in the way of a snippet of this name: a connector is called so, or its methods may be.
    pub fn shadowed(&self, name: &str) -> Option<String> {
        snippets::shadowed(&self.connectors, name)
    }

    /// Names of snippets that may have been meant, nearest first.
    pub fn nearest_snippets(&self, name: &str) -> Vec<String> {
        nearest::snippets(&self.snippets, name)
    }

    /// Describes a snippet; `code` is its text.
    pub fn describe_snippet(snippet: &SnippetRecord, code: String) -> DescribeOutput {
        snippets::described(snippet, code)
    }

    /// # Errors
    /// What the shelf answers.
    pub fn search(
        &self,
        query: &str,
        options: &SearchOptions,
        shelf: &impl Shelf,
    ) -> Result<SearchOutput, Error> {
        search::answer(self, query, options, shelf)
    }

    /// Describes a connector, a group of its methods, a method or a type (`describe/target.rs`).
    pub fn describe(&self, target: &str, shelf: &impl Shelf) -> Result<DescribeOutput, Error> {
        describe::answer(self, target, shelf)
    }
}
