//! One schema read for a description: its type, the definitions it needs, and what is only named and can be opened.

use serde_json::Value;

use super::Words;
use super::at::At;
use super::docs::doc;
use super::reach::shared;
use super::reader::{Reader, Refs};
use super::refs::{Document, Named, Names};
use super::value::Type;

/// Places of one schema that are read; what is behind them is `unknown`.
const MAX_NODES: usize = 20_000;

/// How far a schema is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::catalog) enum View {
    /// All there is.
    Whole,
    /// So many levels of objects; deeper ones are names.
    Levels(usize),
    /// One level of what a call gives, or of each item of a list.
    Result,
    /// The same, where the items of a list are only named.
    List,
}

/// A declared type: `type <name> = <ty>`, with its comment.
pub(in crate::catalog) struct Definition {
    pub(in crate::catalog) name: String,
    pub(in crate::catalog) doc: Option<String>,
    pub(in crate::catalog) ty: Type,
}

/// A name without a declaration.
pub(in crate::catalog) struct Stub<'s> {
    pub(in crate::catalog) name: String,
    pub(in crate::catalog) schema: &'s Value,
    /// Where it stands in the document, if a reference leads to it.
    pub(in crate::catalog) pointer: Option<String>,
}

pub(in crate::catalog) struct Sheet<'s> {
    pub(in crate::catalog) ty: Type,
    pub(in crate::catalog) definitions: Vec<Definition>,
    pub(in crate::catalog) stubs: Vec<Stub<'s>>,
    /// Was all of it read?
    pub(in crate::catalog) is_whole: bool,
    /// Keys of definitions that were wanted and are not in the document.
    pub(in crate::catalog) missing: Vec<String>,
}

/// What is read.
#[derive(Clone, Copy)]
pub(in crate::catalog) enum Start<'a, 's> {
    /// The document, under this name where it refers to itself.
    Root(&'a str),
    /// A schema in it, declared under this name.
    Part {
        name: &'a str,
        schema: &'s Value,
        pointer: Option<&'a str>,
    },
}

pub(in crate::catalog) fn read<'s>(
    root: &'s Value,
    start: Start<'_, 's>,
    view: View,
    words: Words,
    names: &mut Names,
) -> Sheet<'s> {
    let mut document = Document::new(root);
    let schema = match start {
        Start::Root(_) => root,
        Start::Part { schema, .. } => schema,
    };
    let ways = shared(&mut document, schema);
    let (nest, at) = match view {
        View::Whole => (usize::MAX, At::root(usize::MAX)),
        View::Levels(levels) => (levels, At::root(levels)),
        View::Result => (1, At::root(1)),
        View::List => (1, At::root(1).list()),
    };
    let mut named = Named::new(names);
    let declared = match start {
        Start::Root(name) => ways
            .contains("")
            .then(|| named.open_as(name, "", root, nest)),
        Start::Part {
            name,
            schema,
            pointer,
        } => Some(named.open_as(name, pointer.unwrap_or("its own"), schema, nest)),
    };
    let mut reader = Reader {
        document: &mut document,
        nodes: MAX_NODES,
        words,
        refs: Refs::Named {
            named,
            shared: match view {
                View::Whole | View::Result | View::List => Some(ways),
                View::Levels(_) => None,
            },
        },
    };
    let ty = declared.unwrap_or_else(|| reader.read(schema, at));
    let mut read = Vec::new();
    // Reading one definition may find more of them.
    while let Refs::Named { named, .. } = &mut reader.refs
        && let Some((index, nest, schema)) = named.begin()
    {
        let ty = reader.read(schema, at.levels(nest));
        read.push((index, doc(schema, "", words), ty));
    }
    let is_whole = reader.nodes > 0;
    let found = match reader.refs {
        Refs::Named { named, .. } => named.found,
        Refs::Inline(_) => Vec::new(),
    };
    let definitions = read
        .into_iter()
        .filter_map(|(index, doc, ty)| {
            let name = found.get(index)?.name.clone();
            Some(Definition { name, doc, ty })
        })
        .collect();
    let stubs = found
        .into_iter()
        .filter(|target| target.opened.is_none())
        .map(|target| Stub {
            name: target.name,
            schema: target.schema,
            pointer: target.pointer,
        });
    Sheet {
        ty,
        definitions,
        stubs: stubs.collect(),
        is_whole,
        missing: document.missing.into_iter().collect(),
    }
}
