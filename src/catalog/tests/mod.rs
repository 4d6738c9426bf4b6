//! The room's tests: one file per question, each with one `check` that knows the API.

mod describe;
mod mcp;
mod names;
mod nearest;
mod openapi;
mod openapi_bodies;
mod openapi_parameters;
mod openapi_schemas;
mod property;
mod record;
mod references;
mod schema;
mod search;
mod signature;
mod snippets;
mod targets;

use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;
use serde_json::{Value, json};

use super::{
    Catalogue, Connector, DescribeOutput, Lister, Memory, MethodRecord, SearchOptions,
    SearchOutput, SnippetRecord,
};
use crate::error::Error;

/// A catalogue and the shelf that it was made of.
struct Stocked {
    catalogue: Catalogue,
    shelf: Vec<Memory>,
}

impl std::ops::Deref for Stocked {
    type Target = Catalogue;

    fn deref(&self) -> &Catalogue {
        &self.catalogue
    }
}

impl Stocked {
    fn new(connectors: Vec<(Connector, Memory)>, snippets: Vec<SnippetRecord>) -> Self {
        let (connectors, shelf) = connectors.into_iter().unzip();
        Self {
            catalogue: Catalogue::new(connectors, snippets),
            shelf,
        }
    }

    fn search(&self, query: &str, options: &SearchOptions) -> SearchOutput {
        let found = self.catalogue.search(query, options, &self.shelf);
        found.expect("a shelf in memory can be read")
    }

    fn describe(&self, target: &str) -> Result<DescribeOutput, Error> {
        self.catalogue.describe(target, &self.shelf)
    }
}

/// The connectors that Rust and TypeScript test against, as a host would send them.
fn connectors() -> Vec<(Connector, Memory)> {
    let text = include_str!("../../../tests/fixtures/catalog/connectors.json");
    let listed: Vec<Value> = serde_json::from_str(text).expect("the fixture is JSON");
    listed.into_iter().map(connector).collect()
}

fn connector(value: Value) -> (Connector, Memory) {
    let text = |key: &str| value[key].as_str().map(str::to_owned);
    let name = text("name").expect("a connector has a name");
    let records: Vec<MethodRecord> =
        serde_json::from_value(value["methods"].clone()).expect("methods are records");
    let mut lister = Lister::default();
    records.iter().for_each(|record| lister.add(record));
    let connector = Connector {
        name: name.clone(),
        instructions: text("instructions"),
        unavailable: text("unavailable"),
        derived: false,
        listing: lister.finish(super::Report::default()),
    };
    let memory = Memory {
        connector: name,
        records,
        ..Memory::default()
    };
    (connector, memory)
}

fn catalogue() -> Stocked {
    Stocked::new(connectors(), Vec::new())
}

/// A catalogue of one connector `c` with these methods; `requiresApproval` may be left out.
fn small(methods: Value) -> Stocked {
    let mut methods = methods;
    for method in methods.as_array_mut().expect("methods are a list") {
        if method.get("requiresApproval").is_none() {
            method["requiresApproval"] = json!(false);
        }
    }
    Stocked::new(
        vec![connector(json!({ "name": "c", "methods": methods }))],
        Vec::new(),
    )
}

/// The same, with definitions beside the methods that come of a document.
fn documented(methods: Value, definitions: Value) -> Stocked {
    let mut stocked = small(methods);
    let definitions = serde_json::from_value(definitions).expect("definitions");
    stocked.shelf[0].definitions = definitions;
    stocked
}

fn record(value: Value) -> MethodRecord {
    serde_json::from_value(value).expect("a record")
}

/// Fails unless the text is TypeScript.
#[track_caller]
fn assert_parses(types: &str) {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, types, SourceType::ts()).parse();
    let errors: Vec<String> = parsed.diagnostics.iter().map(ToString::to_string).collect();
    assert!(
        !parsed.panicked && errors.is_empty(),
        "{errors:?} in\n{types}"
    );
}

/// Fails unless the signature is the type of a function, or names the members of its input and its result.
#[track_caller]
fn assert_signature(signature: &str, connector: &str) {
    let at = signature.find("(input").or_else(|| signature.find("({ "));
    let (odd, function) = signature.split_at(at.expect("it has a parameter"));
    assert!(
        odd.is_empty() || odd.starts_with(&format!("{connector}[\"")),
        "{signature}"
    );
    match function.strip_prefix("({ ") {
        None => assert_parses(&format!("type S = {function};")),
        Some(rest) => {
            let (_, result) = rest.rsplit_once(" }) => ").expect("it has a result");
            assert_parses(&format!("type S = {result};"));
        }
    }
    assert!(
        signature.chars().count() <= 200 && !signature.contains('\n'),
        "{signature}"
    );
}
