//! What a target means, and the types that are targets: `github`, `github.issues_*`, `github.issues_get`,
//! `github#Issue`, `github.issues_get#Labels`, `github#Issue#Labels`.
//!
//! A name behind `#` is one that the description before it shows, so a path is followed by reading what it passes through.

use serde_json::{Value, json};

use super::DescribeOutput;
use super::beside::{Beside, complete, form, shortened};
use super::connector::{connector, group};
use super::method::{method, words};
use super::schemas::{Document, MAX_ROUNDS, Shown};
use crate::catalog::record::MethodRecord;
use crate::catalog::shelf::Shelf;
use crate::catalog::types::{Names, Sheet, Start, Type, View, Words, read};
use crate::catalog::{Catalogue, Kind, nearest};
use crate::error::{Code, Error};

/// Types one inside another that a target can name.
const MAX_STEPS: usize = 16;

pub(in crate::catalog) fn answer(
    catalogue: &Catalogue,
    target: &str,
    shelf: &impl Shelf,
) -> Result<DescribeOutput, Error> {
    if let Some(known) = catalogue.connector(target) {
        return connector(known, shelf);
    }
    let (name, wanted) = split(target);
    if let Some(wanted) = wanted.as_deref()
        && let Some(record) = shelf.record(name, wanted)?
    {
        return method(name, &record, shelf);
    }
    if let Some((head, steps)) = target.split_once('#') {
        return type_of(catalogue, head, steps, shelf);
    }
    let Some(wanted) = wanted else {
        let text = nearest::unknown_target(&catalogue.connectors, target);
        return Err(Error::new(Code::NotFound, text));
    };
    if let Some(prefix) = wanted.strip_suffix('*')
        && let Some(known) = catalogue.connector(name)
        && let Some(group) = group(known, prefix, shelf)?
    {
        return Ok(group);
    }
    let text = catalogue.unknown_method(name, &wanted);
    Err(Error::new(Code::NotFound, text))
}

/// `github.create`, `github["odd name"]`.
fn split(target: &str) -> (&str, Option<String>) {
    if let Some((name, rest)) = target.split_once('[')
        && let Some(inside) = rest.strip_suffix(']')
        && !name.contains(['.', '#'])
    {
        let bare = inside
            .strip_prefix('\'')
            .and_then(|inside| inside.strip_suffix('\''));
        let method = serde_json::from_str(inside).ok();
        return (name, method.or_else(|| bare.map(str::to_owned)));
    }
    match target.split_once('.') {
        Some((name, method)) => (name, Some(method.to_owned())),
        None => (target, None),
    }
}

fn type_of(
    catalogue: &Catalogue,
    head: &str,
    steps: &str,
    shelf: &impl Shelf,
) -> Result<DescribeOutput, Error> {
    let (name, of) = split(head);
    let steps: Vec<&str> = steps.split('#').take(MAX_STEPS).collect();
    let mut known: Vec<String> = Vec::new();
    match of {
        Some(of) => {
            let Some(record) = shelf.record(name, &of)? else {
                let text = catalogue.unknown_method(name, &of);
                return Err(Error::new(Code::NotFound, text));
            };
            if let Some(found) = of_method(name, head, &record, &steps, &mut known, shelf)? {
                return Ok(found);
            }
        }
        None if catalogue.connector(name).is_none() => {
            let text = nearest::unknown_target(&catalogue.connectors, name);
            return Err(Error::new(Code::NotFound, text));
        }
        None => {}
    }
    // A name that a method shows may be a definition of its connector.
    if let Some((first, rest)) = steps.split_first()
        && let Some(found) = definition(name, first, rest, &mut known, shelf)?
    {
        return Ok(found);
    }
    if known.is_empty() {
        known = shelf.definitions(name)?;
    }
    let wanted = steps.last().copied().unwrap_or_default();
    let text = nearest::unknown_type(head, wanted, &known);
    Err(Error::new(Code::NotFound, text))
}

fn of_method(
    connector: &str,
    head: &str,
    record: &MethodRecord,
    steps: &[&str],
    known: &mut Vec<String>,
    shelf: &impl Shelf,
) -> Result<Option<DescribeOutput>, Error> {
    let Some((first, rest)) = steps.split_first() else {
        return Ok(None);
    };
    let words = words(record);
    let mut shown = Shown::new(&record.input_schema, &record.output_schema);
    let found = shown.read(connector, &record.name, words, shelf, |shown, sheets| {
        // The result first: an input is shown whole, as a rule.
        let output = part(sheets.output.as_ref(), shown.output.as_ref(), first, known);
        let input = part(sheets.input.as_ref(), shown.input.as_ref(), first, known);
        output
            .map(|part| (part, View::Levels(1)))
            .or(input.map(|part| (part, View::Whole)))
    })?;
    match found {
        Some((Part::Definition(key), _)) => definition(connector, &key, rest, known, shelf),
        Some((Part::Inside { document, at, name }, view)) => {
            let place = Place {
                document,
                at,
                name,
                scope: format!("{head}#{first}"),
                view,
                words: match words.0 {
                    Words::Limits => Words::Brief,
                    own => own,
                },
                kind: Kind::Method,
            };
            inside(connector, place, rest, known, shelf)
        }
        None => Ok(None),
    }
}

/// `github#Issue` and what is inside it.
fn definition(
    connector: &str,
    key: &str,
    rest: &[&str],
    known: &mut Vec<String>,
    shelf: &impl Shelf,
) -> Result<Option<DescribeOutput>, Error> {
    let Some(schema) = shelf.definition(connector, key)? else {
        return Ok(None);
    };
    let pointer = format!("/$defs/{}", key.replace('~', "~0").replace('/', "~1"));
    let mut document = Document::new(json!({ "$defs": {} }));
    document.put(key, schema);
    let place = Place {
        document,
        at: pointer,
        name: key.to_owned(),
        scope: format!("{connector}#{key}"),
        view: View::Levels(1),
        words: Words::Brief,
        kind: Kind::Connector,
    };
    inside(connector, place, rest, known, shelf)
}

/// A schema in a document, by its pointer.
struct Place {
    document: Document,
    at: String,
    name: String,
    scope: String,
    view: View,
    words: Words,
    kind: Kind,
}

enum Part {
    /// The key of a definition on the shelf.
    Definition(String),
    Inside {
        document: Document,
        at: String,
        name: String,
    },
}

/// What a name of a sheet stands for; the names that there are go to `known`.
fn part(
    sheet: Option<&Sheet<'_>>,
    document: Option<&Document>,
    wanted: &str,
    known: &mut Vec<String>,
) -> Option<Part> {
    let (sheet, document) = (sheet?, document?);
    known.extend(sheet.stubs.iter().map(|stub| stub.name.clone()));
    let stub = sheet.stubs.iter().find(|stub| stub.name == wanted)?;
    if let Some(key) = document.key(stub.pointer.as_deref()) {
        return Some(Part::Definition(key.to_owned()));
    }
    let at = match &stub.pointer {
        Some(pointer) => pointer.clone(),
        None => pointer_of(&document.root, stub.schema)?,
    };
    Some(Part::Inside {
        document: document.clone(),
        at,
        name: stub.name.clone(),
    })
}

/// Where a schema stands in its document.
fn pointer_of(root: &Value, wanted: &Value) -> Option<String> {
    let mut open = vec![(String::new(), root)];
    while let Some((pointer, value)) = open.pop() {
        if std::ptr::eq(value, wanted) {
            return Some(pointer);
        }
        match value {
            Value::Object(map) => open.extend(map.iter().map(|(key, value)| {
                let key = key.replace('~', "~0").replace('/', "~1");
                (format!("{pointer}/{key}"), value)
            })),
            Value::Array(items) => open.extend(
                (items.iter().enumerate()).map(|(at, value)| (format!("{pointer}/{at}"), value)),
            ),
            _ => {}
        }
    }
    None
}

/// Follows names from a place to a type, and describes it.
fn inside(
    connector: &str,
    mut place: Place,
    rest: &[&str],
    known: &mut Vec<String>,
    shelf: &impl Shelf,
) -> Result<Option<DescribeOutput>, Error> {
    let mut rounds = 0;
    loop {
        rounds += 1;
        let Place {
            document,
            at,
            name,
            scope,
            view,
            words,
            kind,
        } = &place;
        let Some(schema) = document.root.pointer(at) else {
            return Ok(None);
        };
        let start = Start::Part {
            name,
            schema,
            pointer: Some(at),
        };
        let mut names = Names::new();
        let sheet = read(&document.root, start, *view, *words, &mut names);
        let missing = sheet.missing.clone();
        if !missing.is_empty() && rounds <= MAX_ROUNDS {
            drop(sheet);
            place.document.fetch(connector, &missing, shelf)?;
            continue;
        }
        let Some((first, rest)) = rest.split_first() else {
            return Ok(Some(shown(&sheet, &place, connector)));
        };
        known.clear();
        return match part(Some(&sheet), Some(document), first, known) {
            Some(Part::Definition(key)) => definition(connector, &key, rest, known, shelf),
            Some(Part::Inside { document, at, name }) => {
                let place = Place {
                    document,
                    at,
                    name,
                    scope: format!("{scope}#{first}"),
                    view: *view,
                    words: *words,
                    kind: *kind,
                };
                inside(connector, place, rest, known, shelf)
            }
            None => Ok(None),
        };
    }
}

fn shown(sheet: &Sheet<'_>, place: &Place, connector: &str) -> DescribeOutput {
    let form = form(place.words, 0);
    let print = |ty: &Type| match place.view {
        View::Whole => complete(ty, form),
        View::Levels(_) | View::Result | View::List => shortened(ty, form),
    };
    let mut beside = Beside::default();
    beside.add(sheet, &place.document, print, connector, &place.scope);
    DescribeOutput {
        path: place.scope.clone(),
        description: None,
        requires_approval: None,
        types: beside.text(),
        code: None,
        kind: place.kind,
    }
}
