//! Takes a program out of what it came in, and says what a text is that holds none.
//!
//! Whether something is a wrapping is decided by what comes out: a text is only taken for encoded when its inside is a
//! program, and fences inside a program's own templates and comments are the program's.

use crate::error::Error;

use super::edits::Draft;
use super::encoded;
use super::fences::{self, Block, Tag};
use super::reading::{Made, Reader};
use super::syntax::{Dialect, Failed};
use super::tokens::Tokens;
use super::{Options, refusals};

pub(super) fn read<'s>(code: &'s str, options: &Options<'_>) -> Result<Made<'s>, Error> {
    let mut reader = Reader::new(options);
    let whole = Draft::new(code);
    if let Some(inner) = encoded::literal(&whole) {
        let fenced = !fences::blocks(&inner.text).is_empty();
        if (fenced || reader.acts(&inner))
            && let Ok(module) = text(&mut reader, &inner)
        {
            return Ok(module);
        }
    }
    text(&mut reader, &whole)
}

fn text<'s>(reader: &mut Reader<'_>, draft: &Draft<'s>) -> Result<Made<'s>, Error> {
    let blocks = fences::blocks(&draft.text);
    let Some(first) = blocks.first() else {
        return plain(reader, draft, Dialect::JavaScript);
    };
    let begins = draft
        .text
        .get(..first.fence.start)
        .is_some_and(|it| it.trim_matches(fences::MARK).trim().is_empty());
    if !begins
        && all_inside(&draft.text, &blocks)
        && let Ok(module) = reader.read(draft, Dialect::JavaScript)
    {
        return Ok(module);
    }
    match fences::chosen(&blocks) {
        Some(block) => fenced(reader, draft, block),
        None => match blocks.last().map(|block| &block.tag) {
            Some(Tag::Other(language)) => Err(refusals::other_language(language)),
            _ => plain(reader, draft, Dialect::JavaScript),
        },
    }
}

fn fenced<'s>(
    reader: &mut Reader<'_>,
    draft: &Draft<'s>,
    block: &Block,
) -> Result<Made<'s>, Error> {
    let dialect = match block.tag {
        Tag::Script(dialect) => dialect,
        Tag::Plain | Tag::Other(_) => Dialect::JavaScript,
    };
    let body = |end| draft.apply(block.edits(&draft.text, end));
    let error = match plain(reader, &body(block.body.end)?, dialect) {
        Err(error) => error,
        done => return done,
    };
    // The fence that ended it may have been a line of the program's own.
    let longer = block.last_end(&draft.text).map(body).transpose()?;
    match longer.map(|longer| reader.read(&longer, dialect)) {
        Some(Ok(module)) => Ok(module),
        _ => Err(error),
    }
}

fn plain<'s>(
    reader: &mut Reader<'_>,
    draft: &Draft<'s>,
    first: Dialect,
) -> Result<Made<'s>, Error> {
    let fault = match reader.read(draft, first) {
        Ok(module) => return Ok(module),
        Err(Failed::Refused(error)) => return Err(error),
        Err(Failed::Syntax(fault)) => fault,
    };
    if let Some(inner) = encoded::escaped(draft)
        && let Ok(module) = reader.read(&inner, first)
    {
        return Ok(module);
    }
    if let Some(error) = refusals::not_javascript(draft, &fault) {
        return Err(error);
    }
    if reader.is_jsx(draft) {
        return Err(refusals::jsx(draft, &fault));
    }
    Err(fault.into_error(draft))
}

/// Does each fence stand within one token, or in a comment?
fn all_inside(text: &str, blocks: &[Block]) -> bool {
    let mut tokens = Tokens::new(text).peekable();
    blocks.iter().all(|Block { fence, .. }| {
        while tokens
            .next_if(|it| it.start + it.text.len() <= fence.start)
            .is_some()
        {}
        tokens.peek().is_none_or(|it| {
            let within = it.start < fence.start && fence.end < it.start + it.text.len();
            it.sure && (within || it.start >= fence.end)
        })
    })
}
