//! The life of an execution as a table, beside which the runtime is held: what may come after what, and by which act. The
//! table itself is a fixture, which the sequences over real isolates read as well.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::acts::Act;

/// By what, from what, to what. `none` is a run that is gone.
type Table = BTreeMap<String, BTreeMap<String, Vec<String>>>;

static LIFE: LazyLock<Table> =
    LazyLock::new(|| serde_json::from_str(include_str!("../fixtures/life.json")).unwrap());

pub(crate) fn allows(act: &Act, from: &str, to: &str) -> bool {
    from == to
        || by(act).is_some_and(|by| {
            LIFE[by]
                .get(from)
                .is_some_and(|next| next.iter().any(|one| one == to))
        })
}

/// The row of the table; `None` where nothing becomes of the run.
fn by(act: &Act) -> Option<&'static str> {
    Some(match act {
        Act::NewCall
        | Act::SendAgain
        | Act::Answer { .. }
        | Act::Late { .. }
        | Act::Stale { .. }
        | Act::HostBreaks { .. }
        | Act::RunSnippet
        | Act::SaveSnippet { .. }
        | Act::DeleteSnippet { .. }
        | Act::Flush
        | Act::Pay
        | Act::Crash
        | Act::RollBack => return None,
        Act::Return => "returned",
        Act::Pause => "waits",
        Act::Deadline => "deadline",
        Act::ApproveAll | Act::ApproveOne { .. } => "approve",
        Act::Resolve { .. } => "resolve",
        Act::Reject { throw: true, .. } => "reject_throw",
        Act::Reject { throw: false, .. } => "reject",
        Act::Recover => "recover",
        Act::Cancel => "cancel",
        Act::Undo { said } if *said == Undone::Reverted => "reverted",
        Act::Undo { .. } => return None,
        Act::Expire { .. } => "expire",
        Act::Delete => "delete",
    })
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
