//! Derives every operation of documents that nobody here wrote, and says what came of it (`npm run corpus`).
//!
//!   corpus FOLDER-OF-PACKAGES [--only PART-OF-PATH] [--types FOLDER] [--requests FILE]
//!
//! Per document: operations as the document itself counts them, methods, what was skipped and why, time, and how far memory
//! grew. With `--types` every description is written as TypeScript, for a compiler to check. Ends with 1 when an aim is missed.

mod documents;
mod memory;
mod requests;
mod types;
mod untyped;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use codemode::catalog::{Format, Memory, MethodRecord, Report, Sink, derive};
use codemode::error::Error;

/// Of all operations, in thousandths, at least.
const AIM_DERIVED: usize = 995;
/// Of the properties whose schema has a type, in thousandths, at most.
const AIM_UNKNOWN: usize = 10;
/// The document that a Worker's memory is measured against, and what it may take beside its own text.
const LARGE: &str = "api.github.com.json";
const AIM_MEMORY: usize = 64 << 20;

/// Takes what is derived as a store would: written, and forgotten.
#[derive(Default)]
struct Written {
    bytes: usize,
}

impl Sink for Written {
    fn method(&mut self, record: MethodRecord) -> Result<(), Error> {
        let text = serde_json::to_string(&record);
        self.bytes += text.map_or(0, |text| text.len());
        Ok(())
    }

    fn definition(&mut self, _: &str, schema: &str) -> Result<(), Error> {
        self.bytes += schema.len();
        Ok(())
    }
}

#[derive(Default)]
struct Totals {
    documents: usize,
    operations: usize,
    derived: usize,
    dangling: usize,
    refused: Vec<String>,
    reasons: BTreeMap<String, usize>,
    missed: Vec<String>,
    properties: untyped::Count,
}

struct Options {
    packages: PathBuf,
    only: Option<String>,
    types: Option<PathBuf>,
    requests: Option<PathBuf>,
}

fn options() -> Result<Options, String> {
    let mut args = std::env::args().skip(1);
    let packages = PathBuf::from(args.next().ok_or("which folder has the packages?")?);
    let mut options = Options {
        packages,
        only: None,
        types: None,
        requests: None,
    };
    while let Some(name) = args.next() {
        let value = args.next().ok_or(format!("{name} needs a value"))?;
        match name.as_str() {
            "--only" => options.only = Some(value),
            "--types" => options.types = Some(PathBuf::from(value)),
            "--requests" => options.requests = Some(PathBuf::from(value)),
            _ => return Err(format!("{name} is no option")),
        }
    }
    Ok(options)
}

fn main() {
    match options().and_then(|options| run(&options)) {
        Ok(missed) if missed.is_empty() => {}
        Ok(missed) => {
            eprintln!("\nmissed: {}", missed.join("; "));
            std::process::exit(1);
        }
        Err(why) => {
            eprintln!("{why}");
            std::process::exit(2);
        }
    }
}

fn run(options: &Options) -> Result<Vec<String>, String> {
    let files = documents::find(&options.packages, options.only.as_deref())?;
    let mut types = options
        .types
        .as_deref()
        .map(types::Files::new)
        .transpose()?;
    let mut requests = requests::Sample::new(files.len());
    let mut totals = Totals::default();
    println!("operations  derived  skipped      ms   text KB  memory KB  document");
    for file in &files {
        let place = file.strip_prefix(&options.packages).unwrap_or(file);
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file:?}: {error}"))?;
        let Some(memory) = one(place, &text, &mut totals) else {
            continue;
        };
        if let Some(types) = &mut types {
            types.add(place, &memory)?;
        }
        requests.consider(place, &memory);
        let shelf = [memory];
        totals.properties.add(&shelf[0]);
    }
    if let Some(types) = types {
        types.finish()?;
    }
    if let Some(file) = &options.requests {
        requests.write(file)?;
    }
    Ok(summary(totals))
}

/// Derives one document and prints its line. `None` where it was refused.
fn one(place: &Path, text: &str, totals: &mut Totals) -> Option<Memory> {
    let name = place.display();
    let mut written = Written::default();
    let start = Instant::now();
    let (answer, peak) = memory::peak_of(|| derive(Format::Openapi, text, &mut written));
    let ms = start.elapsed().as_millis();
    let report = match answer {
        Ok(report) => report,
        Err(error) => {
            totals.refused.push(format!("{name}: {}", error.text));
            return None;
        }
    };
    let mut memory = Memory {
        connector: "c".to_owned(),
        ..Memory::default()
    };
    derive(Format::Openapi, text, &mut memory).ok()?;
    let operations = documents::operations(text);
    // The escape hatch is a method and no operation.
    let derived = memory.records.len() - 1;
    println!(
        "{operations:>10}  {derived:>7}  {:>7}  {ms:>6}  {:>8}  {:>9}  {name}",
        report.skipped.len(),
        text.len() >> 10,
        peak >> 10,
    );
    totals.documents += 1;
    totals.operations += operations;
    totals.derived += derived;
    totals.dangling += documents::dangling(&memory);
    if derived + skipped_operations(&report) < operations {
        let lost = operations - derived - skipped_operations(&report);
        totals
            .missed
            .push(format!("{lost} operations of {name} were dropped silently"));
    }
    for skipped in report.skipped {
        println!("{:>44}{}: {}", "", skipped.what, skipped.why);
        *totals.reasons.entry(skipped.why).or_default() += 1;
    }
    if place.ends_with(LARGE) && peak + text.len() > AIM_MEMORY {
        totals
            .missed
            .push(format!("{name} takes {} KB", (peak + text.len()) >> 10));
    }
    Some(memory)
}

/// A path item that is skipped is none of them, but stands for all of its own.
fn skipped_operations(report: &Report) -> usize {
    report.skipped.len()
}

fn summary(totals: Totals) -> Vec<String> {
    let Totals {
        documents,
        operations,
        derived,
        dangling,
        refused,
        reasons,
        mut missed,
        properties,
    } = totals;
    let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
    println!("\n{documents} documents, {} refused", refused.len());
    for refused in refused {
        println!("  {refused}");
    }
    println!(
        "{operations} operations, {derived} derived: {:.3} %",
        share(derived, operations)
    );
    for (why, count) in reasons {
        println!("  {count:>5} {why}");
    }
    println!(
        "{} properties, {} of them without a type; of the others {} printed as unknown: {:.3} %",
        properties.typed + properties.untyped,
        properties.untyped,
        properties.unknown,
        share(properties.unknown, properties.typed),
    );
    for (schema, count) in properties.examples() {
        println!("  {count:>5} {schema}");
    }
    if derived * 1000 < operations * AIM_DERIVED {
        missed.push("too few operations were derived".to_owned());
    }
    if properties.unknown * 1000 > properties.typed * AIM_UNKNOWN {
        missed.push("too many properties with a type are printed as unknown".to_owned());
    }
    if dangling > 0 {
        missed.push(format!("{dangling} references lead to no definition"));
    }
    missed
}
