//! Methods of an OpenAPI document: 3.0, 3.1 and Swagger 2.0 (catalogue.md, *OpenAPI*).
//!
//! The text is held once and read in slices: first which operations there are and what they are called, then one after the
//! other, each handed on and forgotten; at the end the definitions that they named. Time and memory grow with the text and
//! not faster. A part that cannot be read costs its own operation, which is reported with the reason.

mod body;
mod definitions;
mod document;
mod keys;
mod media;
mod method;
mod one_way;
mod operations;
mod parameters;
mod raw;
mod responses;
mod schema;
mod servers;
mod swagger;

use self::definitions::Definitions;
use self::document::Document;
use self::method::Common;
use self::operations::Operations;
use super::source::{Report, Sink, Skipped};
use super::types::first_paragraph;
use crate::error::Error;

pub(super) fn derive(text: &str, sink: &mut impl Sink) -> Result<Report, Error> {
    let document = Document::read(text)?;
    let mut skipped = Vec::new();
    let operations = Operations::of(&document, &mut skipped);
    let common = Common {
        server: servers::of_document(&document),
        credentials: parameters::credentials(&document),
    };
    let mut definitions = Definitions::new(&document, text);
    for found in &operations.found {
        let Some(item) = operations.items.get(found.item) else {
            continue;
        };
        match method::of(found, item, &common, &mut definitions) {
            Ok(record) => sink.method(record)?,
            Err(why) => skipped.push(Skipped {
                what: format!("{} {}", found.verb, item.path),
                why,
            }),
        }
    }
    sink.method(method::request(common.server))?;
    definitions.write(sink)?;
    Ok(Report {
        about: about(&document),
        skipped,
    })
}

/// Title, version, and how the document begins to speak of itself.
fn about(document: &Document<'_>) -> Option<String> {
    let info = document.root.object("info")?;
    let text = |name: &str| info.text(name).filter(|text| !text.trim().is_empty());
    let title = text("title").map(|title| match text("version") {
        Some(version) => format!("{} {}", title.trim(), version.trim()),
        None => title.trim().to_owned(),
    });
    let title = title.and_then(|title| first_paragraph(&title));
    let description = text("description").and_then(|text| first_paragraph(&text));
    let parts: Vec<String> = title.into_iter().chain(description).collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}
