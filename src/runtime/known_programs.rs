//! Programs that were read a moment ago. Reading costs more than the rest of an empty pass, and the same text comes again: from
//! an application that runs it on a schedule, or from a model that tries once more.

use std::collections::VecDeque;

use crate::error::Error;
use crate::program::{Budget, Module, Options, intake};

/// So many are remembered, and none that is longer: a few hundred kilobytes at most.
const MOST: usize = 8;
const MAX_BYTES: usize = 32 * 1024;

#[derive(Debug, Default)]
pub(super) struct KnownPrograms(VecDeque<Known>);

#[derive(Debug)]
struct Known {
    code: String,
    namespaces: Vec<String>,
    budget: Budget,
    module: Module,
}

impl KnownPrograms {
    /// # Errors
    /// As `intake`; a refusal is not remembered.
    pub(super) fn read(&mut self, code: &str, options: &Options<'_>) -> Result<Module, Error> {
        let same = |known: &Known| {
            known.code == code
                && known.namespaces == options.namespaces
                && known.budget == options.budget
        };
        if let Some(known) = self.0.iter().find(|known| same(known)) {
            return Ok(known.module.clone());
        }
        let module = intake(code, options)?;
        if code.len() <= MAX_BYTES {
            self.0.truncate(MOST - 1);
            self.0.push_front(Known {
                code: code.to_owned(),
                namespaces: options.namespaces.to_vec(),
                budget: options.budget,
                module: module.clone(),
            });
        }
        Ok(module)
    }
}
