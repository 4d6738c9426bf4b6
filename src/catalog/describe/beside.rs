//! What stands beside a declaration of a call or is one of a type: types that are declared, names that are only targets.

use std::collections::BTreeSet;

use super::schemas::{Document, Sheets, Shown};
use crate::catalog::types::{
    Definition, Form, Sheet, Stub, Type, Words, comment, line, quoted, whole,
};

/// A result beyond this is cut, which is marked.
const MAX_RESULT_CHARS: usize = 12_000;
const MAX_COMPLETE_CHARS: usize = 48_000;
const MAX_CUT_MEMBERS: usize = 100;
/// Names beyond these are declared and not opened.
const MAX_STUBS: usize = 200;

/// What stands beside a call: types that are declared, and names that are only targets.
#[derive(Default)]
pub(super) struct Beside {
    /// Name and declaration.
    types: Vec<(String, String)>,
    closed: Vec<Closed>,
}

/// A name without a declaration.
pub(super) struct Closed {
    name: String,
    target: String,
    /// Is it a definition of the connector?
    shared: bool,
}

impl Closed {
    pub(super) fn new(stub: &Stub<'_>, document: &Document, connector: &str, scope: &str) -> Self {
        let key = document.key(stub.pointer.as_deref());
        Self {
            name: stub.name.clone(),
            target: match key {
                Some(key) => format!("{connector}#{key}"),
                None => format!("{scope}#{}", stub.name),
            },
            shared: key.is_some(),
        }
    }
}

impl Beside {
    pub(super) fn new(
        shown: &Shown,
        sheets: &Sheets<'_>,
        words: (Words, Words),
        connector: &str,
        scope: &str,
    ) -> Self {
        let mut beside = Self::default();
        if let (Some(sheet), Some(document)) = (&sheets.input, &shown.input) {
            let print = |ty: &Type| complete(ty, form(words.0, 0));
            beside.add(sheet, document, print, connector, scope);
        }
        if let (Some(sheet), Some(document)) = (&sheets.output, &shown.output) {
            let print = |ty: &Type| shortened(ty, form(words.1, 0));
            beside.add(sheet, document, print, connector, scope);
        }
        beside
    }

    pub(super) fn add(
        &mut self,
        sheet: &Sheet<'_>,
        document: &Document,
        print: impl Fn(&Type) -> String,
        connector: &str,
        scope: &str,
    ) {
        if is_silent(sheet) {
            return;
        }
        for definition in &sheet.definitions {
            let text = declaration(definition, &print(&definition.ty));
            self.types.push((definition.name.clone(), text));
        }
        let stubs = sheet.stubs.iter();
        self.closed
            .extend(stubs.map(|stub| Closed::new(stub, document, connector, scope)));
    }

    /// Takes in what stands beside another call. Do both mean the same by the same names?
    pub(super) fn merge(&mut self, other: Self) -> bool {
        for (name, text) in other.types {
            match self.types.iter().find(|(known, _)| *known == name) {
                Some((_, known)) if *known != text => return false,
                Some(_) => {}
                None => self.types.push((name, text)),
            }
        }
        for closed in other.closed {
            match self.closed.iter().find(|known| known.name == closed.name) {
                Some(known) if known.target != closed.target => return false,
                Some(_) => {}
                None => self.closed.push(closed),
            }
        }
        true
    }

    /// The declarations, and `interface Owner {} // codemode.describe("github#Owner")`: names that are targets themselves.
    pub(super) fn text(&self) -> String {
        let mut text: String = self.types.iter().map(|(_, text)| text.as_str()).collect();
        let declared: BTreeSet<&str> = self.types.iter().map(|(name, _)| name.as_str()).collect();
        for shared in [true, false] {
            let names: Vec<&Closed> = self
                .closed
                .iter()
                .filter(|it| it.shared == shared && !declared.contains(it.name.as_str()))
                .collect();
            let Some(first) = names.first() else {
                continue;
            };
            for closed in names.iter().take(MAX_STUBS) {
                text.push_str(&format!("interface {} {{}} ", closed.name));
            }
            let more = match names.len().saturating_sub(MAX_STUBS) {
                0 => String::new(),
                more => format!(" ({more} more names are not listed)"),
            };
            let target = quoted(&first.target);
            text.push_str(&format!("// codemode.describe({target}){more}\n"));
        }
        text
    }
}

pub(super) fn declaration(definition: &Definition, ty: &str) -> String {
    let doc = definition.doc.as_ref().map(|doc| comment(doc, 0));
    format!(
        "{}type {} = {ty};\n",
        doc.unwrap_or_default(),
        definition.name
    )
}

pub(super) fn form(words: Words, indent: usize) -> Form {
    match words {
        Words::Whole => Form::Block(indent),
        Words::Brief | Words::Terse | Words::Limits | Words::None => Form::Line,
    }
}

pub(super) fn shortened(ty: &Type, form: Form) -> String {
    within(MAX_RESULT_CHARS, ty, form)
}

/// An input as a whole. What is still longer at its least is cut, which is marked.
pub(super) fn complete(ty: &Type, form: Form) -> String {
    within(MAX_COMPLETE_CHARS, ty, form)
}

fn within(most: usize, ty: &Type, form: Form) -> String {
    let text = whole(ty, form);
    if text.len() > most {
        line(ty, MAX_CUT_MEMBERS)
    } else {
        text
    }
}

/// Says the schema nothing?
pub(super) fn is_silent(sheet: &Sheet<'_>) -> bool {
    match &sheet.ty {
        Type::Unknown => true,
        Type::Name(name) => sheet
            .definitions
            .iter()
            .any(|it| it.name == *name && it.ty == Type::Unknown),
        _ => false,
    }
}
