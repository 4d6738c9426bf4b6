//! One line of a method for a search result: bounded, with a mark where parts are left out.

use serde_json::Value;

use crate::catalog::record::MethodRecord;
use crate::catalog::types::{Type, first_paragraph, inline, is_identifier, line, quoted};

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

/// `notes.add(input: { text: string; tag?: string }): Promise<{ id: string }>`, or nothing where not even the names fit.
pub(in crate::catalog) fn signature(connector: &str, method: &MethodRecord) -> Option<String> {
    let name = &method.name;
    let path = if is_identifier(name) {
        format!("{connector}.{name}")
    } else {
        format!("{connector}[{}]", quoted(name))
    };
    fitted(
        &format!("{path}("),
        &method.input_schema,
        &method.output_schema,
    )
}

/// The first paragraph of a description, on one line.
pub(in crate::catalog) fn summary(method: &MethodRecord) -> Option<String> {
    first_paragraph(method.description.as_deref()?)
}

/// `head` is all that stands before the parameter.
pub(in crate::catalog) fn fitted(
    head: &str,
    input_schema: &Option<Value>,
    output_schema: &Option<Value>,
) -> Option<String> {
    FITS.into_iter()
        .map(|(input, output, most)| {
            let shape = |schema: &Option<Value>, nest| {
                schema
                    .as_ref()
                    .map_or(Type::Unknown, |schema| inline(schema, nest))
            };
            let (input, output) = (shape(input_schema, input), shape(output_schema, output));
            let parameter = if input == Type::Unknown {
                "input?"
            } else {
                "input"
            };
            format!(
                "{head}{parameter}: {}): Promise<{}>",
                line(&input, most),
                line(&output, most)
            )
        })
        .find(|text| text.chars().count() <= MAX_SIGNATURE_CHARS)
}
