//! What may stand for a word of a query in a method, the likeliest first: the word and what means the same; where the catalogue
//! has neither, a word of another language, two words written as one, a slip of the pen, the beginning of a word.

use super::acts;
use super::lexicon::{Lexicon, Widened};
use super::rank::Index;
use super::weights::RANKING;

/// Terms that a slip or a beginning may stand for.
const MAX_GUESSES: usize = 4;
/// Shorter beginnings match by chance.
const MIN_PREFIX_CHARS: usize = 3;
/// Shorter words are not two.
const MIN_COMPOUND_CHARS: usize = 6;
/// A shorter word is no deed of a doer: `us` of `user`.
const MIN_DEED: usize = 4;
/// A word of so few methods may be a slip in them, or one here that they happen to share.
const RARE: usize = 2;

/// What may stand for a word, itself first; and whether it had to be guessed.
pub(super) fn alternatives(
    text: &str,
    term: &str,
    index: &Index,
    lexicon: &Lexicon,
) -> (Vec<Widened>, bool) {
    let documents = index.documents_with(term);
    let mut found = vec![widened(term, 1.0)];
    found.extend_from_slice(lexicon.synonyms(term));
    found.extend(doers(term, index));
    if documents > RARE || (documents > 0 && found.len() > 1) {
        return (found, false);
    }
    let translated = lexicon.translated(text);
    if documents == 0 || !text.is_ascii() {
        for means in translated {
            found.push(means.clone());
            found.extend(further(lexicon.synonyms(&means.term), means.credit));
        }
    }
    let known = |found: &[Widened]| found.iter().any(|it| index.documents_with(&it.term) > 0);
    if known(&found) && documents == 0 {
        return (found, true);
    }
    if documents == 0 {
        found.extend(halves(text, index, lexicon));
    }
    if !known(&found) || documents > 0 {
        let guesses = index.misspelt(text, documents);
        for (place, (guess, slips)) in guesses.into_iter().take(MAX_GUESSES).enumerate() {
            let sure = if slips == 1 {
                RANKING.one_slip
            } else {
                RANKING.two_slips
            };
            // The likeliest first.
            let credit = sure - 0.01 * place as f32;
            found.extend(further(lexicon.synonyms(&guess), credit));
            found.push(Widened {
                term: guess,
                credit,
            });
        }
    }
    if documents == 0 && text.chars().count() >= MIN_PREFIX_CHARS && !known(&found) || documents > 0
    {
        let begun = index.beginning_with(text, MAX_GUESSES);
        found.extend(begun.into_iter().map(|term| widened(&term, RANKING.prefix)));
    }
    (found, documents == 0)
}

/// Who does it, and what who does: `contribute` and `contributor`, `assign` and `assignee`. The stemmer keeps them apart.
fn doers(term: &str, index: &Index) -> Vec<Widened> {
    const ENDINGS: [&str; 3] = ["er", "or", "ee"];
    let deed = ENDINGS.iter().find_map(|ending| term.strip_suffix(ending));
    let deed = deed
        .filter(|deed| deed.len() >= MIN_DEED)
        .map(str::to_owned);
    let doers = ENDINGS
        .iter()
        .filter(|_| term.len() >= MIN_DEED)
        .map(|ending| format!("{term}{ending}"));
    let known = doers.chain(deed).filter(|it| index.documents_with(it) > 0);
    known.map(|it| widened(&it, RANKING.doer)).collect()
}

/// A word that is two: `listissues`. The pair whose rarer half is the commonest.
fn halves(text: &str, index: &Index, lexicon: &Lexicon) -> Vec<Widened> {
    if text.chars().count() < MIN_COMPOUND_CHARS {
        return Vec::new();
    }
    let cuts = text.char_indices().skip(3).map(|(at, _)| at);
    let pairs = cuts.filter_map(|at| {
        let (first, second) = text.split_at_checked(at)?;
        let terms = [lexicon.terms().of(first), lexicon.terms().of(second)];
        let fewest = terms.iter().map(|term| index.documents_with(term)).min()?;
        (second.chars().count() >= 3 && fewest > RARE).then_some((fewest, terms))
    });
    let best = pairs.max_by_key(|(fewest, _)| *fewest);
    best.map_or(Vec::new(), |(_, terms)| {
        terms.map(|term| widened(&term, 0.8)).to_vec()
    })
}

/// Synonyms of what a word was taken for.
pub(super) fn further(synonyms: &[Widened], credit: f32) -> impl Iterator<Item = Widened> {
    synonyms
        .iter()
        .map(move |it| widened(&it.term, it.credit * credit))
}

pub(super) fn act_of(widened: &[Widened]) -> u8 {
    let best = widened.iter().map(|it| it.credit).fold(0.0, f32::max);
    let best = widened.iter().filter(|it| it.credit >= best);
    best.fold(0, |acts, it| acts | acts::of_term(&it.term))
}

pub(super) fn widened(term: &str, credit: f32) -> Widened {
    Widened {
        term: term.to_owned(),
        credit,
    }
}
