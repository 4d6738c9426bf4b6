//! Identifiers of names that somebody else chose: readable, unique, and the same whatever order they come in.
//!
//! `get-user` is `get_user`, `2fa` is `_2fa`, `class` is `class_`; words of any script stay. An identifier keeps itself. Where
//! others would become the same one, each of them gets a mark made of its own name: were it a number, a server that lists
//! its tools in another order would make a recorded call mean another tool.

use std::collections::{BTreeMap, BTreeSet};

/// A longer name is cut, and marked like a clash.
const MAX_CHARS: usize = 96;

#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else",
    "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements", "import", "in", "instanceof",
    "interface", "let", "new", "null", "package", "private", "protected", "public", "return", "static", "super", "switch", "this",
    "throw", "true", "try", "typeof", "undefined", "var", "void", "while", "with", "yield",
];

/// Names that a namespace answers by itself and never as a call: `await github` must give `github`.
#[rustfmt::skip]
const NEVER_A_CALL: &[&str] = &[
    "then", "toJSON", "constructor", "__defineGetter__", "__defineSetter__", "hasOwnProperty", "__lookupGetter__",
    "__lookupSetter__", "isPrototypeOf", "propertyIsEnumerable", "toString", "valueOf", "__proto__", "toLocaleString",
];

/// One identifier for each pair of a wanted name and what tells its bearer from all others, in their order.
pub(super) fn identifiers<'a>(bearers: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let bearers: Vec<(&str, &str, String)> = bearers
        .map(|(wanted, bearer)| (wanted, bearer, identifier(wanted)))
        .collect();
    let mut sought: BTreeMap<&str, u32> = BTreeMap::new();
    let mut unchanged: BTreeSet<&str> = BTreeSet::new();
    for (wanted, _, name) in &bearers {
        *sought.entry(name).or_default() += 1;
        if wanted == name {
            unchanged.insert(name);
        }
    }
    // The first bearer of an unchanged name has it, wherever it stands.
    let mut taken: BTreeSet<String> = unchanged.iter().map(|name| (*name).to_owned()).collect();
    // Where the last bearer of a name found one, so that the next number is not sought from the first.
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut free = |name: String| {
        let count = counts.entry(name.clone()).or_insert(1);
        let mut free = name.clone();
        while !taken.insert(free.clone()) {
            *count = count.saturating_add(1);
            free = format!("{name}_{count}");
        }
        free
    };
    bearers
        .iter()
        .map(|(wanted, bearer, name)| {
            let clashes = sought.get(name.as_str()).is_some_and(|count| *count > 1);
            if wanted == name && unchanged.remove(name.as_str()) {
                name.clone()
            } else if wanted == name || !clashes && name.chars().count() <= MAX_CHARS {
                free(name.clone())
            } else {
                free(marked(name, bearer))
            }
        })
        .collect()
}

pub(super) fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(is_start) && chars.all(is_continue)
}

fn identifier(original: &str) -> String {
    let name: String = original
        .chars()
        .map(|c| if is_continue(c) { c } else { '_' })
        .collect();
    let name = if is_identifier(&name) {
        name
    } else {
        format!("_{name}")
    };
    if RESERVED.contains(&name.as_str()) || NEVER_A_CALL.contains(&name.as_str()) {
        format!("{name}_")
    } else {
        name
    }
}

fn is_start(c: char) -> bool {
    c == '$' || c == '_' || unicode_id_start::is_id_start(c)
}

fn is_continue(c: char) -> bool {
    c == '$' || unicode_id_start::is_id_continue(c)
}

/// The name, and four digits that only this bearer has (FNV-1a).
fn marked(name: &str, bearer: &str) -> String {
    let hash = bearer.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let kept: String = name.chars().take(MAX_CHARS - 5).collect();
    format!("{kept}_{:04x}", (hash >> 16) ^ (hash & 0xffff))
}
