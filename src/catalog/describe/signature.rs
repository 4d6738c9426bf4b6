//! A method in a search result: one line of what it takes and gives, and one of what it does, in the room that a page of
//! results leaves for each.
//!
//! What is left out is counted. `({ owner, repo, 13 more }) => Issue[]` is the shortest: which members must be there, and
//! what comes of it.

use serde_json::Value;

use crate::catalog::names::is_identifier;
use crate::catalog::record::MethodRecord;
use crate::catalog::types::{
    Type, cut, digest, inline, line, property, quoted, repeats, required, weight,
};

/// Tokens of a page of results, whatever their number.
const PAGE: usize = 460;
/// Tokens of a result beside its words: keys, kind, score.
const FRAME: usize = 22;
/// Less of a description than this says nothing.
const WORDS: usize = 6;
/// With less room than this, a signature is names only.
const TYPED: usize = 30;
/// No result has less room than this.
const LEAST: usize = 12;
/// More is not read in a list.
const MOST: usize = 90;
const MAX_SIGNATURE_CHARS: usize = 200;

/// How deep objects are written out in input and output, and how many members: from everything to hardly anything.
/// The input comes first: without it no call can be made.
const FITS: [(usize, usize, usize); 8] = [
    (4, 4, usize::MAX),
    (4, 2, usize::MAX),
    (4, 1, 12),
    (2, 1, 12),
    (2, 1, 6),
    (1, 0, 6),
    (1, 0, 3),
    (0, 0, 0),
];
/// How many optional and required names are written out where types find no room.
const NAMES: [(usize, usize); 5] = [(6, 12), (3, 12), (0, 12), (0, 6), (0, 3)];

/// Tokens for what one of so many results says of itself.
pub(in crate::catalog) fn room(results: usize) -> usize {
    (PAGE / results.max(1)).saturating_sub(FRAME).min(MOST * 2)
}

/// What a result shows of a method: its description and its signature.
pub(in crate::catalog) fn hit(
    connector: &str,
    path: &str,
    method: &MethodRecord,
    room: usize,
) -> (Option<String>, Option<String>) {
    // The path stands in a result twice: whole and in its parts.
    let room = room.saturating_sub(2 * weight(path));
    let (input, output) = (&method.input_schema, &method.output_schema);
    let shortest = named(input, output).last();
    let left = room.saturating_sub(shortest.as_deref().map_or(0, weight));
    let description = method.description.as_deref();
    let description = description.filter(|_| left >= WORDS);
    let description = description.and_then(|text| sentence(text, path, left));
    let left = room.saturating_sub(description.as_deref().map_or(0, weight));
    let left = left.clamp(LEAST, MOST);
    // Types of any use need more room than this; and without a single name an input is not described.
    let fits = if left < TYPED && input.is_some() {
        0
    } else {
        FITS.len() - 1
    };
    // A path that cannot be called as it stands is shown as it is called.
    let odd = if is_identifier(&method.name) {
        String::new()
    } else {
        format!("{connector}[{}]", quoted(&method.name))
    };
    let signature = typed("(", input, output, " =>")
        .take(fits)
        .chain(named(input, output))
        .find(|text| weight(text) <= left && text.chars().count() <= MAX_SIGNATURE_CHARS)
        .or(shortest);
    let signature = signature.map(|text| odd + &text);
    let signature = signature.filter(|text| text.chars().count() <= MAX_SIGNATURE_CHARS);
    (description, signature)
}

/// The first sentence of a description that says more than the path, cut to so many tokens.
fn sentence(text: &str, path: &str, most: usize) -> Option<String> {
    // `Delete a label` beside `delete_label` only costs a model's attention.
    let told = digest(text, &[path]);
    if repeats(&told, &[path]) {
        return None;
    }
    let mut chars = told.chars().count();
    let mut shown = told.clone();
    while weight(&shown) > most && chars > 8 {
        chars -= chars / 8 + 1;
        shown = cut(&told, chars);
    }
    (!shown.is_empty()).then_some(shown)
}

/// A member declaration or a call with types, bounded; nothing where not even the names fit. `head` is all that stands
/// before the parameter.
pub(in crate::catalog) fn fitted(
    head: &str,
    input: &Option<Value>,
    output: &Option<Value>,
) -> Option<String> {
    typed(head, input, output, ":").find(|text| text.chars().count() <= MAX_SIGNATURE_CHARS)
}

fn typed(
    head: &str,
    input: &Option<Value>,
    output: &Option<Value>,
    arrow: &str,
) -> impl Iterator<Item = String> {
    let shape = |schema: &Option<Value>, nest| {
        schema
            .as_ref()
            .map_or(Type::Unknown, |schema| inline(schema, nest))
    };
    FITS.into_iter().map(move |(deep, given, most)| {
        let (input, output) = (shape(input, deep), shape(output, given));
        let parameter = if input == Type::Unknown {
            "input?"
        } else {
            "input"
        };
        format!(
            "{head}{parameter}: {}){arrow} Promise<{}>",
            line(&input, most),
            line(&output, most)
        )
    })
}

/// Forms without types: the names of the input's members, and of the result its name.
fn named(input: &Option<Value>, output: &Option<Value>) -> impl Iterator<Item = String> {
    let names = input.as_ref().map(required).unwrap_or_default();
    let result = output.as_ref().map(|schema| line(&inline(schema, 0), 3));
    NAMES.into_iter().map(move |(optional, most)| {
        let shown: Vec<String> = names
            .0
            .iter()
            .take(most)
            .map(|name| property(name))
            .chain(
                names
                    .1
                    .iter()
                    .take(optional)
                    .map(|name| format!("{}?", property(name))),
            )
            .collect();
        let hidden = (names.0.len() + names.1.len()).saturating_sub(shown.len());
        let more = (hidden > 0).then(|| format!("{hidden} more"));
        let members: Vec<String> = shown.into_iter().chain(more).collect();
        let result = result.as_deref().unwrap_or("unknown");
        format!("({{ {} }}) => {result}", members.join(", "))
    })
}
