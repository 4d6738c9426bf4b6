//! What a model reads of a source: derives its methods in memory and prints descriptions, one JSON a line.
//!
//! `cargo run --example described -- openapi github document.json every 50`, or targets in place of `every 50`, or
//! `search` and queries. `scripts/tokens.mjs` counts what it prints.

use std::error::Error;
use std::io::Write;

use codemode::catalog::{Catalogue, Connector, Format, Lister, Memory, SearchOptions, derive};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [format, name, path, asked @ ..] = arguments.as_slice() else {
        return Err(
            "usage: described FORMAT CONNECTOR FILE [every N | search QUERY… | TARGET…]".into(),
        );
    };
    let format: Format = serde_json::from_value(format.as_str().into())?;
    let mut memory = Memory {
        connector: name.clone(),
        ..Memory::default()
    };
    let report =
        derive(format, &std::fs::read_to_string(path)?, &mut memory).map_err(|error| error.text)?;
    let mut lister = Lister::default();
    memory.records.iter().for_each(|record| lister.add(record));
    let paths: Vec<String> = memory
        .records
        .iter()
        .map(|record| format!("{name}.{}", record.name))
        .collect();
    let connector = Connector {
        name: name.clone(),
        instructions: None,
        unavailable: None,
        listing: lister.finish(report),
    };
    let shelf = vec![memory];
    let catalogue = Catalogue::new(vec![connector], Vec::new());
    let targets: Vec<String> = match asked {
        [every, count] if every == "every" => {
            let count: usize = count.parse()?;
            let step = (paths.len() / count.max(1)).max(1);
            paths.into_iter().step_by(step).take(count).collect()
        }
        [search, queries @ ..] if search == "search" => {
            for query in queries {
                let found = catalogue
                    .search(query, &SearchOptions::default(), &shelf)
                    .map_err(|error| error.text)?;
                writeln!(std::io::stdout(), "{}", serde_json::to_string(&found)?)?;
            }
            return Ok(());
        }
        targets => targets.to_vec(),
    };
    for target in targets {
        let found = catalogue
            .describe(&target, &shelf)
            .map_err(|error| error.text)?;
        writeln!(std::io::stdout(), "{}", serde_json::to_string(&found)?)?;
    }
    Ok(())
}
