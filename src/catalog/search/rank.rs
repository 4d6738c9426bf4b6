//! The order of methods for a query. Words of all connectors and of the snippets are weighed against each other: a word is
//! rare when the whole catalogue has little of it.

use std::collections::{HashMap, HashSet};

use super::super::record::{Connector, SnippetRecord};
use super::super::tokens;
use super::acts;
use super::fields::{STEPS, SegmentBuilder, name_size};
use super::lexicon::Lexicon;
use super::query::{Concept, Query};
use super::segment::{Listed, Segment};
use super::spelling;
use super::weights::RANKING;

/// Words of a connector's introduction that are kept.
const MAX_ABOUT_WORDS: usize = 200;
/// How much commoner a word must be for a rare one to be a slip for it.
const MORE_THAN_A_SLIP: usize = 10;

/// All methods and snippets: those of a connector follow each other, snippets come last.
#[derive(Debug)]
pub(in crate::catalog) struct Index {
    parts: Vec<Part>,
    documents: usize,
}

/// One connector's part, or the snippets'.
#[derive(Debug)]
struct Part {
    folded: String,
    about: HashSet<String>,
    segment: Segment,
    first: usize,
    documents: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    /// Of which connector it is, and its number there.
    pub(super) part: usize,
    pub(super) number: usize,
    pub(super) score: f32,
    /// How much of the query it has, 0 to 1.
    pub(super) covered: f32,
}

impl Index {
    pub(in crate::catalog) fn new(connectors: &[Connector], snippets: &[SnippetRecord]) -> Self {
        let mut index = Self {
            parts: Vec::new(),
            documents: 0,
        };
        for connector in connectors {
            let instructions = connector.instructions.as_deref().unwrap_or_default();
            let about = connector
                .listing
                .report
                .about
                .as_deref()
                .unwrap_or_default();
            let about = tokens::words(&format!("{instructions} {about}"));
            let about = about.iter().take(MAX_ABOUT_WORDS);
            let about = about.map(|word| Lexicon::get().terms().of(word)).collect();
            let documents = connector.methods().len();
            index.push(
                &connector.name,
                about,
                documents,
                connector.listing.segment.clone(),
            );
        }
        let mut builder = SegmentBuilder::default();
        snippets
            .iter()
            .for_each(|snippet| builder.add_snippet(snippet));
        index.push("", HashSet::new(), snippets.len(), builder.finish());
        index
    }

    fn push(&mut self, name: &str, about: HashSet<String>, documents: usize, segment: Segment) {
        let first = self.documents;
        self.documents += documents;
        self.parts.push(Part {
            folded: tokens::folded(name),
            about,
            segment,
            first,
            documents,
        });
    }

    /// Every method and snippet, as an answer to no question.
    pub(super) fn all(&self) -> Vec<Hit> {
        let mut hits = Vec::with_capacity(self.documents);
        for (part, it) in self.parts.iter().enumerate() {
            hits.extend((0..it.documents).map(|number| Hit {
                part,
                number,
                score: 0.0,
                covered: 1.0,
            }));
        }
        hits
    }

    pub(super) fn connector_called(&self, folded: &str) -> Option<usize> {
        let called = |part: &Part| !folded.is_empty() && part.folded == folded;
        self.parts.iter().position(called)
    }

    pub(super) fn documents_with(&self, term: &str) -> usize {
        let lists = self.parts.iter().filter_map(|part| part.segment.find(term));
        lists.map(|listed| listed.documents).sum()
    }

    /// Terms that a word may be a slip for, the nearest and commonest first, with the number of slips. A word that methods
    /// have is only given up for one that far more of them have.
    pub(super) fn misspelt(&self, word: &str, documents: usize) -> Vec<(String, usize)> {
        let mut found: HashMap<String, (usize, usize)> = HashMap::new();
        for part in &self.parts {
            spelling::near(&part.segment, word, |term, slips, listed| {
                let entry = found.entry(term.to_owned()).or_insert((slips, 0));
                entry.1 += listed.documents;
            });
        }
        let far_more = documents * MORE_THAN_A_SLIP;
        let mut found: Vec<(String, usize, usize)> = found
            .into_iter()
            .filter(|(_, (slips, having))| *slips > 0 && *having > far_more)
            .map(|(term, (slips, having))| (term, slips, having))
            .collect();
        // Hardly anybody errs in the first letter.
        let first = word.chars().next();
        let rank = |(term, slips, _): &(String, usize, usize)| {
            slips * 2 + usize::from(term.chars().next() != first)
        };
        found.sort_unstable_by(|a, b| {
            let by_slips = rank(a).cmp(&rank(b));
            by_slips
                .then_with(|| b.2.cmp(&a.2))
                .then_with(|| a.0.cmp(&b.0))
        });
        let least = found.first().map_or(0, rank);
        found.retain(|guess| rank(guess) <= least + 1);
        found
            .into_iter()
            .map(|(term, slips, _)| (term, slips))
            .collect()
    }

    /// The commonest terms that begin with this.
    pub(super) fn beginning_with(&self, start: &str, most: usize) -> Vec<String> {
        let mut found: HashMap<Vec<u8>, usize> = HashMap::new();
        for part in &self.parts {
            let mut walk = part.segment.terms_from(start);
            while let Some(listed) = walk.step() {
                if walk.term.starts_with(start.as_bytes()) {
                    *found.entry(walk.term.clone()).or_default() += listed.documents;
                } else if walk.term.as_slice() > start.as_bytes() {
                    break;
                }
            }
        }
        let mut found: Vec<(Vec<u8>, usize)> = found.into_iter().collect();
        found.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let terms = found.into_iter().take(most);
        terms
            .filter_map(|(term, _)| String::from_utf8(term).ok())
            .collect()
    }

    /// Every method that has a word of the query, in no order.
    pub(super) fn ranked(&self, query: &Query) -> Vec<Hit> {
        let mut sums = vec![Sum::default(); self.documents];
        let mut best = vec![Best::default(); self.documents];
        let mut having = Vec::new();
        let (mut asked, mut telling) = (0.0, 0.0);
        for concept in &query.concepts {
            let importance = self.weigh(concept, &mut best, &mut having) * concept.weight;
            asked += importance;
            telling += if concept.telling { importance } else { 0.0 };
            for document in having.drain(..) {
                let (Some(sum), Some(best)) = (sums.get_mut(document), best.get_mut(document))
                else {
                    continue;
                };
                sum.score += best.score * concept.weight;
                sum.covered += best.quality * importance;
                sum.in_name += best.in_name * f32::from(name_size(concept.act));
                if concept.telling {
                    sum.told += best.quality * importance;
                }
                *best = Best::default();
            }
        }
        let mut hits = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            let factor = self.connector_factor(number, query);
            let range = part.first..part.first + part.documents;
            let sums = sums.get(range).unwrap_or_default();
            for (document, sum) in sums.iter().enumerate().filter(|(_, sum)| sum.score > 0.0) {
                let card = part.segment.card(document);
                let in_name = (sum.in_name / f32::from(card.name_size.max(name_size(0)))).min(1.0);
                let covered = sum.covered / asked;
                let score = sum.score
                    * factor
                    * act_factor(query.acts, card.acts)
                    * (1.0 + RANKING.name_covered * in_name)
                    * (1.0 + RANKING.query_covered * covered);
                hits.push(Hit {
                    part: number,
                    number: document,
                    score,
                    covered: if telling > 0.0 {
                        sum.told / telling
                    } else {
                        covered
                    },
                });
            }
        }
        hits
    }

    /// What each method has of one concept, which have anything, and how important the concept is.
    fn weigh(&self, concept: &Concept, best: &mut [Best], found: &mut Vec<usize>) -> f32 {
        let mut importance: f32 = 0.0;
        // A verb is as common as all verbs for the same: a catalogue in which only one method *adds* is not about adding.
        let together = match concept.act {
            0 => 0,
            _ => concept
                .alternatives
                .iter()
                .map(|it| self.documents_with(&it.term))
                .sum(),
        };
        for widened in &concept.alternatives {
            let lists = self
                .parts
                .iter()
                .map(|part| part.segment.find(&widened.term));
            let lists: Vec<Option<Listed>> = lists.collect();
            let having: usize = lists.iter().flatten().map(|listed| listed.documents).sum();
            if having == 0 {
                continue;
            }
            // What a word only may stand for is worth no more than the word: else the rarest guess would win.
            let mut rarity = self.rarity(having.max(together).min(self.documents));
            if importance == 0.0 {
                importance = rarity;
            }
            rarity = rarity.min(importance);
            for (part, listed) in self.parts.iter().zip(lists) {
                let Some(listed) = listed else { continue };
                for posting in part.segment.postings(listed) {
                    let weight = f32::from(posting.weight) / STEPS;
                    let saturated =
                        weight * (RANKING.saturation + 1.0) / (weight + RANKING.saturation);
                    let score = widened.credit * rarity * saturated;
                    if posting.document >= part.documents {
                        continue;
                    }
                    let document = part.first + posting.document;
                    let Some(best) = best.get_mut(document) else {
                        continue;
                    };
                    if score > best.score {
                        if best.score == 0.0 {
                            found.push(document);
                        }
                        best.score = score;
                        best.quality = widened.credit * weight / (weight + 0.5);
                    }
                    if posting.in_name {
                        best.in_name = best.in_name.max(widened.credit);
                    }
                }
            }
        }
        if importance > 0.0 {
            importance
        } else {
            self.rarity(0)
        }
    }

    /// BM25's inverse document frequency.
    fn rarity(&self, having: usize) -> f32 {
        let (all, having) = (self.documents as f32, having as f32);
        (1.0 + (all - having + 0.5).max(0.0) / (having + 0.5)).ln()
    }

    fn connector_factor(&self, number: usize, query: &Query) -> f32 {
        let mut factor = 1.0;
        if query.connectors.contains(&number) {
            factor += RANKING.connector;
        }
        if let Some(part) = self.parts.get(number) {
            let spoken = |concept: &Concept| {
                let first = concept.alternatives.first();
                concept.telling && first.is_some_and(|it| part.about.contains(&it.term))
            };
            let spoken = query
                .concepts
                .iter()
                .filter(|concept| spoken(concept))
                .count();
            factor += RANKING.about * spoken as f32 / query.concepts.len().max(1) as f32;
        }
        factor
    }
}

/// What a method has of all concepts.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    score: f32,
    covered: f32,
    told: f32,
    in_name: f32,
}

/// What a method has of one.
#[derive(Debug, Clone, Copy, Default)]
struct Best {
    score: f32,
    quality: f32,
    in_name: f32,
}

fn act_factor(wanted: u8, does: u8) -> f32 {
    if wanted == 0 {
        return match does & (acts::READ | acts::LIST) {
            0 => 1.0,
            _ => 1.0 + RANKING.default_act,
        };
    }
    if does & wanted != 0 {
        1.0 + RANKING.same_act
    } else if does & acts::near(wanted) != 0 || does == 0 {
        1.0
    } else {
        RANKING.other_act
    }
}
