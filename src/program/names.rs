//! Names for what is put around a program: none of them stands in its text.
//!
//! A name can be written with escapes, so `budget` and `mod` look at the tree once more before they trust these.

use std::collections::BTreeSet;

#[derive(Debug)]
pub(super) struct Names {
    /// First parameter of the exported function: what a program is called with.
    pub(super) input: String,
    /// Second parameter: asks the harness for more of the budget.
    pub(super) more: String,
    /// What is left of it.
    pub(super) left: String,
    /// Rounds of the loops of a function.
    pub(super) rounds: String,
    /// The completion value.
    pub(super) value: String,
    /// What the program exports as its default.
    pub(super) exported: String,
}

impl Names {
    pub(super) fn unused(text: &str) -> Self {
        Self {
            input: unused(text, "input$"),
            more: unused(text, "more$"),
            left: unused(text, "left$"),
            rounds: unused(text, "rounds$"),
            value: unused(text, "completion$"),
            exported: unused(text, "exported$"),
        }
    }
}

/// `base`, or `base` with the least number that does not follow it anywhere in the text.
pub(super) fn unused(text: &str, base: &str) -> String {
    let used: BTreeSet<usize> = text
        .match_indices(base)
        .map(|(at, _)| {
            let rest = text.get(at + base.len()..).unwrap_or_default();
            let digits = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            rest.get(..digits.min(9))
                .and_then(|it| it.parse().ok())
                .unwrap_or(0)
        })
        .collect();
    match (0..=used.len()).find(|number| !used.contains(number)) {
        Some(0) | None => base.to_owned(),
        Some(number) => format!("{base}{number}"),
    }
}
