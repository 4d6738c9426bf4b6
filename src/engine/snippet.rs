//! Snippets: programs that worked, kept under a name, and what lets one be part of a run.
//!
//! A run keeps the text of each snippet that it ever ran, so a replay runs that one, whatever was saved since.

use serde::{Deserialize, Serialize};

use super::text::units;
use crate::error::{Code, Error};

/// Method name under which a program runs one.
pub const RUN: &str = "run";

/// Longest name, in characters.
const MAX_NAME: usize = 100;
/// Most snippets of one execution, and most text of them together in UTF-16 units: each goes along with every pass.
const MAX_SNIPPETS: usize = 64;
const MAX_UNITS: u64 = 4_000_000;

/// What a pass needs of a snippet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snippet {
    pub name: String,
    /// Exports one function, which takes the input.
    pub module: String,
    /// Where places of the module stand in the saved text.
    pub positions: Vec<u32>,
    /// The connectors that its execution was begun with. It needs them all.
    pub connectors: Vec<String>,
    /// JSON Schema of the input, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<String>,
    /// Snippets that it runs by a name written out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<String>,
}

/// Names are read by models and stand beside paths of methods.
pub fn check_name(name: &str) -> Result<(), Error> {
    let length = name.chars().count();
    let plain = name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if (1..=MAX_NAME).contains(&length) && plain {
        return Ok(());
    }
    Err(Error::new(
        Code::InvalidInput,
        format!(
            "a snippet's name has 1 to {MAX_NAME} letters, digits, `_`, `-` or `.`, as in \"weekly-report\"; this one has {length} characters"
        ),
    ))
}

/// Why a snippet cannot run with these connectors.
pub fn missing(snippet: &Snippet, configured: impl Fn(&str) -> bool) -> Option<String> {
    let names: Vec<&str> = snippet
        .connectors
        .iter()
        .map(String::as_str)
        .filter(|name| !configured(name))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "snippet {} needs connectors that this run does not have: {}; do without it, or call what is there",
            snippet.name,
            names.join(", ")
        )
    })
}

/// Why no further snippet can go along with a run that has these.
pub fn too_many<'a>(known: impl Iterator<Item = &'a Snippet>, next: &Snippet) -> Option<String> {
    let (mut count, mut length) = (1, units(&next.module));
    for snippet in known {
        count += 1;
        length += units(&snippet.module);
    }
    (count > MAX_SNIPPETS || length > MAX_UNITS).then(|| {
        format!(
            "snippet {} was not run: one execution runs at most {MAX_SNIPPETS} different snippets of together {MAX_UNITS} characters, \
             and this would be {count} of {length}; use fewer",
            next.name
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snippet(name: &str, connectors: &[&str], length: usize) -> Snippet {
        Snippet {
            name: name.to_owned(),
            module: "x".repeat(length),
            positions: Vec::new(),
            connectors: connectors.iter().map(|it| (*it).to_owned()).collect(),
            input_schema: None,
            runs: Vec::new(),
        }
    }

    #[test]
    fn a_name_is_letters_digits_and_three_signs() {
        for good in ["a", "weekly-report", "v1.2_x", "отчёт", "週報", "0"] {
            assert_eq!(check_name(good), Ok(()), "{good}");
        }
        let long = "x".repeat(101);
        for bad in ["", " ", "a b", "a/b", "a\nb", "a\"b", "\u{0}", &long] {
            assert_eq!(
                check_name(bad).map_err(|error| error.code),
                Err(Code::InvalidInput),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn every_connector_that_is_missing_is_named() {
        let report = snippet("report", &["github", "notes", "mail"], 1);
        assert_eq!(missing(&report, |_| true), None);
        let text = missing(&report, |name| name == "notes").unwrap_or_default();
        assert!(text.contains("github, mail"), "{text}");
        assert!(!text.contains("notes"), "{text}");
    }

    #[test]
    fn what_goes_along_with_a_pass_is_bounded() {
        let small: Vec<Snippet> = (0..63).map(|n| snippet(&format!("s{n}"), &[], 1)).collect();
        let next = snippet("next", &[], 1);
        assert_eq!(too_many(small.iter(), &next), None);
        assert!(too_many(small.iter().chain([&next]), &next).is_some());
        let long = snippet("long", &[], 3_999_999);
        assert_eq!(too_many([&long].into_iter(), &next), None);
        assert!(too_many([&long, &next].into_iter(), &next).is_some());
    }
}
