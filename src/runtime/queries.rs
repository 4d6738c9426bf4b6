//! What is recorded, as others see it. Reads only.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::listing::{self, Budget};
use super::{Runtime, json, parse, parse_id};
use crate::catalog::{DescribeOutput, SearchOptions, SearchOutput};
use crate::engine::execution::{Execution, Status};
use crate::engine::ids::{EpochMs, ExecutionId, Operation};
use crate::engine::journal::{End, RecordedResult};
use crate::engine::text::Slot;
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::store::{Listed, Place, StoreError};
use crate::wire::output::{self, ExecutionState, ListedValue, Reply};
use crate::wire::request::{Describe, Executions, OneExecution, Pending, Search};

/// How many executions a listing has when nobody says.
const DEFAULT_LIMIT: u32 = 50;

/// A cursor names the last run of the page before. That run may be gone by now.
fn place(cursor: &str) -> Result<Place, Error> {
    let parsed = cursor.split_once(':').and_then(|(created_at, id)| {
        Some(Place {
            created_at: EpochMs(created_at.parse().ok()?),
            id: id.to_owned(),
        })
    });
    parsed.ok_or_else(|| {
        Error::new(
            Code::InvalidInput,
            "the cursor is none that executions() gave; leave it null for the first page",
        )
    })
}

/// A run by itself, or one of a list that has to fit one reply.
#[derive(Debug, Clone, Copy)]
enum View {
    Alone,
    OneOfMany,
}

impl<S: Sql> Runtime<S> {
    /// Calls that wait for a person: of one execution, or of all paused ones, newest first.
    pub fn pending(&self, request: &str) -> String {
        json(&Reply::from(self.try_pending(request)))
    }

    fn try_pending(&self, request: &str) -> Result<Vec<Box<RawValue>>, Error> {
        let request: Pending = parse(request)?;
        let mut budget = Budget::reply();
        let mut actions = |execution: &Execution| {
            if !execution.status.is_paused() {
                return Ok(Vec::new());
            }
            let actions =
                listing::actions(&self.store, execution, execution.pending(), &mut budget)?;
            actions.iter().map(written).collect()
        };
        if let Some(id) = request.execution_id {
            return self.with_execution(&parse_id(&id)?, actions)?;
        }
        let mut all = Vec::new();
        for id in self.store.paused()? {
            match self.look(&id, &mut actions) {
                Ok(Some(found)) => all.extend(found?),
                // Nothing can be decided on it; executions() says what is wrong with it.
                Ok(None) => {}
                Err(error) if error.is_of_one_record() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(all)
    }

    pub fn executions(&self, request: &str) -> String {
        json(&Reply::from(self.try_executions(request)))
    }

    fn try_executions(&self, request: &str) -> Result<output::Executions, Error> {
        let request: Executions = parse(request)?;
        self.write_all()?;
        let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
        let Some(cursor) = request.cursor else {
            return Ok(output::Executions::All(
                self.states(&self.store.newest(limit)?)?,
            ));
        };
        // One more than asked for: whether there is a next page. A page of none would never come to an end.
        let limit = limit.max(1);
        let mut rows = match cursor {
            None => self.store.newest(limit.saturating_add(1))?,
            Some(cursor) => self
                .store
                .newest_behind(&place(&cursor)?, limit.saturating_add(1))?,
        };
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let executions = self.states(&rows)?;
        let cursor = rows
            .last()
            .filter(|_| more)
            .map(|last| format!("{}:{}", last.place.created_at.0, last.place.id));
        Ok(output::Executions::Page { executions, cursor })
    }

    fn states(&self, rows: &[Listed]) -> Result<Vec<Box<RawValue>>, Error> {
        let mut budget = Budget::list();
        rows.iter()
            .map(|row| self.listed(row, View::OneOfMany, &mut budget))
            .collect()
    }

    /// A run whose record cannot be read is shown as its row tells, and hides no other.
    fn listed(
        &self,
        row: &Listed,
        view: View,
        budget: &mut Budget,
    ) -> Result<Box<RawValue>, Error> {
        let Some(id) = ExecutionId::parse(&row.id) else {
            return broken(row, "its id is none that a runtime gives");
        };
        let look = |execution: &Execution| written(&self.state(execution, view, budget)?);
        match self.look(&id, look) {
            Ok(Some(state)) => state,
            Ok(None) => broken(row, "its journal is not there"),
            Err(error) if error.is_of_one_record() => broken(row, &error.to_string()),
            Err(error) => Err(error.into()),
        }
    }

    /// One execution, or with `seq` one of its entries whole.
    pub fn execution(&self, request: &str) -> String {
        let parsed: Result<OneExecution, Error> = parse(request);
        let reply = parsed.and_then(|request| {
            let id = parse_id(&request.execution_id)?;
            match request.seq {
                None => self.one(&id),
                Some(seq) => self.one_entry(&id, seq),
            }
        });
        json(&Reply::from(reply))
    }

    fn one(&self, id: &ExecutionId) -> Result<Box<RawValue>, Error> {
        self.write_all()?;
        let mut budget = Budget::reply();
        match self.store.known(id.as_str())? {
            Some(row) => self.listed(&row, View::Alone, &mut budget),
            None => Err(super::unknown_execution(id.as_str())),
        }
    }

    fn one_entry(&self, id: &ExecutionId, seq: u32) -> Result<Box<RawValue>, Error> {
        self.write_all()?;
        self.with_execution(id, |execution| {
            match execution.entries.get(&Operation::call(seq)) {
                Some(entry) => {
                    let mut texts = self.store.texts(id);
                    let entry = listing::log_entry(&mut texts, seq, entry, &mut Budget::whole())?;
                    written(&entry)
                }
                None => {
                    let calls = execution.calls().count();
                    Err(Error::new(
                        Code::NotFound,
                        format!(
                            "execution {id} has no call {seq}; it made {calls}, numbered from 0"
                        ),
                    ))
                }
            }
        })?
    }

    /// What an open pass has in memory only must be in the store before it is read from there.
    fn write_all(&self) -> Result<(), Error> {
        self.passes
            .borrow_mut()
            .values_mut()
            .try_for_each(|pass| self.flush_pass(pass))
    }

    fn state<'a>(
        &self,
        execution: &'a Execution,
        view: View,
        budget: &mut Budget,
    ) -> Result<ExecutionState<'a>, Error> {
        let id = &execution.id;
        let code = self.store.stored(id, Slot::Code).and_then(|code| {
            code.map(Cow::Owned)
                .ok_or_else(|| StoreError::Missing(id.clone(), Slot::Code.name()))
        });
        let code = match (listing::readable(code)?, view) {
            (ListedValue::Text(code), View::OneOfMany) => listing::plain(code, budget),
            (code, View::Alone | View::OneOfMany) => code,
        };
        let console = listing::console(&self.store, execution)?;
        let (result, error, error_code) = match &execution.status {
            Status::Ended(End::Completed {
                result: RecordedResult::Kept(text),
            }) => (
                Some(listing::value(
                    &mut self.store.texts(id),
                    Slot::Result,
                    text,
                    budget,
                )?),
                None,
                None,
            ),
            Status::Ended(End::Completed {
                result: RecordedResult::TooLong { omitted },
            }) => (
                Some(ListedValue::Omitted {
                    omitted: true,
                    length: *omitted,
                }),
                None,
                None,
            ),
            Status::Ended(End::Error { code, error }) => (None, Some(error.into()), Some(*code)),
            Status::Ended(End::Rejected { error }) => {
                (None, Some(error.into()), Some(Code::Rejected))
            }
            Status::Ended(End::Paused {} | End::RolledBack {}) | Status::Running => {
                (None, None, None)
            }
        };
        let (log, log_omitted, logs) = match view {
            View::Alone => (
                listing::log(&self.store, execution, budget)?,
                0,
                listing::lines(&console),
            ),
            View::OneOfMany => {
                let logs = listing::lines_within(&console, budget);
                let (log, omitted) = listing::log_within(&self.store, execution, budget)?;
                (log, omitted, logs)
            }
        };
        Ok(ExecutionState {
            id: id.as_str(),
            code,
            status: execution.status.as_str(),
            log,
            log_omitted,
            result,
            error,
            error_code,
            logs,
            connectors: &execution.connectors,
            created_at: execution.created_at.0,
            updated_at: execution.updated_at.0,
        })
    }

    pub fn search(&self, request: &str) -> String {
        json(&Reply::from(self.try_search(request)))
    }

    fn try_search(&self, request: &str) -> Result<SearchOutput, Error> {
        let request: Search = parse(request)?;
        let options = SearchOptions {
            limit: request.limit,
            offset: request.offset,
            connector: request.connector,
        };
        self.catalogue(&self.contact(&request.contact)?)?
            .search(&request.query, &options, self)
    }

    pub fn describe(&self, request: &str) -> String {
        json(&Reply::from(self.try_describe(request)))
    }

    fn try_describe(&self, request: &str) -> Result<DescribeOutput, Error> {
        let request: Describe = parse(request)?;
        let contact = self.contact(&request.contact)?;
        self.describe_target(&*self.catalogue(&contact)?, &request.target)
    }
}

/// What is left of a run whose record cannot be read.
fn broken(row: &Listed, why: &str) -> Result<Box<RawValue>, Error> {
    written(&ExecutionState {
        id: &row.id,
        code: ListedValue::Unreadable {
            unreadable: why.to_owned(),
        },
        status: Status::known(&row.status).unwrap_or("error"),
        log: Vec::new(),
        log_omitted: 0,
        result: None,
        error: Some(format!(
            "the record of execution {} cannot be read: {why}; nothing can be done with it but deleteExecution(id)",
            row.id
        ).into()),
        error_code: Some(Code::Internal),
        logs: Vec::new(),
        connectors: &[],
        created_at: row.created_at.0,
        updated_at: row.updated_at.0,
    })
}

/// JSON on its way into a reply.
fn written<T: Serialize>(part: &T) -> Result<Box<RawValue>, Error> {
    to_raw_value(part).map_err(|error| {
        Error::new(
            Code::Internal,
            format!("a reply could not be written: {error}"),
        )
    })
}
