//! Additions to the model's text, and where each place of the result came from.
//!
//! Text is only ever added, so a line of the module holds what that line of the program held, and a place is found by
//! counting. What will print the program anew has to fill `Module::positions` by other means; the rows say no more
//! than pairs of places.

use super::tokens::is_break;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Addition {
    /// Byte offset in the model's text.
    pub(super) at: usize,
    pub(super) text: String,
}

impl Addition {
    pub(super) fn new(at: usize, text: impl Into<String>) -> Self {
        Self {
            at,
            text: text.into(),
        }
    }
}

#[derive(Debug)]
pub(super) struct Edited {
    pub(super) text: String,
    additions: Vec<Addition>,
}

impl Edited {
    /// Additions at one place keep the order in which they are given.
    pub(super) fn new(source: &str, mut additions: Vec<Addition>) -> Self {
        additions.sort_by_key(|addition| addition.at);
        let mut text = String::with_capacity(
            source.len() + additions.iter().map(|a| a.text.len()).sum::<usize>(),
        );
        let mut copied = 0;
        for addition in &additions {
            text.push_str(source.get(copied..addition.at).unwrap_or_default());
            text.push_str(&addition.text);
            copied = addition.at;
        }
        text.push_str(source.get(copied..).unwrap_or_default());
        Self { text, additions }
    }

    /// The place in the model's text of a byte offset in this one; within an addition, the place where it was added.
    pub(super) fn origin(&self, offset: usize) -> usize {
        let mut added = 0;
        for addition in &self.additions {
            let begin = addition.at + added;
            if offset < begin {
                break;
            }
            if offset < begin + addition.text.len() {
                return addition.at;
            }
            added += addition.text.len();
        }
        offset - added
    }

    /// Flat fours: line and column here, line and column in the model's text. The last row at or before a place speaks
    /// for it: on the row's own line by the distance in columns, on a later line by the distance in lines alone.
    pub(super) fn positions(&self, source: &str) -> Vec<u32> {
        let mut rows: Vec<u32> = Vec::with_capacity(self.additions.len() * 4);
        let (mut here, mut there) = (Place::START, Place::START);
        let mut copied = 0;
        for addition in &self.additions {
            let kept = source.get(copied..addition.at).unwrap_or_default();
            copied = addition.at;
            if !kept.is_empty() {
                push(&mut rows, here, there);
            }
            here = here.after(kept);
            there = there.after(kept);
            here = here.after(&addition.text);
        }
        push(&mut rows, here, there);
        rows
    }
}

fn push(rows: &mut Vec<u32>, here: Place, there: Place) {
    rows.extend([here.line, here.column, there.line, there.column]);
}

/// A place as people and V8 count it: from 1, columns in UTF-16 units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Place {
    pub(super) const START: Self = Self { line: 1, column: 1 };

    /// Where one stands after this text. `\r\n` is one line break.
    pub(super) fn after(mut self, text: &str) -> Self {
        let mut returned = false;
        for c in text.chars() {
            if c == '\n' && returned {
                returned = false;
                continue;
            }
            returned = c == '\r';
            if is_break(c) {
                self.line = self.line.saturating_add(1);
                self.column = 1;
            } else {
                self.column = self
                    .column
                    .saturating_add(if c.len_utf16() == 2 { 2 } else { 1 });
            }
        }
        self
    }
}
