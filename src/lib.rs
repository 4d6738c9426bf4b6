//! The map, in reading order: rules first, then what remembers, then what acts.

pub mod error;
pub mod engine;
pub mod program;
pub mod catalog;
pub mod wire;
pub mod store;
pub mod runtime;

#[cfg(target_arch = "wasm32")]
mod host;
#[cfg(target_arch = "wasm32")]
mod entry;
