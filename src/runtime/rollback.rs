//! Undoing what a run did, call by call, backwards.

use super::{Runtime, json};
use crate::engine::ids::EpochMs;
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::wire::output::Reply;

/// What js-shim does next: carry a message to the host, or answer.
#[derive(Debug, serde::Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Step {
    Reply { reply: String },
}

impl<S: Sql> Runtime<S> {
    pub fn rollback(&self, _request: &str, _now: EpochMs) -> String {
        refused()
    }

    pub fn rollback_answer(&self, _id: &str, _seq: u32, _reply: &str, _now: EpochMs) -> String {
        refused()
    }

    pub fn rollback_lost(&self, _id: &str, _seq: u32, _now: EpochMs) -> String {
        refused()
    }
}

fn refused() -> String {
    let error = Error::new(Code::Internal, "this request cannot be served yet");
    json(&Step::Reply {
        reply: json(&Reply::<()>::from(Err(error))),
    })
}
