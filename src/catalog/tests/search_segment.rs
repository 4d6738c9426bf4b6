//! The stored words of search: what is loaded finds what was built, and no bytes whatever make a search panic.

use std::cell::Cell;

use proptest::prelude::{any, prop, proptest};
use serde_json::{Value, json};

use super::super::search::forged;
use super::super::{Catalogue, Memory, MethodRecord, SearchOptions, Segment, Shelf};
use super::{Stocked, catalogue, connector, small};
use crate::error::Error;

/// The same catalogue with other words.
fn with_words(stocked: Stocked, bytes: &[u8]) -> Result<Stocked, Error> {
    let Stocked { catalogue, shelf } = stocked;
    let mut connectors = catalogue.connectors;
    connectors[0].listing.segment = Segment::load(bytes)?;
    Ok(Stocked {
        catalogue: Catalogue::new(connectors, Vec::new()),
        shelf,
    })
}

fn some() -> Stocked {
    small(json!([
        { "name": "list_issues", "description": "List the issues of a repository." },
        { "name": "create_label", "description": "Create a label.", "tags": ["issues"] },
        { "name": "メモを探す", "description": "メモの検索" },
    ]))
}

fn bytes_of(stocked: &Stocked) -> Vec<u8> {
    stocked.catalogue.connectors[0].listing.segment.bytes()
}

#[test]
fn what_was_stored_finds_the_same() {
    let before = some();
    let after = with_words(some(), &bytes_of(&before)).expect("its own bytes");
    for query in ["list issues", "creat labl", "検索", "label", "", "nothing"] {
        let options = SearchOptions::default();
        assert_eq!(
            before.search(query, &options),
            after.search(query, &options),
            "{query}"
        );
    }
}

#[test]
fn terms_that_share_half_a_letter_are_told_apart() {
    let names = ["ñ", "ó", "ô", "ж", "з", "зз", "課", "誰", "z"];
    let stocked = small(names.iter().map(|name| json!({ "name": name })).collect());
    for name in names {
        let output = stocked.search(name, &SearchOptions::default());
        assert!(
            output.results.iter().any(|hit| hit.method == name),
            "{name}: {output:?}"
        );
    }
}

#[test]
fn it_does_not_depend_on_the_connectors_name() {
    let named = |name: &str| {
        let methods =
            json!([{ "name": "list", "description": "Lists.", "requiresApproval": false }]);
        connector(json!({ "name": name, "methods": methods }))
            .0
            .listing
            .segment
            .bytes()
    };
    assert_eq!(named("github"), named("other"));
}

#[test]
fn many_methods_take_little_room() {
    let methods: Value = (0..1_000)
        .map(|n| json!({ "name": format!("list_item_{n}"), "description": "Lists the items of one of the many shelves of this shop." }))
        .collect();
    let bytes = bytes_of(&small(methods)).len();
    assert!(bytes < 40_000, "{bytes}");
}

/// Counts what is read.
struct Counting {
    inner: Vec<Memory>,
    records: Cell<usize>,
    lines: Cell<usize>,
}

impl Counting {
    fn new(inner: Vec<Memory>) -> Self {
        Self {
            inner,
            records: Cell::new(0),
            lines: Cell::new(0),
        }
    }
}

impl Shelf for Counting {
    fn record(&self, connector: &str, method: &str) -> Result<Option<MethodRecord>, Error> {
        self.records.set(self.records.get() + 1);
        self.inner.record(connector, method)
    }

    fn line(&self, connector: &str, method: &str) -> Result<Option<String>, Error> {
        self.lines.set(self.lines.get() + 1);
        self.inner.line(connector, method)
    }

    fn definition(&self, connector: &str, key: &str) -> Result<Option<Value>, Error> {
        self.inner.definition(connector, key)
    }

    fn definitions(&self, connector: &str) -> Result<Vec<String>, Error> {
        self.inner.definitions(connector)
    }
}

#[test]
fn of_twenty_thousand_methods_only_the_shown_page_is_read() {
    let methods: Value = (0..20_000)
        .map(|n| json!({ "name": format!("list_item_{n}"), "description": format!("Lists what lies on shelf {n} of the shop.") }))
        .collect();
    let Stocked { catalogue, shelf } = small(methods);
    let bytes = catalogue.connectors[0].listing.segment.bytes().len();
    assert!(bytes < 1_000_000, "{bytes}");
    let read = |limit| {
        let shelf = Counting::new(shelf.clone());
        let options = SearchOptions {
            limit,
            ..SearchOptions::default()
        };
        let found = catalogue
            .search("list items of shelf 777", &options, &shelf)
            .expect("a shelf in memory can be read");
        assert_eq!(found.results[0].path, "c.list_item_777");
        assert_eq!(found.total, 20_000);
        (shelf.lines.get(), shelf.records.get())
    };
    assert_eq!(read(None), (10, 0));
    assert_eq!(read(Some(3)), (0, 3));
}

/// A shelf that keeps no lines.
struct Lineless(Vec<Memory>);

impl Shelf for Lineless {
    fn record(&self, connector: &str, method: &str) -> Result<Option<MethodRecord>, Error> {
        self.0.record(connector, method)
    }

    fn line(&self, _connector: &str, _method: &str) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn definition(&self, connector: &str, key: &str) -> Result<Option<Value>, Error> {
        self.0.definition(connector, key)
    }

    fn definitions(&self, connector: &str) -> Result<Vec<String>, Error> {
        self.0.definitions(connector)
    }
}

#[test]
fn a_page_says_the_same_of_lines_as_of_records() {
    let schema = json!({ "type": "object", "properties": { "a\tb": { "type": "string" }, "c\nd": { "enum": ["x\ty\n"] } } });
    let methods: Value = (0..12)
        .map(|n| match n {
            0 => json!({ "name": "item_bare" }),
            1 => json!({ "name": "item_asked", "requiresApproval": "ask", "description": "" }),
            2 => json!({ "name": "item_odd", "description": "Tabs\tand\nbreaks.\n\nAnd more.", "inputSchema": schema, "outputSchema": { "enum": ["p\tq\n"] } }),
            _ => json!({ "name": format!("item-{n}"), "requiresApproval": true, "description": format!("Tells everything of {n}."), "inputSchema": schema }),
        })
        .collect();
    for Stocked { catalogue, shelf } in [small(methods), catalogue()] {
        for query in ["", "item", "list issues", "everything"] {
            let options = SearchOptions::default();
            let lines = catalogue.search(query, &options, &shelf);
            let records = catalogue.search(query, &options, &Lineless(shelf.clone()));
            assert_eq!(lines.expect("lines"), records.expect("records"), "{query}");
        }
    }
}

#[test]
fn other_bytes_are_an_error_that_says_what_to_do() {
    let bytes = bytes_of(&some());
    let other_version = [b"cms0", &bytes[4..]].concat();
    let cut = &bytes[..bytes.len() - 1];
    for (bytes, what) in [
        (&b""[..], "too few"),
        (&b"[1,2,3]"[..], "too few"),
        (&other_version[..], "another version"),
        (cut, "damaged"),
    ] {
        let error = Segment::load(bytes).expect_err("no words");
        assert!(
            error.text.contains(what) && error.text.contains("derive them"),
            "{}",
            error.text
        );
    }
}

proptest! {
    #[test]
    fn one_changed_byte_is_noticed(at in any::<prop::sample::Index>(), change in 1_u8..) {
        let mut bytes = bytes_of(&some());
        let at = at.index(bytes.len());
        bytes[at] ^= change;
        assert!(Segment::load(&bytes).is_err(), "byte {at}");
    }

    #[test]
    fn forged_words_find_nonsense_but_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        noise in prop::collection::vec(any::<u8>(), 0..80),
        query in "[a-z ]{0,24}",
    ) {
        let mut body = bytes_of(&some())[12..].to_vec();
        for (at, byte) in changes {
            let at = at.index(body.len());
            body[at] = byte;
        }
        for body in [body, noise] {
            if let Ok(stocked) = with_words(some(), &forged(&body)) {
                for query in [&query, "list isues", "検索", "creat"] {
                    let found = stocked.search(query, &SearchOptions::default());
                    assert!(found.total <= 3);
                }
            }
        }
    }
}
