//! The text a model wrote, made a module that can be run; or a refusal that says what to write instead.
//!
//! ```text
//! text ──tokens, depth──▶ safe to parse ──syntax──▶ tree ──forms, completion──▶ additions ──edits──▶ module
//!                                                                                  module ──syntax, walk──▶ checked
//! ```
//!
//! **Invariant:** the text is parsed as a whole program of its own before anything is put around it, and what was made
//! of it is parsed again and must be one `export default` of one async arrow function. So no text leaves its place.
//!
//! **Invariant:** nothing here is decided by searching the text; forms and imports are read off the tree.
//!
//! **Invariant:** no input panics and none exhausts the stack; `depth` and `walk` refuse first.
//!
//! No async, no JavaScript values, no SQL, and nothing of ours but the error table. Fences, TypeScript, exports and the
//! loop budget are not here yet: the first two will turn a text into a text before `intake` reads it, the others are
//! more additions.

mod completion;
mod depth;
mod edits;
mod forms;
mod syntax;
mod tokens;
mod walk;

#[cfg(test)]
mod tests;

use oxc_allocator::Allocator;
use oxc_ast::ast::{ExportDefaultDeclarationKind, Program, Statement};

use crate::error::{Code, Error};

use edits::Edited;
use forms::{Extent, Reading, Refused, Whole};
use syntax::Fault;
use tokens::Tokens;

/// The limit of every stored value, in UTF-16 units as JavaScript counts them.
const MAX_UNITS: usize = 1_000_000;

/// Most bytes that may be put around a program's statements to keep a value; each costs a row of positions.
const MAX_ADDED: usize = 100_000;

/// A module whose top level holds nothing but one exported function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// The exported function takes a snippet's input, which a program does not have, and returns the program's value.
    pub text: String,
    /// Flat fours: line and column in `text`, line and column in the model's text; all from 1, columns in UTF-16 units,
    /// ascending. The last row at or before a place speaks for it: on the row's own line by the distance in columns,
    /// on a later line by the distance in lines alone.
    pub positions: Vec<u32>,
    /// Whether the program is a function that is given the input of `codemode.run`.
    pub takes_input: bool,
    /// Snippets that it runs by a name written out, each once, in order.
    pub runs: Vec<String>,
}

/// Refuses early: the code is `invalid_input`, `syntax` or `too_large`.
pub fn intake(code: &str) -> Result<Module, Error> {
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
    let mut extent = None;
    depth::check(Tokens::new(code).inspect(|token| Extent::widen(&mut extent, token)))?;
    let extent = extent.ok_or_else(forms::no_program)?;
    // One arena for every reading: memory once taken by wasm is never given back.
    let mut allocator = Allocator::default();
    let (additions, takes_input) = read(&mut allocator, code, extent)?;
    let edited = Edited::new(code, additions);
    if edited.text.len() > code.len() + MAX_ADDED {
        return Err(Error::new(
            Code::TooLarge,
            "the program's last statement holds too many statements for its value to be kept; end the program with \
             `return`",
        ));
    }
    allocator.reset();
    let runs = confirm(&allocator, code, &edited)?;
    Ok(Module {
        takes_input,
        runs,
        positions: edited.positions(code),
        text: edited.text,
    })
}

/// What has to be added to the text, whichever way it can be read.
fn read(allocator: &mut Allocator, code: &str, extent: Extent<'_>) -> Result<Reading, Error> {
    // Only these begin a statement and an expression alike.
    let either = matches!(extent.first, "{" | "function" | "async" | "class");
    let as_expression = either.then(|| forms::as_expression(allocator, code, extent));
    if let Some(Ok((Whole::Object, reading))) = as_expression {
        return Ok(reading);
    }
    allocator.reset();
    match (syntax::parse(allocator, code), as_expression) {
        (Ok(program), _) => {
            walk::check_statements(&program, code)?;
            forms::as_statements(&program, code)
        }
        (Err(_), Some(Ok((_, reading)))) => Ok(reading),
        (Err(_), Some(Err(Refused::Generator(error)))) => Err(error),
        // The reading that came further is the one that was meant.
        (Err(fault), Some(Err(Refused::Syntax(other)))) if other.offset > fault.offset => {
            Err(other.into_error(code))
        }
        (Err(fault), _) => Err(fault.into_error(code)),
    }
}

/// Reads the module that was made as if it came from elsewhere, and tells which snippets it runs.
fn confirm(allocator: &Allocator, code: &str, edited: &Edited) -> Result<Vec<String>, Error> {
    let refuse = |fault: Fault| fault.moved(|offset| edited.origin(offset)).into_error(code);
    depth::check(Tokens::new(&edited.text))?;
    let program = syntax::parse(allocator, &edited.text).map_err(refuse)?;
    if !is_one_function(&program, edited.text.len()) {
        return Err(forms::no_program());
    }
    let runs = walk::check(&program)
        .map_err(|found| found.into_error(code, |offset| edited.origin(offset)))?;
    syntax::early(&program).map_err(refuse)?;
    Ok(runs)
}

/// One statement from the first byte to the last, and it exports one async arrow function.
fn is_one_function(program: &Program<'_>, length: usize) -> bool {
    let [Statement::ExportDefaultDeclaration(export)] = program.body.as_slice() else {
        return false;
    };
    let whole = export.span.start == 0
        && export.span.end as usize == length
        && program.directives.is_empty();
    let ExportDefaultDeclarationKind::ArrowFunctionExpression(function) = &export.declaration
    else {
        return false;
    };
    whole && function.r#async && function.span.end == export.span.end
}
