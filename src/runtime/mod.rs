//! The loop: load facts, ask the engine, write, say what to do. No SQL, no JavaScript, no await.
//!
//! Every entry is one synchronous call from js-shim, which does all the waiting. So what was decided is written down
//! before anything can interleave, and a panic leaves no half-done future behind.

mod along;
mod ancestor;
mod begin;
mod calls;
mod catalogues;
mod changes;
mod close;
mod decisions;
mod declared;
mod events;
mod heard;
mod known_programs;
mod lifetimes;
mod listing;
mod messages;
mod pass;
mod passes;
mod queries;
mod reach;
mod ready;
mod rollback;
mod running;
mod shelf;
mod shown_line;
mod snippets;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::engine::execution::Execution;
use crate::engine::ids::ExecutionId;
use crate::engine::surrogates::read_json;
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::store::{Store, StoreError};
use crate::wire::request::{Contact, WithContact};
pub use begin::Chance;
use catalogues::Built;
use known_programs::KnownPrograms;
use pass::PassId;
use passes::Passes;
use ready::Ready;
use rollback::Rollback;

/// One runtime: the state of one name. What is in memory here is gone after an eviction and never missed: passes are
/// open only while their sandbox lives, the catalogue can be loaded again.
#[derive(Debug)]
pub struct Runtime<S> {
    store: Store<S>,
    passes: RefCell<Passes>,
    next_pass: Cell<PassId>,
    rollbacks: RefCell<BTreeMap<ExecutionId, Rollback>>,
    /// The last contact, with its text.
    contact: RefCell<Option<(String, Rc<Contact>)>>,
    built: RefCell<Option<Built>>,
    /// The run that was last written to be opened, until it is.
    ready: RefCell<Option<Ready>>,
    known_programs: RefCell<KnownPrograms>,
}

/// Longest contact whose text is remembered, in bytes; modules of an application can make one long.
const LONGEST_KNOWN_CONTACT: usize = 64 * 1024;

/// What js-shim does after a request for a run.
#[derive(Debug, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Next {
    /// Wait for a place, then open a pass of this execution.
    Open {
        execution_id: String,
        /// How many passes may be open at once.
        places: u32,
        /// Started from inside a pass that is open here.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        nested: bool,
    },
    /// Answer with this frame.
    Reply { frame: String },
}

impl<S: Sql> Runtime<S> {
    pub fn new(sql: S) -> Result<Self, StoreError> {
        Ok(Self {
            store: Store::open(sql)?,
            passes: RefCell::default(),
            next_pass: Cell::new(1),
            rollbacks: RefCell::new(BTreeMap::new()),
            contact: RefCell::default(),
            built: RefCell::default(),
            ready: RefCell::default(),
            known_programs: RefCell::default(),
        })
    }

    fn contact_of(&self, request: &str) -> Result<Rc<Contact>, Error> {
        let WithContact { contact } = parse(request)?;
        self.contact(&contact)
    }

    /// Hosts say the same at most contacts, and reading it is a good part of an empty pass: equal texts are one `Rc`.
    fn contact(&self, text: &RawValue) -> Result<Rc<Contact>, Error> {
        let text = text.get();
        if let Some((known, contact)) = &*self.contact.borrow()
            && known == text
        {
            return Ok(Rc::clone(contact));
        }
        let contact: Rc<Contact> = Rc::new(parse(text)?);
        if text.len() <= LONGEST_KNOWN_CONTACT {
            *self.contact.borrow_mut() = Some((text.to_owned(), Rc::clone(&contact)));
        }
        Ok(contact)
    }

    /// An execution as it is now: as its open pass sees it, else as the journal tells.
    fn with_execution<T>(
        &self,
        id: &ExecutionId,
        look: impl FnOnce(&Execution) -> T,
    ) -> Result<T, Error> {
        self.look(id, look)?
            .ok_or_else(|| unknown_execution(id.as_str()))
    }

    /// The same, for whoever goes on when it cannot be read.
    fn look<T>(
        &self,
        id: &ExecutionId,
        look: impl FnOnce(&Execution) -> T,
    ) -> Result<Option<T>, StoreError> {
        let passes = self.passes.borrow();
        if let Some(pass) = passes.values().find(|pass| pass.is_open_for(id)) {
            return Ok(Some(look(&pass.execution)));
        }
        drop(passes);
        Ok(self.store.load(id)?.as_ref().map(look))
    }

    /// Whether a pass of this execution is under way here.
    fn is_open(&self, id: &ExecutionId) -> bool {
        self.passes
            .borrow()
            .values()
            .any(|pass| pass.is_open_for(id))
    }
}

fn parse_id(text: &str) -> Result<ExecutionId, Error> {
    ExecutionId::parse(text).ok_or_else(|| unknown_execution(text))
}

fn unknown_execution(id: &str) -> Error {
    let shown: String = id.chars().take(64).collect();
    Error::new(
        Code::NotFound,
        format!(
            "there is no execution {shown} in this runtime; executions() lists those there are"
        ),
    )
}

fn parse<T: DeserializeOwned>(request: &str) -> Result<T, Error> {
    read_json(request).map_err(|error| {
        Error::new(
            Code::InvalidInput,
            format!("the request is not of the expected form: {error}"),
        )
    })
}

/// JSON of what this crate itself made. Should that ever fail, the caller hears so and nothing is lost.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| {
        format!(
            r#"{{"ok":false,"code":"internal","error":"a reply could not be written: {}"}}"#,
            error.to_string().replace('"', "'")
        )
    })
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self::new(
            Code::Internal,
            format!("the record could not be read or written: {error}"),
        )
    }
}
