//! What is offered where a name is not there. Each offer must work as it stands (Q01).

use serde_json::json;

use super::{catalogue, small};
use crate::error::Code;

#[track_caller]
fn check(connector: &str, method: &str, nearest: &[&str]) {
    let catalogue = catalogue();
    let found = catalogue.nearest(connector, method);
    assert_eq!(
        found.iter().take(nearest.len()).collect::<Vec<_>>(),
        nearest,
        "of {found:?}"
    );
    assert!(found.len() <= 3);
    let text = catalogue.unknown_method(connector, method);
    for path in &found {
        assert!(
            catalogue.describe(path).is_ok(),
            "{path} is offered and does not work"
        );
        assert!(text.contains(path), "{text}");
    }
}

#[test]
fn a_slip_of_the_pen_finds_its_name_first() {
    check("github", "list_isues", &["github.list_issues"]);
}

#[test]
fn another_convention_finds_the_same_name() {
    check("github", "listIssues", &["github.list_issues"]);
    check("github", "LIST-ISSUES", &["github.list_issues"]);
}

#[test]
fn words_in_another_order_find_their_name() {
    check("github", "issuesList", &["github.list_issues"]);
}

#[test]
fn a_method_of_an_unknown_connector_is_looked_for_everywhere() {
    check("gh", "list_issues", &["github.list_issues"]);
}

#[test]
fn nothing_near_offers_nothing() {
    assert!(catalogue().nearest("github", "zzzzqqqq").is_empty());
    assert!(catalogue().nearest("github", "").is_empty());
}

#[test]
fn a_small_connector_without_a_near_name_lists_its_members() {
    let text = catalogue().unknown_method("notes", "zzzzqqqq");
    assert!(
        text.contains("Its methods: add, ") && text.contains(r#"codemode.describe("notes")"#),
        "{text}"
    );
}

#[test]
fn names_that_differ_by_case_are_both_reachable() {
    let catalogue = small(json!([{ "name": "getuser" }, { "name": "getUser" }]));
    for name in ["getUser", "getuser"] {
        assert_eq!(
            catalogue
                .method("c", name)
                .map(|method| method.name.as_str()),
            Some(name)
        );
        assert_eq!(
            catalogue
                .describe(&format!("c.{name}"))
                .map(|found| found.path),
            Ok(format!("c.{name}"))
        );
    }
    assert!(catalogue.method("c", "GetUser").is_none());
    assert_eq!(catalogue.nearest("c", "GetUser").len(), 2);
}

#[test]
fn a_hostile_name_is_neither_echoed_nor_compared_whole() {
    let long = "list_issues".repeat(100_000);
    assert!(catalogue().unknown_method("github", &long).len() < 1_000);
    assert!(catalogue().unknown_method(&long, &long).len() < 1_000);
}

#[track_caller]
fn check_describe(target: &str, offered: &str) {
    let error = catalogue().describe(target).expect_err("it is not there");
    assert_eq!(error.code, Code::NotFound);
    assert!(error.text.contains(offered), "{}", error.text);
}

#[test]
fn describing_what_is_not_there_offers_what_is() {
    check_describe("gihub", "Nearest: github.");
    check_describe("github.list_isue", "Nearest: github.list_issues");
    check_describe("list_issues", "Nearest: github.list_issues");
    check_describe("nowhere", "Connectors: github, notes, calendar");
    check_describe("", "Connectors: github, notes, calendar");
}
