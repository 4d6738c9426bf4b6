//! One random life: an honest sandbox, a host that answers when it likes, also when nobody listens any more, people that
//! decide, undo, cancel and delete at any moment, and crashes. What must never be is asserted where it would be seen.

mod acts;
mod diagram;
mod running;
mod undoing;

use std::collections::{BTreeMap, BTreeSet};

use acts::{Act, planned, reply};
use codemode::engine::execution::{Execution, Stage};
use codemode::engine::ids::Operation;
use diagram::{allows, is_live};
use running::Running;
use rusqlite::OptionalExtension;
use serde_json::{Value, json};

pub(crate) use acts::act;

use crate::common::{Said, World, framed};

pub(crate) struct Life {
    world: World,
    id: String,
    pass: Option<u32>,
    /// Recorded calls that the sandbox must send again before anything new.
    again: Vec<u32>,
    next: u32,
    waiting: BTreeMap<u32, String>,
    /// The same of passes that are over.
    late: Vec<(u32, u32, String)>,
    over: Vec<u32>,
    /// How often the host really acted, per call that must not run twice, and how often a person asked for that.
    acted: BTreeMap<u32, u32>,
    reruns: BTreeMap<u32, u32>,
    approved: BTreeSet<u32>,
    /// The call that a rollback has asked the host to undo.
    undoing: Option<u32>,
    undone: BTreeSet<u32>,
    /// Asked to be undone, without an answer that counts.
    unsure: BTreeSet<u32>,
    running: Running,
    record: Option<Execution>,
}

impl Life {
    pub(crate) fn new() -> Self {
        let mut world = World::new();
        let running = Running::new(&mut world);
        let id = world.begin("async () => 1");
        let record = Some(world.recorded(&id));
        let mut life = Self {
            world,
            id,
            pass: None,
            again: Vec::new(),
            next: 0,
            waiting: BTreeMap::new(),
            late: Vec::new(),
            over: Vec::new(),
            acted: BTreeMap::new(),
            reruns: BTreeMap::new(),
            approved: BTreeSet::new(),
            undoing: None,
            undone: BTreeSet::new(),
            unsure: BTreeSet::new(),
            running,
            record,
        };
        life.open();
        life
    }

    pub(crate) fn live(&mut self, act: Act) {
        let (from, before) = (self.status(), self.world.sql.0.total_changes());
        self.step(act.clone());
        if before == self.world.sql.0.total_changes() {
            return;
        }
        let to = self.status();
        assert!(allows(&act, &from, &to), "{act:?} made {to} of {from}");
        let news = to != from && to != "running" && to != "none";
        if news && self.undoing.is_none() {
            let owed = self.world.owed();
            let is_owed = |kind: &str| owed.contains(&(kind.to_owned(), to.clone()));
            assert!(is_owed("pass_end"), "{to}: {owed:?}");
            assert_eq!(is_owed("dispose"), to != "paused", "{to}: {owed:?}");
        }
        self.check_record();
    }

    /// As lists show it, past everything that is in memory.
    fn status(&self) -> String {
        let query = "SELECT status FROM codemode_executions WHERE id = ?";
        let mut query = self.world.sql.0.prepare_cached(query).unwrap();
        let row = query.query_row([&self.id], |row| row.get(0));
        row.optional().unwrap().unwrap_or_else(|| "none".to_owned())
    }

    fn open(&mut self) {
        let pass = self.world.open(&self.id);
        let manifest = self.world.manifest(pass);
        let rows = manifest["rows"].as_array().unwrap();
        let number = |row: &Value| u32::try_from(row[0].as_u64().unwrap()).unwrap();
        let unsent = rows.iter().filter(|row| row[2] == "n").rev().map(number);
        let (calls, lookups): (Vec<u32>, Vec<u32>) = unsent.partition(|it| it % 4 == 0);
        self.again = calls.iter().map(|it| it / 4).collect();
        self.meet_snippets(pass, &manifest, lookups.iter().map(|it| it / 4).collect());
        self.next = u32::try_from(manifest["calls"].as_u64().unwrap()).unwrap();
        self.pass = Some(pass);
    }

    /// The pass is over; what it asked of the host is still under way.
    fn leave(&mut self) -> Option<u32> {
        let pass = self.pass.take()?;
        let waiting = std::mem::take(&mut self.waiting);
        let late = waiting.into_iter().map(|(seq, kind)| (pass, seq, kind));
        self.late.extend(late);
        self.over.push(pass);
        Some(pass)
    }

    fn step(&mut self, act: Act) {
        match act {
            Act::NewCall if self.again.is_empty() && self.waiting.len() < 16 => {
                if let Some(pass) = self.pass {
                    self.next += 1;
                    self.send(pass, self.next - 1);
                }
            }
            Act::NewCall => {}
            Act::SendAgain => {
                if let (Some(pass), Some(seq)) = (self.pass, self.again.pop()) {
                    self.send(pass, seq);
                }
            }
            Act::Answer { pick, ask, fail } => self.answer(pick, ask, fail),
            Act::Late { pick, fail } => {
                if !self.late.is_empty() {
                    let (pass, seq, kind) = self.late.swap_remove(pick % self.late.len());
                    let reply = reply(&kind, seq + 1_000, false, fail);
                    assert_eq!(self.world.answer(pass, seq, reply), Said::Closed);
                }
            }
            Act::Stale { pick } => {
                if let Some(pass) = self.over.get(pick % self.over.len().max(1)).copied() {
                    assert_eq!(self.world.call(pass, 0, "send", "{}"), Said::Closed);
                }
            }
            Act::HostBreaks { pick } => {
                if let (Some(pass), Some(seq)) = (self.pass, self.pick(pick)) {
                    self.waiting.remove(&seq);
                    self.leave();
                    self.world.runtime.unknown(pass, Operation::call(seq).0);
                    assert_eq!(self.told(pass)["code"], "interrupted");
                }
            }
            Act::RunSnippet => self.run_snippet(),
            Act::SaveSnippet { pick } => self.save_snippet(pick),
            Act::DeleteSnippet { pick } => self.delete_snippet(pick),
            Act::Flush => {
                self.world.runtime.flush();
            }
            Act::Pay => {
                for (kind, status) in self.world.owed() {
                    self.world.runtime.paid(&self.id, &kind, Some(&status));
                }
            }
            Act::Crash => {
                self.world.crash();
                (self.pass, self.undoing) = (None, None);
                self.waiting.clear();
                self.late.clear();
                self.over.clear();
            }
            Act::Return => self.end(json!({ "end": "done" })),
            // Only with something to wait for: without, it is stuck, which no honest sandbox calls a pause.
            Act::Pause => {
                if self.running.again && self.waiting.is_empty() {
                    if let Some(pass) = self.leave() {
                        self.another_pass(pass);
                    }
                    return;
                }
                if self
                    .record
                    .as_ref()
                    .is_some_and(|it| it.pending().next().is_some())
                {
                    self.end(json!({ "end": "paused" }));
                }
            }
            Act::Deadline => {
                if let Some(pass) = self.leave() {
                    let now = self.world.tick();
                    framed(&self.world.runtime.close_late(pass, now));
                }
            }
            Act::ApproveAll => {
                let pending = self.pending();
                self.approve(json!({ "executionId": self.id }), &pending);
            }
            Act::ApproveOne { pick, edited } => {
                let pending = self.pending();
                if let Some(seq) = pending.get(pick % pending.len().max(1)).copied() {
                    let args = if edited {
                        json!(r#"{"edited":true}"#)
                    } else {
                        Value::Null
                    };
                    let request = json!({ "executionId": self.id, "seq": seq, "args": args });
                    self.approve(request, &[seq]);
                }
            }
            Act::Reject { pick, throw } => {
                let pending = self.pending();
                if let Some(seq) = pending.get(pick % pending.len().max(1)).copied() {
                    let mode = if throw { "throw" } else { "end" };
                    let request = json!({ "executionId": self.id, "seq": seq, "mode": mode });
                    let next = self.world.reject(request)["value"].clone();
                    self.go_on(&next);
                }
            }
            Act::Recover => {
                let next = self.world.recover(&self.id.clone());
                assert!(next["kind"] != "open" || self.pass.is_none());
                self.go_on(&next);
            }
            Act::Resolve { pick, how } => self.resolve(pick, how),
            Act::Cancel | Act::Delete => self.stop(&act),
            Act::RollBack => {
                let next = self.world.rollback(&self.id.clone());
                if self.undoing.is_some() || self.status() == "running" {
                    assert_ne!(next["reply"]["ok"], true, "{next}");
                } else {
                    self.undo(&next);
                }
            }
            Act::Undo { said } => self.undone(said),
            Act::Expire { all } => {
                let due = all && is_live(&self.status()) && self.pass.is_none();
                let expired = self.world.expire(if all { 0 } else { 1_000_000 });
                assert_eq!(expired == json!([self.id]), due, "{expired}");
            }
        }
    }

    fn stop(&mut self, act: &Act) {
        let status = self.status();
        let id = self.id.clone();
        if matches!(act, Act::Delete) {
            assert_eq!(self.world.delete(&id), status != "none");
        } else if status != "none" {
            assert_eq!(self.world.cancel(&id)["cancelled"], is_live(&status));
        }
        if let Some(pass) = self.leave() {
            assert_eq!(self.told(pass)["code"], "cancelled");
        }
    }

    fn told(&mut self, pass: u32) -> Value {
        let now = self.world.tick();
        framed(&self.world.runtime.interrupt(pass, now))
    }

    fn go_on(&mut self, next: &Value) -> bool {
        let open = next["kind"] == "open";
        if open {
            assert_eq!(self.undoing, None, "a run went on while it was undone");
            self.open();
        }
        open
    }

    fn resolve(&mut self, pick: usize, how: usize) {
        let doubts: Vec<u32> = match &self.record {
            Some(record) => record.in_doubt().map(|(seq, _)| seq).collect(),
            None => Vec::new(),
        };
        let Some(seq) = doubts.get(pick % doubts.len().max(1)).copied() else {
            return;
        };
        let outcome = ["applied", "failed", "rerun"][how];
        let request = json!({ "executionId": self.id, "seq": seq, "outcome": outcome });
        let next = self.world.resolve(request);
        let open = self.go_on(&next);
        if how == 2 && (open || next["status"] == "paused") {
            *self.reruns.entry(seq).or_default() += 1;
        }
    }

    fn end(&mut self, head: Value) {
        if let Some(pass) = self.leave() {
            let status = self.world.close(pass, head, "1")["status"].clone();
            assert_eq!(self.status(), status.as_str().unwrap());
        }
    }

    fn pending(&self) -> Vec<u32> {
        let pending = self.world.pending();
        let actions = pending.as_array().unwrap().iter();
        actions
            .map(|action| u32::try_from(action["seq"].as_u64().unwrap()).unwrap())
            .collect()
    }

    fn approve(&mut self, request: Value, seqs: &[u32]) {
        let next = self.world.approve(request);
        if next["kind"] == "open" {
            self.approved.extend(seqs);
        }
        self.go_on(&next);
    }

    fn pick(&self, pick: usize) -> Option<u32> {
        let mut waiting = self.waiting.keys();
        waiting.nth(pick % self.waiting.len().max(1)).copied()
    }

    fn send(&mut self, pass: u32, seq: u32) {
        let (method, args) = planned(seq);
        let said = self.world.call(pass, seq, method, &args);
        self.hear(seq, said);
    }

    fn answer(&mut self, pick: usize, ask: bool, fail: bool) {
        let (Some(pass), Some(seq)) = (self.pass, self.pick(pick)) else {
            return;
        };
        let kind = self.waiting.remove(&seq).unwrap();
        let said = self.world.answer(pass, seq, reply(&kind, seq, ask, fail));
        self.hear(seq, said);
    }

    /// Where a message to the host is seen, before the host does anything: the place of the invariants.
    fn hear(&mut self, seq: u32, said: Said) {
        let Said::Host(message) = said else {
            assert_ne!(said, Said::Closed, "an honest sandbox was closed at {seq}");
            return;
        };
        let kind = message["kind"].as_str().unwrap().to_owned();
        let (method, _) = planned(seq);
        if kind == "call" && ["send", "save", "add", "ask"].contains(&method) {
            let recorded = self.world.recorded(&self.id);
            let stage = &recorded.entries[&Operation::call(seq)].stage;
            assert_eq!(stage, &Stage::Executing, "call {seq} left unrecorded");
            let times = self.acted.entry(seq).or_default();
            *times += 1;
            let most = 1 + self.reruns.get(&seq).copied().unwrap_or(0);
            assert!(*times <= most, "call {seq} ({method}) ran twice");
            if method == "add" {
                assert!(self.approved.contains(&seq), "call {seq} ran unapproved");
            }
        }
        self.waiting.insert(seq, kind);
    }

    /// What was on record stays there, until all of it goes: no entry vanishes, no outcome that is recorded changes.
    fn check_record(&mut self) {
        if self.status() == "none" {
            assert_eq!(self.world.rows(&self.id), 0, "a deleted run came back");
            self.record = None;
            return;
        }
        let now = self.world.recorded(&self.id);
        assert_eq!(now.status.as_str(), self.status());
        if let Some(record) = &self.record {
            assert!(now.order.starts_with(&record.order));
            for (operation, before) in &record.entries {
                let after = &now.entries[operation];
                assert_eq!(after.call, before.call);
                if let Some(outcome) = before.stage.outcome() {
                    assert_eq!(after.stage.outcome(), Some(outcome), "{operation:?}");
                }
            }
        }
        self.record = Some(now);
    }
}
