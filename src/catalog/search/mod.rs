//! From a query to a page of methods: what of the catalogue does what is asked (docs/search.md).
//!
//! ```text
//! record ──fields──▶ weighted terms ──segment──▶ bytes, one per connector, stored
//! query ──query, widening──▶ concepts ──rank──▶ hits ──▶ one page, its lines or records read from the shelf
//! ```
//! There is no cut-off by how many words of the query match: a sentence holds many that no method has.

mod acts;
mod fields;
mod lexicon;
mod line;
mod query;
mod rank;
mod segment;
mod spelling;
mod terms;
mod weights;
mod widening;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use super::describe::room;
use super::shelf::Shelf;
use super::snippets::{self, GROUP};
use super::tokens::{folded, folded_chars};
use super::{Catalogue, Kind};
use crate::error::Error;

pub(super) use fields::SegmentBuilder;
pub use line::line;
use query::Query;
use rank::Hit;
pub(super) use rank::Index;
pub use segment::Segment;
#[cfg(test)]
pub(super) use segment::forged;

const DEFAULT_LIMIT: u32 = 10;
/// Hits of a page where nothing else is asked for.
const USUAL: usize = DEFAULT_LIMIT as usize;
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
    let named = |hit: &Hit| match connectors.get(hit.part) {
        Some(connector) => (
            connector.name.as_str(),
            connector
                .methods()
                .get(hit.number)
                .map(|head| head.name.as_str()),
        ),
        None => (
            GROUP,
            snippets
                .get(hit.number)
                .map(|snippet| snippet.name.as_str()),
        ),
    };
    let query = query.trim();
    let mut hits = if query.is_empty() {
        index.all()
    } else {
        let mut hits = index.ranked(&Query::read(query, index));
        prefer_spelling(query, &mut hits, named);
        hits
    };
    if let Some(only) = &options.connector {
        hits.retain(|hit| named(hit).0 == only);
    }
    let offset = usize::try_from(options.offset.unwrap_or(0)).unwrap_or(usize::MAX);
    let limit = usize::try_from(options.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT))
        .unwrap_or(usize::MAX);
    let end = offset.saturating_add(limit);
    let first = first(&hits, end.max(1), named);
    let low_confidence = first
        .first()
        .is_some_and(|best| best.hit.covered < CONFIDENT);
    let page = first.get(offset..end.min(first.len())).unwrap_or_default();
    let mut results = Vec::new();
    for Ranked { hit, name, .. } in page {
        let score = told(hit.score);
        let found = match (connectors.get(hit.part), name) {
            (Some(connector), Some(name)) => {
                result(&connector.name, name, score, page.len(), shelf)?
            }
            (Some(_), None) => None,
            (None, _) => snippets
                .get(hit.number)
                .map(|snippet| snippets::result(snippet, score)),
        };
        results.extend(found);
    }
    Ok(SearchOutput {
        truncated: end < hits.len(),
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
    hits: &mut [Hit],
    named: impl Fn(&Hit) -> (&'c str, Option<&'c str>),
) {
    if query.chars().count() > MAX_NAME_CHARS {
        return;
    }
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f32::max);
    let folded_query = folded(query);
    // What is left of the query behind the connector's name, for as long as hits are of the same.
    let (mut part, mut behind) = (None, None);
    for hit in hits {
        let (connector, Some(name)) = named(hit) else {
            continue;
        };
        if part != Some(hit.part) {
            part = Some(hit.part);
            behind = folded_query.strip_prefix(folded(connector).as_str());
        }
        if !spells(&folded_query, name) && !behind.is_some_and(|rest| spells(rest, name)) {
            continue;
        }
        let whole = query
            .strip_prefix(connector)
            .and_then(|rest| rest.strip_prefix('.'));
        let exact = name == query || whole == Some(name);
        hit.score += if exact { best * 2.0 } else { best };
        hit.covered = 1.0;
    }
}

/// Is this folded text the name? Nearly every name is given up at its first letter.
fn spells(folded: &str, name: &str) -> bool {
    let mut rest = folded.as_bytes();
    for byte in name.bytes() {
        if !byte.is_ascii() {
            return folded_chars(name).eq(folded.chars());
        }
        if byte.is_ascii_alphanumeric() {
            match rest.split_first() {
                Some((first, after)) if *first == byte.to_ascii_lowercase() => rest = after,
                _ => return false,
            }
        }
    }
    rest.is_empty()
}

/// A hit and what it is called, in the order of pages: the better is the lesser.
struct Ranked<'c> {
    hit: Hit,
    connector: &'c str,
    name: Option<&'c str>,
}

impl Ord for Ranked<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |it: &Self| (it.hit.part, it.hit.number);
        let by_path = || match self.hit.part == other.hit.part {
            true => self.name.cmp(&other.name),
            false => path(self).cmp(path(other)),
        };
        let by_score = other.hit.score.total_cmp(&self.hit.score);
        by_score
            .then_with(by_path)
            .then_with(|| place(self).cmp(&place(other)))
    }
}

impl PartialOrd for Ranked<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked<'_> {}

/// The letters of a path in order, without making it.
fn path<'c>(it: &Ranked<'c>) -> impl Iterator<Item = u8> {
    let group = if it.connector == GROUP {
        ""
    } else {
        it.connector
    };
    let dot = if group.is_empty() { "" } else { "." };
    let name = it.name.unwrap_or_default();
    group.bytes().chain(dot.bytes()).chain(name.bytes())
}

/// The first so many hits, in order. Only these are sorted: there may be ten thousand behind them.
fn first<'c>(
    hits: &[Hit],
    most: usize,
    named: impl Fn(&Hit) -> (&'c str, Option<&'c str>),
) -> Vec<Ranked<'c>> {
    let mut first: BinaryHeap<Ranked<'c>> = BinaryHeap::new();
    for hit in hits {
        let full = first.len() >= most;
        // Most are given up here, unnamed.
        if full && first.peek().is_some_and(|last| last.hit.score > hit.score) {
            continue;
        }
        let (connector, name) = named(hit);
        let ranked = Ranked {
            hit: *hit,
            connector,
            name,
        };
        if !full {
            first.push(ranked);
        } else if let Some(mut last) = first.peek_mut()
            && ranked < *last
        {
            *last = ranked;
        }
    }
    first.into_sorted_vec()
}

/// One hit, on a page of so many.
fn result(
    connector: &str,
    method: &str,
    score: f64,
    shown: usize,
    shelf: &impl Shelf,
) -> Result<Option<SearchResult>, Error> {
    if shown == USUAL
        && let Some(line) = shelf.line(connector, method)?
        && let Some(result) = line::of_line(&line, connector, method, score)
    {
        return Ok(Some(result));
    }
    let record = shelf.record(connector, method)?;
    Ok(record.map(|record| line::shown(connector, &record, score, room(shown))))
}
