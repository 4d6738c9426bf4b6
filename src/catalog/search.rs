//! Ranking by words: BM25 over a method's names, its parameters and its description, each with its own weight.
//!
//! The index is built once per catalogue; a hit's signature is made only when it is shown. There is no cut-off by how many
//! words of the query match: a sentence holds many that no method has. It deliberately knows no word forms and no typos yet.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::describe::{hit, room};
use super::record::{Connector, MethodRecord, SnippetRecord};
use super::shelf::Shelf;
use super::snippets::{self, GROUP};
use super::tokens::{folded, is_stop_word, words};
use super::types::parameters;
use super::{Catalogue, Kind};
use crate::error::{Code, Error};

const DEFAULT_LIMIT: u32 = 10;
/// More would cost a model more to read than another query.
const MAX_LIMIT: u32 = 50;
/// Words of a query beyond these are not looked up: it may be a pasted page.
const MAX_QUERY_WORDS: usize = 64;

const NAME_WEIGHT: f64 = 4.0;
const CONNECTOR_WEIGHT: f64 = 2.0;
const PARAMETER_WEIGHT: f64 = 1.0;
const DESCRIPTION_WEIGHT: f64 = 1.0;

/// BM25's saturation of repeated words, and how much a long text is held against a method.
const SATURATION: f64 = 1.2;
const LENGTH_PENALTY: f64 = 0.4;
/// A word that the query only begins counts half: `repo` for `repository`.
const PREFIX_CREDIT: f64 = 0.5;
/// Shorter beginnings match by chance.
const MIN_PREFIX_CHARS: usize = 3;

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
    let asked: Vec<String> = words(query);
    let terms = terms(&asked);
    let mut hits = index.ranked(&terms, query.trim());
    if query.trim().is_empty() {
        hits = (0..index.entries.len())
            .map(|entry| Hit {
                entry,
                score: 0.0,
                covered: 0,
            })
            .collect();
    }
    if let Some(name) = &options.connector {
        hits.retain(|hit| {
            let group = connectors.get(index.entries[hit.entry].connector);
            group.map_or(GROUP, |own| &own.name) == name
        });
    }
    let offset = usize::try_from(options.offset.unwrap_or(0)).unwrap_or(usize::MAX);
    let limit = usize::try_from(options.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT))
        .unwrap_or(usize::MAX);
    let room = room(hits.len().saturating_sub(offset).min(limit));
    let mut results = Vec::new();
    for hit in hits.iter().skip(offset).take(limit) {
        let entry = &index.entries[hit.entry];
        let found = match connectors.get(entry.connector) {
            Some(connector) => shelf
                .record(&connector.name, &connector.methods()[entry.method].name)?
                .map(|record| shown(connector, &record, &entry.path, hit.score, room)),
            None => snippets
                .get(entry.method)
                .map(|snippet| snippets::result(snippet, hit.score)),
        };
        results.extend(found);
    }
    Ok(SearchOutput {
        truncated: offset.saturating_add(results.len()) < hits.len(),
        total: hits.len(),
        low_confidence: hits
            .first()
            .is_some_and(|best| is_weak(best.covered, terms.len())),
        results,
    })
}

/// Less than three words of five: of two words both must be there, of three two.
fn is_weak(covered: usize, asked: usize) -> bool {
    covered * 5 < asked * 3
}

fn shown(
    connector: &Connector,
    method: &MethodRecord,
    path: &str,
    score: f64,
    room: usize,
) -> SearchResult {
    let (description, signature) = hit(&connector.name, path, method, room);
    SearchResult {
        path: path.to_owned(),
        connector: connector.name.clone(),
        method: method.name.clone(),
        description,
        signature,
        requires_approval: method.shown_approval(),
        kind: Kind::Method,
        score,
    }
}

/// The words that are looked up, each once; stop words only where there is nothing else.
fn terms(asked: &[String]) -> Vec<&str> {
    let telling = |word: &&String| !is_stop_word(word);
    let all_stop = !asked.iter().any(|word| telling(&word));
    let mut terms: Vec<&str> = Vec::new();
    for word in asked.iter().filter(|word| all_stop || telling(word)) {
        if terms.len() < MAX_QUERY_WORDS && !terms.contains(&word.as_str()) {
            terms.push(word);
        }
    }
    terms
}

/// All methods and snippets in the order of their paths, and where each word occurs.
#[derive(Debug)]
pub(super) struct Index {
    entries: Vec<Entry>,
    postings: BTreeMap<String, Vec<Posting>>,
    average_length: f64,
}

#[derive(Debug)]
struct Entry {
    path: String,
    /// Behind the last one: it is a snippet.
    connector: usize,
    /// The number of the method or of the snippet.
    method: usize,
    length: f64,
}

#[derive(Debug)]
struct Posting {
    entry: usize,
    weight: f64,
}

struct Hit {
    entry: usize,
    score: f64,
    /// How many words of the query it has.
    covered: usize,
}

impl Index {
    pub(super) fn new(connectors: &[Connector], snippets: &[SnippetRecord]) -> Self {
        let mut entries = Vec::new();
        for (c, connector) in connectors.iter().enumerate() {
            for (m, method) in connector.methods().iter().enumerate() {
                let path = format!("{}.{}", connector.name, method.name);
                entries.push(Entry {
                    path,
                    connector: c,
                    method: m,
                    length: 0.0,
                });
            }
        }
        entries.extend(snippets.iter().enumerate().map(|(s, snippet)| Entry {
            path: snippet.name.clone(),
            connector: connectors.len(),
            method: s,
            length: 0.0,
        }));
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        let mut postings: BTreeMap<String, Vec<Posting>> = BTreeMap::new();
        for (number, entry) in entries.iter_mut().enumerate() {
            let weights = match connectors.get(entry.connector) {
                Some(connector) => {
                    let mut weights = connector.listing.segment.methods[entry.method].clone();
                    for word in words(&connector.name) {
                        *weights.entry(word).or_default() += CONNECTOR_WEIGHT;
                    }
                    weights
                }
                None => weighted_snippet(&snippets[entry.method]),
            };
            for (word, weight) in weights {
                entry.length += weight;
                postings.entry(word).or_default().push(Posting {
                    entry: number,
                    weight,
                });
            }
        }
        let total: f64 = entries.iter().map(|entry| entry.length).sum();
        let average_length = total / entries.len().max(1) as f64;
        Self {
            entries,
            postings,
            average_length,
        }
    }

    /// Every method that has a word of the query, best first, equals by path.
    fn ranked(&self, terms: &[&str], query: &str) -> Vec<Hit> {
        let mut scores = vec![(0.0_f64, 0_usize); self.entries.len()];
        for term in terms {
            let matches = self.matches(term);
            let (all, having) = (self.entries.len() as f64, matches.len() as f64);
            let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
            for (entry, weight) in matches {
                let length = self.entries[entry].length / self.average_length;
                let damping = SATURATION * (1.0 - LENGTH_PENALTY + LENGTH_PENALTY * length);
                scores[entry].0 += rarity * weight * (SATURATION + 1.0) / (weight + damping);
                scores[entry].1 += 1;
            }
        }
        let best = scores
            .iter()
            .fold(0.0_f64, |best, (score, _)| best.max(*score));
        let found = scores
            .into_iter()
            .enumerate()
            .filter(|(_, (_, covered))| *covered > 0);
        let mut hits: Vec<Hit> = found
            .map(|(entry, (score, covered))| {
                // Who spells a name exactly means that one, and none that differs by case.
                let path = &self.entries[entry].path;
                let exact = path == query
                    || path
                        .split_once('.')
                        .is_some_and(|(_, method)| method == query);
                let score = if exact { score + best } else { score };
                Hit {
                    entry,
                    score: (score * 1_000.0).round() / 1_000.0,
                    covered,
                }
            })
            .collect();
        // By the rounded score, so that the order can be seen to be right; the sort is stable and entries are by path.
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits
    }

    /// The methods that have this word or one that begins with it, with the best weight. Never the other way round: a word
    /// `a` in a description is no match for `approve`.
    fn matches(&self, term: &str) -> BTreeMap<usize, f64> {
        let mut matches: BTreeMap<usize, f64> = BTreeMap::new();
        let prefix = term.chars().count() >= MIN_PREFIX_CHARS;
        let from_here = self
            .postings
            .range::<str, _>((std::ops::Bound::Included(term), std::ops::Bound::Unbounded));
        for (word, postings) in
            from_here.take_while(|(word, _)| *word == term || prefix && word.starts_with(term))
        {
            let credit = if word == term { 1.0 } else { PREFIX_CREDIT };
            for posting in postings {
                let weight = matches.entry(posting.entry).or_default();
                *weight = weight.max(posting.weight * credit);
            }
        }
        matches
    }
}

/// The words of one connector's methods, as they are stored.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Segment {
    methods: Vec<BTreeMap<String, f64>>,
}

impl Segment {
    /// # Errors
    /// When the bytes are no segment of this version.
    pub fn load(bytes: &[u8]) -> Result<Self, Error> {
        serde_json::from_slice(bytes).map_err(|error| {
            Error::new(
                Code::Internal,
                format!("the words of search cannot be read: {error}"),
            )
        })
    }

    pub fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

#[derive(Debug, Default)]
pub(super) struct SegmentBuilder(Segment);

impl SegmentBuilder {
    pub(super) fn add(&mut self, method: &MethodRecord) {
        let names = [
            method.name.as_str(),
            method.original.as_deref().unwrap_or_default(),
        ];
        let description = method.description.as_deref().unwrap_or_default();
        self.0
            .methods
            .push(weighted("", names, &method.input_schema, description));
    }

    pub(super) fn finish(self) -> Segment {
        self.0
    }
}

fn weighted_snippet(snippet: &SnippetRecord) -> BTreeMap<String, f64> {
    let names = [snippet.name.as_str(), ""];
    weighted(GROUP, names, &snippet.input_schema, &snippet.description)
}

fn weighted(
    group: &str,
    [name, original]: [&str; 2],
    input_schema: &Option<Value>,
    description: &str,
) -> BTreeMap<String, f64> {
    let mut weights: BTreeMap<String, f64> = BTreeMap::new();
    let mut names: Vec<String> = words(name);
    for word in words(original).into_iter().chain([folded(name)]) {
        if !names.contains(&word) {
            names.push(word);
        }
    }
    let parameters: Vec<String> = input_schema
        .iter()
        .flat_map(parameters)
        .flat_map(words)
        .collect();
    for (field, weight) in [
        (names, NAME_WEIGHT),
        (words(group), CONNECTOR_WEIGHT),
        (parameters, PARAMETER_WEIGHT),
        (words(description), DESCRIPTION_WEIGHT),
    ] {
        for word in field {
            *weights.entry(word).or_default() += weight;
        }
    }
    weights.remove("");
    weights
}
