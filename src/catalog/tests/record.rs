//! The wire form of a method, and what registration refuses.

use serde_json::{Value, json};

use super::super::{Approval, MethodRecord, Replay, register};
use super::record;
use crate::error::Code;

#[track_caller]
fn check(wire: Value, written: Value) {
    let read: MethodRecord = serde_json::from_value(wire).expect("a record");
    assert_eq!(serde_json::to_value(read).expect("it serialises"), written);
}

#[test]
fn a_record_needs_only_name_and_approval() {
    let least = json!({ "name": "add", "requiresApproval": false });
    check(least.clone(), least);
}

#[test]
fn a_whole_record_is_written_as_it_was_read() {
    let whole = json!({
        "name": "add", "original": "a-d-d", "description": "Adds.", "inputSchema": true, "outputSchema": { "type": "string" },
        "requiresApproval": "ask", "readOnly": true, "idempotent": true, "replay": "reexecute", "revert": true,
    });
    check(whole.clone(), whole);
}

#[test]
fn fields_of_a_newer_host_are_ignored() {
    check(
        json!({ "name": "add", "requiresApproval": true, "colour": 1, "description": null }),
        json!({ "name": "add", "requiresApproval": true }),
    );
}

#[test]
fn an_approval_that_is_no_policy_is_refused() {
    for wrong in [json!("yes"), json!(1), json!(null)] {
        let read = serde_json::from_value::<MethodRecord>(
            json!({ "name": "x", "requiresApproval": wrong }),
        );
        assert!(read.is_err(), "{wrong}");
    }
}

#[track_caller]
fn check_register(
    approval: Approval,
    replay: Option<Replay>,
    revert: bool,
    complaint: Option<&str>,
) {
    let good = record(json!({ "name": "good", "requiresApproval": false }));
    let tested = MethodRecord {
        name: "tested".to_owned(),
        requires_approval: approval,
        replay,
        revert,
        ..good.clone()
    };
    match (register(&[good, tested]), complaint) {
        (Ok(()), None) => {}
        (Err(error), Some(word)) => {
            assert_eq!(error.code, Code::InvalidInput);
            assert!(
                error.text.contains("tested") && error.text.contains(word),
                "{}",
                error.text
            );
        }
        (result, _) => panic!("{result:?}"),
    }
}

#[test]
fn approval_and_revert_are_fine_with_recorded_results() {
    check_register(Approval::Always, None, true, None);
    check_register(Approval::Ask, None, true, None);
    check_register(Approval::Never, Some(Replay::Reexecute), false, None);
}

#[test]
fn approval_with_reexecution_is_refused_by_name() {
    check_register(
        Approval::Always,
        Some(Replay::Reexecute),
        false,
        Some("requiresApproval"),
    );
    check_register(
        Approval::Ask,
        Some(Replay::Reexecute),
        false,
        Some("requiresApproval"),
    );
}

#[test]
fn revert_with_reexecution_is_refused_by_name() {
    check_register(
        Approval::Never,
        Some(Replay::Reexecute),
        true,
        Some("revert"),
    );
}
