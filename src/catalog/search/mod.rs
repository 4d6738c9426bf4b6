//! From a query to a page of methods: what of the catalogue does what is asked (docs/search.md).
//!
//! ```text
//! record ──fields──▶ weighted terms ──segment──▶ bytes, one per connector, stored
//! query ──query, widening──▶ concepts ──rank──▶ hits ──▶ one page, its records read from the shelf
//! ```
//! There is no cut-off by how many words of the query match: a sentence holds many that no method has.

mod acts;
mod fields;
mod lexicon;
mod query;
mod rank;
mod segment;
mod spelling;
mod terms;
mod weights;
mod widening;

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::describe::{hit, room};
use super::record::{Connector, MethodRecord};
use super::shelf::Shelf;
use super::snippets::{self, GROUP};
use super::{Catalogue, Kind};
use crate::error::Error;

pub(super) use fields::SegmentBuilder;
use query::Query;
pub(super) use rank::Index;
use rank::{Hit, is_spelt};
pub use segment::Segment;
#[cfg(test)]
pub(super) use segment::forged;

const DEFAULT_LIMIT: u32 = 10;
/// More would cost a model more to read than another query.
const MAX_LIMIT: u32 = 50;
/// A longer text is no spelling of a name.
const MAX_NAME_CHARS: usize = 200;
/// A best hit with less of the query's telling words than this is perhaps not what is wanted.
const CONFIDENT: f32 = 0.37;

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SearchOptions {
    pub limit: Option<u32>,
    pub offset: Option<u32>,
    pub connector: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    pub path: String,
    pub connector: String,
    pub method: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<bool>,
    pub kind: Kind,
    pub score: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchOutput {
    pub results: Vec<SearchResult>,
    /// How many match in all, and whether there are more after these.
    pub total: usize,
    pub truncated: bool,
    /// The best match has few of the query's words: perhaps nothing here does it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub low_confidence: bool,
}

/// One page of the ranking. An empty query lists everything by path.
pub(super) fn answer(
    catalogue: &Catalogue,
    query: &str,
    options: &SearchOptions,
    shelf: &impl Shelf,
) -> Result<SearchOutput, Error> {
    let Catalogue {
        connectors,
        snippets,
        index,
    } = catalogue;
    let named = |document: usize| {
        let (part, number) = index.place(document);
        match connectors.get(part) {
            Some(connector) => (
                connector.name.as_str(),
                connector
                    .methods()
                    .get(number)
                    .map(|head| head.name.as_str()),
            ),
            None => (
                GROUP,
                snippets.get(number).map(|snippet| snippet.name.as_str()),
            ),
        }
    };
    let query = query.trim();
    let mut hits = if query.is_empty() {
        let all = 0..index.documents();
        all.map(|document| Hit {
            document,
            score: 0.0,
            covered: 1.0,
        })
        .collect()
    } else {
        let mut hits = index.ranked(&Query::read(query, index));
        prefer_spelling(query, &mut hits, named);
        hits
    };
    if let Some(only) = &options.connector {
        hits.retain(|hit| named(hit.document).0 == only);
    }
    let offset = usize::try_from(options.offset.unwrap_or(0)).unwrap_or(usize::MAX);
    let limit = usize::try_from(options.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT))
        .unwrap_or(usize::MAX);
    let by_rank = |a: &Hit, b: &Hit| {
        let by_path = || path(named(a.document)).cmp(path(named(b.document)));
        b.score
            .total_cmp(&a.score)
            .then_with(by_path)
            .then(a.document.cmp(&b.document))
    };
    let low_confidence = hits
        .iter()
        .min_by(|a, b| by_rank(a, b))
        .is_some_and(|best| best.covered < CONFIDENT);
    let room = room(hits.len().saturating_sub(offset).min(limit));
    let mut results = Vec::new();
    for hit in page(&mut hits, offset, limit, by_rank) {
        let (part, number) = index.place(hit.document);
        let score = told(hit.score);
        let found = match (connectors.get(part), named(hit.document)) {
            (Some(connector), (_, Some(name))) => shelf
                .record(&connector.name, name)?
                .map(|record| shown(connector, &record, score, room)),
            (Some(_), (_, None)) => None,
            (None, _) => snippets
                .get(number)
                .map(|snippet| snippets::result(snippet, score)),
        };
        results.extend(found);
    }
    Ok(SearchOutput {
        truncated: offset.saturating_add(limit) < hits.len(),
        total: hits.len(),
        low_confidence,
        results,
    })
}

/// A number of few digits: a model reads it ten times a page.
fn told(score: f32) -> f64 {
    let score = f64::from(score);
    if score < 10.0 {
        (score * 10.0).round() / 10.0
    } else {
        score.round()
    }
}

/// Who spells a name exactly means that one, and none that differs by case; who spells it otherwise still means it.
fn prefer_spelling<'c>(
    query: &str,
    hits: &mut Vec<Hit>,
    named: impl Fn(usize) -> (&'c str, Option<&'c str>),
) {
    if query.chars().count() > MAX_NAME_CHARS {
        return;
    }
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f32::max);
    for hit in hits {
        let (connector, Some(name)) = named(hit.document) else {
            continue;
        };
        let whole = query
            .strip_prefix(connector)
            .and_then(|rest| rest.strip_prefix('.'));
        if name == query || whole == Some(name) {
            hit.score += best * 2.0;
            hit.covered = 1.0;
        } else if is_spelt(query, connector, name) {
            hit.score += best;
            hit.covered = 1.0;
        }
    }
}

/// The letters of a path in order, without making it.
fn path<'c>((connector, name): (&'c str, Option<&'c str>)) -> impl Iterator<Item = u8> {
    let group = if connector == GROUP { "" } else { connector };
    let dot = if group.is_empty() { "" } else { "." };
    let name = name.unwrap_or_default();
    group.bytes().chain(dot.bytes()).chain(name.bytes())
}

/// The hits from `offset` on, in order. Only these are sorted: there may be ten thousand behind them.
fn page(
    hits: &mut [Hit],
    offset: usize,
    limit: usize,
    order: impl Fn(&Hit, &Hit) -> Ordering,
) -> &[Hit] {
    let end = offset.saturating_add(limit).min(hits.len());
    if end < hits.len() {
        hits.select_nth_unstable_by(end, &order);
    }
    let Some(first) = hits.get_mut(..end) else {
        return &[];
    };
    first.sort_unstable_by(&order);
    first.get(offset..).unwrap_or_default()
}

fn shown(connector: &Connector, method: &MethodRecord, score: f64, room: usize) -> SearchResult {
    let path = format!("{}.{}", connector.name, method.name);
    let (description, signature) = hit(&connector.name, &path, method, room);
    SearchResult {
        path,
        connector: connector.name.clone(),
        method: method.name.clone(),
        description,
        signature,
        requires_approval: method.shown_approval(),
        kind: Kind::Method,
        score,
    }
}
