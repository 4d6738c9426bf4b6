//! Names that may have been meant, and the error texts that offer them. Their reader is a model that will follow them to
//! the letter, so every path and call written here must work as it stands.

use super::record::{Connector, SnippetRecord};
use super::tokens::{folded, words};

const MAX_NAMES: usize = 3;
/// Below this a name is no help but a distraction.
const MIN_LIKENESS: f64 = 0.4;
/// The caller is hostile: what it sends is neither compared nor echoed beyond this length.
const MAX_NAME_CHARS: usize = 64;
/// So many names are listed in full, where no single one is near.
const MAX_LISTED: usize = 12;

pub(super) fn methods(connectors: &[Connector], connector: &str, method: &str) -> Vec<String> {
    let own = connectors
        .iter()
        .find(|candidate| candidate.name == connector);
    let searched = own.map_or(connectors, std::slice::from_ref);
    let all = searched.iter().flat_map(|connector| {
        connector
            .methods()
            .iter()
            .map(move |method| (connector, method))
    });
    ranked(
        method,
        all.map(|(connector, record)| {
            (
                record.name.as_str(),
                format!("{}.{}", connector.name, record.name),
            )
        }),
    )
}

pub(super) fn snippets(snippets: &[SnippetRecord], name: &str) -> Vec<String> {
    ranked(
        name,
        snippets
            .iter()
            .map(|snippet| (snippet.name.as_str(), snippet.name.clone())),
    )
}

pub(super) fn unknown_method(connectors: &[Connector], connector: &str, method: &str) -> String {
    let Some(known) = connectors
        .iter()
        .find(|candidate| candidate.name == connector)
    else {
        return unknown_connector(
            connectors,
            connector,
            &methods(connectors, connector, method),
        );
    };
    let near = methods(connectors, connector, method);
    let offer = if !near.is_empty() {
        format!("Nearest: {}. ", near.join(", "))
    } else if known.methods().len() <= MAX_LISTED {
        format!(
            "Its methods: {}. ",
            listed(known.methods().iter().map(|method| method.name.as_str()))
        )
    } else {
        String::new()
    };
    format!(
        "{connector} has no method {:?}. {offer}Read codemode.describe(\"{connector}\"), or look for another with \
         codemode.search(\"what it should do\", {{ connector: \"{connector}\" }}).",
        cut(method)
    )
}

/// For a target of `describe` without a dot: a connector misspelt, or a method without its connector.
pub(super) fn unknown_target(connectors: &[Connector], target: &str) -> String {
    let names = ranked(
        target,
        connectors
            .iter()
            .map(|connector| (connector.name.as_str(), connector.name.clone())),
    );
    let near = if names.is_empty() {
        methods(connectors, "", target)
    } else {
        names
    };
    unknown_connector(connectors, target, &near)
}

/// For a type of a connector or a method that nobody knows.
pub(super) fn unknown_type(scope: &str, wanted: &str, known: &[String]) -> String {
    let near = ranked(
        wanted,
        known
            .iter()
            .map(|name| (name.as_str(), format!("{scope}#{name}"))),
    );
    let offer = if near.is_empty() {
        String::new()
    } else {
        format!("Nearest: {}. ", near.join(", "))
    };
    let scope = cut(scope);
    format!(
        "{scope} has no type {:?}. {offer}The names that can be opened are in codemode.describe({scope:?}).",
        cut(wanted)
    )
}

fn unknown_connector(connectors: &[Connector], name: &str, near: &[String]) -> String {
    let offer = if near.is_empty() {
        String::new()
    } else {
        format!("Nearest: {}. ", near.join(", "))
    };
    format!(
        "there is no connector {:?}. {offer}Connectors: {}. Find a method with codemode.search(\"what it should do\").",
        cut(name),
        listed(connectors.iter().map(|connector| connector.name.as_str()))
    )
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.len().saturating_sub(MAX_LISTED) {
        0 if names.is_empty() => "none".to_owned(),
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..MAX_LISTED].join(", ")),
    }
}

/// The labels of the names most like `wanted`, in an order that depends on nothing else.
fn ranked<'a>(wanted: &str, names: impl Iterator<Item = (&'a str, String)>) -> Vec<String> {
    let wanted = Name::new(wanted);
    let mut near: Vec<(f64, String)> = names
        .map(|(name, label)| (wanted.likeness(&Name::new(name)), label))
        .filter(|(likeness, _)| *likeness >= MIN_LIKENESS)
        .collect();
    near.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    near.into_iter()
        .take(MAX_NAMES)
        .map(|(_, label)| label)
        .collect()
}

struct Name {
    folded: Vec<char>,
    words: Vec<String>,
}

impl Name {
    fn new(name: &str) -> Self {
        let name = cut(name);
        Self {
            folded: folded(&name).chars().collect(),
            words: words(&name),
        }
    }

    /// 1 for the same letters, 0 for nothing in common. Shared words count less than shared spelling: a slip of the pen is
    /// likelier than a method of the same family.
    fn likeness(&self, other: &Self) -> f64 {
        let longest = self.folded.len().max(other.folded.len());
        let fewest = self.words.len().min(other.words.len());
        if longest == 0 || fewest == 0 {
            return 0.0;
        }
        let spelling = 1.0 - distance(&self.folded, &other.folded) as f64 / longest as f64;
        let shared = self
            .words
            .iter()
            .filter(|word| other.words.contains(word))
            .count()
            .min(fewest);
        spelling.max(0.7 * shared as f64 / fewest as f64)
    }
}

/// Edit distance: insertions, deletions and substitutions.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let substituted = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

fn cut(name: &str) -> String {
    name.chars().take(MAX_NAME_CHARS).collect()
}
