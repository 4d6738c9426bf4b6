//! Snippets beside the methods: how one is found, what it is called with, and which names it may not have.

use super::Kind;
use super::describe::{self, DescribeOutput, fitted};
use super::record::{Connector, SnippetRecord};
use super::search::SearchResult;
use super::types::{first_paragraph, quoted};

/// What stands in place of a connector's name.
pub(super) const GROUP: &str = "snippet";
/// The namespace that runs them.
const CODEMODE: &str = "codemode";
/// A longer text is left out of a description: about 3,000 tokens.
const MAX_CODE_CHARS: usize = 12_000;

pub(super) fn shadowed(connectors: &[Connector], name: &str) -> Option<String> {
    let (head, member) = match name.split_once('.') {
        Some((head, _)) => (head, true),
        None => (name, false),
    };
    let taken = head == CODEMODE || connectors.iter().any(|it| it.name == head);
    taken.then(|| {
        if member {
            format!("it would stand for a method of {head}")
        } else {
            format!("{head} is a namespace")
        }
    })
}

/// What a search shows of one.
pub(super) fn result(snippet: &SnippetRecord, score: f64) -> SearchResult {
    SearchResult {
        path: snippet.name.clone(),
        connector: GROUP.to_owned(),
        method: snippet.name.clone(),
        description: first_paragraph(&snippet.description),
        signature: signature(snippet),
        requires_approval: None,
        kind: Kind::Snippet,
        score,
    }
}

fn signature(snippet: &SnippetRecord) -> Option<String> {
    fitted(
        &format!("codemode.run({}, ", quoted(&snippet.name)),
        &snippet.input_schema,
        &None,
    )
}

pub(super) fn described(snippet: &SnippetRecord, code: String) -> DescribeOutput {
    let (parameter, declarations) = describe::input(&snippet.name, &snippet.input_schema);
    let types = format!(
        "declare const codemode: {{ run(name: {}, {parameter}): Promise<unknown> }};\n{declarations}",
        quoted(&snippet.name),
    );
    let length = code.chars().count();
    DescribeOutput {
        path: snippet.name.clone(),
        description: (!snippet.description.is_empty()).then(|| snippet.description.clone()),
        requires_approval: None,
        types,
        code: (length <= MAX_CODE_CHARS).then_some(code),
        kind: Kind::Snippet,
    }
}
