//! What a page of the usual length shows of a method, as one line that is kept before its record. Printed when a source is
//! learnt: a search that shows such a page reads ten lines, and no record.

use super::super::Kind;
use super::super::describe::{hit, room};
use super::super::record::MethodRecord;
use super::{SearchResult, USUAL};

/// Approval, description and signature, between tabs; empty for a method of which a line cannot tell.
pub fn line(connector: &str, method: &MethodRecord) -> String {
    let shown = shown(connector, method, 0.0, room(USUAL));
    let approval = shown.requires_approval.map_or("", |_| "approval");
    let description = shown.description.unwrap_or_default();
    let signature = shown.signature.unwrap_or_default();
    if [&description, &signature]
        .iter()
        .any(|text| text.contains(['\t', '\n']))
    {
        return String::new();
    }
    format!("{approval}\t{description}\t{signature}")
}

/// None where the line does not tell.
pub(super) fn of_line(
    line: &str,
    connector: &str,
    method: &str,
    score: f64,
) -> Option<SearchResult> {
    let (approval, rest) = line.split_once('\t')?;
    let (description, signature) = rest.split_once('\t')?;
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Some(SearchResult {
        path: format!("{connector}.{method}"),
        connector: connector.to_owned(),
        method: method.to_owned(),
        description: some(description),
        signature: some(signature),
        requires_approval: (!approval.is_empty()).then_some(true),
        kind: Kind::Method,
        score,
    })
}

pub(super) fn shown(
    connector: &str,
    method: &MethodRecord,
    score: f64,
    room: usize,
) -> SearchResult {
    let path = format!("{connector}.{}", method.name);
    let (description, signature) = hit(connector, &path, method, room);
    SearchResult {
        path,
        connector: connector.to_owned(),
        method: method.name.clone(),
        description,
        signature,
        requires_approval: method.shown_approval(),
        kind: Kind::Method,
        score,
    }
}
