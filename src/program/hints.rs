//! What to do about the commonest mistakes in a program; the parser's own advice is taken for the others.

use super::edits::{Draft, Place};
use super::syntax::Fault;
use super::tokens::{Kind, Token, Tokens};

/// A sentence, or nothing.
pub(super) fn of(fault: &Fault, draft: &Draft<'_>) -> Option<String> {
    let text = draft.text.as_str();
    let (before, after) = text.split_at_checked(fault.offset)?;
    if fault.message.contains("await") && fault.message.contains("async") {
        return Some("Make the function that holds this `await` an `async` one.".to_owned());
    }
    if after.trim().is_empty() {
        return open_bracket(draft);
    }
    if after.starts_with("...") && before.trim_end().ends_with("return") {
        return Some(
            "Spread into something: `return [...items]` or `return { ...object }`.".to_owned(),
        );
    }
    if after.starts_with("return") && before.trim_end().ends_with("=>") {
        return Some("A body with `return` needs braces: `() => { return … }`.".to_owned());
    }
    None
}

/// The innermost bracket that nothing closes.
fn open_bracket(draft: &Draft<'_>) -> Option<String> {
    let mut open: Vec<Token<'_>> = Vec::new();
    for token in Tokens::new(&draft.text) {
        if !token.sure {
            return None;
        }
        match token.kind {
            Kind::Open => open.push(token),
            Kind::Close => {
                open.pop();
            }
            _ => {}
        }
    }
    let token = open.pop()?;
    let before = draft.model.get(..draft.origin(token.start))?;
    let place = Place::START.after(before);
    let bracket = token.text.chars().next_back()?;
    Some(format!(
        "The `{bracket}` of line {}, column {} is never closed; perhaps the text was cut off.",
        place.line, place.column
    ))
}
