//! A word to the term that it is filed under: accents taken off, the form of the word taken off by its language's stemmer.
//!
//! The language is read off the letters, for the same word must give the same term in a document and in a query: Cyrillic
//! is taken for Russian, a letter that only German, French or Spanish uses for that, all else in Latin for English.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// Longer ones are no words. Cut alike on both sides, so that a long name is still found.
const MAX_TERM_BYTES: usize = 48;

pub(super) struct Terms {
    english: Stemmer,
    russian: Stemmer,
    german: Stemmer,
    french: Stemmer,
    spanish: Stemmer,
}

impl std::fmt::Debug for Terms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Terms")
    }
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            english: Stemmer::create(Algorithm::English),
            russian: Stemmer::create(Algorithm::Russian),
            german: Stemmer::create(Algorithm::German),
            french: Stemmer::create(Algorithm::French),
            spanish: Stemmer::create(Algorithm::Spanish),
        }
    }
}

impl Terms {
    /// The term of a lower-case word.
    pub(super) fn of(&self, word: &str) -> String {
        let word = cut(word);
        if word.is_ascii() {
            return match word.len() {
                // Nothing to take off: `is`, `ids`, `s3`.
                0..=2 => word.to_owned(),
                _ => self.english.stem(word).into_owned(),
            };
        }
        let stem: Cow<'_, str> = match language(word) {
            Some(Language::Russian) => self.russian.stem(word),
            Some(Language::German) => self.german.stem(word),
            Some(Language::French) => self.french.stem(word),
            Some(Language::Spanish) => self.spanish.stem(word),
            None => Cow::Borrowed(word),
        };
        plain(&stem)
    }
}

fn cut(word: &str) -> &str {
    let mut end = word.len().min(MAX_TERM_BYTES);
    while !word.is_char_boundary(end) {
        end -= 1;
    }
    word.get(..end).unwrap_or_default()
}

enum Language {
    Russian,
    German,
    French,
    Spanish,
}

fn language(word: &str) -> Option<Language> {
    if word.chars().all(|c| matches!(c, 'а'..='я' | 'ё')) {
        return Some(Language::Russian);
    }
    if !word
        .chars()
        .all(|c| matches!(c, 'a'..='z' | 'ß'..='ö' | 'ø'..='ÿ' | 'œ'))
    {
        return None;
    }
    word.chars().find_map(|c| match c {
        'ä' | 'ö' | 'ü' | 'ß' => Some(Language::German),
        'à' | 'â' | 'ç' | 'è' | 'ê' | 'ë' | 'î' | 'ï' | 'ô' | 'û' | 'œ' => {
            Some(Language::French)
        }
        'ñ' | 'á' | 'í' | 'ó' | 'ú' => Some(Language::Spanish),
        // French, Spanish and Portuguese all have it; French most at the end of a word.
        'é' => Some(Language::French),
        _ => None,
    })
}

/// Without accents, and wide letters as narrow ones.
fn plain(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            '\u{0300}'..='\u{036F}' => {}
            'à'..='å' | 'ā' | 'ă' | 'ą' => out.push('a'),
            'ç' | 'ć' | 'č' => out.push('c'),
            'ď' | 'đ' => out.push('d'),
            'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => out.push('e'),
            'ğ' => out.push('g'),
            'ì'..='ï' | 'ī' | 'ı' => out.push('i'),
            'ł' | 'ľ' | 'ĺ' => out.push('l'),
            'ñ' | 'ń' | 'ň' => out.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => out.push('o'),
            'ŕ' | 'ř' => out.push('r'),
            'ś' | 'š' | 'ş' | 'ș' => out.push('s'),
            'ß' => out.push_str("ss"),
            'ť' | 'ţ' | 'ț' => out.push('t'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' => out.push('u'),
            'ý' | 'ÿ' => out.push('y'),
            'ź' | 'ż' | 'ž' => out.push('z'),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ё' => out.push('е'),
            // Full-width forms of ASCII.
            '\u{FF01}'..='\u{FF5E}' => {
                out.extend(char::from_u32(u32::from(c).saturating_sub(0xFEE0)));
            }
            _ => out.push(c),
        }
    }
    out
}
