//! Cuts a program's text into tokens without recursion, only as finely as `depth` needs.
//!
//! It exists because the parser descends one stack frame at a time and the stack is 1 MB: what is too deep must be
//! known before the parser sees it. It judges nothing; a text that is no JavaScript is the parser's to report.
//!
//! **Where it cannot know** (a regular expression or a division after `}`, an escape inside a name, a literal that does
//! not end) it becomes *unsure* for the rest of the text: no bracket is seen to close any more and quotes mean nothing.
//! So a program can only be taken for deeper than it is, never for shallower.

mod literals;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a keyword; `reserved` tells whether it can be a keyword here (`a.if` cannot).
    Word {
        reserved: bool,
    },
    /// A number, a string or a template without substitutions.
    Literal,
    /// A regular expression with this many brackets inside.
    Pattern {
        brackets: u32,
    },
    Open,
    Close,
    Mark,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) start: usize,
    /// A line break stands between this token and the one before.
    pub(super) after_break: bool,
    /// The token before is the end of a value.
    pub(super) after_operand: bool,
    /// False from where the reading became a guess.
    pub(super) sure: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bracket {
    /// The parentheses of `if`, `while`, `for`, `with`: a statement follows them.
    Header,
    Plain,
    Brace,
    /// `${` of a template: its `}` goes back to text.
    Template,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Operand,
    Operator,
    /// `}` or a word that is a name in one place and an operator in another.
    Either,
}

/// After these a value begins: a slash begins a regular expression.
const OPERATOR_WORDS: [&str; 33] = [
    "return",
    "throw",
    "typeof",
    "void",
    "delete",
    "new",
    "in",
    "instanceof",
    "case",
    "do",
    "else",
    "extends",
    "default",
    "class",
    "const",
    "var",
    "export",
    "import",
    "function",
    "if",
    "while",
    "for",
    "with",
    "finally",
    "try",
    "catch",
    "switch",
    "break",
    "continue",
    "debugger",
    "enum",
    "await",
    "yield",
];
const EITHER_WORDS: [&str; 3] = ["of", "await", "yield"];
const HEADER_WORDS: [&str; 4] = ["if", "while", "for", "with"];
/// Longest first.
const MARKS: [&str; 30] = [
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=",
    "<=", ">=", "&&", "||", "??", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**",
];

#[derive(Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    brackets: Vec<Bracket>,
    before: Before,
    word: &'a str,
    word_before: &'a str,
    unsure: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let at = if text.starts_with("#!") {
            line_end(text, 0)
        } else {
            0
        };
        Self {
            text,
            at,
            brackets: Vec::new(),
            before: Before::Operator,
            word: "",
            word_before: "",
            unsure: false,
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips white space and comments; says whether a line break was among them.
    fn skip_blank(&mut self) -> bool {
        let mut broken = false;
        while let Some(next) = self.peek() {
            if is_break(next) || next.is_whitespace() || next == '\u{feff}' {
                broken |= is_break(next);
                self.at += next.len_utf8();
            } else if self.unsure {
                break;
            } else if self.rest().starts_with("//") {
                self.at = line_end(self.text, self.at);
            } else if self.rest().starts_with("/*") {
                let body = self.text.get(self.at + 2..).unwrap_or_default();
                let length = body.find("*/").map_or(body.len(), |end| end + 2);
                broken |= body.get(..length).unwrap_or_default().contains(is_break);
                self.at += 2 + length;
            } else {
                break;
            }
        }
        broken
    }

    /// The kind of the token that begins with `first`, and what it leaves behind; moves past it.
    fn take(&mut self, first: char) -> (Kind, Before) {
        if first.is_ascii_digit()
            || (first == '.'
                && self
                    .rest()
                    .chars()
                    .nth(1)
                    .is_some_and(|c| c.is_ascii_digit()))
        {
            self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
            return (Kind::Literal, Before::Operand);
        }
        match first {
            '(' | '[' | '{' => {
                self.at += 1;
                let header = HEADER_WORDS.contains(&self.word)
                    || (self.word == "await" && self.word_before == "for");
                self.brackets.push(match first {
                    '(' if header => Bracket::Header,
                    '{' => Bracket::Brace,
                    _ => Bracket::Plain,
                });
                (Kind::Open, Before::Operator)
            }
            ')' | ']' | '}' => self.close(),
            '"' | '\'' if !self.unsure => {
                self.skip_string(first);
                (Kind::Literal, Before::Operand)
            }
            '`' if !self.unsure => self.template(Kind::Literal, Kind::Open),
            '/' if !self.unsure => self.slash(),
            '\\' => {
                self.at += 1;
                self.unsure = true;
                (Kind::Mark, Before::Operator)
            }
            _ if is_name(first) => self.name(),
            _ => self.mark(first),
        }
    }

    fn close(&mut self) -> (Kind, Before) {
        self.at += 1;
        if self.unsure {
            return (Kind::Mark, Before::Either);
        }
        match self.brackets.pop() {
            Some(Bracket::Header) => (Kind::Close, Before::Operator),
            Some(Bracket::Plain) | None => (Kind::Close, Before::Operand),
            Some(Bracket::Brace) => (Kind::Close, Before::Either),
            Some(Bracket::Template) => {
                self.at -= 1;
                self.template(Kind::Close, Kind::Mark)
            }
        }
    }

    fn slash(&mut self) -> (Kind, Before) {
        match self.before {
            Before::Operand => self.mark('/'),
            Before::Operator => self.pattern(),
            Before::Either => {
                self.unsure = true;
                self.mark('/')
            }
        }
    }

    fn name(&mut self) -> (Kind, Before) {
        let start = self.at;
        self.skip_while(is_name);
        let text = self.text.get(start..self.at).unwrap_or_default();
        let reserved = !matches!(self.word, "." | "?." | "#");
        let before = if !reserved {
            Before::Operand
        } else if EITHER_WORDS.contains(&text) {
            Before::Either
        } else if OPERATOR_WORDS.contains(&text) {
            Before::Operator
        } else {
            Before::Operand
        };
        (Kind::Word { reserved }, before)
    }

    fn mark(&mut self, first: char) -> (Kind, Before) {
        if matches!(first, ',' | ';' | ':' | '~' | '#' | '@') {
            self.at += 1;
            return (Kind::Mark, Before::Operator);
        }
        let rest = self.rest();
        let optional =
            rest.starts_with("?.") && !rest.chars().nth(2).is_some_and(|c| c.is_ascii_digit());
        let length = match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            _ if optional => 2,
            Some(mark) => mark.len(),
            None => first.len_utf8(),
        };
        self.at += length;
        (Kind::Mark, Before::Operator)
    }

    fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let after_break = self.skip_blank();
        let first = self.peek()?;
        let start = self.at;
        let before = self.before;
        let (kind, mut left) = self.take(first);
        let text = self.text.get(start..self.at).unwrap_or_default();
        // `x++` ends a value, `++x` begins one.
        if matches!(text, "++" | "--") && before == Before::Operand && !after_break {
            left = Before::Operand;
        }
        self.before = left;
        self.word_before = self.word;
        let keeps =
            matches!(kind, Kind::Word { reserved: true }) || matches!(text, "." | "?." | "#");
        self.word = if keeps { text } else { "" };
        Some(Token {
            kind,
            text,
            start,
            after_break,
            after_operand: before == Before::Operand,
            sure: !self.unsure,
        })
    }
}

pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | '$')
        || (!c.is_ascii() && !is_break(c) && !c.is_whitespace() && c != '\u{feff}')
}

fn line_end(text: &str, from: usize) -> usize {
    text.get(from..)
        .and_then(|rest| rest.find(is_break))
        .map_or(text.len(), |length| from + length)
}
