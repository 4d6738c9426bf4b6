//! The tables that people read say what the code says.

use codemode::engine::limits::Limits;
use codemode::error::Code;

#[test]
fn every_error_code_has_a_row_in_its_order() {
    let rows = include_str!("../docs/errors.md").lines();
    let codes: Vec<_> = rows
        .filter_map(|row| row.strip_prefix("| `")?.split('`').next())
        .collect();
    assert_eq!(codes, Code::ALL.map(Code::as_str));
}

#[test]
fn the_readme_tells_the_default_limits() {
    let defaults = Limits::default();
    let readme = include_str!("../README.md");
    for (name, value) in [
        ("passMs", defaults.pass_ms),
        ("cpuMs", defaults.cpu_ms),
        ("calls", defaults.calls),
        ("inflight", defaults.inflight),
        ("passes", defaults.passes),
        ("logBytes", defaults.log_bytes),
        ("loopBudget", defaults.loop_budget),
    ] {
        let row = format!("| `{name}` | {value} |");
        assert!(readme.contains(&row), "README.md has no row {row}");
    }
}
