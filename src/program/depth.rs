//! How deep the parser would have to descend and how much it would have to hold, reckoned before it runs.
//!
//! A wasm stack is 1 MB and cannot be enlarged, a stack that overflows takes the instance with it, and the parser has
//! no limit of its own. So every construct that makes it call itself is counted in *units* of about 0.35 KB, measured
//! in the release wasm (a level of brackets takes 1 KB, of a class 1.7 KB, a `for` header 0.6 KB, an `a => ` 0.4 KB, a
//! step up in precedence 0.3 KB). The limit is a third of the stack.
//!
//! Where the tokens are a guess nothing is taken to end, so that the reckoning stays above the truth.
//!
//! Memory is bounded here too: an isolate has 128 MB, and a tree takes up to 0.25 KB for each token.
//!
//! Types are counted for TypeScript only: there `<` is a bracket, which nothing but the end of a statement is sure to
//! close, and some words and the dots of a namespace's name are steps down.
//!
//! Long flat chains (`a + b + …`, `a.b.c`) are no matter for the parser; `walk` bounds them for the visitors.

use crate::error::{Code, Error};

use super::syntax::Dialect;
use super::tokens::{Kind, Token};

const LIMIT: u32 = 1000;
const BRACKET: u32 = 3;
/// A million characters of ordinary code are some 350,000.
const MAX_TOKENS: usize = 400_000;

/// What is open between two brackets.
#[derive(Debug, Default, Clone, Copy)]
struct Level {
    outside: u32,
    /// `if (a) for (;;) …`, `else if`, labels: until a statement ends that no `else` or `while` continues.
    statements: u32,
    /// `!`, `=`, `=>`, `?` and the like: until a comma or the end of the statement.
    expressions: u32,
    /// One bit for each precedence that waits for its right side; at most eleven.
    climb: u32,
    /// `<` of types: until the statement ends.
    angles: u32,
    /// A namespace is being named: each dot is a step.
    dotted: bool,
    ended: bool,
}

impl Level {
    fn units(&self) -> u32 {
        self.outside
            + self.statements
            + self.expressions
            + self.climb.count_ones()
            + self.angles * BRACKET
    }

    fn end_expression(&mut self) {
        self.expressions = 0;
        self.climb = 0;
    }
}

/// Refuses a text that would make the parser descend further than its stack allows.
pub(super) fn check<'a>(
    tokens: impl Iterator<Item = Token<'a>>,
    dialect: Dialect,
) -> Result<(), Error> {
    let mut levels: Vec<Level> = Vec::new();
    let mut level = Level::default();
    let mut previous: [&str; 2] = [""; 2];
    for (index, token) in tokens.enumerate() {
        if index >= MAX_TOKENS {
            return Err(too_many());
        }
        let mut passing = 0;
        if dialect != Dialect::JavaScript {
            types(&mut level, &token);
        }
        if token.sure {
            ends(&mut level, &token, previous[1]);
        }
        match token.kind {
            Kind::Open => {
                levels.push(level);
                level = Level {
                    outside: level.units() + BRACKET,
                    ..Level::default()
                };
            }
            Kind::Close => level = levels.pop().unwrap_or_default(),
            Kind::Pattern { brackets } => passing = brackets * BRACKET,
            Kind::Word { .. } if !token.sure => level.expressions += 1,
            Kind::Word { reserved: true } => word(&mut level, token.text),
            Kind::Mark if token.sure => mark(&mut level, &token, previous[0]),
            Kind::Mark => level.expressions += 1,
            Kind::Word { reserved: false } | Kind::Literal => {}
        }
        if level.units() + passing > LIMIT {
            return Err(too_deep());
        }
        previous = [previous[1], token.text];
    }
    Ok(())
}

pub(super) fn too_deep() -> Error {
    Error::new(
        Code::InvalidInput,
        "the program is nested too deeply: brackets may stand about 300 deep, and chains of operators or `else if` be \
         about 1000 long; use loops, arrays or helper functions instead",
    )
}

fn too_many() -> Error {
    Error::new(
        Code::TooLarge,
        format!(
            "the program has more than {MAX_TOKENS} words, signs and literals; keep large data out of the program, \
             store it with a connector and pass a reference"
        ),
    )
}

/// Notices that what stood before this token is over.
fn ends(level: &mut Level, token: &Token<'_>, before: &str) {
    // Two values in a row are two statements, the line break between them being the semicolon.
    let joined = matches!(token.text, "in" | "instanceof" | "of");
    let new_line = token.after_break && token.after_operand && !matches!(before, "++" | "--");
    let next_statement =
        matches!(token.kind, Kind::Word { .. }) && !joined && (new_line || before == "}");
    if next_statement || level.ended {
        level.end_expression();
        // `else` and the `while` of a `do` go on with a statement whose beginning is still open.
        if !matches!(token.text, "else" | "while") {
            level.statements = 0;
        }
        level.angles = 0;
        level.dotted = false;
    }
    level.ended = false;
}

/// What only types make the parser descend for.
fn types(level: &mut Level, token: &Token<'_>) {
    match token.text {
        "<" | "<<" | "<=" | "<<=" => {
            level.angles += 1;
            // An assertion: what it is about follows as an operand.
            if !token.after_operand {
                level.expressions += 2;
            }
        }
        ">" => level.angles = level.angles.saturating_sub(1),
        ">>" => level.angles = level.angles.saturating_sub(2),
        ">>>" => level.angles = level.angles.saturating_sub(3),
        "keyof" | "readonly" | "unique" | "infer" | "asserts" | "is" | "abstract" | "declare" => {
            level.expressions += 1
        }
        "namespace" | "module" => level.dotted = true,
        "." if level.dotted => level.expressions += 1,
        _ => {}
    }
}

fn word(level: &mut Level, text: &str) {
    match text {
        "if" | "while" | "do" | "with" => level.statements += 1,
        "for" => level.statements += 2,
        "else" => level.end_expression(),
        "case" => {
            *level = Level {
                outside: level.outside,
                ..Level::default()
            }
        }
        "typeof" | "void" | "delete" | "await" | "new" | "yield" | "class" | "extends" => {
            level.expressions += 1
        }
        "in" | "instanceof" => climb(level, 7),
        _ => {}
    }
}

fn mark(level: &mut Level, token: &Token<'_>, before_last: &str) {
    match token.text {
        ";" => {
            level.end_expression();
            level.ended = true;
        }
        "," => level.end_expression(),
        // The middle of a template: the next substitution.
        text if text.starts_with('}') && text.ends_with("${") => level.end_expression(),
        "=>" => level.expressions += 2,
        "!" | "~" | "?" | "=" | "**" => level.expressions += 1,
        // A label that follows a label.
        ":" if before_last == ":" => level.statements += 1,
        "+" | "-" if token.after_operand => climb(level, 9),
        "+" | "-" | "++" | "--" => level.expressions += 1,
        "@" => level.expressions += 3,
        "??" | "||" => climb(level, 1),
        "&&" => climb(level, 2),
        "|" => climb(level, 3),
        "^" => climb(level, 4),
        "&" => climb(level, 5),
        "==" | "!=" | "===" | "!==" => climb(level, 6),
        "<" | ">" | "<=" | ">=" => climb(level, 7),
        "<<" | ">>" | ">>>" => climb(level, 8),
        "*" | "/" | "%" => climb(level, 10),
        text if text.ends_with('=') => level.expressions += 1,
        _ => {}
    }
}

/// A binary operator: what binds as tight or tighter is complete, what binds looser waits.
fn climb(level: &mut Level, precedence: u32) {
    level.climb &= (1 << precedence) - 1;
    level.climb |= 1 << precedence;
}
