//! Identifiers of other people's names.

use super::super::names::{identifiers, is_identifier};

fn named(originals: &[&str]) -> Vec<String> {
    identifiers(originals.iter().map(|original| (*original, *original)))
}

#[test]
fn what_is_no_identifier_becomes_a_readable_one() {
    for (original, name) in [
        ("get-user", "get_user"),
        ("repos/list-for-user", "repos_list_for_user"),
        ("a.b", "a_b"),
        ("2fa", "_2fa"),
        ("class", "class_"),
        ("then", "then_"),
        ("__proto__", "__proto___"),
        ("", "_"),
        ("查询", "查询"),
        ("get user", "get_user"),
        ("getUser", "getUser"),
    ] {
        assert_eq!(named(&[original]), [name], "{original}");
        assert!(is_identifier(name), "{name}");
    }
}

#[test]
fn a_clash_marks_only_those_that_had_to_change() {
    let all = named(&["get_user", "get-user", "get.user", "list"]);
    assert_eq!((all[0].as_str(), all[3].as_str()), ("get_user", "list"));
    assert!(all[1].starts_with("get_user_") && all[2].starts_with("get_user_"));
    assert_ne!(all[1], all[2]);
}

/// `names-that-depend-on-order`: a paused call must not come to mean another tool.
#[test]
fn the_order_of_a_list_changes_no_name() {
    let originals = ["a-b", "a.b", "a b", "a_b", "查询", "获取", "!!", "??"];
    let names = named(&originals);
    let mut reversed = originals;
    reversed.reverse();
    let mut again = named(&reversed);
    again.reverse();
    assert_eq!(names, again);
}

#[test]
fn a_long_name_is_cut_and_stays_unique() {
    let long = format!("tool-{}", "x".repeat(300));
    let names = named(&[&format!("{long}a"), &format!("{long}b")]);
    assert_ne!(names[0], names[1]);
    assert!(
        names
            .iter()
            .all(|name| name.chars().count() <= 96 && is_identifier(name))
    );
}

#[test]
fn the_same_name_twice_is_two_methods() {
    assert_eq!(named(&["a", "a"]), ["a", "a_2"]);
}
