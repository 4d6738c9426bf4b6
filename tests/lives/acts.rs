//! What can happen in a random life, how likely, and what the program and the host of it are.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::diagram::Undone;

#[derive(Debug, Clone)]
pub(crate) enum Act {
    NewCall,
    SendAgain,
    Answer {
        pick: usize,
        ask: bool,
        fail: bool,
    },
    /// The answer to a message of a pass that is over.
    Late {
        pick: usize,
        fail: bool,
    },
    /// A sandbox that does not know yet that its pass is over.
    Stale {
        pick: usize,
    },
    HostBreaks {
        pick: usize,
    },
    RunSnippet,
    SaveSnippet {
        pick: usize,
    },
    DeleteSnippet {
        pick: usize,
    },
    Flush,
    Pay,
    Crash,
    Return,
    Pause,
    Deadline,
    ApproveAll,
    ApproveOne {
        pick: usize,
        edited: bool,
    },
    Reject {
        pick: usize,
        throw: bool,
    },
    Recover,
    Resolve {
        pick: usize,
        how: usize,
    },
    Cancel,
    RollBack,
    Undo {
        said: Undone,
    },
    Expire {
        all: bool,
    },
    Delete,
}

/// How likely a life is to be ended from outside.
pub(crate) fn act(ends: u32) -> impl Strategy<Value = Act> {
    let pick = any::<usize>;
    let undone = prop_oneof![
        4 => Just(Undone::Reverted),
        1 => Just(Undone::NoRevert),
        1 => Just(Undone::Failed),
        1 => Just(Undone::Lost),
    ];
    let living = prop_oneof![
        14 => Just(Act::NewCall),
        8 => Just(Act::SendAgain),
        14 => (pick(), any::<bool>(), prop::bool::weighted(0.2)).prop_map(|(pick, ask, fail)| Act::Answer { pick, ask, fail }),
        3 => (pick(), prop::bool::weighted(0.2)).prop_map(|(pick, fail)| Act::Late { pick, fail }),
        1 => pick().prop_map(|pick| Act::Stale { pick }),
        1 => pick().prop_map(|pick| Act::HostBreaks { pick }),
        4 => Just(Act::RunSnippet),
        3 => pick().prop_map(|pick| Act::SaveSnippet { pick }),
        1 => pick().prop_map(|pick| Act::DeleteSnippet { pick }),
        2 => Just(Act::Flush),
        1 => Just(Act::Pay),
        2 => Just(Act::Crash),
        1 => Just(Act::Return),
        4 => Just(Act::Pause),
        1 => Just(Act::Deadline),
        3 => Just(Act::ApproveAll),
        3 => (pick(), any::<bool>()).prop_map(|(pick, edited)| Act::ApproveOne { pick, edited }),
        1 => (pick(), any::<bool>()).prop_map(|(pick, throw)| Act::Reject { pick, throw }),
        4 => Just(Act::Recover),
        3 => (pick(), 0..3_usize).prop_map(|(pick, how)| Act::Resolve { pick, how }),
    ];
    let ending = prop_oneof![
        2 => Just(Act::Cancel),
        8 => Just(Act::RollBack),
        16 => undone.prop_map(|said| Act::Undo { said }),
        2 => any::<bool>().prop_map(|all| Act::Expire { all }),
        1 => Just(Act::Delete),
    ];
    prop_oneof![20 => living, ends => ending]
}

/// The program: its n-th call is always the same.
pub(super) fn planned(seq: u32) -> (&'static str, String) {
    let methods = [
        "save", "add", "send", "keep", "list", "ask", "add", "big", "save", "put",
    ];
    (
        methods[seq as usize % methods.len()],
        format!(r#"{{"n":{seq}}}"#),
    )
}

pub(super) fn reply(kind: &str, value: u32, ask: bool, fail: bool) -> Value {
    let error = r#"@[[0],[["Error","Error",null,"no",{}]]]"#;
    match (kind, ask, fail) {
        (_, _, true) => json!({ "kind": "failure", "code": "exception", "error": error }),
        ("check", true, _) => json!({ "kind": "ask" }),
        ("check", false, _) => json!({ "kind": "allow" }),
        _ => json!({ "kind": "value", "value": value.to_string() }),
    }
}
