//! The declaration of a call: its whole input, the first level of its result, and how the rest is opened.

use serde_json::Value;

use super::DescribeOutput;
use super::beside::{Beside, complete, declaration, form, is_silent, shortened};
use super::schemas::{Sheets, Shown};
use crate::catalog::Kind;
use crate::catalog::record::{Approval, MethodRecord};
use crate::catalog::shelf::Shelf;
use crate::catalog::types::{
    Form, Names, Sheet, Start, View, Words, cut, digest, property, quoted, read, weight,
};
use crate::error::Error;

/// A longer description of a method's own is cut.
const MAX_DESCRIPTION_CHARS: usize = 8_000;

/// How much of the words in a method's schemas is shown, of its input and of its result.
pub(super) fn words(method: &MethodRecord) -> (Words, Words) {
    match method.operation {
        Some(_) => (Words::Limits, Words::None),
        None => (Words::Whole, Words::Whole),
    }
}

pub(super) fn method(
    connector: &str,
    method: &MethodRecord,
    shelf: &impl Shelf,
) -> Result<DescribeOutput, Error> {
    let path = format!("{connector}.{}", method.name);
    let (input, output) = (&method.input_schema, &method.output_schema);
    let mut shown = Shown::new(input, output);
    let mut types = |words| {
        shown.read(connector, &method.name, words, shelf, |shown, sheets| {
            let call = call(&property(&method.name), sheets, words, 0);
            let rest = Beside::new(shown, sheets, words, connector, &path).text();
            format!("declare const {connector}: {{ {call} }};\n{rest}")
        })
    };
    let described = |description: Option<String>, types: String| DescribeOutput {
        path: path.clone(),
        description: description.filter(|text| !text.is_empty()),
        requires_approval: method.shown_approval(),
        types: remarks(method) + &types,
        code: None,
        kind: Kind::Method,
    };
    let description = method.description.as_deref();
    let Some(operation) = &method.operation else {
        let description = description.map(|text| cut(text, MAX_DESCRIPTION_CHARS));
        return Ok(described(description, types(words(method))?));
    };
    // Documentation is written for people: of what its schemas do not say, as much as there is room for.
    let bare = types(words(method))?;
    let weighs = weight(&bare);
    let mut room = Room::beside(weighs + weight(&path) + FRAME);
    let description = description
        .map(|text| digest(text, &[&method.name, connector]))
        .filter(|text| room.takes(weight(text)));
    let route = (!operation.raw)
        .then(|| one_line_comment(&format!("{} {}", operation.verb, operation.path)))
        .filter(|route| room.takes(weight(route)));
    let mut chosen = bare;
    for more in [Words::Brief, Words::Terse] {
        let text = types((more, Words::None))?;
        if room.takes(weight(&text).saturating_sub(weighs)) {
            chosen = text;
            break;
        }
    }
    Ok(described(description, route.unwrap_or_default() + &chosen))
}

/// Tokens of a description's own keys.
const FRAME: usize = 16;
/// A description of this many tokens is short in any case.
const SHORT: usize = 96;
/// None shall be longer than this because of words.
const LONG: usize = 340;

/// What words may cost beside the types.
struct Room(usize);

impl Room {
    fn beside(weight: usize) -> Self {
        let part = (weight / 10).min(LONG.saturating_sub(weight));
        Self(SHORT.saturating_sub(weight).max(part))
    }

    /// Takes it if it fits.
    fn takes(&mut self, weight: usize) -> bool {
        let left = self.0.checked_sub(weight);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// The parameter that a snippet takes, and the types that it needs. Such a schema refers to nothing outside.
pub(in crate::catalog) fn input(name: &str, schema: &Option<Value>) -> (String, String) {
    let sheet = schema.as_ref().map(|schema| {
        let start = format!("{name} Input");
        let start = Start::Root(&start);
        read(schema, start, View::Whole, Words::Whole, &mut Names::new())
    });
    let declared = sheet.iter().filter(|sheet| !is_silent(sheet));
    let declared = declared
        .flat_map(|sheet| &sheet.definitions)
        .map(|it| declaration(it, &complete(&it.ty, form(Words::Whole, 0))));
    let declared = declared.collect();
    (parameter(sheet.as_ref(), form(Words::Whole, 0)), declared)
}

/// Without a usable schema nothing is asked for.
fn parameter(sheet: Option<&Sheet<'_>>, form: Form) -> String {
    match sheet {
        Some(sheet) if !is_silent(sheet) => format!("input: {}", complete(&sheet.ty, form)),
        _ => "input?: unknown".to_owned(),
    }
}

/// `name(input: …): Promise<…>` on a line of this indentation.
pub(super) fn call(
    name: &str,
    sheets: &Sheets<'_>,
    (input, output): (Words, Words),
    indent: usize,
) -> String {
    let parameter = parameter(sheets.input.as_ref(), form(input, indent));
    let result = match &sheets.output {
        Some(sheet) if !is_silent(sheet) => shortened(&sheet.ty, form(output, indent)),
        _ => "unknown".to_owned(),
    };
    format!("{name}({parameter}): Promise<{result}>")
}

/// What stands above the declaration: the name it has with its source, whether it may wait.
fn remarks(method: &MethodRecord) -> String {
    let original = method
        .original
        .as_ref()
        .filter(|_| method.operation.is_none())
        .map(|original| format!("Its own name: {}", quoted(original)));
    let approval = (method.requires_approval == Approval::Ask)
        .then(|| "May need approval, depending on the arguments.".to_owned());
    let lines = original.into_iter().chain(approval);
    lines.map(|line| one_line_comment(&line)).collect()
}

fn one_line_comment(text: &str) -> String {
    let text = text.replace(
        |c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}',
        " ",
    );
    format!("// {}\n", cut(&text, 300))
}
