//! Text and identifiers to words, the same way for what is indexed and for what is asked.
//!
//! Knows scripts only as far as word borders go. It deliberately has no stemmer and no language but the English stop words.

/// The lower-case words of a text: split at everything that is no letter or digit, and inside identifiers at humps
/// (`listIssues`, `HTTPServer`) and digits. Scripts without spaces become pairs of neighbouring characters.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|run| !run.is_empty())
    {
        let chars: Vec<char> = run.chars().collect();
        let mut start = 0;
        for end in 1..=chars.len() {
            if end == chars.len() || is_border(&chars, end) {
                push_word(&chars[start..end], &mut words);
                start = end;
            }
        }
    }
    words
}

/// An identifier as one lower-case word, so that `getUser`, `get_user` and `getuser` can meet.
pub(super) fn folded(identifier: &str) -> String {
    identifier
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Words of a sentence that say nothing about what is wanted. Verbs that name methods (`get`, `list`) are not among them.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "a", "all", "am", "an", "and", "any", "are", "as", "at", "be", "by", "can", "could", "do", "does", "every", "for", "from",
    "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "just", "let", "me", "my", "need", "of", "on", "or",
    "our", "please", "should", "so", "some", "such", "that", "the", "their", "them", "then", "there", "these", "this", "to",
    "us", "want", "was", "way", "we", "what", "when", "where", "which", "who", "will", "with", "would", "you", "your",
];

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Upper,
    Letter,
    Digit,
    Dense,
}

fn class(c: char) -> Class {
    if is_dense(c) {
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
fn is_dense(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0E7F}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}')
}

/// Does a new word begin at `at`? (`1 <= at < chars.len()`)
fn is_border(chars: &[char], at: usize) -> bool {
    let next_is_small = chars
        .get(at + 1)
        .is_some_and(|&next| class(next) == Class::Letter);
    match (class(chars[at - 1]), class(chars[at])) {
        (Class::Upper, Class::Upper) => next_is_small,
        (Class::Upper, Class::Letter) => false,
        (before, after) => before != after,
    }
}

fn push_word(chars: &[char], words: &mut Vec<String>) {
    if chars.len() > 2 && is_dense(chars[0]) {
        words.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
    } else {
        words.push(chars.iter().flat_map(|c| c.to_lowercase()).collect());
    }
}
