//! The life of an execution as a table, beside which the runtime is held: what may come after what, and by which act.

use super::acts::Act;

/// `none` is a run that was deleted.
pub(crate) fn allows(act: &Act, from: &str, to: &str) -> bool {
    from == to
        || match act {
            Act::NewCall
            | Act::SendAgain
            | Act::Answer { .. }
            | Act::Late { .. }
            | Act::Stale { .. }
            | Act::HostBreaks { .. }
            | Act::Flush
            | Act::Pay
            | Act::Crash => false,
            Act::Return => matches!((from, to), ("running", "completed" | "paused")),
            Act::Pause => (from, to) == ("running", "paused"),
            Act::Deadline => matches!((from, to), ("running", "paused" | "error")),
            Act::ApproveAll | Act::ApproveOne { .. } | Act::Resolve { .. } => {
                (from, to) == ("paused", "running")
            }
            Act::Reject { throw: true, .. } => (from, to) == ("paused", "running"),
            Act::Reject { throw: false, .. } => (from, to) == ("paused", "rejected"),
            Act::Recover => (from, to) == ("running", "paused"),
            Act::Cancel => matches!((from, to), ("running" | "paused", "error")),
            Act::RollBack => false,
            Act::Undo { said } => {
                *said == Undone::Reverted
                    && to == "rolled_back"
                    && !matches!(from, "running" | "none")
            }
            Act::Expire { .. } => {
                matches!((from, to), ("running", "error") | ("paused", "rejected"))
            }
            Act::Delete => to == "none",
        }
}

/// What the host says of one call that it is to undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Undone {
    Reverted,
    NoRevert,
    Failed,
    Lost,
}

pub(crate) fn is_live(status: &str) -> bool {
    matches!(status, "running" | "paused")
}
