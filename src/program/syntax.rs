//! The parser's door, and what a model is told when its text is not JavaScript.
//!
//! Two readings: `parse` builds the tree, `early` asks the second half of the grammar's rules (a name declared twice,
//! a `break` without a loop) that V8 would otherwise refuse on loading, without a place.

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_diagnostics::{Diagnostics, OxcDiagnostic};
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_span::SourceType;

use crate::error::{Code, Error};

use super::edits::{Draft, Place};
use super::hints;
use super::tokens::is_break;

/// Widest piece of a line that is shown.
const WINDOW: usize = 80;

/// What is wrong, and at which byte of the text that was read.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) offset: usize,
    pub(super) message: String,
    help: Option<String>,
}

/// Why a text is no program.
#[derive(Debug)]
pub(super) enum Failed {
    /// Not the language, at a byte of the text that was read.
    Syntax(Fault),
    /// The language, and not to be run.
    Refused(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
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

    /// Of two readings the one that came further was meant.
    pub(super) fn or_further(self, other: Self) -> Self {
        if other.offset > self.offset {
            other
        } else {
            self
        }
    }

    /// The error for the model, with the place in its own text.
    pub(super) fn into_error(self, draft: &Draft<'_>) -> Error {
        let hint = hints::of(&self, draft)
            .or(self.help)
            .map_or(String::new(), |hint| {
                let end = if hint.ends_with(['.', '?']) {
                    " "
                } else {
                    ". "
                };
                hint + end
            });
        Error::new(
            Code::Syntax,
            format!(
                "SyntaxError: {} at {}{hint}Correct this place and send the whole program again.",
                self.message,
                point(draft.model, draft.origin(self.offset))
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

/// What a text is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    JavaScript,
    TypeScript,
    /// Only to tell what is wrong with a text.
    Jsx,
}

/// One program of module code. `return` and `await` may stand outside functions: the text becomes a function's body.
pub(super) fn parse<'a>(
    allocator: &'a Allocator,
    text: &'a str,
    dialect: Dialect,
) -> Result<Program<'a>, Fault> {
    let options = ParseOptions {
        parse_regular_expression: true,
        allow_return_outside_function: true,
        ..ParseOptions::default()
    };
    let source_type = match dialect {
        Dialect::JavaScript => SourceType::mjs().with_jsx(false),
        Dialect::TypeScript => SourceType::ts().with_module(true).with_jsx(false),
        Dialect::Jsx => SourceType::tsx().with_module(true),
    };
    let read = Parser::new(allocator, text, source_type)
        .with_options(options)
        .parse();
    first(&read.diagnostics)?;
    if read.panicked {
        return Err(Fault::new(0, "this is no JavaScript"));
    }
    Ok(read.program)
}

/// The early errors that the parser leaves to a second pass, and the scopes it found. The tree must have passed
/// `walk::check`: this recurses.
pub(super) fn early(program: &Program<'_>) -> Result<Scoping, Fault> {
    let built = SemanticBuilder::new_compiler().build(program);
    first(&built.diagnostics)?;
    Ok(built.semantic.into_scoping())
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
        line.push(visible(*c));
        // A tab in the line is a tab above the caret.
        blank.push(if *c == '\t' { '\t' } else { ' ' });
    }
    line.extend(right.iter().take(WINDOW - shown).map(|c| visible(*c)));
    if right.len() > WINDOW - shown {
        line.push('…');
    }
    format!(
        "line {}, column {}:\n{line}\n{blank}^\n",
        place.line, place.column
    )
}

/// A character that would act on the reader's screen is shown as a sign for it; one for one, so that the caret stays.
fn visible(c: char) -> char {
    match c {
        '\t' => c,
        '\u{7f}' => '\u{2421}',
        c if c.is_ascii_control() => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{80}'..='\u{9f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => '\u{fffd}',
        c => c,
    }
}
