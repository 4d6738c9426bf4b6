//! The line of a model's own text that a failure points at, so that its reader need not count.

use super::Runtime;
use super::pass::PassId;
use crate::engine::text::Slot;
use crate::store::sql::Sql;

/// Characters of a line that are shown around the place.
const WINDOW: usize = 120;

impl<S: Sql> Runtime<S> {
    /// The failure's text with the line that it points at.
    pub(super) fn shown(&self, pass: PassId, text: String) -> String {
        let passes = self.passes.borrow();
        let source = passes
            .get(pass)
            .map(|open| self.store.stored(&open.execution.id, Slot::Code));
        match source {
            Some(Ok(Some(source))) => with_line(text, &source),
            // The failure is what matters; a database that cannot be read shows when it is written.
            Some(Ok(None) | Err(_)) | None => text,
        }
    }
}

/// A failure's text with the line of its first frame that names a place: `    at name (3:11)`. Without such a frame, or
/// where the program made one up that leads nowhere, the text stays as it is.
pub(super) fn with_line(text: String, source: &str) -> String {
    let shown = text
        .lines()
        .find_map(place)
        .and_then(|(line, column)| pointed_at(source, line, column));
    match shown {
        Some(shown) => text + &shown,
        None => text,
    }
}

fn place(frame: &str) -> Option<(usize, usize)> {
    let frame = frame.strip_prefix("    at ")?.strip_suffix(')')?;
    let (line, column) = frame.rsplit_once('(')?.1.split_once(':')?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

/// The line, and a caret under the column; both count from 1, columns in UTF-16 units.
fn pointed_at(source: &str, line: usize, column: usize) -> Option<String> {
    let found = lines(source).nth(line.checked_sub(1)?)?;
    let mut left = column.checked_sub(1)?;
    let before = found
        .chars()
        .take_while(|it| {
            let goes_on = left > 0;
            left = left.saturating_sub(it.len_utf16());
            goes_on
        })
        .count();
    let skipped = before.saturating_sub(WINDOW / 2);
    let shown: String = found
        .chars()
        .map(|it| if it == '\t' { ' ' } else { it })
        .skip(skipped)
        .take(WINDOW)
        .collect();
    let (start, end) = (
        if skipped > 0 { "…" } else { "" },
        if found.chars().count() > skipped + WINDOW {
            "…"
        } else {
            ""
        },
    );
    let head = format!("{line} | {start}");
    let blank = " ".repeat(head.chars().count() + before - skipped);
    Some(format!("\n{head}{shown}{end}\n{blank}^"))
}

/// As a JavaScript engine counts them.
fn lines(source: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(source);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.find(['\n', '\r', '\u{2028}', '\u{2029}']);
        let Some(end) = end else {
            rest = None;
            return Some(text);
        };
        let (line, after) = text.split_at(end);
        let width = if after.starts_with("\r\n") {
            2
        } else {
            after.chars().next().map_or(0, char::len_utf8)
        };
        rest = after.get(width..);
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::with_line;

    fn shown(text: &str, source: &str) -> String {
        with_line(text.to_owned(), source)
    }

    #[test]
    fn the_line_of_the_first_place_is_shown_with_a_caret() {
        let text = "TypeError: no\n    at deep (2:9)\n    at top (1:1)";
        let told = shown(text, "one\n  throw new Error()\nthree");
        assert_eq!(
            told,
            format!("{text}\n2 |   throw new Error()\n            ^")
        );
    }

    #[test]
    fn lines_end_and_columns_count_as_in_javascript() {
        let text = "E\n    at a (4:4)";
        for source in ["1\r\n2\r3\u{2028}😀x!", "1\n2\u{2029}3\n😀x!"] {
            assert_eq!(shown(text, source), format!("{text}\n4 | 😀x!\n      ^"));
        }
    }

    #[test]
    fn a_long_line_shows_what_is_near() {
        let told = shown(
            "E\n    at a (1:501)",
            &format!("{}X{}", "a".repeat(500), "b".repeat(500)),
        );
        let lines: Vec<_> = told.lines().collect();
        assert_eq!(lines[2].chars().count(), "1 | …".chars().count() + 120 + 1);
        assert_eq!(
            lines[2].chars().nth(lines[3].chars().count() - 1),
            Some('X')
        );
    }

    #[test]
    fn a_place_that_is_none_shows_nothing() {
        for text in [
            "",
            "boom",
            "E\n    at a (0:1)",
            "E\n    at a (1:0)",
            "E\n    at a (9:1)",
            "E\n    at a (x:y)",
            "E\n    at (99999999999999999999999:1)",
            "    at ",
        ] {
            assert_eq!(shown(text, "one"), text);
        }
        // Beyond the line's end the caret stands at its end.
        assert_eq!(
            shown("E\n    at a (1:99)", "one"),
            "E\n    at a (1:99)\n1 | one\n       ^"
        );
    }
}
