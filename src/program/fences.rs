//! Fenced code in Markdown, by CommonMark's rule of lines: which part of a text is the program.
//!
//! A line is a fence when it begins with three or more backticks or tildes; the closing one is at least as long, of the
//! same sign, and has nothing behind it. Deviations, for what models write: a fence may be indented by any amount, as in
//! a list, and `<code>` and `</code>` on lines of their own are a fence too.
//!
//! It knows nothing of JavaScript; whether a fence stands inside a program's own template is for `unwrap` to find out.

use std::ops::Range;

use super::edits::Edit;
use super::syntax::Dialect;

const JAVASCRIPT: [&str; 8] = [
    "js",
    "javascript",
    "mjs",
    "cjs",
    "jsx",
    "node",
    "ecmascript",
    "es6",
];
const TYPESCRIPT: [&str; 5] = ["ts", "typescript", "mts", "cts", "tsx"];
const OTHER: [&str; 28] = [
    "bash",
    "sh",
    "shell",
    "zsh",
    "console",
    "terminal",
    "powershell",
    "python",
    "py",
    "json",
    "jsonc",
    "html",
    "xml",
    "css",
    "sql",
    "diff",
    "patch",
    "yaml",
    "yml",
    "toml",
    "rust",
    "go",
    "java",
    "ruby",
    "text",
    "txt",
    "markdown",
    "output",
];

/// A byte order mark, which the white space of Rust does not have.
pub(super) const MARK: char = '\u{feff}';

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tag {
    Script(Dialect),
    /// None, or one that names no language.
    Plain,
    /// Of another language.
    Other(String),
}

#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) tag: Tag,
    /// The signs of the opening fence.
    pub(super) fence: Range<usize>,
    pub(super) body: Range<usize>,
    pub(super) closed: bool,
    indent: usize,
}

impl Block {
    /// What leaves only the body, without the indentation of its fence.
    pub(super) fn edits(&self, text: &str, end: usize) -> Vec<Edit> {
        let mut edits = vec![Edit::replace(0, self.body.start, "")];
        if self.indent > 0 {
            for line in lines(text).filter(|it| it.start >= self.body.start && it.start < end) {
                let content = text.get(line.start..line.end.min(end)).unwrap_or_default();
                let blank = content.len() - content.trim_start_matches([' ', '\t']).len();
                edits.push(Edit::replace(
                    line.start,
                    line.start + blank.min(self.indent),
                    "",
                ));
            }
        }
        edits.push(Edit::replace(end, text.len(), ""));
        edits
    }

    /// Where the last fence ends this block, if that is a later one than the rule says.
    pub(super) fn last_end(&self, text: &str) -> Option<usize> {
        let opening = Fence::of(text, self.fence.clone());
        let last = lines(text)
            .filter(|line| line.start > self.body.end)
            .filter(|line| closes(text, line, &opening))
            .last();
        last.map(|line| line.start)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Fence {
    Run { sign: char, length: usize },
    Code,
}

impl Fence {
    fn of(text: &str, range: Range<usize>) -> Self {
        let signs = text.get(range).unwrap_or_default();
        match signs.chars().next() {
            Some(sign @ ('`' | '~')) => Self::Run {
                sign,
                length: signs.len(),
            },
            _ => Self::Code,
        }
    }
}

/// The block that is the program: of those with a JavaScript or TypeScript tag the last, complete ones first; else of
/// those without.
pub(super) fn chosen(blocks: &[Block]) -> Option<&Block> {
    let last = |script: bool, closed: bool| {
        blocks.iter().rev().find(|it| {
            it.closed == closed
                && match it.tag {
                    Tag::Script(_) => script,
                    Tag::Plain => !script,
                    Tag::Other(_) => false,
                }
        })
    };
    last(true, true)
        .or_else(|| last(true, false))
        .or_else(|| last(false, true))
        .or_else(|| last(false, false))
}

pub(super) fn blocks(text: &str) -> Vec<Block> {
    if let Some(block) = one_line(text) {
        return vec![block];
    }
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<(Block, Fence)> = None;
    for line in lines(text) {
        match open.take() {
            Some((mut block, fence)) => {
                if closes(text, &line, &fence) {
                    block.body.end = line.start;
                    block.closed = true;
                    blocks.push(block);
                } else {
                    open = Some((block, fence));
                }
            }
            None => open = opens(text, &line),
        }
    }
    if let Some((block, _)) = open {
        blocks.push(block);
    }
    blocks
}

fn opens(text: &str, line: &Range<usize>) -> Option<(Block, Fence)> {
    let content = text.get(line.clone())?.trim_start_matches(MARK);
    let rest = content.trim_start_matches([' ', '\t']);
    let indent = content.len() - rest.len();
    let start = line.end - rest.len();
    let (fence, length, info) = if is_tag(rest, "<code>") {
        (Fence::Code, rest.trim_end().len(), "")
    } else {
        let sign = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = rest.len() - rest.trim_start_matches(sign).len();
        let info = rest.get(length..)?;
        // Code between backticks within one line is no fence.
        if length < 3 || (sign == '`' && info.contains('`')) {
            return None;
        }
        (Fence::Run { sign, length }, length, info)
    };
    let block = Block {
        tag: tag(info),
        fence: start..start + length,
        body: line.end..text.len(),
        closed: false,
        indent,
    };
    Some((block, fence))
}

fn closes(text: &str, line: &Range<usize>, fence: &Fence) -> bool {
    let content = text.get(line.clone()).unwrap_or_default().trim();
    match fence {
        Fence::Code => content.eq_ignore_ascii_case("</code>"),
        Fence::Run { sign, length } => {
            content.len() >= *length && content.chars().all(|c| c == *sign)
        }
    }
}

/// `<code>…</code>` or three backticks around a text of one line.
fn one_line(text: &str) -> Option<Block> {
    let trimmed = text.trim();
    let start = text.len() - text.trim_start().len();
    let (length, end) = if is_tag(trimmed.get(..6)?, "<code>") {
        (6, trimmed.len().checked_sub(7)?)
    } else {
        let length = trimmed.len() - trimmed.trim_start_matches('`').len();
        (length, trimmed.len().checked_sub(length)?)
    };
    let is_code = is_tag(trimmed.get(end..)?, "</code>") && trimmed.starts_with('<');
    let is_span = length >= 3
        && trimmed.starts_with('`')
        && trimmed.get(end..)?.chars().all(|c| c == '`')
        && !trimmed.contains(['\n', '\r']);
    let inside = trimmed.get(length..end)?;
    let whole = !inside.starts_with('`') && !inside.ends_with('`');
    if !(is_code || is_span && whole) {
        return None;
    }
    let (word, rest) = inside.split_once(' ').unwrap_or(("", inside));
    let (tag, skipped) = match tag(word) {
        Tag::Plain => (Tag::Plain, 0),
        known => (known, inside.len() - rest.len()),
    };
    let start = start + length;
    Some(Block {
        tag,
        fence: start - length..start,
        body: start + skipped..start + inside.len(),
        closed: true,
        indent: 0,
    })
}

fn is_tag(text: &str, tag: &str) -> bool {
    text.trim_end().eq_ignore_ascii_case(tag)
}

/// The language is the first word of what stands behind the fence; attributes may follow it or stand around it.
fn tag(info: &str) -> Tag {
    let word = info.trim().trim_start_matches(['{', '.', ' ']);
    let end = word
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(word.len());
    let word = word.get(..end).unwrap_or_default().to_ascii_lowercase();
    match word.as_str() {
        word if JAVASCRIPT.contains(&word) => Tag::Script(Dialect::JavaScript),
        word if TYPESCRIPT.contains(&word) => Tag::Script(Dialect::TypeScript),
        word if OTHER.contains(&word) => Tag::Other(word.to_owned()),
        _ => Tag::Plain,
    }
}

/// Every line with its line break.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let length = match rest.find(['\n', '\r']) {
            Some(found) if rest.get(found..)?.starts_with("\r\n") => found + 2,
            Some(found) => found + 1,
            None => rest.len(),
        };
        let line = at..at + length;
        at += length;
        Some(line)
    })
}
