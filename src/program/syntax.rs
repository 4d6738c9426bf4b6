//! The parser's door, and what a model is told when its text is not JavaScript.
//!
//! Two readings: `parse` builds the tree, `early` asks the second half of the grammar's rules (a name declared twice,
//! a `break` without a loop) that V8 would otherwise refuse on loading, without a place.

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_diagnostics::{Diagnostics, OxcDiagnostic};
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;

use crate::error::{Code, Error};

use super::edits::Place;
use super::tokens::is_break;

/// Widest piece of a line that is shown.
const WINDOW: usize = 80;

/// What is wrong, and at which byte of the text that was read.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) offset: usize,
    message: String,
    help: Option<String>,
}

impl Fault {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self {
            offset,
            message: message.into(),
            help: None,
        }
    }

    fn from_diagnostic(diagnostic: &OxcDiagnostic) -> Self {
        let label = diagnostic
            .labels
            .iter()
            .find(|label| label.primary())
            .or(diagnostic.labels.last());
        Self {
            offset: label.map_or(0, |label| label.offset() as usize),
            message: plain(&diagnostic.message),
            help: diagnostic.help.as_deref().map(str::to_owned),
        }
    }

    /// The same fault seen from another text.
    pub(super) fn moved(mut self, origin: impl Fn(usize) -> usize) -> Self {
        self.offset = origin(self.offset);
        self
    }

    /// The error for the model, with the place in its own text.
    pub(super) fn into_error(self, source: &str) -> Error {
        let help = match self.help {
            Some(help) if help.ends_with(['.', '?']) => help + " ",
            Some(help) => help + ". ",
            None => String::new(),
        };
        Error::new(
            Code::Syntax,
            format!(
                "{} at {}{help}Correct this place and send the whole program again, as plain JavaScript.",
                self.message,
                point(source, self.offset)
            ),
        )
    }
}

/// The parser's message in the house's manner, without its own words.
fn plain(message: &str) -> String {
    let message = message
        .trim_end_matches('.')
        .replace("`EOF`", "the end of the text");
    let mut chars = message.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => message,
    }
}

/// One program of module code. `return` and `await` may stand outside functions: the text becomes a function's body.
pub(super) fn parse<'a>(allocator: &'a Allocator, text: &'a str) -> Result<Program<'a>, Fault> {
    let options = ParseOptions {
        parse_regular_expression: true,
        allow_return_outside_function: true,
        ..ParseOptions::default()
    };
    let read = Parser::new(allocator, text, SourceType::mjs().with_jsx(false))
        .with_options(options)
        .parse();
    first(&read.diagnostics)?;
    if read.panicked {
        return Err(Fault::new(0, "this is no JavaScript"));
    }
    Ok(read.program)
}

/// The early errors that the parser leaves to a second pass. The tree must have passed `walk::check`: this recurses.
pub(super) fn early(program: &Program<'_>) -> Result<(), Fault> {
    first(&SemanticBuilder::new_compiler().build(program).diagnostics)
}

fn first(diagnostics: &Diagnostics) -> Result<(), Fault> {
    diagnostics
        .errors()
        .next()
        .map_or(Ok(()), |diagnostic| Err(Fault::from_diagnostic(diagnostic)))
}

/// `line 3, column 9:`, the line and a caret under the place; long lines show only what is near.
pub(super) fn point(source: &str, offset: usize) -> String {
    let offset = source.floor_char_boundary(offset);
    let before = source.get(..offset).unwrap_or_default();
    let after = source.get(offset..).unwrap_or_default();
    let place = Place::START.after(before);
    // To the left at most half a window, to the right what is left of it.
    let left: Vec<char> = before
        .chars()
        .rev()
        .take_while(|c| !is_break(*c))
        .take(WINDOW / 2 + 1)
        .collect();
    let shown = left.len().min(WINDOW / 2);
    let right: Vec<char> = after
        .chars()
        .take_while(|c| !is_break(*c))
        .take(WINDOW - shown + 1)
        .collect();
    let mut line = String::from("  ");
    let mut blank = String::from("  ");
    if left.len() > shown {
        line.push('…');
        blank.push(' ');
    }
    for c in left.iter().take(shown).rev() {
        line.push(*c);
        // A tab in the line is a tab above the caret.
        blank.push(if *c == '\t' { '\t' } else { ' ' });
    }
    line.extend(right.iter().take(WINDOW - shown));
    if right.len() > WINDOW - shown {
        line.push('…');
    }
    format!(
        "line {}, column {}:\n{line}\n{blank}^\n",
        place.line, place.column
    )
}
