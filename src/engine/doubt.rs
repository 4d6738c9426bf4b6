//! What a person says of a call in doubt: it happened, it did not, or it is to be made again.

use super::approval::{decidable, names};
use super::call::Outcome;
use super::execution::{Entry, Execution, Stage};
use super::failure::Failure;
use super::ids::{EpochMs, Operation};
use super::journal::{Resolution, What, Writes};
use super::limits::check_size;
use super::text::{Slot, keep, units};
use crate::error::{Code, Error};

/// The word of a person, with what only that word can carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// It happened, with this result; the empty text is `undefined`.
    Applied(String),
    Failed,
    Rerun,
}

/// Records what a person says of one call in doubt. Whether the run can go on then is asked of the state after it.
pub fn resolve(execution: &Execution, seq: u32, word: Word, now: EpochMs) -> Result<Writes, Error> {
    decidable(execution, "resolve")?;
    let entry = doubtful_entry(execution, seq)?;
    let path = format!("{}.{}", entry.call.connector, entry.call.method);
    let operation = Operation::call(seq);
    let mut writes = Writes::default();
    let (resolution, outcome) = match word {
        Word::Applied(result) => {
            check_size(&format!("the result of {path}"), units(&result))?;
            let kept = keep(Slot::Outcome(operation), result, &mut writes.spills);
            (Resolution::Applied, Some(Outcome::Value(kept)))
        }
        Word::Failed => {
            let error = Error::new(
                Code::Interrupted,
                format!(
                    "call {seq} ({path}) failed: its outcome was lost, and a person said that it did not happen"
                ),
            );
            let outcome = Failure::of(&error).outcome(operation, &mut writes.spills);
            (Resolution::Failed, Some(outcome))
        }
        Word::Rerun => (Resolution::Rerun, None),
    };
    writes.push(
        now,
        What::Resolved {
            operation,
            resolution,
        },
    );
    if let Some(outcome) = outcome {
        writes.push(now, What::Outcome { operation, outcome });
    }
    Ok(writes)
}

fn doubtful_entry(execution: &Execution, seq: u32) -> Result<&Entry, Error> {
    let entry = execution
        .entries
        .get(&Operation::call(seq))
        .filter(|entry| entry.stage == Stage::InDoubt);
    entry.ok_or_else(|| {
        let doubtful = names(execution.in_doubt());
        let list = if doubtful.is_empty() {
            "nothing".to_owned()
        } else {
            doubtful.join(", ")
        };
        Error::new(
            Code::NotFound,
            format!(
                "call {seq} of execution {} is not in doubt; in doubt: {list}",
                execution.id
            ),
        )
    })
}
