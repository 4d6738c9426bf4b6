//! A program that was encoded once too often: a JSON string that holds it, an object `{ "code": "…" }`, or a text in
//! which every line break is written `\n`. Undone once, by edits, so that places stay those of the model's text.

use super::edits::{Draft, Edit};
use super::tokens::is_break;

/// What a text that is one JSON string, or one object with a string under `code`, holds.
pub(super) fn literal<'s>(draft: &Draft<'s>) -> Option<Draft<'s>> {
    let text = draft.text.trim_end();
    let mut at = draft.text.len() - draft.text.trim_start().len();
    let mut behind = "";
    if text.get(at..)?.starts_with('{') {
        at = after(text, at, "{")?;
        at = after(text, at, "\"code\"")?;
        at = after(text, at, ":")?;
        behind = "}";
    }
    let mut edits = vec![Edit::replace(0, after_quote(text, at)?, "")];
    let end = unescape(text, at + 1, &mut edits)?;
    let rest = text.get(end + 1..)?.trim_start();
    if rest != behind {
        return None;
    }
    edits.push(Edit::replace(end, draft.text.len(), ""));
    draft.apply(edits).ok()
}

fn after(text: &str, at: usize, sign: &str) -> Option<usize> {
    let rest = text.get(at..)?.strip_prefix(sign)?;
    Some(text.len() - rest.trim_start().len())
}

fn after_quote(text: &str, at: usize) -> Option<usize> {
    text.get(at..)?.starts_with('"').then_some(at + 1)
}

/// Edits for each escape from `start` on; the place of the quote that ends the string.
fn unescape(text: &str, start: usize, edits: &mut Vec<Edit>) -> Option<usize> {
    let mut at = start;
    loop {
        let next = text.get(at..)?.chars().next()?;
        match next {
            '"' => return Some(at),
            '\\' => {
                let (length, meant) = escape(text.get(at..)?)?;
                edits.push(Edit::replace(at, at + length, meant));
                at += length;
            }
            c if c < ' ' => return None,
            c => at += c.len_utf8(),
        }
    }
}

/// An escape of JSON: how long it is and what it means.
fn escape(text: &str) -> Option<(usize, char)> {
    let meant = match text.chars().nth(1)? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'b' => '\u{8}',
        'f' => '\u{c}',
        c @ ('"' | '\\' | '/') => c,
        'u' => {
            let first = unit(text)?;
            if let Some(c) = char::from_u32(first) {
                return Some((6, c));
            }
            let second = unit(text.get(6..).filter(|rest| rest.starts_with("\\u"))?)?;
            let mut decoded =
                char::decode_utf16([u16::try_from(first).ok()?, u16::try_from(second).ok()?]);
            return decoded.next()?.ok().map(|c| (12, c));
        }
        _ => return None,
    };
    Some((2, meant))
}

fn unit(text: &str) -> Option<u32> {
    let digits = text
        .get(2..6)
        .filter(|it| it.chars().all(|c| c.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}

/// A text of one line with `\n` in it: all escapes undone if it can be the inside of a JSON string, and otherwise those
/// of blanks outside quotes.
pub(super) fn escaped<'s>(draft: &Draft<'s>) -> Option<Draft<'s>> {
    let text = draft.text.trim_end();
    if text.contains(is_break) || !text.contains("\\n") {
        return None;
    }
    let mut edits = Vec::new();
    // The quote that would end the string.
    let closed = format!("{text}\"");
    if unescape(&closed, 0, &mut edits) == Some(text.len()) {
        return draft.apply(edits).ok();
    }
    draft.apply(outside_quotes(text)).ok()
}

fn outside_quotes(text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut quote = None;
    let mut signs = text.char_indices();
    while let Some((at, sign)) = signs.next() {
        match (sign, quote) {
            ('\\', within) => {
                let meant = match signs.next() {
                    Some((_, 'n')) => "\n",
                    Some((_, 'r')) => "\r",
                    Some((_, 't')) => "\t",
                    _ => continue,
                };
                if within.is_none() {
                    edits.push(Edit::replace(at, at + 2, meant));
                }
            }
            ('"' | '\'' | '`', None) => quote = Some(sign),
            (sign, Some(open)) if sign == open => quote = None,
            _ => {}
        }
    }
    edits
}
