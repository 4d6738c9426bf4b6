//! Words in other forms: what stands for what, and what every word of a name must do.

use proptest::prelude::{Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
use serde_json::{Value, json};

use super::super::SearchOptions;
use super::super::tokens::words;
use super::{Stocked, connector, small};

/// Methods of a kind that is met everywhere, of two connectors.
fn shop() -> Stocked {
    let methods = |list: &[(&str, &str)]| -> Value {
        let one = |(name, description): &(&str, &str)| json!({ "name": name, "description": description, "requiresApproval": false });
        list.iter().map(one).collect()
    };
    let code = methods(&[
        (
            "repos_list_branches",
            "List branches\n\nLists the branches of a repository.",
        ),
        ("repos_rename_branch", "Rename a branch"),
        ("repos_create_fork", "Create a fork"),
        ("git_delete_ref", "Delete a reference"),
        ("issues_add_assignees", "Add assignees to an issue"),
        ("issues_create", "Create an issue"),
        ("issues_list", "List issues"),
        ("issues_lock", "Lock an issue"),
        ("pulls_merge", "Merge a pull request"),
        ("pulls_list_reviews", "List reviews for a pull request"),
        ("webhooks_list", "List webhooks"),
        ("users_get_authenticated", "Get the authenticated user"),
    ]);
    let money = methods(&[
        ("PostCustomers", "<p>Creates a new customer object.</p>"),
        ("GetCustomers", "<p>Returns a list of your customers.</p>"),
        ("PostRefunds", "<p>Create a refund.</p>"),
        ("GetInvoices", "<p>Lists the invoices.</p>"),
        ("DeleteCoupon", "<p>Deletes the coupon.</p>"),
        ("PostSubscriptions", "<p>Creates a new subscription.</p>"),
        (
            "searchTransactions",
            "Search transactions, see https://example.com/quokka/find?a=b.",
        ),
    ]);
    Stocked::new(
        vec![
            connector(json!({ "name": "forge", "methods": code })),
            connector(json!({ "name": "ledger", "methods": money })),
        ],
        Vec::new(),
    )
}

#[track_caller]
fn check(query: &str, first: &str) {
    let output = shop().search(query, &SearchOptions::default());
    let paths: Vec<&str> = output.results.iter().map(|hit| hit.path.as_str()).collect();
    assert_eq!(paths.first(), Some(&first), "{query}: {paths:?}");
}

#[test]
fn forms_of_a_word_are_one_word() {
    check("renaming branches", "forge.repos_rename_branch");
    check("merged pull requests", "forge.pulls_merge");
    check("assigning an issue", "forge.issues_add_assignees");
    check("deleted coupons", "ledger.DeleteCoupon");
}

#[test]
fn slips_of_the_pen_are_forgiven() {
    check("lsit isues", "forge.issues_list");
    check("reviws of pul request", "forge.pulls_list_reviews");
    check("subscripton", "ledger.PostSubscriptions");
    check("seach trasnactions", "ledger.searchTransactions");
}

#[test]
fn words_written_together_or_apart_are_found() {
    check("listissues", "forge.issues_list");
    check("web hooks", "forge.webhooks_list");
    check("pullrequest merge", "forge.pulls_merge");
}

#[test]
fn other_words_for_the_same_are_known() {
    check("give money back", "ledger.PostRefunds");
    check("remove a voucher", "ledger.DeleteCoupon");
    check("freeze the bug", "forge.issues_lock");
    check("clients", "ledger.GetCustomers");
    check("my user", "forge.users_get_authenticated");
}

#[test]
fn other_languages_are_known_for_what_is_common() {
    check("создать issue", "forge.issues_create");
    check("список веток", "forge.repos_list_branches");
    check("Gutschein löschen", "ledger.DeleteCoupon");
    check("crear un cliente", "ledger.PostCustomers");
    check("créer un abonnement", "ledger.PostSubscriptions");
    check("レビュー一覧を取得", "forge.pulls_list_reviews");
    check("删除优惠券", "ledger.DeleteCoupon");
    check("고객 목록", "ledger.GetCustomers");
}

#[test]
fn a_name_in_any_spelling_is_that_method() {
    for query in [
        "pulls.listReviews",
        "pulls/list-reviews",
        "forge.pulls_list_reviews",
        "PullsListReviews",
    ] {
        check(query, "forge.pulls_list_reviews");
    }
}

#[test]
fn the_connectors_name_prefers_its_own_and_is_no_reason_for_doubt() {
    let methods =
        json!([{ "name": "list_items", "description": "List items", "requiresApproval": false }]);
    let two = ["alpha", "beta"].map(|name| connector(json!({ "name": name, "methods": methods })));
    let stocked = Stocked::new(two.into(), Vec::new());
    for name in ["alpha", "beta"] {
        let output = stocked.search(&format!("{name} list items"), &SearchOptions::default());
        assert_eq!(output.results[0].connector, name);
        assert!(!output.low_confidence);
    }
}

#[test]
fn addresses_and_markup_are_no_words() {
    let output = shop().search("quokka", &SearchOptions::default());
    assert_eq!(output.total, 0);
}

#[test]
fn what_nothing_does_is_marked() {
    for query in [
        "order a pizza with extra cheese",
        "what is the weather in Paris",
        "turn on the living room lights",
    ] {
        let output = shop().search(query, &SearchOptions::default());
        assert!(
            output.low_confidence || output.total == 0,
            "{query}: {output:?}"
        );
    }
}

/// Names as people give them, and noise.
fn name() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "get",
        "list",
        "User",
        "the",
        "of",
        "v2",
        "HTTP",
        "naïve",
        "Größe",
        "ветка",
        "課題",
        "a",
        "x9",
    ]);
    let parts = prop::collection::vec(part, 1..5);
    prop_oneof![3 => parts.prop_map(|parts| parts.join("_")), 1 => any::<String>()]
}

proptest! {
    #[test]
    fn every_word_of_a_name_finds_its_method(names in prop::collection::hash_set(name(), 1..6)) {
        let methods: Value = names.iter().map(|name| json!({ "name": name })).collect();
        let stocked = small(methods);
        for name in &names {
            for word in words(name) {
                let options = SearchOptions { limit: Some(50), ..SearchOptions::default() };
                let output = stocked.search(&word, &options);
                prop_assert!(output.results.iter().any(|hit| hit.method == *name), "{word:?} of {name:?}: {output:?}");
            }
        }
    }

    #[test]
    fn pages_join_to_one_order(query in "(list |get |user |v2 |a ){0,4}", names in prop::collection::hash_set("(list|get|user|v2|a|_){1,6}", 0..20)) {
        let methods: Value = names.iter().map(|name| json!({ "name": name })).collect();
        let stocked = small(methods);
        let page = |limit, offset| stocked.search(&query, &SearchOptions { limit: Some(limit), offset: Some(offset), connector: None });
        let whole = page(50, 0);
        let mut joined = Vec::new();
        for offset in (0..20).step_by(3) {
            joined.extend(page(3, offset).results);
        }
        prop_assert_eq!(&joined, &whole.results);
        prop_assert!(whole.results.windows(2).all(|pair| pair[0].score >= pair[1].score));
    }
}
