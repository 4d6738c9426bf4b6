//! A call's failure: a code for programs, a message for people, and the Error value that the program catches.
//!
//! The only place in Rust that knows how an Error looks as value text (`js-shim/value`): one node
//! `["Error", type, name or null, message or null, { other properties }]` at the top of the table.

use serde_json::{Value, json};

use super::call::Outcome;
use super::ids::Operation;
use super::limits::check_size;
use super::surrogates::read_json;
use super::text::{Slot, Spill, keep, shorten, units};
use crate::error::{Code, Error};

/// Longest message kept beside the whole error, in bytes.
const MESSAGE_BYTES: usize = 1000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub code: Code,
    pub message: String,
    /// Value text of an Error.
    pub error: String,
}

impl Failure {
    /// A failure that the runtime itself decides on. The program sees an `Error` with the code as a property.
    pub fn of(error: &Error) -> Self {
        let node = json!(["Error", "Error", null, error.text, { "code": error.code.as_str() }]);
        Self {
            code: error.code,
            message: error.text.clone(),
            error: format!("@{}", json!([[0], [node]])),
        }
    }

    /// A failure that came from elsewhere with its Error value. A text that is no Error value is kept as a message.
    pub fn parse(code: Code, error: &str) -> Self {
        match message_of(error) {
            Some(message) => Self {
                code,
                message,
                error: error.to_owned(),
            },
            None => Self::of(&Error::new(
                code,
                "the call failed and gave no readable error",
            )),
        }
    }

    /// Itself, or, when its Error value is too long to be recorded, a failure that says so and how it began.
    pub fn within_limit(self) -> Self {
        match check_size("the error of the call", units(&self.error)) {
            Ok(()) => self,
            Err(Error { code, text }) => {
                let message = shorten(&self.message, MESSAGE_BYTES);
                Self::of(&Error::new(code, format!("{text}. It began: {message}")))
            }
        }
    }

    pub fn outcome(self, operation: Operation, spills: &mut Vec<Spill>) -> Outcome {
        let error = keep(Slot::Outcome(operation), self.error, spills);
        Outcome::Failure {
            code: self.code,
            message: shorten(&self.message, MESSAGE_BYTES),
            error,
        }
    }

    /// `e` + code + space + Error value: how a failure travels to the sandbox.
    pub fn reply(&self) -> String {
        format!("e{} {}", self.code.as_str(), self.error)
    }
}

fn message_of(error: &str) -> Option<String> {
    let table: Value = read_json(error.strip_prefix('@')?).ok()?;
    let top = table.get(0)?.get(0)?.as_u64()?;
    let node = table.get(1)?.get(usize::try_from(top).ok()?)?;
    if node.get(0)?.as_str()? != "Error" {
        return None;
    }
    let part = |at: usize| {
        node.get(at)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    // An error without a message is known by its name; every Error has a type.
    part(3).or(part(2)).or(part(1)).map(str::to_owned)
}
