//! Whether the bindings on disk were made from this very module by this very generator.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use crate::Result;

const FILE: &str = ".stamp";

/// Part of the stamp, so that a change of how bindings are made remakes them.
const RECIPE: &str = concat!(include_str!("bindings.rs"), include_str!("../Cargo.toml"));

/// Not a cryptographic hash: it guards against work done twice, not against anyone.
pub(crate) fn of(module: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    RECIPE.hash(&mut hasher);
    module.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

pub(crate) fn is_current(out: &Path, stamp: &str) -> bool {
    fs::read_to_string(out.join(FILE)).is_ok_and(|written| written == stamp)
}

/// Written last, so that an interrupted run is never taken for a finished one.
pub(crate) fn write(out: &Path, stamp: &str) -> Result<()> {
    Ok(fs::write(out.join(FILE), stamp)?)
}
