//! All operations of a document, and what they are called: the first of two looks at its paths.

use std::collections::BTreeMap;

use super::document::Document;
use super::raw::{Fields, Raw};
use crate::catalog::names::identifiers;
use crate::catalog::source::Skipped;

/// The name of the escape hatch. No operation gets it.
pub(super) const REQUEST: &str = "request";

const VERBS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

#[derive(Debug)]
pub(super) struct Item<'d> {
    pub(super) path: String,
    pub(super) fields: Fields<'d>,
}

#[derive(Debug)]
pub(super) struct Found<'d> {
    /// Of the items, by number.
    pub(super) item: usize,
    pub(super) verb: String,
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) raw: Raw<'d>,
}

#[derive(Debug, Default)]
pub(super) struct Operations<'d> {
    pub(super) items: Vec<Item<'d>>,
    pub(super) found: Vec<Found<'d>>,
}

impl<'d> Operations<'d> {
    pub(super) fn of(document: &Document<'d>, skipped: &mut Vec<Skipped>) -> Self {
        let mut all = Self::default();
        for (path, raw) in document.paths() {
            match item(document, raw) {
                Ok(fields) => all.add(path, fields, skipped),
                Err(why) => skipped.push(Skipped {
                    what: path,
                    why: format!("its path item is {why}"),
                }),
            }
        }
        all.name();
        all
    }

    fn add(&mut self, path: String, fields: Fields<'d>, skipped: &mut Vec<Skipped>) {
        let item = self.items.len();
        for (key, raw) in fields.unique() {
            if !VERBS.contains(&key) {
                skipped.extend(unsent(&path, key, raw));
                continue;
            }
            let id = Fields::read(raw)
                .and_then(|fields| fields.text("operationId"))
                .filter(|id| !id.trim().is_empty());
            self.found.push(Found {
                item,
                verb: key.to_ascii_uppercase(),
                id,
                name: String::new(),
                raw,
            });
        }
        self.items.push(Item { path, fields });
    }

    fn name(&mut self) {
        let mut ids: BTreeMap<&str, u32> = BTreeMap::new();
        for id in self.found.iter().filter_map(|found| found.id.as_deref()) {
            *ids.entry(id).or_default() += 1;
        }
        let bearers: Vec<(String, String)> = self
            .found
            .iter()
            .map(|found| {
                let path = self.items.get(found.item).map_or("", |item| &item.path);
                let of_path = name_of(&found.verb, path);
                let id = found.id.as_deref();
                let wanted = match id {
                    // Who shares an id has it with what tells it from the others, wherever it stands.
                    Some(id) if ids.get(id).is_some_and(|count| *count > 1) => {
                        format!("{id}_{of_path}")
                    }
                    Some(id) => id.to_owned(),
                    None => of_path,
                };
                let bearer = format!("{} {} {path}", id.unwrap_or_default(), found.verb);
                (wanted, bearer)
            })
            .collect();
        let reserved = std::iter::once((REQUEST, REQUEST));
        let bearers = bearers
            .iter()
            .map(|(wanted, bearer)| (wanted.as_str(), bearer.as_str()));
        let names = identifiers(reserved.chain(bearers));
        for (found, name) in self.found.iter_mut().zip(names.into_iter().skip(1)) {
            found.name = name;
        }
    }
}

fn item<'d>(document: &Document<'d>, raw: Raw<'d>) -> Result<Fields<'d>, String> {
    let Some(own) = Fields::read(raw) else {
        return Err("no object".to_owned());
    };
    if own.get("$ref").is_none() {
        return Ok(own);
    }
    let target = document.follow(raw)?;
    Ok(own.over(target.fields))
}

/// Operations of verbs that 3.2 added: a Worker sends no such request.
fn unsent(path: &str, key: &str, raw: Raw<'_>) -> Vec<Skipped> {
    let verbs: Vec<String> = match key {
        "query" => vec!["QUERY".to_owned()],
        "additionalOperations" => {
            let verbs = Fields::read(raw).unwrap_or_default();
            let verbs = verbs.unique().into_iter();
            verbs.map(|(verb, _)| verb.to_owned()).collect()
        }
        _ => Vec::new(),
    };
    verbs
        .into_iter()
        .map(|verb| Skipped {
            what: format!("{verb} {path}"),
            why: "its verb is none that can be sent".to_owned(),
        })
        .collect()
}

/// `GET /users/{id}/posts` is `get_users_by_id_posts`.
fn name_of(verb: &str, path: &str) -> String {
    let mut words = vec![verb.to_ascii_lowercase()];
    for part in path.split(['/', '?', '#', '&']) {
        if part.starts_with('{') {
            words.push("by".to_owned());
        }
        let part = part.split(|c: char| !c.is_alphanumeric());
        words.extend(part.filter(|word| !word.is_empty()).map(str::to_owned));
    }
    words.join("_")
}
