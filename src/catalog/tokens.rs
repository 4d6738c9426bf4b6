//! Text and identifiers to words, the same way for what is indexed and for what is asked.
//!
//! Knows scripts only as far as word borders go. It deliberately knows no language: word forms, stop words and synonyms are
//! in `search`.

/// The lower-case words of a text: split at everything that is no letter or digit, and inside identifiers at humps
/// (`listIssues`, `HTTPServer`) and digits. Scripts without spaces become pairs of neighbouring characters.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in runs(text) {
        for piece in pieces(run) {
            if is_dense(piece) {
                words.extend(pairs(piece));
            } else {
                words.push(lower(piece));
            }
        }
    }
    words
}

/// What stands between spaces and signs: an identifier may hold several words. Marks belong to the letter before them.
pub(super) fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && !is_mark(c))
        .filter(|run| !run.is_empty())
}

/// A run cut at humps, at digits and where the script changes.
pub(super) fn pieces(run: &str) -> Vec<&str> {
    let chars: Vec<(usize, Class)> = run
        .char_indices()
        .filter(|(_, c)| !is_mark(*c))
        .map(|(at, c)| (at, class(c)))
        .collect();
    let mut pieces = Vec::new();
    let mut start = 0;
    for (number, pair) in chars.windows(2).enumerate() {
        let [(_, before), (at, class)] = [pair[0], pair[1]];
        let next = chars.get(number + 2).map(|(_, class)| *class);
        if is_border(before, class, next) {
            pieces.extend(run.get(start..at));
            start = at;
        }
    }
    pieces.extend(run.get(start..).filter(|rest| !rest.is_empty()));
    pieces
}

/// Is a piece of a script that is written without spaces?
pub(super) fn is_dense(piece: &str) -> bool {
    piece
        .chars()
        .next()
        .is_some_and(|c| class(c) == Class::Dense)
}

/// A piece of such a script as pairs of neighbours; one character stands alone.
pub(super) fn pairs(piece: &str) -> Vec<String> {
    let chars: Vec<char> = piece.chars().collect();
    if chars.len() <= 2 {
        return vec![piece.to_owned()];
    }
    chars.windows(2).map(|pair| pair.iter().collect()).collect()
}

pub(super) fn lower(piece: &str) -> String {
    piece.chars().flat_map(char::to_lowercase).collect()
}

/// An identifier as one lower-case word, so that `getUser`, `get_user` and `getuser` can meet.
pub(super) fn folded(identifier: &str) -> String {
    folded_chars(identifier).collect()
}

pub(super) fn folded_chars(identifier: &str) -> impl Iterator<Item = char> {
    identifier
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Upper,
    Letter,
    Digit,
    Dense,
}

fn class(c: char) -> Class {
    if is_dense_char(c) {
        Class::Dense
    } else if c.is_numeric() {
        Class::Digit
    } else if c.is_uppercase() {
        Class::Upper
    } else {
        Class::Letter
    }
}

/// Thai, kana, Han and Hangul: written without spaces, or with endings that hide the word.
fn is_dense_char(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0E7F}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}')
}

/// Accents that stand beside their letter, as file systems write them.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}')
}

/// Does a new word begin at the second of these?
fn is_border(before: Class, at: Class, next: Option<Class>) -> bool {
    match (before, at) {
        (Class::Upper, Class::Upper) => next == Some(Class::Letter),
        (Class::Upper, Class::Letter) => false,
        (before, after) => before != after,
    }
}
