//! JSON that JavaScript wrote may hold one half of a surrogate pair (`\ud83d` alone), which is no text in Rust. Such a half
//! must not cost the rest: a message is read, a method list is kept, with U+FFFD in its place. Value texts themselves are
//! never rewritten here.

use serde::de::DeserializeOwned;

/// `serde_json::from_str` that gets over lone surrogates. Looks for them only when the text could not be read as it is.
pub fn read_json<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    serde_json::from_str(text).or_else(|error| match mended(text) {
        Some(text) => serde_json::from_str(&text),
        None => Err(error),
    })
}

/// The text with every lone half replaced; `None` when it has none.
pub fn mended(text: &str) -> Option<String> {
    // A long text that has no half at all is not copied.
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = match (half(rest), half(rest.get(6..).unwrap_or_default())) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(_), _) => {
                changed = true;
                out.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            // Whatever is escaped goes along with its backslash, which may be another one.
            (None, _) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    out.push_str(rest);
    changed.then_some(out)
}

/// The surrogate that an escape at the beginning of the text stands for.
fn half(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let unit = u16::from_str_radix(digits, 16).ok()?;
    (0xd800..=0xdfff).contains(&unit).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::read_json;

    #[track_caller]
    fn check(json: &str, expected: &str) {
        assert_eq!(read_json::<String>(json).unwrap(), expected);
    }

    #[test]
    fn a_lone_half_is_replaced_and_the_rest_is_kept() {
        check(r#""a\ud83d b""#, "a\u{fffd} b");
        check(r#""\udc00\uD800""#, "\u{fffd}\u{fffd}");
        check(r#""\ud800\ud83d\ude00""#, "\u{fffd}\u{1f600}");
        check(r#""\ud83d\n""#, "\u{fffd}\n");
        check(r#""\ud83d漢""#, "\u{fffd}漢");
    }

    #[test]
    fn what_only_looks_like_a_half_stays() {
        check(r#""\\ud800""#, "\\ud800");
        check(r#""\\\ud800\\""#, "\\\u{fffd}\\");
        check(r#""\ud83d\ude00""#, "\u{1f600}");
    }

    #[test]
    fn what_is_no_json_is_an_error_as_before() {
        for text in ["", "\\", "\"\\", "\"\\ud8", "\"\\ud800", "\"\\u漢字漢字\""] {
            assert!(read_json::<String>(text).is_err(), "{text}");
        }
    }
}
