//! The house rules that a machine can keep: sizes, head comments, walls between rooms, nothing skipped, nothing of one
//! machine. Reads the repository as it lies there; needs no git.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fs;
use std::path::Path;

const MAX_LINES: usize = 400;

/// Longer than [`MAX_LINES`], each for a reason. A file that became short again has to leave the list.
const LONG: [(&str, &str); 2] = [
    (
        "src/engine/decide.rs",
        "one match says what each state of a call means; halves of it would have to be read together",
    ),
    (
        "tests/life.rs",
        "stories of whole executions over one set of verbs",
    ),
];

/// Arrows point one way: which rooms of `src/` a room may name. What is not here is reached by nobody but `lib.rs`.
const ARROWS: [(&str, &[&str]); 9] = [
    ("error", &[]),
    ("engine", &["error"]),
    ("program", &["error"]),
    ("catalog", &["error"]),
    ("wire", &["catalog", "engine", "error"]),
    ("store", &["engine"]),
    (
        "runtime",
        &["catalog", "engine", "error", "program", "store", "wire"],
    ),
    ("host", &["engine", "runtime", "store"]),
    ("entry", &["host", "runtime"]),
];

const TEXT: &str = "rs ts mjs js md toml json txt yml sh";
const BUILT: &str = ".git .wrangler Cargo.lock gen gen-test node_modules package-lock.json target";

/// Holds each text of the repository against a rule, which says what is wrong; this file aside, which names what it forbids.
#[track_caller]
fn check(claim: &str, rule: impl Fn(&str, &str) -> Option<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut read, mut wrong, mut folders) = (0, Vec::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy();
            let kind = path.extension().and_then(|it| it.to_str()).unwrap_or("-");
            if BUILT.split(' ').any(|it| it == name) || name == "tidy.rs" {
                continue;
            } else if path.is_dir() {
                folders.push(path);
            } else if TEXT.split(' ').any(|it| it == kind) {
                // What is not UTF-8 is no text, and a file may go while we look.
                let text = fs::read_to_string(&path).unwrap_or_default();
                let place = path.strip_prefix(root).unwrap().to_string_lossy();
                wrong.extend(rule(&place, &text).map(|why| format!("\n  {place}: {why}")));
                read += 1;
            }
        }
    }
    wrong.sort();
    assert!(read > 100, "the repository was not found");
    assert!(wrong.is_empty(), "{claim}, but:{}", wrong.concat());
}

fn is_code(path: &str) -> bool {
    [".rs", ".ts", ".mjs"].iter().any(|it| path.ends_with(it))
}

fn first_of(text: &str, forbidden: &str) -> Option<String> {
    let mut all = forbidden.split(' ');
    all.find(|it| text.contains(*it)).map(str::to_owned)
}

#[test]
fn no_file_is_too_long_to_be_read_at_once() {
    let claim = "files are short, or have a reason in tests/tidy.rs";
    check(claim, |path, text| {
        let lines = text.lines().count();
        let listed = LONG.iter().any(|(it, _)| *it == path);
        (is_code(path) && listed != (lines > MAX_LINES)).then(|| format!("{lines} lines"))
    });
}

#[test]
fn every_file_begins_with_what_it_is() {
    check("files have a head comment", |path, text| {
        let rust = path.starts_with("src/") && path.ends_with(".rs");
        let shim =
            path.starts_with("js-shim/") && path.ends_with(".ts") && !path.ends_with(".d.ts");
        let head = if rust { "//!" } else { "/**" };
        ((rust || shim) && !text.starts_with(head)).then(|| format!("does not begin with {head}"))
    });
}

#[test]
fn nothing_is_skipped_and_nothing_runs_alone() {
    let forbidden = "it.skip test.skip describe.skip it.only test.only describe.only #[ignore #[should_panic todo!( unimplemented!(";
    check("every test runs", |path, text| {
        first_of(text, forbidden).filter(|_| is_code(path))
    });
}

#[test]
fn no_text_knows_one_machine() {
    let claim = "nothing names a path of one machine";
    check(claim, |_, text| {
        first_of(text, "/work/ /root/ /home/ /tmp/ /Users/")
    });
}

#[test]
fn arrows_between_rooms_point_one_way() {
    check("a room names only rooms it may know", |path, text| {
        let room = path.strip_prefix("src/")?.split(['/', '.']).next()?;
        if room == "lib" {
            return None;
        }
        let Some((_, allowed)) = ARROWS.iter().find(|(it, _)| *it == room) else {
            return Some(format!("{room} has no row in ARROWS of tests/tidy.rs"));
        };
        let named = text.split("crate::").skip(1);
        let mut named =
            named.filter_map(|rest| rest.split(|it: char| !it.is_alphanumeric()).next());
        let stranger = named.find(|it| *it != room && !allowed.contains(it))?;
        Some(format!("names {stranger}"))
    });
}
