//! Every description as TypeScript: each in a namespace of its own, so that no name meets another, in files that a compiler
//! can hold.

use std::fs;
use std::path::{Path, PathBuf};

use codemode::catalog::{Catalogue, Connector, Lister, Memory, Report};

const MAX_FILE: usize = 4 << 20;

pub struct Files {
    folder: PathBuf,
    text: String,
    written: usize,
    methods: usize,
}

/// A catalogue of one connector `c`.
pub fn catalogue(memory: &Memory) -> Catalogue {
    let mut lister = Lister::default();
    memory.records.iter().for_each(|record| lister.add(record));
    let connector = Connector {
        name: "c".to_owned(),
        instructions: None,
        unavailable: None,
        derived: true,
        listing: lister.finish(Report::default()),
    };
    Catalogue::new(vec![connector], Vec::new())
}

impl Files {
    pub fn new(folder: &Path) -> Result<Self, String> {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).map_err(|error| format!("{folder:?}: {error}"))?;
        Ok(Self {
            folder: folder.to_owned(),
            text: String::new(),
            written: 0,
            methods: 0,
        })
    }

    pub fn add(&mut self, place: &Path, memory: &Memory) -> Result<(), String> {
        // Whoever reads an error wants to know whose type it is.
        self.text.push_str(&format!("// {}\n", place.display()));
        let catalogue = catalogue(memory);
        let names: Vec<&str> = memory.records.iter().map(|it| it.name.as_str()).collect();
        let shelf = vec![Memory {
            connector: memory.connector.clone(),
            records: memory.records.clone(),
            definitions: memory.definitions.clone(),
        }];
        for name in names {
            let described = catalogue.describe(&format!("c.{name}"), &shelf);
            let described = described.map_err(|error| format!("c.{name}: {}", error.text))?;
            self.methods += 1;
            let number = self.methods;
            self.text
                .push_str(&format!("namespace n{number} {{\n{}}}\n", described.types));
            if self.text.len() > MAX_FILE {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), String> {
        self.written += 1;
        let file = self.folder.join(format!("{:05}.ts", self.written));
        let text = std::mem::take(&mut self.text);
        fs::write(&file, format!("export {{}};\n{text}"))
            .map_err(|error| format!("{file:?}: {error}"))
    }

    pub fn finish(mut self) -> Result<(), String> {
        self.flush()?;
        println!("{} descriptions in {} files", self.methods, self.written);
        Ok(())
    }
}
