//! A query to what it asks for: concepts, each with the terms that may stand for it in a method.
//!
//! A sentence is taken for its telling words: question frames and politeness go, expressions (`hand … over`) are known as
//! one.

use super::super::tokens;
use super::acts;
use super::lexicon::{Lexicon, Phrase, Widened};
use super::rank::Index;
use super::weights::RANKING;
use super::widening::{act_of, alternatives, further, widened};

/// What lies behind these is not read: it may be a pasted page.
const MAX_QUERY_CHARS: usize = 2_000;
const MAX_WORDS: usize = 48;
/// Terms of one concept beyond these cost time and find nothing.
const MAX_ALTERNATIVES: usize = 16;
/// Credit of one word of an expression where the expression means something else.
const PART_OF_EXPRESSION: f32 = 0.6;
/// What belongs to whoever asks is named so in interfaces.
const MINE: [&str; 3] = ["authenticated", "my", "me"];
/// Words that may stand inside a parted expression.
const MAX_PARTED: usize = 4;
#[derive(Debug, Default)]
pub(super) struct Query {
    pub(super) concepts: Vec<Concept>,
    /// What is to be done, as bits of `acts`; 0 where nothing is said.
    pub(super) acts: u8,
    /// Which connectors it names.
    pub(super) connectors: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Concept {
    /// Best first; the first is the word itself where the catalogue has it.
    pub(super) alternatives: Vec<Widened>,
    /// How much it counts beside the others.
    pub(super) weight: f32,
    /// What is to be done by it, as bits of `acts`.
    pub(super) act: u8,
    /// Does it say what is looked for? Names of connectors and numbers do not.
    pub(super) telling: bool,
}

struct Word {
    text: String,
    term: String,
    /// Part of an expression that was known as one.
    taken: bool,
    /// What it means together with its neighbours.
    means: Vec<Widened>,
    connector: bool,
}

impl Query {
    pub(super) fn read(text: &str, index: &Index) -> Self {
        let end = text.char_indices().nth(MAX_QUERY_CHARS);
        let text = text
            .get(..end.map_or(text.len(), |(at, _)| at))
            .unwrap_or(text);
        let lexicon = Lexicon::get();
        let mut query = Self::default();
        let mut words = Vec::new();
        let mut dense = Vec::new();
        for run in tokens::runs(text) {
            if words.len() >= MAX_WORDS {
                break;
            }
            if let Some(connector) = index.connector_called(&tokens::folded(run)) {
                query.connectors.push(connector);
                words.push(word(&tokens::folded(run), true));
                continue;
            }
            for piece in tokens::pieces(run) {
                if tokens::is_dense(piece) {
                    dense.push(piece);
                } else {
                    words.push(word(&tokens::lower(piece), false));
                }
            }
        }
        query.name_connectors(&mut words, index);
        query.read_phrases(&mut words, lexicon);
        query.read_words(&words, index, lexicon);
        for piece in dense {
            query.read_dense(piece, index, lexicon);
        }
        if words
            .iter()
            .any(|word| matches!(word.text.as_str(), "my" | "mine"))
        {
            let mine = MINE.map(|word| widened(&lexicon.terms().of(word), 1.0));
            query.push(0, mine.to_vec(), RANKING.mine, false);
        }
        query.part_concepts();
        if query.concepts.is_empty() {
            for word in words
                .iter()
                .filter(|word| index.documents_with(&word.term) > 0)
            {
                query.push(0, vec![widened(&word.term, 1.0)], 1.0, true);
            }
        }
        query
    }

    /// A word of a method answers one word of the query: in `file contents`, *content* may stand for files, but then a method
    /// of files would have answered twice.
    fn part_concepts(&mut self) {
        let asked: Vec<String> = self
            .concepts
            .iter()
            .filter_map(|it| Some(it.alternatives.first()?.term.clone()))
            .collect();
        for (number, concept) in self.concepts.iter_mut().enumerate() {
            let mut rest = concept
                .alternatives
                .split_off(concept.alternatives.len().min(1));
            rest.retain(|it| {
                !asked
                    .iter()
                    .enumerate()
                    .any(|(other, term)| other != number && *term == it.term)
            });
            concept.alternatives.append(&mut rest);
        }
    }

    /// `digital ocean`.
    fn name_connectors(&mut self, words: &mut [Word], index: &Index) {
        for at in 1..words.len() {
            if let [first, second] = &mut words[at - 1..=at]
                && !first.connector
                && !second.connector
                && let Some(connector) =
                    index.connector_called(&format!("{}{}", first.text, second.text))
            {
                self.connectors.push(connector);
                (first.taken, second.taken) = (true, true);
            }
        }
    }

    /// An expression of telling words leaves them their own meaning beside what they mean together; one with a particle
    /// (`turn … off`) is nothing but the whole.
    fn read_phrases(&mut self, words: &mut [Word], lexicon: &Lexicon) {
        for start in 0..words.len() {
            let phrases = lexicon.phrases(&words[start].term);
            let places = phrases
                .iter()
                .filter_map(|phrase| Some((phrase, places(phrase, words, start)?)));
            let Some((phrase, places)) = places.max_by_key(|(_, places)| places.len()) else {
                continue;
            };
            let says_nothing = |text: &str| lexicon.is_stop_word(text) || lexicon.is_filler(text);
            let whole = places.iter().any(|place| says_nothing(&words[*place].text));
            let mut alternatives = phrase.means.clone();
            for place in places {
                let word = &mut words[place];
                if !whole {
                    word.means.extend(phrase.means.iter().cloned());
                } else if !says_nothing(&word.text) {
                    alternatives.push(widened(&word.term, PART_OF_EXPRESSION));
                }
                word.taken = whole;
            }
            if whole {
                let act = act_of(&phrase.means);
                self.acts |= act;
                self.push(act, alternatives, 1.0, true);
            }
        }
    }

    fn read_words(&mut self, words: &[Word], index: &Index, lexicon: &Lexicon) {
        for (at, word) in words.iter().enumerate() {
            if word.taken || lexicon.is_stop_word(&word.text) {
                continue;
            }
            if word.connector {
                if index.documents_with(&word.term) > 0 {
                    let weight = RANKING.connector_word;
                    self.push(0, vec![widened(&word.term, 1.0)], weight, false);
                }
                continue;
            }
            let (alternatives, guessed) = alternatives(&word.text, &word.term, index, lexicon);
            let mut alternatives = alternatives;
            alternatives.extend(word.means.iter().cloned());
            let neighbours = [
                at.checked_sub(1).map(|before| (before, at)),
                Some((at, at + 1)),
            ];
            for (first, second) in neighbours.into_iter().flatten() {
                let (Some(first), Some(second)) = (words.get(first), words.get(second)) else {
                    continue;
                };
                let joined = lexicon
                    .terms()
                    .of(&format!("{}{}", first.text, second.text));
                if index.documents_with(&joined) > 0 {
                    alternatives.push(widened(&joined, RANKING.joined));
                }
            }
            let act = match acts::of_term(&word.term) {
                0 if guessed => act_of(&alternatives),
                act => act,
            };
            // `write a new issue`: what is to be done is said once.
            let repeated = act != 0 && self.acts & act == act;
            self.acts |= act;
            let number = word.text.chars().all(char::is_numeric);
            let weight = if number {
                RANKING.number
            } else if repeated || lexicon.is_filler(&word.text) {
                RANKING.filler
            } else if act != 0 {
                RANKING.verb
            } else {
                1.0
            };
            self.push(
                act,
                alternatives,
                weight,
                !number && !lexicon.is_filler(&word.text),
            );
        }
    }

    /// A text of a script without spaces: the words of it that are known, and pairs of what lies between them.
    fn read_dense(&mut self, piece: &str, index: &Index, lexicon: &Lexicon) {
        let (mut rest, mut between) = (piece, String::new());
        while let Some(first) = rest.chars().next() {
            if let Some((word, means)) = lexicon.dense_word(rest) {
                self.read_unknown_dense(&between, index);
                between.clear();
                let own = tokens::pairs(word)
                    .into_iter()
                    .filter(|pair| index.documents_with(pair) > 0);
                let mut alternatives: Vec<Widened> = own.map(|pair| widened(&pair, 1.0)).collect();
                alternatives.extend(means.iter().cloned());
                for widening in means {
                    alternatives.extend(further(lexicon.synonyms(&widening.term), widening.credit));
                }
                let act = act_of(means);
                self.acts |= act;
                self.push(
                    act,
                    alternatives,
                    if act != 0 { RANKING.verb } else { 1.0 },
                    true,
                );
                rest = rest.get(word.len()..).unwrap_or_default();
            } else {
                between.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
        self.read_unknown_dense(&between, index);
    }

    fn read_unknown_dense(&mut self, text: &str, index: &Index) {
        // Hiragana between words is grammar.
        let grammar = text
            .chars()
            .all(|c| matches!(c, '\u{3040}'..='\u{309F}' | 'ー'));
        let known = |pair: &String| index.documents_with(pair) > 0;
        let pairs: Vec<String> = tokens::pairs(text)
            .into_iter()
            .filter(|pair| !pair.is_empty())
            .collect();
        if grammar && !pairs.iter().any(known) {
            return;
        }
        for pair in pairs {
            self.push(0, vec![widened(&pair, 1.0)], 1.0, true);
        }
    }

    /// Each concept once: a page that repeats a word asks for it no louder.
    fn push(&mut self, act: u8, mut alternatives: Vec<Widened>, weight: f32, telling: bool) {
        let known = self
            .concepts
            .iter()
            .any(|it| it.alternatives.first() == alternatives.first());
        if alternatives.is_empty() || known || self.concepts.len() >= MAX_WORDS {
            return;
        }
        let first = alternatives.remove(0);
        alternatives.sort_unstable_by(|a, b| {
            b.credit
                .total_cmp(&a.credit)
                .then_with(|| a.term.cmp(&b.term))
        });
        alternatives.insert(0, first);
        let mut each: Vec<Widened> = Vec::new();
        for widened in alternatives {
            if each.len() < MAX_ALTERNATIVES && !each.iter().any(|it| it.term == widened.term) {
                each.push(widened);
            }
        }
        self.concepts.push(Concept {
            alternatives: each,
            weight,
            act,
            telling,
        });
    }
}

/// Where the words of an expression stand, which begins at `start`.
fn places(phrase: &Phrase, words: &[Word], start: usize) -> Option<Vec<usize>> {
    let mut places = vec![start];
    for (number, term) in phrase.terms.iter().enumerate().skip(1) {
        let next = places.last()? + 1;
        let last = number + 1 == phrase.terms.len();
        let end = if last && phrase.parted {
            next + MAX_PARTED
        } else {
            next + 1
        };
        let mut window = next..end.min(words.len());
        places.push(window.find(|at| words[*at].term == *term)?);
    }
    let free = places.iter().all(|at| !words[*at].taken);
    free.then_some(places)
}

fn word(text: &str, connector: bool) -> Word {
    Word {
        text: text.to_owned(),
        term: Lexicon::get().terms().of(text),
        taken: false,
        means: Vec::new(),
        connector,
    }
}
