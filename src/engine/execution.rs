//! One execution as folded from its journal. `fold` is the only place that says what an event means for the state.

use std::collections::BTreeMap;

use super::call::{Call, Outcome, Policy};
use super::ids::{EpochMs, ExecutionId, Kind, Operation};
use super::journal::{End, Event, Resolution, What};
use super::text::Text;
use crate::error::Code;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stage {
    /// Issued; the host is being asked whether a person must decide. Nothing has left.
    Checking,
    /// The call has left, or is about to.
    Executing,
    /// A person has not decided.
    Pending,
    /// A person said yes; it has not left.
    Approved,
    Settled(Outcome),
    /// Settled, and its connector was asked to undo it: whether that happened is not known.
    Reverting(Outcome),
    /// Settled and undone since.
    Reverted(Outcome),
    /// It may have happened; nobody can tell but a person.
    InDoubt,
}

impl Stage {
    /// What became of the call, whether or not it was undone since.
    pub const fn outcome(&self) -> Option<&Outcome> {
        match self {
            Self::Settled(outcome) | Self::Reverting(outcome) | Self::Reverted(outcome) => {
                Some(outcome)
            }
            Self::Checking | Self::Executing | Self::Pending | Self::Approved | Self::InDoubt => {
                None
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub call: Call,
    pub policy: Policy,
    pub stage: Stage,
    pub edited: Option<Text>,
    /// How often the connector was called; 0 while it never was.
    pub attempt: u32,
    pub started_at: EpochMs,
    pub ended_at: Option<EpochMs>,
}

impl Entry {
    /// Whether the call happened. An oversized result of an effect is a failure of the call, and the effect counts.
    pub fn is_applied(&self) -> bool {
        match self.stage.outcome() {
            Some(Outcome::Value(_) | Outcome::Reexecute) => true,
            Some(Outcome::Failure { code, .. }) => {
                self.attempt > 0 && matches!(code, Code::TooLarge | Code::NotSerializable)
            }
            None => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    Running,
    Ended(End),
}

impl Status {
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Ended(end) => end.as_str(),
        }
    }

    /// The name as this crate writes it; `None` of a text that is none.
    pub fn known(name: &str) -> Option<&'static str> {
        const ALL: [&str; 6] = [
            "running",
            "paused",
            "completed",
            "error",
            "rejected",
            "rolled_back",
        ];
        ALL.into_iter().find(|known| *known == name)
    }

    pub const fn is_paused(&self) -> bool {
        matches!(self, Self::Ended(End::Paused {}))
    }

    /// It may still go on.
    pub const fn is_live(&self) -> bool {
        self.is_running() || self.is_paused()
    }

    pub const fn is_running(&self) -> bool {
        matches!(self, Self::Running)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    pub id: ExecutionId,
    pub protocol: u32,
    pub seed: String,
    pub connectors: Vec<String>,
    pub created_at: EpochMs,
    pub updated_at: EpochMs,
    pub status: Status,
    pub passes: u32,
    /// Flat pairs: operation, milliseconds.
    pub order: Vec<u32>,
    /// Calls and lookups. Timers and local work are only in `order`: they are made by the sandbox itself.
    pub entries: BTreeMap<Operation, Entry>,
    pub console: Option<Text>,
    /// Snippets that the program runs by a name written out.
    pub runs: Vec<String>,
    /// Snippets whose text is recorded, by the number of its slot.
    pub snippets: Vec<String>,
    calls: u32,
    lookups: u32,
}

impl Execution {
    pub fn new(id: ExecutionId) -> Self {
        Self {
            id,
            protocol: 0,
            seed: String::new(),
            connectors: Vec::new(),
            created_at: EpochMs(0),
            updated_at: EpochMs(0),
            status: Status::Running,
            passes: 0,
            order: Vec::new(),
            entries: BTreeMap::new(),
            console: None,
            runs: Vec::new(),
            snippets: Vec::new(),
            calls: 0,
            lookups: 0,
        }
    }

    /// How many of a kind are recorded; also the id that the next new one must have.
    pub const fn recorded(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Call => self.calls,
            Kind::Lookup => self.lookups,
            Kind::Timer | Kind::Local => 0,
        }
    }

    /// Calls and steps in the order of their numbers.
    pub fn calls(&self) -> impl Iterator<Item = (u32, &Entry)> {
        self.entries
            .iter()
            .filter(|(operation, _)| operation.kind() == Kind::Call)
            .map(|(operation, entry)| (operation.id(), entry))
    }

    pub fn pending(&self) -> impl Iterator<Item = (u32, &Entry)> {
        self.calls()
            .filter(|(_, entry)| entry.stage == Stage::Pending)
    }

    pub fn in_doubt(&self) -> impl Iterator<Item = (u32, &Entry)> {
        self.calls()
            .filter(|(_, entry)| entry.stage == Stage::InDoubt)
    }

    /// Takes in one event. An event about an operation that was never issued is passed over: a journal from which a
    /// row was lost still shows all that is left of it.
    pub fn fold(&mut self, event: Event) {
        let at = event.at;
        self.updated_at = at;
        match event.what {
            What::Begin {
                protocol,
                seed,
                connectors,
                runs,
            } => {
                self.protocol = protocol;
                self.seed = seed;
                self.connectors = connectors;
                self.runs = runs;
                self.created_at = at;
            }
            What::Snippet { name } => self.snippets.push(name),
            What::Pass { number } => {
                self.passes = number;
                self.status = Status::Running;
            }
            What::Deliver { order } => self.order.extend(order),
            What::Intent {
                operation,
                call,
                policy,
            } => self.issue(operation, call, policy, at),
            What::Attempt { operation, policy } => self.change(operation, |entry| {
                entry.policy = policy;
                entry.stage = Stage::Executing;
                entry.attempt += 1;
            }),
            What::Outcome { operation, outcome } => self.change(operation, |entry| {
                entry.stage = Stage::Settled(outcome);
                entry.ended_at = Some(at);
            }),
            What::Pending { operation, policy } => self.change(operation, |entry| {
                entry.policy = policy;
                entry.stage = Stage::Pending;
            }),
            What::Approved { operation, edited } => self.change(operation, |entry| {
                entry.stage = Stage::Approved;
                entry.edited = edited;
            }),
            // The outcome that the program hears follows as an event of its own.
            What::Refused { .. } => {}
            What::InDoubt { operation } => {
                self.change(operation, |entry| entry.stage = Stage::InDoubt)
            }
            // An outcome follows, unless the call is made again: then it waits as an approved one does.
            What::Resolved {
                operation,
                resolution: Resolution::Rerun,
            } => self.change(operation, |entry| entry.stage = Stage::Approved),
            What::Resolved {
                resolution: Resolution::Applied | Resolution::Failed,
                ..
            } => {}
            What::Reverting { operation } => self.turn(operation, Stage::Reverting),
            What::Reverted { operation } => self.turn(operation, Stage::Reverted),
            What::NotReverted { operation } => self.turn(operation, Stage::Settled),
            What::End { end, console } => {
                self.status = Status::Ended(end);
                self.console = console.or_else(|| self.console.take());
            }
        }
    }

    #[inline(never)]
    fn issue(&mut self, operation: Operation, call: Call, policy: Policy, at: EpochMs) {
        let (stage, attempt) = match policy {
            Policy::Approve(_) | Policy::Ask(_) => (Stage::Checking, 0),
            Policy::Record(_) | Policy::Reexecute => (Stage::Executing, 1),
        };
        match operation.kind() {
            Kind::Call => self.calls = self.calls.max(operation.id().saturating_add(1)),
            Kind::Lookup => self.lookups = self.lookups.max(operation.id().saturating_add(1)),
            Kind::Timer | Kind::Local => {}
        }
        let entry = Entry {
            call,
            policy,
            stage,
            edited: None,
            attempt,
            started_at: at,
            ended_at: None,
        };
        self.entries.insert(operation, entry);
    }

    /// What has an outcome keeps it, whatever is done about it.
    #[inline(never)]
    fn turn(&mut self, operation: Operation, stage: impl FnOnce(Outcome) -> Stage) {
        self.change(operation, |entry| {
            if let Some(outcome) = entry.stage.outcome() {
                entry.stage = stage(outcome.clone());
            }
        });
    }

    fn change(&mut self, operation: Operation, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.entry(operation) {
            change(entry);
        }
    }

    // One function for all events: its code is made anew for each pass (`docs/design/performance.md`).
    #[inline(never)]
    fn entry(&mut self, operation: Operation) -> Option<&mut Entry> {
        self.entries.get_mut(&operation)
    }
}
