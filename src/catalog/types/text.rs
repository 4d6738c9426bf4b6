//! Text that stands in TypeScript: names, strings and comments that cannot be ended from inside.

/// A string literal. U+2028 and U+2029 were line ends in JavaScript's strings for long, and still are for some readers.
pub(in crate::catalog) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || c == '\u{2028}' || c == '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A name where a property or a method is declared.
pub(in crate::catalog) fn property(name: &str) -> String {
    // `__proto__` unquoted sets a prototype where the model copies it into a literal; `new(` declares a constructor.
    if is_identifier(name) && name != "__proto__" && name != "new" {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// ASCII only: what else is an identifier depends on the reader's Unicode version, and quotes are always right.
pub(in crate::catalog) fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

/// Text inside a comment: it cannot end the comment, and has no control characters but line breaks.
pub(super) fn safe(text: &str) -> String {
    text.replace("*/", "*\\/")
        .replace("\r\n", "\n")
        .replace(|c: char| c.is_control() && c != '\n', " ")
}

/// The text up to so many characters, with a mark where it was cut.
pub(in crate::catalog) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}
