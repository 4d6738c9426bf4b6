//! Which events of the record a watcher is told of, as a table.

use codemode::engine::call::{Call, Outcome, Policy, Safety};
use codemode::engine::ids::{Kind, Operation};
use codemode::engine::journal::{End, Resolution, What};
use codemode::engine::notice::Notice;
use codemode::engine::text::Text;

#[track_caller]
fn check(what: What, expected: Option<(&str, Option<u32>)>) {
    let told = Notice::of(&what).map(|notice| (notice.kind(), notice.seq()));
    assert_eq!(told, expected, "{what:?}");
}

#[test]
fn calls_and_decisions_are_told_and_the_runtime_s_own_affairs_are_not() {
    let policy = Policy::Record(Safety::Effect);
    let call = || Call {
        connector: "notes".to_owned(),
        method: "add".to_owned(),
        args: Text::Inline("{}".to_owned()),
    };
    let intent = |operation| What::Intent {
        operation,
        call: call(),
        policy,
    };
    let outcome = |operation| What::Outcome {
        operation,
        outcome: Outcome::Reexecute,
    };
    let resolved = |resolution| What::Resolved {
        operation: Operation::call(7),
        resolution,
    };
    let (end, console) = (End::Paused {}, None);
    let begin = What::Begin {
        protocol: 1,
        seed: String::new(),
        connectors: Vec::new(),
        runs: Vec::new(),
    };
    let operation = Operation::call(7);
    check(begin, Some(("begin", None)));
    check(intent(operation), Some(("intent", Some(7))));
    check(outcome(operation), Some(("outcome", Some(7))));
    check(
        What::Pending { operation, policy },
        Some(("pending", Some(7))),
    );
    let edited = None;
    check(
        What::Approved { operation, edited },
        Some(("decision", Some(7))),
    );
    let reason = None;
    check(
        What::Refused { operation, reason },
        Some(("decision", Some(7))),
    );
    for resolution in [Resolution::Applied, Resolution::Failed, Resolution::Rerun] {
        check(resolved(resolution), Some(("decision", Some(7))));
    }
    check(What::End { end, console }, Some(("end", None)));
    for other in [Kind::Lookup, Kind::Timer, Kind::Local] {
        check(intent(Operation::new(other, 7)), None);
        check(outcome(Operation::new(other, 7)), None);
    }
    let name = "weekly-report".to_owned();
    check(What::Snippet { name }, None);
    check(What::Pass { number: 1 }, None);
    check(What::Deliver { order: vec![28, 0] }, None);
    check(What::Attempt { operation, policy }, None);
    check(What::InDoubt { operation }, None);
    check(What::Reverting { operation }, None);
    check(What::Reverted { operation }, None);
    check(What::NotReverted { operation }, None);
}
