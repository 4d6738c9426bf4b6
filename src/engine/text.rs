//! Value text as the engine holds it: short ones in place, long ones by name only, so that a log of ten thousand calls
//! of a megabyte each can be decided on in a small memory.

use serde::{Deserialize, Serialize};

use super::ids::Operation;

/// Longest value text kept in place, in bytes of UTF-8.
pub const INLINE_BYTES: usize = 1024;
/// Longest value that is recorded, in UTF-16 units (spec §6). Never shortened: what is longer is an error.
pub const MAX_VALUE_UNITS: u64 = 1_000_000;

/// Which value of an execution a stored text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    /// What the model wrote.
    Code,
    /// What runs: the recorded module text.
    Module,
    /// Where places of the module stand in the model's own text.
    Positions,
    Args(Operation),
    /// Arguments that a person put in place of the program's own.
    EditedArgs(Operation),
    Outcome(Operation),
    /// The snippet of this number, as JSON.
    Snippet(u32),
    Result,
    Console,
}

impl Slot {
    /// The name under which it is stored.
    pub fn name(self) -> String {
        match self {
            Self::Code => "code".to_owned(),
            Self::Module => "module".to_owned(),
            Self::Positions => "positions".to_owned(),
            Self::Args(operation) => format!("args:{}", operation.0),
            Self::EditedArgs(operation) => format!("edited_args:{}", operation.0),
            Self::Outcome(operation) => format!("outcome:{}", operation.0),
            Self::Snippet(number) => format!("snippet:{number}"),
            Self::Result => "result".to_owned(),
            Self::Console => "console".to_owned(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Text {
    Inline(String),
    /// Kept by the store under its slot. `length` is in UTF-16 units.
    Stored {
        length: u64,
    },
}

impl Text {
    pub fn length(&self) -> u64 {
        match self {
            Self::Inline(text) => units(text),
            Self::Stored { length } => *length,
        }
    }
}

/// A long text on its way to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spill {
    pub slot: Slot,
    pub text: String,
}

/// Splits a text into what the journal keeps and what the store keeps beside it.
pub fn keep(slot: Slot, text: String, spills: &mut Vec<Spill>) -> Text {
    if text.len() <= INLINE_BYTES {
        return Text::Inline(text);
    }
    let length = units(&text);
    spills.push(Spill { slot, text });
    Text::Stored { length }
}

/// Length in UTF-16 units, as JavaScript counts.
pub fn units(text: &str) -> u64 {
    if text.is_ascii() {
        text.len() as u64
    } else {
        text.encode_utf16().count() as u64
    }
}

/// A text for people, cut with a mark where it is too long. Never used on a value.
pub(crate) fn shorten(message: &str, most: usize) -> String {
    if message.len() <= most {
        return message.to_owned();
    }
    let mut end = most;
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}… ({} bytes in all)", &message[..end], message.len())
}
