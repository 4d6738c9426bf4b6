//! Documentation in fewer words: markup taken off, sentences counted, what a name says already left out.
//!
//! Works on any language that ends its sentences with a full stop; where there is none, by length alone.

use super::text::cut;
use crate::catalog::tokens::{is_stop_word, words};

const MAX_SUMMARY_CHARS: usize = 200;
/// A digest stops before the sentence that would make it longer.
const MAX_DIGEST_CHARS: usize = 110;
/// Sentences are looked for in so much of a text: for a digest, and for one sentence.
const MAX_READ_CHARS: usize = 4_000;
const MAX_SENTENCE_CHARS: usize = 600;
/// Of a longer text only the beginning is looked at for what it repeats.
const MAX_COMPARED_CHARS: usize = 400;

/// HTML that stands in descriptions. Anything else in angle brackets is a placeholder, `<owner>`.
#[rustfmt::skip]
const TAGS: [&str; 18] = [
    "a", "b", "br", "code", "div", "em", "h2", "h3", "i", "li", "ol", "p", "pre", "span", "strong", "table", "tt", "ul",
];

/// The first paragraph of a description, on one line.
pub(in crate::catalog) fn first_paragraph(text: &str) -> Option<String> {
    let first = text.trim().split("\n\n").next()?;
    let line = one_line(first);
    (!line.is_empty()).then(|| cut(&line, MAX_SUMMARY_CHARS))
}

/// The sentences of a description that say something, as far as there is room: without markup, and without what the names
/// beside it or the sentence before say already.
pub(in crate::catalog) fn digest(text: &str, names: &[&str]) -> String {
    let text = plain(text, MAX_READ_CHARS);
    let mut told: Vec<&str> = Vec::new();
    let (mut skipped, mut left_out) = (false, false);
    let mut length = 0;
    for sentence in text.split("\n\n").flat_map(sentences) {
        if is_pointer(sentence) || repeats(sentence, names) {
            skipped = true;
            continue;
        }
        if let Some(last) = told.last() {
            if repeats(sentence, &[last]) {
                continue;
            }
            if told.len() == 1 && repeats(last, &[sentence]) {
                told.clear();
                length = 0;
            }
        }
        length += sentence.chars().count() + 1;
        if length > MAX_DIGEST_CHARS && (!told.is_empty() || skipped) {
            left_out = true;
            break;
        }
        told.push(sentence);
    }
    if told.is_empty() {
        // Rather the name again than nothing.
        let title = text.split("\n\n").flat_map(sentences).next();
        return cut(&title.map(ended).unwrap_or_default(), MAX_DIGEST_CHARS);
    }
    let whole: Vec<String> = told.into_iter().map(ended).collect();
    let whole = cut(&whole.join(" "), MAX_DIGEST_CHARS * 2);
    if left_out && !whole.is_empty() && !whole.ends_with('…') {
        format!("{whole} …")
    } else {
        whole
    }
}

/// Does the sentence only lead to other text?
fn is_pointer(sentence: &str) -> bool {
    sentence.starts_with("For more information")
        || sentence.contains("the following")
        || sentence.ends_with(':')
}

/// The first sentence, without markup.
pub(super) fn brief(text: &str, most: usize) -> String {
    let text = plain(text, MAX_SENTENCE_CHARS);
    let first = text.split("\n\n").flat_map(sentences).next();
    cut(&first.map(one_line).unwrap_or_default(), most)
}

/// Does the text say nothing that these names do not say?
pub(in crate::catalog) fn repeats(text: &str, names: &[&str]) -> bool {
    let known: Vec<String> = names
        .iter()
        .flat_map(|name| words(&cut(name, MAX_COMPARED_CHARS)))
        .collect();
    let said: Vec<String> = words(&cut(text, MAX_COMPARED_CHARS))
        .into_iter()
        .filter(|word| !is_stop_word(word) && !EMPTY.contains(&word.as_str()))
        .collect();
    let new = said
        .iter()
        .filter(|word| !known.iter().any(|other| alike(word, other)));
    // One word of four is an ornament: "gets the total cache usage of an organization".
    new.count() * 4 <= said.len()
}

/// Words that documentation is fond of and that add nothing to a name.
#[rustfmt::skip]
const EMPTY: [&str; 21] = [
    "the", "of", "a", "this", "given", "specific", "specified", "get", "gets", "retrieve", "retrieves", "return", "returns", "new",
    "one", "single", "name", "unique", "identifier", "value", "used",
];

/// One word in two forms: `issues` and `issue`, `created` and `creates`.
fn alike(a: &str, b: &str) -> bool {
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let (a, b) = (a.chars().count(), b.chars().count());
    // `repo` is `repository`, and `listed` is `lists`.
    shared == a.max(b) || shared >= 3 && shared == a.min(b) || shared >= 4 && a.max(b) - shared <= 3
}

/// Sentences of one paragraph. A full stop inside `e.g.` or `v1.2` ends none.
fn sentences(paragraph: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = paragraph.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = match c {
            '.' | '!' | '?' => {
                let word = paragraph[start..at].rsplit(char::is_whitespace).next();
                let short = word.is_none_or(|word| word.contains('.') || word.len() < 2);
                let mut rest = paragraph[at + 1..].chars();
                let next = rest.next();
                let begins = rest.find(|c| !c.is_whitespace());
                !short
                    && next.is_none_or(char::is_whitespace)
                    && !begins.is_some_and(char::is_lowercase)
            }
            '。' => true,
            _ => false,
        };
        if ends || chars.peek().is_none() {
            let end = at + c.len_utf8();
            let sentence = paragraph[start..end].trim();
            if !sentence.is_empty() {
                found.push(sentence);
            }
            start = end;
        }
    }
    found
}

/// A sentence on one line; a title has no full stop of its own.
fn ended(sentence: &str) -> String {
    let line = one_line(sentence);
    if line.ends_with(|c: char| c.is_alphanumeric()) {
        format!("{line}.")
    } else {
        line
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Without Markdown's and HTML's marks; of a link its text.
fn plain(text: &str, most: usize) -> String {
    let text = match text.char_indices().nth(most) {
        None => text,
        Some((end, _)) => &text[..end],
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = match c {
            '[' => match link(after) {
                Some((label, after)) => {
                    out.push_str(label);
                    after
                }
                None => {
                    out.push(c);
                    after
                }
            },
            '!' if after.starts_with('[') => after,
            '<' => match tag(after) {
                Some(after) => after,
                None => {
                    out.push(c);
                    after
                }
            },
            '`' => after,
            '*' if after.starts_with('*') => &after[1..],
            '\r' => after,
            _ => {
                out.push(c);
                after
            }
        };
    }
    out.replace("> !NOTE", "").replace("\n> ", "\n")
}

/// `text](target)` after the bracket: the text, and what follows. `!NOTE]` is its own text.
fn link(rest: &str) -> Option<(&str, &str)> {
    let (label, after) = rest.split_once(']')?;
    if label.contains('[') {
        return None;
    }
    match after.strip_prefix('(') {
        Some(target) => {
            let (_, after) = target.split_once(')')?;
            Some((label, after))
        }
        None => label.starts_with('!').then_some((label, after)),
    }
}

/// What follows an HTML tag whose bracket was read.
fn tag(rest: &str) -> Option<&str> {
    let (inside, after) = rest.split_once('>')?;
    let name = inside.trim_matches('/');
    let name = name.split(char::is_whitespace).next()?.trim_matches('/');
    TAGS.contains(&name).then_some(after)
}
