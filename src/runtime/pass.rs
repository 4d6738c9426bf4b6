//! One open pass: the execution as folded so far, what is not yet written, what has left and was not answered.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::Serialize;

use super::along::Loaded;
use super::{Runtime, json, parse_id};
use crate::catalog::Catalogue;
use crate::engine::call::{Call, Outcome};
use crate::engine::execution::{Entry, Execution, Stage};
use crate::engine::ids::{EpochMs, ExecutionId, Kind, Operation};
use crate::engine::journal::{Event, PROTOCOL, What, Writes};
use crate::engine::limits::Limits;
use crate::engine::recovery::outdated;
use crate::engine::text::{Slot, Text};
use crate::error::{Code, Error};
use crate::store::StoreError;
use crate::store::sql::Sql;
use crate::store::texts::Texts;
use crate::wire::output::Reply;
use crate::wire::request::Contact;
use crate::wire::sandbox::{Manifest, Row};

pub(crate) type PassId = u32;

/// Longest page of the journal that travels at once, in UTF-16 units (one entry may be longer by itself).
const PAGE_UNITS: u64 = 1024 * 1024;

/// What an open pass is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Run,
    /// Repeats what is recorded and writes nothing; a new call is an error.
    Audit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PassState {
    Open,
    /// Nothing of it reaches the program any more. Whoever started it has not been answered.
    Closed,
    /// Answered. It is here for outcomes still in flight, which are kept as facts.
    Told,
}

#[derive(Debug)]
pub(crate) struct Pass {
    pub(crate) execution: Execution,
    pub(crate) purpose: Purpose,
    pub(crate) state: PassState,
    /// Appended in order, whole, by `flush`.
    pub(crate) unwritten: Writes,
    /// Sent to the host and not answered: the attempt under which it was sent.
    pub(crate) flights: BTreeMap<Operation, u32>,
    /// Steps whose function runs in the sandbox: their outcome comes from there, or with the isolate never.
    pub(crate) steps: BTreeMap<Operation, u32>,
    /// What this pass has had the host call. None is called twice in one pass, not even one that a replay runs anew:
    /// a forged sandbox could otherwise have one call made without end.
    pub(crate) called: BTreeSet<Operation>,
    pub(crate) console: String,
    pub(crate) catalogue: Rc<Catalogue>,
    /// What the host said of itself when it asked for this pass.
    pub(crate) contact: Rc<Contact>,
    /// How often steps reached beside the sandbox.
    pub(crate) reached: u32,
    /// Snippets that go along, in the order of their modules.
    pub(super) snippets: Vec<Loaded>,
    /// A snippet was run that does not go along: the next pass has it, and repeats this one.
    pub(super) again: bool,
    /// Recorded operations at the opening, in pages.
    pages: Vec<Vec<Operation>>,
    positions: Vec<u32>,
    /// The program's module while it is still at hand, for `modules`.
    module: Option<String>,
}

impl Pass {
    pub(crate) fn is_open_for(&self, id: &ExecutionId) -> bool {
        self.state == PassState::Open && self.purpose == Purpose::Run && self.execution.id == *id
    }

    /// Nobody waits for it and nothing of it is in flight.
    pub(crate) fn is_over(&self) -> bool {
        self.state == PassState::Told && self.flights.is_empty()
    }

    /// Whether this pass has sent it already, answered or not.
    pub(super) fn has_sent(&self, operation: Operation) -> bool {
        self.flights.contains_key(&operation)
            || self.steps.contains_key(&operation)
            || self.called.contains(&operation)
    }

    /// Snippets and modules of the application, as further members of a JSON object.
    fn add_modules(&self, modules: &mut String) {
        for (number, loaded) in self.snippets.iter().enumerate() {
            let text = json(&loaded.snippet.module);
            modules.push_str(&format!(r#","snippet-{number}.js":{text}"#));
        }
        for (name, text) in &self.contact.modules {
            let file = json(&format!("modules/{name}.js"));
            modules.push_str(&format!(",{file}:{}", json(text)));
        }
    }

    /// Takes events into the fold and into the buffer. They become durable with the next flush.
    pub(crate) fn take(&mut self, writes: Writes) {
        if self.purpose == Purpose::Audit {
            return;
        }
        for event in &writes.events {
            self.execution.fold(event.clone());
        }
        self.unwritten.events.extend(writes.events);
        self.unwritten.spills.extend(writes.spills);
    }
}

/// What js-shim needs to load the sandbox.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Opened {
    pass: PassId,
    pass_ms: u32,
    cpu_ms: u32,
}

impl<S: Sql> Runtime<S> {
    /// How many passes may be open at once, for js-shim's queue.
    pub fn places(&self, request: &str) -> u32 {
        self.contact_of(request)
            .map_or(Limits::default().passes, |contact| contact.places())
    }

    pub fn open(&self, execution_id: &str, request: &str, now: EpochMs) -> String {
        json(&Reply::from(self.try_open(
            execution_id,
            request,
            Purpose::Run,
            now,
        )))
    }

    /// A pass that repeats the record and changes nothing: whether the program still does what it did.
    pub fn open_audit(&self, execution_id: &str, request: &str, now: EpochMs) -> String {
        json(&Reply::from(self.try_open(
            execution_id,
            request,
            Purpose::Audit,
            now,
        )))
    }

    fn try_open(
        &self,
        execution_id: &str,
        request: &str,
        purpose: Purpose,
        now: EpochMs,
    ) -> Result<Opened, Error> {
        let contact = self.contact_of(request)?;
        let id = parse_id(execution_id)?;
        if purpose == Purpose::Run && self.is_open(&id) {
            return Err(Error::new(
                Code::Interrupted,
                format!("a pass of execution {id} is already under way"),
            ));
        }
        if purpose == Purpose::Run {
            self.fence(&id);
        }
        let (execution, program) = match self.take_ready(&id, &contact) {
            Some(ready) => (Some(ready.execution), ready.program),
            None => (self.store.load(&id)?, None),
        };
        let Some(execution) = execution else {
            return Err(super::unknown_execution(execution_id));
        };
        if let Some(error) = outdated(&execution) {
            return Err(error);
        }
        if purpose == Purpose::Run && !execution.status.is_running() {
            let status = execution.status.as_str();
            return Err(Error::new(
                Code::Interrupted,
                format!("execution {id} became {status} before its pass began"),
            ));
        }
        let (module, positions) = match program {
            Some(program) => (Some(program.text), program.positions),
            None => {
                let positions = self.store.stored(&id, Slot::Positions)?.unwrap_or_default();
                (None, serde_json::from_str(&positions).unwrap_or_default())
            }
        };
        let mut pass = Pass {
            pages: pages(&execution),
            purpose,
            state: PassState::Open,
            unwritten: Writes::default(),
            flights: BTreeMap::new(),
            steps: BTreeMap::new(),
            called: BTreeSet::new(),
            console: String::new(),
            catalogue: self.catalogue(&contact)?,
            reached: 0,
            snippets: self.loaded(&execution)?,
            again: false,
            positions,
            module,
            contact,
            execution,
        };
        let mut writes = Writes::default();
        writes.push(
            now,
            What::Pass {
                number: pass.execution.passes.saturating_add(1),
            },
        );
        pass.take(writes);
        let number = self.next_pass.get();
        self.next_pass.set(number.wrapping_add(1));
        let opened = Opened {
            pass: number,
            pass_ms: pass.contact.limits.pass_ms,
            cpu_ms: pass.contact.limits.cpu_ms,
        };
        self.passes.borrow_mut().insert(number, pass);
        Ok(opened)
    }

    /// The modules of the sandbox by file name, as JSON. The program is always the one that first ran.
    pub fn modules(&self, pass: PassId) -> String {
        let mut passes = self.passes.borrow_mut();
        let text = passes.get_mut(pass).and_then(|pass| {
            let stored = || self.store.stored(&pass.execution.id, Slot::Module);
            pass.module.take().or_else(|| stored().ok().flatten())
        });
        // An execution is only begun with a module; an empty one fails in the sandbox, visibly.
        let mut modules = format!(r#"{{"program.js":{}"#, json(&text.unwrap_or_default()));
        if let Some(pass) = passes.get(pass) {
            pass.add_modules(&mut modules);
        }
        modules.push('}');
        modules
    }

    pub fn manifest(&self, pass: PassId) -> String {
        let passes = self.passes.borrow();
        let Some(pass) = passes.get(pass) else {
            return String::new();
        };
        let execution = &pass.execution;
        json(&Manifest {
            protocol: PROTOCOL,
            started_at: execution.created_at.0,
            seed: &execution.seed,
            order: &execution.order,
            rows: self.rows(pass, 0),
            pages: pass.pages.len(),
            calls: execution.recorded(Kind::Call),
            lookups: execution.recorded(Kind::Lookup),
            namespaces: &execution.connectors,
            inflight: pass.contact.limits.inflight.max(1),
            log_bytes: pass.contact.limits.log_bytes,
            loop_budget: pass.contact.limits.loop_budget,
            positions: &pass.positions,
            snippets: pass.snippets.iter().map(Loaded::listed).collect(),
            snippet_depth: pass.contact.limits.snippet_depth,
            modules: pass.contact.modules.keys().map(String::as_str).collect(),
            egress: pass.contact.reach.egress,
            bindings: &pass.contact.reach.bindings,
            audit: pass.purpose == Purpose::Audit,
        })
    }

    pub fn page(&self, pass: PassId, number: usize) -> String {
        let passes = self.passes.borrow();
        passes
            .get(pass)
            .map_or_else(|| "[]".to_owned(), |pass| json(&self.rows(pass, number)))
    }

    fn rows<'p>(&self, pass: &'p Pass, page: usize) -> Vec<Row<'p>> {
        let operations = pass.pages.get(page).map_or(&[][..], Vec::as_slice);
        let entries: Vec<(Operation, &Entry)> = operations
            .iter()
            .filter_map(|operation| Some((*operation, pass.execution.entries.get(operation)?)))
            .collect();
        let mut texts = self.store.texts(&pass.execution.id);
        // A page is no longer than what is sent at once.
        texts.read_ahead(&long_texts(&entries));
        entries
            .into_iter()
            .filter_map(|(operation, entry)| row(&mut texts, operation, entry).ok())
            .collect()
    }

    /// Writes what an open pass has not written yet.
    pub(super) fn flush_pass(&self, pass: &mut Pass) -> Result<(), Error> {
        if pass.unwritten.events.is_empty() {
            return Ok(());
        }
        let ends = |event: &Event| matches!(event.what, What::End { .. });
        let ended = pass.unwritten.events.iter().any(ends);
        let hears = &pass.contact.hears;
        self.store
            .append(&pass.execution.id, &mut pass.unwritten, hears)?;
        if ended {
            self.store.mark(&pass.execution)?;
        }
        Ok(())
    }

    /// The idle flush: what waits in memory for company becomes durable by itself.
    pub fn flush(&self) -> String {
        let mut passes = self.passes.borrow_mut();
        let result = passes
            .values_mut()
            .try_for_each(|pass| self.flush_pass(pass));
        json(&Reply::from(result))
    }
}

/// A row that cannot be read is left out: the program then issues a call that stands against no record, and the host's
/// own check ends the run instead of repeating an effect.
fn row<'p, S: Sql>(
    texts: &mut Texts<'_, S>,
    operation: Operation,
    entry: &'p Entry,
) -> Result<Row<'p>, StoreError> {
    let Call {
        connector,
        method,
        args,
    } = &entry.call;
    let args = texts.get(Slot::Args(operation), args)?;
    let key = [connector, method, &*args].join("\0");
    // What may be undone or not is served as it was: whoever lets the run go on has been told.
    let (state, outcome) = match entry.stage.outcome() {
        Some(Outcome::Value(text)) => ("v", texts.get(Slot::Outcome(operation), text)?),
        Some(Outcome::Failure { code, error, .. }) => {
            let error = texts.get(Slot::Outcome(operation), error)?;
            ("e", [code.as_str(), &*error].join(" ").into())
        }
        Some(Outcome::Reexecute) => ("r", "".into()),
        None if entry.stage == Stage::Pending => ("p", "".into()),
        None => ("n", "".into()),
    };
    Ok(Row(operation.0, key, state, outcome))
}

/// The texts that a replay needs and the journal has not.
fn long_texts(entries: &[(Operation, &Entry)]) -> Vec<Slot> {
    let mut slots = Vec::new();
    for (operation, entry) in entries {
        if matches!(entry.call.args, Text::Stored { .. }) {
            slots.push(Slot::Args(*operation));
        }
        if let Some(
            Outcome::Value(Text::Stored { .. })
            | Outcome::Failure {
                error: Text::Stored { .. },
                ..
            },
        ) = entry.stage.outcome()
        {
            slots.push(Slot::Outcome(*operation));
        }
    }
    slots
}

/// Pages by recorded length, so that none is much longer than it must be.
fn pages(execution: &Execution) -> Vec<Vec<Operation>> {
    let mut pages = vec![Vec::new()];
    let mut length = 0;
    for (operation, entry) in &execution.entries {
        let outcome = match entry.stage.outcome() {
            Some(Outcome::Value(text) | Outcome::Failure { error: text, .. }) => text.length(),
            Some(Outcome::Reexecute) | None => 0,
        };
        let entry_length = 64 + entry.call.args.length() + outcome;
        if length + entry_length > PAGE_UNITS && length > 0 {
            pages.push(Vec::new());
            length = 0;
        }
        length += entry_length;
        if let Some(page) = pages.last_mut() {
            page.push(*operation);
        }
    }
    pages
}
