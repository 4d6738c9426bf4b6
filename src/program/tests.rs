//! The room as a table: every program of `tests/fixtures/programs/` is accepted or refused as it says there (what the
//! accepted ones return is the end-to-end test's matter), and no text at all panics.

mod fuzz;
mod limits;
mod places;
mod properties;

use serde_json::Value;

use super::{Budget, Module, Options};
use crate::error::{Code, Error};

macro_rules! fixtures {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../tests/fixtures/programs/", $name, ".json")))),*]
    };
}

const FIXTURES: [(&str, &str); 9] = fixtures!(
    "forms",
    "completion",
    "exports",
    "typescript",
    "fences",
    "encoded",
    "other",
    "refused",
    "syntax"
);

/// Every case of the fixtures: its name, the program, the outcome.
fn cases() -> Vec<(String, String, Value)> {
    let mut cases = Vec::new();
    for (file, text) in FIXTURES {
        for case in serde_json::from_str::<Vec<Value>>(text).unwrap() {
            let name = format!("{file}: {}", case["name"].as_str().unwrap());
            cases.push((
                name,
                case["code"].as_str().unwrap().to_owned(),
                case["outcome"].clone(),
            ));
        }
    }
    cases
}

/// With the connectors that the end-to-end test has.
fn namespaces() -> Vec<String> {
    ["t", "side"].map(str::to_owned).to_vec()
}

fn intake(code: &str) -> Result<Module, Error> {
    let namespaces = namespaces();
    let options = Options {
        namespaces: &namespaces,
        budget: Budget::Counted,
    };
    super::intake(code, &options)
}

#[track_caller]
fn refused(code: &str) -> Error {
    intake(code).expect_err(code)
}

#[test]
fn every_fixture_is_accepted_or_refused_as_it_says() {
    let mut wrong = Vec::new();
    for (name, code, outcome) in cases() {
        let expected = &outcome["error"];
        // A program that throws is one that runs.
        let runs = expected.is_null() || expected["code"] == "exception";
        match intake(&code) {
            Ok(_) if runs => {}
            Ok(module) => wrong.push(format!("{name}: accepted as\n{}", module.text)),
            Err(error) if runs => wrong.push(format!("{name}: refused: {error}")),
            Err(error) => {
                let parts = expected["contains"].as_array().unwrap();
                let says_all = parts
                    .iter()
                    .all(|it| error.text.contains(it.as_str().unwrap()));
                if expected["code"] != error.code.as_str() || !says_all {
                    wrong.push(format!("{name}: {:?} {error}", error.code));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_syntax_error_shows_the_line_a_caret_and_what_to_do() {
    let error = refused("const a = 1;\n  const x = = 1;\n");
    assert_eq!(error.code, Code::Syntax);
    assert_eq!(
        error.text,
        "SyntaxError: unexpected token at line 2, column 13:\n    const x = = 1;\n              ^\nCorrect this \
         place and send the whole program again."
    );
}

#[test]
fn a_long_line_shows_only_what_is_near() {
    let code = format!("{}x = = 1; {}", "a; ".repeat(500), "b; ".repeat(500));
    let error = refused(&code);
    let shown = error.text.lines().nth(1).unwrap();
    assert!(shown.chars().count() <= 2 + 80 + 2, "{shown}");
    let caret = error.text.lines().nth(2).unwrap().chars().count();
    assert_eq!(shown.chars().nth(caret - 1), Some('='));
    assert!(error.text.contains("line 1, column 1505:"), "{error}");
}
