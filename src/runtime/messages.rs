//! What is said to the host about a call: the message, with the arguments that are on record for it.

use super::pass::Pass;
use super::{Runtime, json};
use crate::engine::call::Call;
use crate::engine::execution::Entry;
use crate::engine::ids::Operation;
use crate::engine::text::Slot;
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::wire::host::HostMessage;

impl<S: Sql> Runtime<S> {
    pub(super) fn check_message(&self, pass: &Pass, operation: Operation) -> Result<String, Error> {
        let args = self.args(pass, operation)?;
        let Call {
            connector, method, ..
        } = &pass.entry(operation)?.call;
        let record = self.record_for_call(&pass.catalogue, connector, method)?;
        Ok(json(&HostMessage::Check {
            connector,
            method,
            record: record.as_deref(),
            args: &args,
        }))
    }

    pub(super) fn call_message(
        &self,
        pass: &Pass,
        operation: Operation,
        attempt: u32,
        edited: bool,
    ) -> Result<String, Error> {
        let entry = pass.entry(operation)?;
        let args = match (&entry.edited, edited) {
            (Some(text), true) => {
                self.store
                    .text(&pass.execution.id, Slot::EditedArgs(operation), text)?
            }
            _ => self.args(pass, operation)?,
        };
        let id = pass.execution.id.as_str();
        let seq = operation.id();
        let Call {
            connector, method, ..
        } = &entry.call;
        let record = self.record_for_call(&pass.catalogue, connector, method)?;
        Ok(json(&HostMessage::Call {
            connector,
            method,
            record: record.as_deref(),
            args: &args,
            execution_id: id,
            seq,
            idempotency_key: &format!("{id}:{seq}"),
            attempt,
        }))
    }

    /// Recorded arguments, also when they still wait to be written.
    pub(super) fn args(&self, pass: &Pass, operation: Operation) -> Result<String, Error> {
        if let Some(text) = unwritten(pass, Slot::Args(operation)) {
            return Ok(text);
        }
        let entry = pass.entry(operation)?;
        Ok(self
            .store
            .text(&pass.execution.id, Slot::Args(operation), &entry.call.args)?)
    }
}

impl Pass {
    /// An operation that was just found or made.
    pub(super) fn entry(&self, operation: Operation) -> Result<&Entry, Error> {
        let entry = self.execution.entries.get(&operation);
        entry.ok_or_else(|| lost(operation))
    }
}

fn unwritten(pass: &Pass, slot: Slot) -> Option<String> {
    pass.unwritten
        .spills
        .iter()
        .rev()
        .find(|spill| spill.slot == slot)
        .map(|spill| spill.text.clone())
}

fn lost(operation: Operation) -> Error {
    Error::new(
        Code::Internal,
        format!(
            "operation {} is not in the record it was just found in",
            operation.0
        ),
    )
}
