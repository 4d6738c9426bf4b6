//! A connector as a whole: its methods in full while that is short, by lines while they are few, and otherwise a map of
//! them whose places are targets.
//!
//! `github.issues_*` lists the methods that begin so; a group that is still too large is a map again, so every method is
//! reached in a few steps however many there are.

use std::collections::BTreeMap;

use super::DescribeOutput;
use super::beside::Beside;
use super::method::{call, words};
use super::schemas::Shown;
use super::signature::fitted;
use crate::catalog::Kind;
use crate::catalog::record::{Approval, Connector, Head, MethodRecord};
use crate::catalog::shelf::Shelf;
use crate::catalog::types::{comment, cut, digest, first_paragraph, property, quoted, repeats};
use crate::error::Error;

/// More methods are shown as a map.
const MAX_LISTED: usize = 50;
/// Beyond this a listing gives lines instead of full types: about 2,000 tokens.
const MAX_FULL_CHARS: usize = 8_000;
/// And beyond this a map instead of lines: about 2,500 tokens.
const MAX_LINES_CHARS: usize = 10_000;
/// Groups of one map; the largest are named.
const MAX_GROUPS: usize = 120;
const MAX_SKIPPED: usize = 10;
const MAX_WHY_CHARS: usize = 160;
const MAX_ABOUT_CHARS: usize = 1_000;

pub(super) fn connector(
    connector: &Connector,
    shelf: &impl Shelf,
) -> Result<DescribeOutput, Error> {
    let heads: Vec<&Head> = connector.methods().iter().collect();
    let unavailable = connector
        .unavailable
        .as_ref()
        .map(|why| format!("Cannot be reached now: {why}"));
    let about = connector
        .listing
        .report
        .about
        .as_deref()
        .map(|text| digest(text, &[]));
    let description: Vec<String> = connector
        .instructions
        .clone()
        .into_iter()
        .chain(about.map(|about| cut(&about, MAX_ABOUT_CHARS)))
        .chain(unavailable)
        .collect();
    let types = listing(connector, "", &heads, shelf)? + &skipped(connector);
    Ok(DescribeOutput {
        path: connector.name.clone(),
        description: (!description.is_empty()).then(|| description.join("\n\n")),
        requires_approval: None,
        types,
        code: None,
        kind: Kind::Connector,
    })
}

/// The methods that begin with this; None where there are none.
pub(super) fn group(
    connector: &Connector,
    prefix: &str,
    shelf: &impl Shelf,
) -> Result<Option<DescribeOutput>, Error> {
    let heads = connector.methods().iter();
    let heads: Vec<&Head> = heads.filter(|head| head.name.starts_with(prefix)).collect();
    if heads.is_empty() {
        return Ok(None);
    }
    Ok(Some(DescribeOutput {
        path: format!("{}.{prefix}*", connector.name),
        description: None,
        requires_approval: None,
        types: listing(connector, prefix, &heads, shelf)?,
        code: None,
        kind: Kind::Connector,
    }))
}

fn listing(
    connector: &Connector,
    prefix: &str,
    heads: &[&Head],
    shelf: &impl Shelf,
) -> Result<String, Error> {
    if heads.len() > MAX_LISTED {
        return Ok(map(&connector.name, prefix, heads));
    }
    let mut records = Vec::new();
    for head in heads {
        records.extend(shelf.record(&connector.name, &head.name)?);
    }
    if let Some(full) = full(&connector.name, &records, shelf)? {
        return Ok(full);
    }
    let lines = lines(&connector.name, &records);
    if lines.len() <= MAX_LINES_CHARS || heads.len() < 3 {
        return Ok(lines);
    }
    Ok(map(&connector.name, prefix, heads))
}

/// Methods with complete types, if that is not long.
fn full(
    connector: &str,
    methods: &[MethodRecord],
    shelf: &impl Shelf,
) -> Result<Option<String>, Error> {
    let mut members = String::new();
    let mut beside = Beside::default();
    for method in methods {
        let words = words(method);
        let schemas = (&method.input_schema, &method.output_schema);
        let mut shown = Shown::new(schemas.0, schemas.1);
        let path = format!("{connector}.{}", method.name);
        let (line, more) = shown.read(connector, &method.name, words, shelf, |shown, sheets| {
            let line = call(&property(&method.name), sheets, words, 1);
            (line, Beside::new(shown, sheets, words, connector, &path))
        })?;
        members.push_str(&comment(&method_doc(method), 1));
        members.push_str(&format!("  {line};\n"));
        if !beside.merge(more) || members.len() > MAX_FULL_CHARS {
            return Ok(None);
        }
    }
    let text = format!(
        "declare const {connector}: {{\n{members}}};\n{}",
        beside.text()
    );
    Ok((text.len() <= MAX_FULL_CHARS).then_some(text))
}

fn lines(connector: &str, methods: &[MethodRecord]) -> String {
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
        "// Shortened. Complete types of one method: codemode.describe({})\ndeclare const {connector}: {{\n{members}}};\n",
        quoted(&format!("{connector}.<method>")),
    )
}

/// Where the methods are, by the beginnings of their names, the most frequent first.
fn map(connector: &str, prefix: &str, heads: &[&Head]) -> String {
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for head in heads {
        let end = next_border(&head.name, prefix.len());
        let group = head.name.get(..end).unwrap_or(&head.name);
        groups.entry(group).or_default().push(&head.name);
    }
    if groups.len() == 1 {
        // All begin with one more word: the next word tells them apart, unless the names end there.
        if let Some((next, _)) = groups.first_key_value()
            && next.len() > prefix.len()
        {
            let next = (*next).to_owned();
            return map(connector, &next, heads);
        }
    }
    let mut named: Vec<(String, usize)> = groups
        .iter()
        .map(|(group, names)| match names.as_slice() {
            [only] => ((*only).to_owned(), 1),
            _ => (format!("{group}*"), names.len()),
        })
        .collect();
    named.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let left_out: usize = named.iter().skip(MAX_GROUPS).map(|(_, count)| count).sum();
    let example = named
        .first()
        .map(|(name, _)| name.as_str())
        .unwrap_or_default();
    let shown: Vec<String> = named
        .iter()
        .take(MAX_GROUPS)
        .map(|(name, count)| match count {
            1 => plain(name),
            _ => format!("{} {count}", plain(name)),
        })
        .collect();
    let more = match left_out {
        0 => String::new(),
        more => format!("// and {more} more methods\n"),
    };
    format!(
        "// {} methods, by the beginnings of their names:\n// {}\n{more}\
         // One group: codemode.describe({}). Better: codemode.search(\"what it should do\", {{ connector: {name} }}).\n\
         // All by name: codemode.search(\"\", {{ connector: {name}, limit: 50, offset: 0 }})\n",
        heads.len(),
        shown.join(", "),
        quoted(&format!("{connector}.{example}")),
        name = quoted(connector),
    )
}

/// Where the word of an identifier that begins at `from` ends, its separators with it.
fn next_border(name: &str, from: usize) -> usize {
    let rest = name.get(from..).unwrap_or_default();
    let mut before: Option<char> = None;
    for (at, c) in rest.char_indices() {
        let hump =
            before.is_some_and(|it| it.is_lowercase() || it.is_numeric()) && c.is_uppercase();
        let after_separator = before.is_some_and(|it| !it.is_alphanumeric()) && c.is_alphanumeric();
        let begins_with_separator =
            before.is_none() || rest[..at].chars().all(|it| !it.is_alphanumeric());
        if (hump || after_separator) && !begins_with_separator {
            return from + at;
        }
        before = Some(c);
    }
    name.len()
}

fn plain(name: &str) -> String {
    name.replace(
        |c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}',
        " ",
    )
}

/// What the source has and no method stands for.
fn skipped(connector: &Connector) -> String {
    let skipped = &connector.listing.report.skipped;
    let lines = skipped.iter().take(MAX_SKIPPED).map(|it| {
        format!(
            "// Not offered: {} ({})\n",
            plain(&cut(&it.what, MAX_WHY_CHARS)),
            plain(&cut(&it.why, MAX_WHY_CHARS))
        )
    });
    let lines: String = lines.collect();
    match skipped.len().saturating_sub(MAX_SKIPPED) {
        0 => lines,
        more => format!("{lines}// and {more} more are not offered\n"),
    }
}

/// The summary only, and only where the name does not say it.
fn method_doc(method: &MethodRecord) -> String {
    let approval = match method.requires_approval {
        Approval::Never => None,
        Approval::Always => Some("Needs approval."),
        Approval::Ask => Some("May need approval, depending on the arguments."),
    };
    let summary = method.description.as_deref().and_then(first_paragraph);
    let summary = summary.filter(|text| !repeats(text, &[&method.name]));
    let lines: Vec<String> = summary
        .into_iter()
        .chain(approval.map(str::to_owned))
        .collect();
    lines.join("\n")
}
