//! What words have to do with each other: general knowledge of the language of software and its interfaces, none of it about
//! one service. Read from `synonyms.txt` and `languages.txt` at the first search of an isolate.
//!
//! A query's word is widened, a document's never: the index stays true to its source, and the lists may change without it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

use super::super::tokens;
use super::terms::Terms;

const SYNONYMS: &str = include_str!("synonyms.txt");
const LANGUAGES: &str = include_str!("languages.txt");

/// Credit of a synonym where its line names none.
const USUAL_CREDIT: f32 = 0.7;
/// A translation is the word itself, but for what it may mean besides.
const TRANSLATED: f32 = 0.9;
/// One word of an expression that a line widens to.
const PART: f32 = 0.7;
/// How much longer a word may be than the stem that the list has of it: `erstellen`, `репозиториями`.
const MAX_ENDING_CHARS: usize = 6;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Widened {
    pub(super) term: String,
    pub(super) credit: f32,
}

#[derive(Debug)]
pub(super) struct Phrase {
    pub(super) terms: Vec<String>,
    /// `hand … over`: something may stand before its last word.
    pub(super) parted: bool,
    pub(super) means: Vec<Widened>,
}

#[derive(Debug, Default)]
pub(super) struct Lexicon {
    terms: Terms,
    stop: HashSet<&'static str>,
    filler: HashSet<&'static str>,
    synonyms: HashMap<String, Vec<Widened>>,
    phrases: HashMap<String, Vec<Phrase>>,
    /// Stems of words of languages with spaces, in order.
    foreign: BTreeMap<&'static str, Vec<Widened>>,
    dense: HashMap<&'static str, Vec<Widened>>,
    longest_dense: usize,
}

impl Lexicon {
    pub(super) fn get() -> &'static Self {
        static LEXICON: OnceLock<Lexicon> = OnceLock::new();
        LEXICON.get_or_init(Self::read)
    }

    pub(super) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Says nothing about what is wanted. Verbs that name methods (`get`, `list`) are not among them.
    pub(super) fn is_stop_word(&self, word: &str) -> bool {
        self.stop.contains(word)
    }

    /// Says little: `just the *existing* ones of *someone*`.
    pub(super) fn is_filler(&self, word: &str) -> bool {
        self.filler.contains(word)
    }

    pub(super) fn synonyms(&self, term: &str) -> &[Widened] {
        self.synonyms.get(term).map_or(&[], Vec::as_slice)
    }

    /// Expressions that begin with this term.
    pub(super) fn phrases(&self, term: &str) -> &[Phrase] {
        self.phrases.get(term).map_or(&[], Vec::as_slice)
    }

    /// What a word of another language means: by the longest stem that it begins with.
    pub(super) fn translated(&self, word: &str) -> &[Widened] {
        let length = word.chars().count();
        let mut ends: Vec<usize> = word.char_indices().map(|(at, _)| at).skip(2).collect();
        ends.push(word.len());
        for (dropped, end) in ends.into_iter().rev().enumerate() {
            let ending_is_short = dropped <= MAX_ENDING_CHARS.min(length / 2);
            let stem = word.get(..end).filter(|_| ending_is_short);
            if let Some(means) = stem.and_then(|stem| self.foreign.get(stem)) {
                return means;
            }
        }
        &[]
    }

    /// The longest word of the list that this text of a dense script begins with, and what it means.
    pub(super) fn dense_word<'t>(&self, text: &'t str) -> Option<(&'t str, &[Widened])> {
        let ends: Vec<usize> = text
            .char_indices()
            .map(|(at, c)| at + c.len_utf8())
            .take(self.longest_dense)
            .collect();
        ends.into_iter().rev().find_map(|end| {
            let word = text.get(..end)?;
            Some((word, self.dense.get(word)?.as_slice()))
        })
    }

    fn read() -> Self {
        let mut lexicon = Self::default();
        for line in lines(SYNONYMS) {
            if let Some(words) = line.strip_prefix("stop:") {
                lexicon.stop.extend(words.split_whitespace());
            } else if let Some(words) = line.strip_prefix("filler:") {
                lexicon.filler.extend(words.split_whitespace());
            } else {
                lexicon.read_synonyms(line);
            }
        }
        for line in lines(LANGUAGES) {
            match line.split_once(':') {
                Some(("stop", words)) => lexicon.stop.extend(words.split_whitespace()),
                Some((english, words)) => lexicon.read_translations(english, words),
                None => {}
            }
        }
        lexicon
    }

    /// `[credit] core … [< other …]`: each word widens to the cores.
    fn read_synonyms(&mut self, line: &'static str) {
        let (credit, rest) = match line.split_once(' ') {
            Some((first, rest)) if first.parse::<f32>().is_ok() => (first.parse().ok(), rest),
            _ => (None, line),
        };
        let credit = credit.unwrap_or(USUAL_CREDIT);
        let (cores, others) = rest.split_once('<').unwrap_or((rest, ""));
        let cores: Vec<&str> = cores.split_whitespace().collect();
        for word in cores.iter().copied().chain(others.split_whitespace()) {
            let mut means = Vec::new();
            for core in cores.iter().filter(|core| **core != word) {
                self.widen(core, credit, &mut means);
            }
            self.learn(word, means);
        }
    }

    fn read_translations(&mut self, english: &str, words: &'static str) {
        let mut means = Vec::new();
        for word in english.split_whitespace() {
            self.widen(word, TRANSLATED, &mut means);
        }
        for word in words.split_whitespace() {
            if tokens::is_dense(word) {
                self.longest_dense = self.longest_dense.max(word.chars().count());
                join(self.dense.entry(word).or_default(), &means);
            } else {
                join(self.foreign.entry(word).or_default(), &means);
            }
        }
    }

    /// A word, or the words of an expression `pull_request`.
    fn widen(&self, core: &str, credit: f32, means: &mut Vec<Widened>) {
        let credit = if core.contains('_') {
            credit * PART
        } else {
            credit
        };
        for word in core.split('_') {
            let term = self.terms.of(word);
            join(means, &[Widened { term, credit }]);
        }
    }

    fn learn(&mut self, word: &str, means: Vec<Widened>) {
        let terms: Vec<String> = word
            .split(['_', '~'])
            .map(|word| self.terms.of(word))
            .collect();
        let Some(first) = terms.first().cloned() else {
            return;
        };
        if terms.len() == 1 {
            join(self.synonyms.entry(first).or_default(), &means);
        } else {
            let parted = word.contains('~');
            let known = self.phrases.entry(first).or_default();
            match known.iter_mut().find(|phrase| phrase.terms == terms) {
                Some(phrase) => join(&mut phrase.means, &means),
                None => known.push(Phrase {
                    terms,
                    parted,
                    means,
                }),
            }
        }
    }
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Each term once, with the best credit.
fn join(known: &mut Vec<Widened>, more: &[Widened]) {
    for widened in more {
        match known.iter_mut().find(|it| it.term == widened.term) {
            Some(own) => own.credit = own.credit.max(widened.credit),
            None => known.push(widened.clone()),
        }
    }
}
