//! Where a `$ref` leads, and the names under which its targets are declared.
//!
//! Only references inside the document are followed: a description must not wait for a network, nor reach one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::value::Type;

/// Places looked at for what names itself by `$anchor` or `$id`.
const MAX_ANCHORED: usize = 20_000;

/// The type names of one description, so that no two declarations share one.
pub(in crate::catalog) struct Names {
    taken: BTreeSet<String>,
    /// The last number that was put behind a name.
    counts: BTreeMap<String, u32>,
}

impl Names {
    /// Built-in names of ours that a definition could take.
    pub(in crate::catalog) fn new() -> Self {
        Self {
            taken: ["Promise", "Uint8Array"].map(str::to_owned).into(),
            counts: BTreeMap::new(),
        }
    }

    /// A free name made of these parts: `list-issues`, `Input` is `ListIssuesInput`, and `ListIssuesInput2` the next time.
    pub(in crate::catalog) fn claim(&mut self, parts: &[&str]) -> String {
        let wanted = pascal(parts);
        let mut name = wanted.clone();
        while !self.taken.insert(name.clone()) {
            let count = self.counts.entry(wanted.clone()).or_insert(1);
            *count = count.saturating_add(1);
            name = format!("{wanted}{count}");
        }
        name
    }
}

/// One name of these parts, in Pascal case and ASCII.
pub(super) fn pascal(parts: &[&str]) -> String {
    let words = parts
        .iter()
        .flat_map(|part| part.split(|c: char| !c.is_ascii_alphanumeric()))
        .filter(|word| !word.is_empty());
    let name: String = words
        .map(|word| {
            let (first, rest) = word.split_at(1);
            format!("{}{rest}", first.to_ascii_uppercase())
        })
        .collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name
    } else {
        format!("Type{name}")
    }
}

/// A schema that has a name in a description.
pub(super) struct Target<'s> {
    pub(super) name: String,
    pub(super) schema: &'s Value,
    /// Where it stands in the document, of one that a reference leads to.
    pub(super) pointer: Option<String>,
    /// How many levels of objects are opened, of one that is declared; the others are only named.
    pub(super) opened: Option<usize>,
    /// Definitions that this one names outside any object or array.
    bare: BTreeSet<usize>,
}

/// The named schemas of one sheet in the order they were found.
pub(super) struct Named<'s, 'n> {
    names: &'n mut Names,
    pub(super) found: Vec<Target<'s>>,
    by_pointer: BTreeMap<String, usize>,
    /// Opened and not read yet.
    waiting: std::collections::VecDeque<usize>,
    current: Option<usize>,
}

impl<'s, 'n> Named<'s, 'n> {
    pub(super) fn new(names: &'n mut Names) -> Self {
        Self {
            names,
            found: Vec::new(),
            by_pointer: BTreeMap::new(),
            waiting: std::collections::VecDeque::new(),
            current: None,
        }
    }

    /// What follows is read as the definition that was opened first of those not read yet.
    pub(super) fn begin(&mut self) -> Option<(usize, usize, &'s Value)> {
        let index = self.waiting.pop_front()?;
        self.current = Some(index);
        let target = self.found.get(index)?;
        Some((index, target.opened.unwrap_or(0), target.schema))
    }

    /// The name of a definition that is declared, `nest` levels deep.
    pub(super) fn open(&mut self, pointer: &str, schema: &'s Value, nest: usize) -> Type {
        let index = self.index(pointer, schema);
        self.open_at(index, nest)
    }

    /// Like `open`, where TypeScript forbids a circle (`type A = B; type B = A | string`): the reference that would close
    /// one is `unknown`.
    pub(super) fn open_bare(&mut self, pointer: &str, schema: &'s Value, nest: usize) -> Type {
        let index = self.index(pointer, schema);
        if self.reaches_current(index) {
            return Type::Unknown;
        }
        if let Some(current) = self.current.and_then(|current| self.found.get_mut(current)) {
            current.bare.insert(index);
        }
        self.open_at(index, nest)
    }

    /// The name of a definition that stays closed unless something else opens it.
    pub(super) fn close(&mut self, pointer: &str, schema: &'s Value) -> Type {
        let index = self.index(pointer, schema);
        self.type_of(index)
    }

    /// A name for a schema that has none of its own.
    pub(super) fn close_inline(&mut self, label: &str, schema: &'s Value) -> Type {
        let name = self.names.claim(&[label]);
        self.found.push(Target {
            name: name.clone(),
            schema,
            pointer: None,
            opened: None,
            bare: BTreeSet::new(),
        });
        Type::Name(name)
    }

    /// Gives a place of the document a name of ours, which references to it then use.
    pub(super) fn open_as(
        &mut self,
        wanted: &str,
        pointer: &str,
        schema: &'s Value,
        nest: usize,
    ) -> Type {
        let index = self.index_named(pointer, wanted, schema);
        self.open_at(index, nest)
    }

    pub(super) fn knows(&self, pointer: &str) -> bool {
        self.by_pointer.contains_key(pointer)
    }

    fn open_at(&mut self, index: usize, nest: usize) -> Type {
        if let Some(target) = self.found.get_mut(index)
            && target.opened.is_none()
        {
            target.opened = Some(nest);
            self.waiting.push_back(index);
        }
        self.type_of(index)
    }

    fn type_of(&self, index: usize) -> Type {
        self.found
            .get(index)
            .map_or(Type::Unknown, |target| Type::Name(target.name.clone()))
    }

    fn index(&mut self, pointer: &str, schema: &'s Value) -> usize {
        let last = pointer.rsplit('/').next().unwrap_or_default();
        let last = last.replace("~1", "/").replace("~0", "~");
        self.index_named(pointer, &last, schema)
    }

    fn index_named(&mut self, pointer: &str, wanted: &str, schema: &'s Value) -> usize {
        if let Some(index) = self.by_pointer.get(pointer) {
            return *index;
        }
        let index = self.found.len();
        self.by_pointer.insert(pointer.to_owned(), index);
        self.found.push(Target {
            name: self.names.claim(&[wanted]),
            schema,
            pointer: Some(pointer.to_owned()),
            opened: None,
            bare: BTreeSet::new(),
        });
        index
    }

    fn reaches_current(&self, from: usize) -> bool {
        let Some(current) = self.current else {
            return false;
        };
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(index) = open.pop() {
            if index == current {
                return true;
            }
            if seen.insert(index) {
                open.extend(self.found.get(index).into_iter().flat_map(|it| &it.bare));
            }
        }
        false
    }
}

/// One JSON document and what in it can be referred to.
pub(super) struct Document<'s> {
    pub(super) root: &'s Value,
    /// Schemas by the names that they give themselves; looked for when one is first asked for.
    anchors: Option<BTreeMap<String, (String, &'s Value)>>,
    /// Definitions that are referred to and not here.
    pub(super) missing: BTreeSet<String>,
}

impl<'s> Document<'s> {
    pub(super) fn new(root: &'s Value) -> Self {
        Self {
            root,
            anchors: None,
            missing: BTreeSet::new(),
        }
    }

    /// The reference of a schema, in any draft's word.
    pub(super) fn reference(map: &'s Map<String, Value>) -> Option<&'s str> {
        ["$ref", "$dynamicRef", "$recursiveRef"]
            .into_iter()
            .find_map(|keyword| map.get(keyword)?.as_str())
    }

    /// The target of a reference inside the document, and its pointer in plain form.
    pub(super) fn resolve(&mut self, target: &str) -> Option<(String, &'s Value)> {
        if let Some(found) = pointed(self.root, target) {
            return Some(found);
        }
        if let Some(key) = key(target) {
            self.missing.insert(key.to_owned());
            return None;
        }
        let root = self.root;
        let anchors = self.anchors.get_or_insert_with(|| anchors(root));
        anchors.get(target).cloned()
    }
}

/// The key of a definition beside the records, of a reference that leads to one.
pub(super) fn key(target: &str) -> Option<&str> {
    target
        .strip_prefix("#/$defs/")
        .filter(|key| !key.contains('/'))
}

pub(super) fn pointed<'s>(root: &'s Value, target: &str) -> Option<(String, &'s Value)> {
    let fragment = target.strip_prefix('#')?;
    // A pointer in a fragment is percent-encoded; many are written without.
    [Some(fragment.to_owned()), percent_decoded(fragment)]
        .into_iter()
        .flatten()
        .find_map(|pointer| {
            let found = root.pointer(&pointer)?;
            Some((pointer, found))
        })
}

/// What names itself: `$anchor: "x"` is `#x`, `$id: "x.json"` is `x.json`; `id` in draft 4.
fn anchors(root: &Value) -> BTreeMap<String, (String, &Value)> {
    let mut found = BTreeMap::new();
    let mut open = vec![(String::new(), root)];
    let mut looked_at = 0;
    while let Some((pointer, value)) = open.pop() {
        looked_at += 1;
        if looked_at > MAX_ANCHORED {
            break;
        }
        match value {
            Value::Object(map) => {
                let text = |key: &str| map.get(key).and_then(Value::as_str);
                let own = ["$anchor", "$dynamicAnchor"].into_iter().filter_map(text);
                let own = own.map(|anchor| format!("#{anchor}"));
                for name in own.chain(
                    ["$id", "id"]
                        .into_iter()
                        .filter_map(text)
                        .map(str::to_owned),
                ) {
                    found
                        .entry(name)
                        .or_insert_with(|| (pointer.clone(), value));
                }
                open.extend(map.iter().map(|(key, value)| {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    (format!("{pointer}/{key}"), value)
                }));
            }
            Value::Array(items) => {
                let each = items.iter().enumerate();
                open.extend(each.map(|(at, value)| (format!("{pointer}/{at}"), value)));
            }
            _ => {}
        }
    }
    found
}

pub(in crate::catalog) fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let (byte, after) = match (first, tail) {
            (b'%', [high, low, after @ ..]) => {
                let digit = |byte: &u8| {
                    char::from(*byte)
                        .to_digit(16)
                        .and_then(|digit| u8::try_from(digit).ok())
                };
                (digit(high)? * 16 + digit(low)?, after)
            }
            _ => (*first, tail),
        };
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}
