//! The only JavaScript: the object's SQLite, the clock, chance. Everything else that acts (sandbox, host calls, waiting)
//! is in js-shim, which calls `entry`.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "this is the room where JavaScript stops"
)]

pub(crate) mod chance;
pub(crate) mod clock;
pub(crate) mod sql;
