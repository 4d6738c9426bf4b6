//! One document: which dialect it is, its sections by key, and where its references lead.
//!
//! Only references inside the document are followed. Sections are found by key; whatever else a pointer walks through is
//! read on the way, which a document could ask for without end, so what is walked is counted.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::raw::{Fields, Raw, items};
use crate::catalog::types::percent_decoded;
use crate::error::{Code, Error};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Swagger2,
    /// Beside a `$ref` nothing counts, and null is a keyword.
    OpenApi30,
    /// 3.1 and later: schemas are JSON Schema 2020-12.
    OpenApi31,
}

/// At the top of a document, beside all that is in `components`.
#[rustfmt::skip]
const SECTIONS: [&str; 5] = ["paths", "definitions", "parameters", "responses", "securityDefinitions"];

/// Steps from one reference to the next, before it is taken for a circle.
const MAX_HOPS: usize = 32;

/// What references may lead through and to, as a multiple of the document's length, and at least. A schema that is named is
/// read once and does not count.
const WALKED_TIMES: usize = 32;
const WALKED_LEAST: usize = 32 << 20;
const TOO_OFTEN: &str = "and the document refers to parts of this size too often";

#[derive(Debug)]
pub(super) struct Document<'d> {
    pub(super) dialect: Dialect,
    pub(super) root: Fields<'d>,
    /// By pointer (`/components/schemas`), the members by name.
    sections: BTreeMap<String, BTreeMap<Cow<'d, str>, Raw<'d>>>,
    walkable: Cell<usize>,
    /// Where pointers led that go on behind a member of a section.
    walked: RefCell<BTreeMap<String, Raw<'d>>>,
    /// Of Swagger 2.0, what operations take and give that do not say so themselves.
    pub(super) consumes: Vec<String>,
    pub(super) produces: Vec<String>,
}

/// An object of the document; `pointer` says where it lies, when a reference led there.
#[derive(Debug, Clone)]
pub(super) struct Site<'d> {
    pub(super) fields: Fields<'d>,
    pub(super) pointer: Option<String>,
}

impl Site<'_> {
    /// The pointer of a part of this object.
    pub(super) fn within(&self, tokens: &[&str]) -> Option<String> {
        let mut pointer = self.pointer.clone()?;
        for token in tokens {
            pointer.push('/');
            pointer.push_str(&escaped(token));
        }
        Some(pointer)
    }
}

impl<'d> Document<'d> {
    /// # Errors
    /// `invalid_input` when the text is not an OpenAPI document in JSON.
    pub(super) fn read(text: &'d str) -> Result<Self, Error> {
        let text = text.trim_start_matches('\u{feff}').trim();
        if !text.starts_with('{') {
            let yaml = text.starts_with("openapi") || text.starts_with("swagger");
            let seen = if yaml || text.contains("\nopenapi:") || text.contains("\nswagger:") {
                "the OpenAPI document is YAML; convert it, and pass it as JSON"
            } else {
                "the OpenAPI document does not begin with `{`; pass the document itself, as JSON"
            };
            return Err(Error::new(Code::InvalidInput, seen));
        }
        let whole: &RawValue = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
        let root: Fields<'d> =
            serde_json::from_str(whole.get()).map_err(|error| unreadable(&error))?;
        let dialect = dialect(&root)?;
        let mut document = Self {
            dialect,
            consumes: root.texts("consumes"),
            produces: root.texts("produces"),
            root,
            sections: BTreeMap::new(),
            walked: RefCell::default(),
            walkable: Cell::new(text.len().saturating_mul(WALKED_TIMES).max(WALKED_LEAST)),
        };
        document.index();
        Ok(document)
    }

    fn index(&mut self) {
        let components = self.root.object("components").unwrap_or_default();
        let components = components
            .iter()
            .map(|(name, raw)| (format!("/components/{}", escaped(name)), raw));
        let own = SECTIONS
            .into_iter()
            .filter_map(|name| Some((format!("/{name}"), self.root.get(name)?)));
        let found: Vec<(String, Raw<'d>)> = components.chain(own).collect();
        for (pointer, raw) in found {
            let members = Fields::read(raw).unwrap_or_default().into_entries();
            self.sections.insert(pointer, members.into_iter().collect());
        }
    }

    /// Each path of the document once, in its order.
    pub(super) fn paths(&self) -> Vec<(String, Raw<'d>)> {
        let paths = self.root.object("paths").unwrap_or_default();
        let paths = paths.unique().into_iter();
        paths
            .filter(|(path, _)| !path.starts_with("x-"))
            .map(|(path, raw)| (path.to_owned(), raw))
            .collect()
    }

    pub(super) fn section(&self, pointer: &str) -> impl Iterator<Item = (&str, Raw<'d>)> {
        let members = self.sections.get(pointer);
        members
            .into_iter()
            .flatten()
            .map(|(name, raw)| (name.as_ref(), *raw))
    }

    /// Where a reference leads: the pointer in one form for all its spellings, and what lies there.
    pub(super) fn locate(&self, reference: &str) -> Option<(String, Raw<'d>)> {
        let fragment = reference.strip_prefix('#')?;
        // A pointer in a fragment is percent-encoded; many are written without.
        let decoded = percent_decoded(fragment).filter(|decoded| decoded != fragment);
        [Some(fragment.to_owned()), decoded]
            .into_iter()
            .flatten()
            .find_map(|pointer| {
                let known = self.walked.borrow().get(&pointer).copied();
                let found = known.or_else(|| self.at(&pointer))?;
                Some((pointer, found))
            })
    }

    fn at(&self, pointer: &str) -> Option<Raw<'d>> {
        let mut tokens = pointer.strip_prefix('/')?.split('/');
        let first = tokens.next()?;
        let mut section = format!("/{first}");
        if first == "components" {
            section.push('/');
            section.push_str(tokens.next()?);
        }
        let mut found = match (self.sections.get(&section), tokens.next()) {
            (Some(members), Some(name)) => *members.get(unescaped(name).as_str())?,
            (None, Some(name)) if first != "components" => {
                self.step(self.root.get(&unescaped(first))?, name)?
            }
            _ => return None,
        };
        let mut deep = false;
        for token in tokens {
            found = self.step(found, token)?;
            deep = true;
        }
        if deep {
            let mut walked = self.walked.borrow_mut();
            walked.insert(pointer.to_owned(), found);
        }
        Some(found)
    }

    /// Counts what is read once more, because something refers to it.
    fn walk(&self, raw: Raw<'d>) -> Option<()> {
        let left = self.walkable.get().checked_sub(raw.get().len());
        self.walkable.set(left.unwrap_or(0));
        left.map(|_| ())
    }

    fn step(&self, from: Raw<'d>, token: &str) -> Option<Raw<'d>> {
        self.walk(from)?;
        match Fields::read(from) {
            Some(fields) => fields.get(&unescaped(token)),
            None => items(from)?.get(token.parse::<usize>().ok()?).copied(),
        }
    }

    /// The object itself, or the one that its `$ref` leads to.
    ///
    /// # Errors
    /// The reference that leads nowhere, to something else, or in a circle; for a text that goes on after it.
    pub(super) fn follow(&self, raw: Raw<'d>) -> Result<Site<'d>, String> {
        let (mut raw, mut pointer) = (raw, None);
        let mut last = None;
        for _ in 0..MAX_HOPS {
            let Some(fields) = Fields::read(raw) else {
                return Err(match last {
                    Some(reference) => format!("`{reference}`, which is no object"),
                    None => "something that is no object".to_owned(),
                });
            };
            let Some(reference) = fields.text("$ref") else {
                return Ok(Site { fields, pointer });
            };
            let Some((place, target)) = self.locate(&reference) else {
                let why = match reference.starts_with('#') {
                    _ if self.walkable.get() == 0 => TOO_OFTEN,
                    true => "which is not in the document",
                    false => "which is in another document; bundle the two into one",
                };
                return Err(format!("`{reference}`, {why}"));
            };
            if self.walk(target).is_none() {
                return Err(format!("`{reference}`, {TOO_OFTEN}"));
            }
            (raw, pointer, last) = (target, Some(place), Some(reference));
        }
        Err("a circle of references".to_owned())
    }

    /// Follows a schema that is a reference and nothing else. `None` where it leads nowhere, or in a circle.
    pub(super) fn follow_schema(&self, reference: &str) -> Option<(String, Raw<'d>)> {
        let mut found = self.locate(reference)?;
        for _ in 0..MAX_HOPS {
            // Whoever holds more than a reference would be longer than any reference is.
            let next = (found.1.get().len() < 1_000)
                .then(|| Fields::read(found.1))
                .flatten()
                .filter(|fields| fields.iter().count() == 1)
                .and_then(|fields| fields.text("$ref"));
            match next {
                None => return Some(found),
                Some(reference) => found = self.locate(&reference)?,
            }
        }
        None
    }
}

fn dialect(root: &Fields<'_>) -> Result<Dialect, Error> {
    let version = |name: &str| {
        let raw = root.get(name)?.get();
        Some(raw.trim_matches('"').to_owned())
    };
    let found = match (version("openapi"), version("swagger")) {
        (Some(version), _) if version.starts_with("3.0") => return Ok(Dialect::OpenApi30),
        (Some(version), _) if version.starts_with("3.") => return Ok(Dialect::OpenApi31),
        (None, Some(version)) if version == "2" || version.starts_with("2.") => {
            return Ok(Dialect::Swagger2);
        }
        (Some(version), _) => format!("`openapi` is {version:?}"),
        (None, Some(version)) => format!("`swagger` is {version:?}"),
        (None, None) => "there is neither `openapi` nor `swagger` at its top".to_owned(),
    };
    Err(Error::new(
        Code::InvalidInput,
        format!("the text is no OpenAPI 3 or Swagger 2.0 document: {found}"),
    ))
}

fn unreadable(error: &serde_json::Error) -> Error {
    Error::new(
        Code::InvalidInput,
        format!("the OpenAPI document is not readable as JSON: {error}"),
    )
}

pub(super) fn escaped(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}
