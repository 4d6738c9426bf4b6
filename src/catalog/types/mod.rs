//! JSON Schema to TypeScript: read (`reader`), held as values (`value`), printed (`print`).
//!
//! A *sheet* is one schema read for one purpose, with what it declares and what it leaves closed. Knows no connector, no
//! method and no shelf.

mod at;
mod docs;
mod literal;
mod measure;
mod objects;
mod print;
mod prose;
mod reader;
mod refs;
mod reach;
mod sheet;
mod text;
mod value;

pub(super) use measure::weight;
pub(super) use print::{Form, comment, line, whole};
pub(super) use prose::{digest, first_paragraph, repeats};
pub(super) use reader::{inline, parameters, required};
pub(super) use refs::{Names, percent_decoded};
pub(super) use sheet::{Definition, Sheet, Start, Stub, View, read};
pub(super) use text::{cut, property, quoted};
pub(super) use value::Type;

/// Whose words the descriptions in a schema are, and so how much of them is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// Written for the model that calls: shown as they are.
    Whole,
    /// Documentation for people: the first sentence, without markup, where it says more than the name.
    Brief,
    /// The same, cut short.
    Terse,
    /// Only what limits values.
    Limits,
    /// Not shown; nor are limits.
    None,
}
