//! A text made of the model's text by edits, and where each place of it came from.
//!
//! What is kept is never copied by hand and never moved past other text, so a place is found by counting. Each stage
//! edits the text of the stage before; the places always lead back to what the model wrote.

use crate::error::{Code, Error};

use super::tokens::is_break;

/// A range of a text and what stands there afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) start: usize,
    end: usize,
    text: String,
    /// The byte of `text` that stacks show as the place of the edit.
    mark: Option<usize>,
}

impl Edit {
    pub(super) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::replace(at, at, text)
    }

    pub(super) fn replace(start: usize, end: usize, text: impl Into<String>) -> Self {
        Self {
            start,
            end,
            text: text.into(),
            mark: None,
        }
    }

    pub(super) fn marked(mut self, at: usize) -> Self {
        self.mark = Some(at);
        self
    }

    pub(super) fn added(&self) -> usize {
        self.text.len()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The model's own text.
    Kept,
    /// Put there; it has no place of its own.
    Made,
    /// Put there, and shown as standing at the place where it was put.
    Marked,
}

/// A run of the text: where it begins here, and in the model's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    kind: Kind,
    at: usize,
    origin: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Draft<'s> {
    /// What the model wrote.
    pub(super) model: &'s str,
    pub(super) text: String,
    /// Ascending in both places; the first begins at 0.
    pieces: Vec<Piece>,
}

impl<'s> Draft<'s> {
    pub(super) fn new(model: &'s str) -> Self {
        Self {
            model,
            text: model.to_owned(),
            pieces: vec![Piece {
                kind: Kind::Kept,
                at: 0,
                origin: 0,
            }],
        }
    }

    /// Edits at one place keep the order in which they are given.
    pub(super) fn apply(&self, mut edits: Vec<Edit>) -> Result<Self, Error> {
        edits.sort_by_key(|edit| edit.start);
        let mut next = Self {
            model: self.model,
            text: String::with_capacity(
                self.text.len() + edits.iter().map(Edit::added).sum::<usize>(),
            ),
            pieces: Vec::with_capacity(self.pieces.len() + edits.len() * 2),
        };
        let (mut copied, mut piece) = (0, 0);
        for edit in &edits {
            if edit.start < copied || edit.end < edit.start || edit.end > self.text.len() {
                return Err(Error::new(
                    Code::Internal,
                    "two changes to the program overlap; report it with the program's text",
                ));
            }
            self.keep(&mut next, copied, edit.start, &mut piece);
            copied = edit.end;
            let origin = self.origin(edit.start);
            let mark = edit.mark.unwrap_or(edit.text.len());
            for (kind, text) in [
                (Kind::Made, edit.text.get(..mark)),
                (Kind::Marked, edit.text.get(mark..)),
            ] {
                next.push(kind, origin, text.unwrap_or_default());
            }
        }
        self.keep(&mut next, copied, self.text.len(), &mut piece);
        Ok(next)
    }

    /// Takes a range of this text over. `piece` is where the search begins; ranges come in order.
    fn keep(&self, next: &mut Self, from: usize, to: usize, piece: &mut usize) {
        let mut at = from;
        while at < to {
            while self.pieces.get(*piece + 1).is_some_and(|it| it.at <= at) {
                *piece += 1;
            }
            let Some(here) = self.pieces.get(*piece) else {
                return;
            };
            let end = self.pieces.get(*piece + 1).map_or(to, |it| it.at.min(to));
            let inside = if here.kind == Kind::Kept {
                at - here.at
            } else {
                0
            };
            let text = self.text.get(at..end).unwrap_or_default();
            next.push(here.kind, here.origin + inside, text);
            at = end;
        }
    }

    fn push(&mut self, kind: Kind, origin: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let at = self.text.len();
        self.text.push_str(text);
        let goes_on = self.pieces.last().is_some_and(|last| {
            last.kind == Kind::Kept && kind == Kind::Kept && last.origin + at - last.at == origin
        });
        if !goes_on {
            self.pieces.push(Piece { kind, at, origin });
        }
    }

    /// The place in the model's text of a byte offset in this one; of what was put there, the place where it was put.
    pub(super) fn origin(&self, offset: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.at <= offset);
        let Some(piece) = after.checked_sub(1).and_then(|at| self.pieces.get(at)) else {
            return 0;
        };
        let inside = if piece.kind == Kind::Kept {
            offset - piece.at
        } else {
            0
        };
        (piece.origin + inside).min(self.model.len())
    }

    /// Flat fours: line and column here, line and column in the model's text. The last row at or before a place speaks
    /// for it: on the row's own line by the distance in columns, on a later line by the distance in lines alone.
    pub(super) fn positions(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = Vec::with_capacity(self.pieces.len() * 4);
        let (mut here, mut there) = (Place::START, Place::START);
        let mut read = 0;
        let mut marked = false;
        for (index, piece) in self.pieces.iter().enumerate() {
            there = there.after(self.model.get(read..piece.origin).unwrap_or_default());
            read = piece.origin;
            // A mark speaks for itself alone: what was put behind it has the place of what follows.
            if piece.kind != Kind::Made || marked {
                rows.extend([here.line, here.column, there.line, there.column]);
            }
            marked = piece.kind == Kind::Marked;
            let end = self
                .pieces
                .get(index + 1)
                .map_or(self.text.len(), |it| it.at);
            here = here.after(self.text.get(piece.at..end).unwrap_or_default());
        }
        rows
    }
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
