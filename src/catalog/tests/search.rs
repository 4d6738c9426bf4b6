//! What a query finds, and in which form.

use std::fmt::Write;

use serde_json::{Value, json};

use super::super::{SearchOptions, SearchOutput};
use super::{catalogue, connector, connectors, small};

fn paths(output: &SearchOutput) -> Vec<&str> {
    output.results.iter().map(|hit| hit.path.as_str()).collect()
}

#[track_caller]
fn check(query: &str, first: &[&str]) {
    let output = catalogue().search(query, &SearchOptions::default());
    assert_eq!(
        paths(&output)
            .into_iter()
            .take(first.len())
            .collect::<Vec<_>>(),
        first,
        "{output:?}"
    );
}

#[test]
fn a_name_is_found_in_any_spelling() {
    for query in [
        "list_issues",
        "listIssues",
        "github.list_issues",
        "list issues",
        "LIST ISSUES",
    ] {
        check(query, &["github.list_issues"]);
    }
    check("list events", &["calendar.listEvents"]);
}

#[test]
fn a_parameter_and_a_description_are_found() {
    check("per_page", &["github.list_issues"]);
    check("write a new issue", &["github.create_issue"]);
}

#[test]
fn the_beginning_of_a_word_is_enough() {
    check("repo merge", &["github.merge_pull_request"]);
    check("pul", &["github.merge_pull_request"]);
}

#[test]
fn words_of_a_script_without_spaces_are_found() {
    check("検索", &["notes.search_notes"]);
    check("メモの検索", &["notes.search_notes"]);
}

#[test]
fn a_sentence_finds_its_method_among_a_hundred() {
    let nouns = [
        "user", "team", "label", "branch", "commit", "gist", "hook", "secret", "runner", "release",
    ];
    let verbs = [
        "get", "create", "update", "delete", "list", "open", "close", "add", "find", "check",
    ];
    let fillers = nouns.iter().flat_map(|noun| {
        verbs.map(|verb| {
            json!({ "name": format!("{verb}_{noun}"), "description": format!("How to {verb} a {noun} in all of the projects"),
                "requiresApproval": false })
        })
    });
    let mut all = connectors();
    all.push(connector(
        json!({ "name": "filler", "methods": fillers.collect::<Value>() }),
    ));
    let output = super::Stocked::new(all, Vec::new()).search(
        "how do I list all the open issues in a repo",
        &SearchOptions::default(),
    );
    assert!(
        paths(&output)[..3].contains(&"github.list_issues"),
        "{:?}",
        paths(&output)
    );
}

#[test]
fn a_short_word_in_a_description_is_no_match_for_a_long_query() {
    let catalogue = small(json!([
        { "name": "one", "description": "Takes a thing and an app." },
        { "name": "approve_request", "description": "Says yes." },
    ]));
    assert_eq!(
        paths(&catalogue.search("approve", &SearchOptions::default())),
        ["c.approve_request"]
    );
    // Less than three letters match only as a whole word.
    assert_eq!(
        paths(&catalogue.search("ap", &SearchOptions::default())),
        Vec::<&str>::new()
    );
}

#[test]
fn only_stop_words_are_still_a_query() {
    let catalogue = small(json!([{ "name": "who_am_i" }, { "name": "other" }]));
    assert_eq!(
        paths(&catalogue.search("who am i", &SearchOptions::default())),
        ["c.who_am_i"]
    );
}

#[test]
fn exact_spelling_comes_before_another_case() {
    let catalogue = small(
        json!([{ "name": "getUser", "description": "getuser getuser" }, { "name": "getuser" }]),
    );
    for name in ["getuser", "getUser", "c.getuser", "c.getUser"] {
        let output = catalogue.search(name, &SearchOptions::default());
        assert!(output.results[0].path.ends_with(name), "{name}: {output:?}");
    }
}

#[track_caller]
fn check_confidence(query: &str, low: bool) {
    let output = catalogue().search(query, &SearchOptions::default());
    assert_eq!(output.low_confidence, low, "{output:?}");
    assert_eq!(
        serde_json::to_value(&output)
            .expect("JSON")
            .get("lowConfidence")
            .is_some(),
        low
    );
}

#[test]
fn a_match_of_few_words_says_that_it_is_weak() {
    check_confidence("list issues", false);
    check_confidence("please show me my issues", true);
    check_confidence("run git bisect to find the bad issue", true);
    check_confidence("quantum chromodynamics", false);
}

#[test]
fn nothing_found_is_an_empty_page() {
    for query in ["quantum chromodynamics", "!!!", "🙂"] {
        let output = catalogue().search(query, &SearchOptions::default());
        assert_eq!(
            serde_json::to_value(output).expect("JSON"),
            json!({ "results": [], "total": 0, "truncated": false })
        );
    }
}

#[test]
fn a_page_is_what_was_asked_for_within_bounds() {
    let many: Value = (0..120)
        .map(|n| json!({ "name": format!("item_{n:03}") }))
        .collect();
    let catalogue = small(many);
    for (limit, offset, count, truncated) in [
        (None, None, 10, true),
        (Some(3), None, 3, true),
        (Some(1_000), None, 50, true),
        (Some(50), Some(70), 50, false),
        (Some(50), Some(71), 49, false),
        (Some(0), None, 0, true),
        (None, Some(u32::MAX), 0, false),
    ] {
        let output = catalogue.search(
            "item",
            &SearchOptions {
                limit,
                offset,
                connector: None,
            },
        );
        assert_eq!(
            (output.results.len(), output.truncated, output.total),
            (count, truncated, 120),
            "{limit:?} {offset:?}"
        );
    }
    // Equals are in the order of their paths, so pages join without gap or overlap.
    let page = catalogue.search(
        "item",
        &SearchOptions {
            limit: Some(2),
            offset: Some(40),
            connector: None,
        },
    );
    assert_eq!(paths(&page), ["c.item_040", "c.item_041"]);
}

#[test]
fn one_connector_can_be_searched_alone() {
    let options = |name: &str| SearchOptions {
        connector: Some(name.to_owned()),
        ..SearchOptions::default()
    };
    let output = catalogue().search("list", &options("calendar"));
    assert_eq!(
        (paths(&output), output.total),
        (vec!["calendar.listEvents"], 1)
    );
    assert_eq!(catalogue().search("list", &options("nowhere")).total, 0);
}

#[test]
fn an_empty_query_lists_the_members() {
    let options = SearchOptions {
        connector: Some("notes".to_owned()),
        ..SearchOptions::default()
    };
    assert_eq!(
        paths(&catalogue().search(" ", &options)),
        ["notes.add", "notes.clear", "notes.search_notes"]
    );
}

#[test]
fn a_hit_has_the_form_of_the_wire() {
    let output = catalogue().search(
        "add note",
        &SearchOptions {
            limit: Some(1),
            ..SearchOptions::default()
        },
    );
    let mut value = serde_json::to_value(output).expect("JSON");
    let score = value["results"][0]["score"].take();
    let thousand_fold = score.as_f64().expect("a number") * 1_000.0;
    assert!(
        thousand_fold > 0.0 && (thousand_fold - thousand_fold.round()).abs() < 1e-6,
        "{score}"
    );
    assert_eq!(
        value["results"][0],
        json!({
            "path": "notes.add", "connector": "notes", "method": "add", "description": "Add a note.",
            "signature": "(input: { text: string; tag?: string }) => Promise<{ id: string }>",
            "kind": "method", "score": null,
        })
    );
}

#[test]
fn approval_is_shown_where_it_may_be_needed() {
    let output = catalogue().search(
        "",
        &SearchOptions {
            limit: Some(50),
            ..SearchOptions::default()
        },
    );
    let asking = output
        .results
        .iter()
        .filter(|hit| hit.requires_approval == Some(true))
        .map(|hit| hit.path.as_str());
    assert_eq!(
        asking.collect::<Vec<_>>(),
        [
            "github.create_issue",
            "github.merge_pull_request",
            "notes.clear"
        ]
    );
}

#[test]
fn a_pasted_page_is_a_query_like_any_other() {
    let mut page = String::new();
    for n in 0..50_000 {
        let _ = write!(page, "zz{n} ");
    }
    assert!(
        catalogue()
            .search(&page, &SearchOptions::default())
            .results
            .is_empty()
    );
}
