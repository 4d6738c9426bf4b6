//! The time of day, read once at the door of each entry. In a Durable Object it stands still while code runs.

use crate::engine::ids::EpochMs;

pub(crate) fn now() -> EpochMs {
    let milliseconds = js_sys::Date::now();
    // A clock before 1970 or beyond safe integers is no clock; zero is seen at once.
    EpochMs(if milliseconds.is_finite() && milliseconds >= 0.0 {
        milliseconds as u64
    } else {
        0
    })
}
