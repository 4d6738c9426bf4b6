//! Runs that end because someone says so or because time has passed, and what connectors are owed then.

use super::{Runtime, json};
use crate::engine::ids::EpochMs;
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::wire::output::Reply;

impl<S: Sql> Runtime<S> {
    /// What is said to someone who waited for a run that ended otherwise: its outcome as it stands.
    pub fn outcome_frame(&self, execution_id: &str) -> String {
        super::parse_id(execution_id)
            .and_then(|id| self.outcome(&id))
            .unwrap_or_else(|error| self.frame_error(execution_id, &error))
    }

    pub fn resolve(&self, _request: &str, _now: EpochMs) -> String {
        json(&self.refuse("", &not_yet()))
    }

    pub fn cancel(&self, _request: &str, _now: EpochMs) -> String {
        refused()
    }

    pub fn expire_paused(&self, _request: &str, _now: EpochMs) -> String {
        refused()
    }

    /// When the earliest live run expires; 0 when there is none.
    pub fn next_expiry(&self) -> u64 {
        0
    }

    pub fn delete_execution(&self, _request: &str, _now: EpochMs) -> String {
        refused()
    }

    pub fn prune_executions(&self, _request: &str) -> String {
        refused()
    }

    pub fn owed(&self) -> String {
        "[]".to_owned()
    }

    pub fn paid(&self, _execution_id: &str, _kind: &str, _status: Option<&str>) -> String {
        json(&Reply::from(Ok(())))
    }
}

fn refused() -> String {
    json(&Reply::<()>::from(Err(not_yet())))
}

fn not_yet() -> Error {
    Error::new(Code::Internal, "this request cannot be served yet")
}
