//! The text a model wrote, made a module that can be run; or a refusal that says what to write instead.
//!
//! ```text
//! text ──encoded, fences──▶ program ──tokens, depth──▶ safe to parse ──syntax──▶ tree
//!   tree ──typescript──▶ JavaScript ──exports, forms, completion──▶ module ──walk, syntax──▶ checked ──budget──▶ counting
//! ```
//!
//! **Invariant:** the text is parsed as a whole program of its own before anything is put around it, and what was made
//! of it is parsed again and must be one `export default` of one async arrow function. So no text leaves its place.
//!
//! **Invariant:** nothing about a program is decided by searching its text; forms, types and imports are read off the
//! tree. Fences are lines of Markdown, and what is no program in any reading is named by its words.
//!
//! **Invariant:** no input panics and none exhausts the stack; `depth` and `walk` refuse first.
//!
//! **Invariant:** every stage edits the text of the one before (`edits`), so that places lead back to the model's own.
//!
//! No async, no JavaScript values, no SQL, and nothing of ours but the error table.

mod budget;
mod completion;
mod depth;
mod edits;
mod encoded;
mod entry;
mod enums;
mod exports;
mod fences;
mod forms;
mod hints;
mod members;
mod names;
mod reading;
mod refusals;
mod syntax;
mod tokens;
mod typescript;
mod unwrap;
mod walk;

#[cfg(test)]
mod tests;

use crate::error::{Code, Error};

/// The limit of every stored value, in UTF-16 units as JavaScript counts them.
const MAX_UNITS: usize = 1_000_000;

/// A module whose top level holds nothing but one exported function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// The exported function takes what an entry function is called with, and an object that as a number is the next
    /// share of the budget, and throws when there is none. It returns the program's value.
    pub text: String,
    /// Flat fours: line and column in `text`, line and column in the model's text; all from 1, columns in UTF-16 units,
    /// ascending. The last row at or before a place speaks for it: on the row's own line by the distance in columns,
    /// on a later line by the distance in lines alone.
    pub positions: Vec<u32>,
    /// Whether the program is a function, which is given the input of `codemode.run`.
    pub takes_input: bool,
    /// Snippets that it runs by a name written out, each once, in order.
    pub runs: Vec<String>,
}

/// Whether the module counts what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    Counted,
    Uncounted,
}

#[derive(Debug, Clone, Copy)]
pub struct Options<'o> {
    /// Names of the connectors.
    pub namespaces: &'o [String],
    pub budget: Budget,
}

/// Refuses early: the code is `invalid_input`, `syntax` or `too_large`.
pub fn intake(code: &str, options: &Options<'_>) -> Result<Module, Error> {
    let units = code.encode_utf16().count();
    if units > MAX_UNITS {
        return Err(Error::new(
            Code::TooLarge,
            format!(
                "the program is {units} characters long, the limit is {MAX_UNITS}; keep large data out of the program, \
                 store it with a connector and pass a reference"
            ),
        ));
    }
    let made = unwrap::read(code, options)?;
    Ok(Module {
        positions: made.module.positions(),
        text: made.module.text,
        takes_input: made.takes_input,
        runs: made.runs,
    })
}
