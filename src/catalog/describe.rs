//! Methods as TypeScript: one line for a search result, declarations for a description.
//!
//! A line is bounded and may leave parts out, which it marks; a described method is complete. A connector is described in
//! full while that stays readable, and otherwise by lines.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Kind;
use super::docs::cut;
use super::literal::quoted;
use super::print::{block, comment, is_identifier, line, property};
use super::record::{Approval, Connector, MethodRecord};
use super::refs::Names;
use super::schema::{Definition, declared, inline};
use super::shelf::Shelf;
use super::types::Type;
use crate::error::Error;

const MAX_SIGNATURE_CHARS: usize = 200;
const MAX_SUMMARY_CHARS: usize = 200;
/// Methods of one connector in one description; the rest is found by search.
const MAX_LISTED_METHODS: usize = 50;
/// Beyond this a listing gives lines instead of full types: about 6,000 tokens.
const MAX_LISTING_CHARS: usize = 24_000;

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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DescribeOutput {
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<bool>,
    pub types: String,
    /// The text of a snippet, where it is not long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    pub kind: Kind,
}

pub(super) fn method(connector: &str, method: &MethodRecord) -> DescribeOutput {
    DescribeOutput {
        path: format!("{connector}.{}", method.name),
        description: method.description.clone(),
        requires_approval: method.shown_approval(),
        types: full(connector, std::slice::from_ref(method), ""),
        code: None,
        kind: Kind::Method,
    }
}

pub(super) fn connector(
    connector: &Connector,
    shelf: &impl Shelf,
) -> Result<DescribeOutput, Error> {
    let mut listed = Vec::new();
    for head in connector.methods().iter().take(MAX_LISTED_METHODS) {
        listed.extend(shelf.record(&connector.name, &head.name)?);
    }
    let rest = match connector.methods().len().saturating_sub(MAX_LISTED_METHODS) {
        0 => String::new(),
        more => format!(
            "  // {more} more: codemode.search(\"what it should do\", {{ connector: {} }})\n",
            quoted(&connector.name)
        ),
    };
    let types = full(&connector.name, &listed, &rest);
    let types = if types.len() > MAX_LISTING_CHARS {
        lines(&connector.name, &listed, &rest)
    } else {
        types
    };
    let unavailable = connector
        .unavailable
        .as_ref()
        .map(|why| format!("Cannot be reached now: {why}"));
    let description: Vec<String> = connector
        .instructions
        .clone()
        .into_iter()
        .chain(unavailable)
        .collect();
    Ok(DescribeOutput {
        path: connector.name.clone(),
        description: (!description.is_empty()).then(|| description.join("\n\n")),
        requires_approval: None,
        types,
        code: None,
        kind: Kind::Connector,
    })
}

/// `notes.add(input: { text: string; tag?: string }): Promise<{ id: string }>`, or nothing where not even the names fit.
pub(super) fn signature(connector: &str, method: &MethodRecord) -> Option<String> {
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
pub(super) fn summary(method: &MethodRecord) -> Option<String> {
    first_paragraph(method.description.as_deref()?)
}

pub(super) fn first_paragraph(text: &str) -> Option<String> {
    let first = text.trim().split("\n\n").next()?;
    let words: Vec<&str> = first.split_whitespace().collect();
    (!words.is_empty()).then(|| cut(&words.join(" "), MAX_SUMMARY_CHARS))
}

/// `head` is all that stands before the parameter.
pub(super) fn fitted(
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
            format!(
                "{head}{}: {}): Promise<{}>",
                parameter(&input),
                line(&input, most),
                line(&output, most)
            )
        })
        .find(|text| text.chars().count() <= MAX_SIGNATURE_CHARS)
}

/// Without a usable schema nothing is asked for.
pub(super) fn parameter(input: &Type) -> &'static str {
    if *input == Type::Unknown {
        "input?"
    } else {
        "input"
    }
}

/// Methods with complete types; `rest` is the last line of the namespace.
fn full(connector: &str, methods: &[MethodRecord], rest: &str) -> String {
    let mut names = Names::new();
    let mut members = String::new();
    let mut definitions = Vec::new();
    for method in methods {
        let input = named(
            &method.name,
            &method.input_schema,
            "Input",
            &mut names,
            &mut definitions,
        );
        let output = named(
            &method.name,
            &method.output_schema,
            "Output",
            &mut names,
            &mut definitions,
        );
        let call = format!(
            "{}: {}): Promise<{}>",
            parameter(&input),
            line(&input, 1),
            line(&output, 1)
        );
        members.push_str(&comment(&method_doc(method), 1));
        members.push_str(&format!("  {}({call};\n", property(&method.name)));
    }
    format!(
        "declare const {connector}: {{\n{members}{rest}}};\n{}",
        declarations(&definitions)
    )
}

pub(super) fn declarations(definitions: &[Definition]) -> String {
    definitions
        .iter()
        .map(|Definition { name, doc, ty }| {
            let doc = doc.as_ref().map(|doc| comment(doc, 0)).unwrap_or_default();
            format!("{doc}type {name} = {};\n", block(ty, 0))
        })
        .collect()
}

fn lines(connector: &str, methods: &[MethodRecord], rest: &str) -> String {
    let members = methods.iter().map(|method| {
        let name = property(&method.name);
        let declaration = fitted(
            &format!("{name}("),
            &method.input_schema,
            &method.output_schema,
        )
        .unwrap_or_else(|| format!("{name}(input?: unknown): Promise<unknown>"));
        format!("{}  {declaration};\n", comment(&method_doc(method), 1))
    });
    let members: String = members.collect();
    format!(
        "// Shortened. Complete types of one method: codemode.describe({})\ndeclare const {connector}: {{\n{members}{rest}}};\n",
        quoted(&format!("{connector}.<method>")),
    )
}

/// Declares a schema under a name of its own, unless it says nothing.
pub(super) fn named(
    owner: &str,
    schema: &Option<Value>,
    role: &str,
    names: &mut Names,
    definitions: &mut Vec<Definition>,
) -> Type {
    let Some(schema) = schema else {
        return Type::Unknown;
    };
    let name = names.claim(&[owner, role]);
    let found = declared(schema, name.clone(), names);
    if found
        .iter()
        .all(|definition| definition.ty == Type::Unknown)
    {
        return Type::Unknown;
    }
    definitions.extend(found);
    Type::Name(name)
}

/// The summary only: the whole text is in `DescribeOutput::description`.
fn method_doc(method: &MethodRecord) -> String {
    let approval = match method.requires_approval {
        Approval::Never => None,
        Approval::Always => Some("Needs approval: the run pauses until a person decides."),
        Approval::Ask => Some("May need approval, depending on the arguments."),
    };
    let lines: Vec<String> = summary(method)
        .into_iter()
        .chain(approval.map(str::to_owned))
        .collect();
    lines.join("\n")
}
