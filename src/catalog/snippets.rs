//! Snippets beside the methods: how one is found, what it is called with, and which names it may not have.

use super::Kind;
use super::describe::{DescribeOutput, declarations, first_paragraph, fitted, named, parameter};
use super::literal::quoted;
use super::print::{comment, line};
use super::record::{Connector, SnippetRecord};
use super::refs::Names;
use super::search::SearchResult;

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

pub(super) fn found(snippet: &SnippetRecord, score: f64) -> SearchResult {
    SearchResult {
        path: snippet.name.clone(),
        connector: GROUP.to_owned(),
        method: snippet.name.clone(),
        description: first_paragraph(&snippet.description),
        signature: fitted(
            &format!("codemode.run({}, ", quoted(&snippet.name)),
            &snippet.input_schema,
            &None,
        ),
        requires_approval: None,
        kind: Kind::Snippet,
        score,
    }
}

pub(super) fn described(snippet: &SnippetRecord, code: String) -> DescribeOutput {
    let mut definitions = Vec::new();
    let input = named(
        &snippet.name,
        &snippet.input_schema,
        "Input",
        &mut Names::new(),
        &mut definitions,
    );
    let doc = first_paragraph(&snippet.description).unwrap_or_default();
    let types = format!(
        "declare const codemode: {{\n{}  run(name: {}, {}: {}): Promise<unknown>;\n}};\n{}",
        comment(&doc, 1),
        quoted(&snippet.name),
        parameter(&input),
        line(&input, 1),
        declarations(&definitions),
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
