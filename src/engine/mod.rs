//! PURE rules: what may happen next, given what is recorded.
//!
//! **Invariant:** no `async`, no clock, no random, no SQL, no JavaScript. What this room needs is an argument; what it
//! decides is a value ([`decide::Transition`]) that someone else writes down and acts on, in that order.

#![deny(clippy::wildcard_enum_match_arm)]

pub mod approval;
pub mod call;
pub mod decide;
pub mod doubt;
pub mod ending;
pub mod execution;
pub mod failure;
pub mod ids;
pub mod journal;
pub mod limits;
pub mod line;
pub mod notice;
pub mod recovery;
pub mod snippet;
pub mod surrogates;
pub mod text;
pub mod undo;
