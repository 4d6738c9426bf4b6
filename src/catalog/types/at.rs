//! Where a reader of schemas stands, and how far it may go from there.

/// Where the reader stands.
#[derive(Clone, Copy)]
pub(super) struct At<'s> {
    pub(super) depth: usize,
    /// How many objects may still be opened.
    pub(super) nest: usize,
    pub(super) place: Place,
    /// The property it is in: a name for what has none.
    pub(super) label: &'s str,
    /// Are items of lists one level deeper than the list?
    list: bool,
}

/// An alias may name itself inside an object or array, but not bare: `type A = A | string` is an error in TypeScript.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Bare,
    Enclosed,
}

impl<'s> At<'s> {
    pub(super) fn root(nest: usize) -> Self {
        Self {
            depth: 0,
            nest,
            place: Place::Bare,
            label: "Item",
            list: false,
        }
    }

    pub(super) fn list(self) -> Self {
        Self { list: true, ..self }
    }

    pub(super) fn levels(self, nest: usize) -> Self {
        Self { nest, ..self }
    }

    /// A schema that is a part of the same type.
    pub(super) fn beside(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    pub(super) fn item(self) -> Self {
        Self {
            depth: self.depth + 1,
            nest: self.nest.saturating_sub(usize::from(self.list)),
            place: Place::Enclosed,
            ..self
        }
    }

    pub(super) fn member(self, label: &'s str) -> Self {
        Self {
            label,
            depth: self.depth + 1,
            nest: self.nest.saturating_sub(1),
            place: Place::Enclosed,
            ..self
        }
    }
}
