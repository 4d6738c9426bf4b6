//! Random lives: an honest sandbox, a host that answers when it likes, a person, crashes at any moment. Whatever the
//! order, no effect runs twice, none runs unrecorded, none runs unapproved, and the record only grows.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use codemode::engine::execution::{Execution, Stage};
use codemode::engine::ids::Operation;
use common::{Said, World, framed};
use proptest::prelude::*;
use serde_json::{Value, json};

#[derive(Debug, Clone)]
enum Act {
    NewCall,
    SendAgain,
    Answer { pick: usize, ask: bool, fail: bool },
    HostBreaks { pick: usize },
    Flush,
    Crash,
    Return,
    Pause,
    Deadline,
    ApproveAll,
    ApproveOne { pick: usize, edited: bool },
    Reject { pick: usize, throw: bool },
    Recover,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        8 => Just(Act::NewCall),
        4 => Just(Act::SendAgain),
        8 => (any::<usize>(), any::<bool>(), prop::bool::weighted(0.2)).prop_map(|(pick, ask, fail)| Act::Answer { pick, ask, fail }),
        1 => any::<usize>().prop_map(|pick| Act::HostBreaks { pick }),
        2 => Just(Act::Flush),
        2 => Just(Act::Crash),
        1 => Just(Act::Return),
        2 => Just(Act::Pause),
        1 => Just(Act::Deadline),
        2 => Just(Act::ApproveAll),
        2 => (any::<usize>(), any::<bool>()).prop_map(|(pick, edited)| Act::ApproveOne { pick, edited }),
        1 => (any::<usize>(), any::<bool>()).prop_map(|(pick, throw)| Act::Reject { pick, throw }),
        3 => Just(Act::Recover),
    ]
}

/// The program: its n-th call is always the same.
fn planned(seq: u32) -> (&'static str, String) {
    let methods = ["list", "send", "add", "put", "ask", "big", "send", "add"];
    (
        methods[seq as usize % methods.len()],
        format!(r#"{{"n":{seq}}}"#),
    )
}

struct Life {
    world: World,
    id: String,
    pass: Option<u32>,
    /// Recorded calls that the sandbox must send again before anything new.
    again: Vec<u32>,
    next: u32,
    waiting: BTreeMap<u32, String>,
    /// How often the host really acted, per call that must not run twice.
    acted: BTreeMap<u32, u32>,
    approved: BTreeSet<u32>,
    record: Execution,
}

impl Life {
    fn new() -> Self {
        let mut world = World::new();
        let id = world.begin("async () => 1");
        let record = world.recorded(&id);
        let mut life = Self {
            world,
            id,
            pass: None,
            again: Vec::new(),
            next: 0,
            waiting: BTreeMap::new(),
            acted: BTreeMap::new(),
            approved: BTreeSet::new(),
            record,
        };
        life.open();
        life
    }

    fn open(&mut self) {
        let pass = self.world.open(&self.id);
        let manifest = self.world.manifest(pass);
        let rows = manifest["rows"].as_array().unwrap();
        let number = |row: &Value| u32::try_from(row[0].as_u64().unwrap()).unwrap() / 4;
        self.again = rows
            .iter()
            .filter(|row| row[2] == "n")
            .map(number)
            .collect();
        self.again.reverse();
        self.next = u32::try_from(manifest["calls"].as_u64().unwrap()).unwrap();
        self.waiting.clear();
        self.pass = Some(pass);
    }

    fn step(&mut self, act: Act) {
        match act {
            Act::NewCall if self.again.is_empty() && self.waiting.len() < 16 => {
                let seq = self.next;
                if let Some(pass) = self.pass {
                    self.next += 1;
                    self.send(pass, seq);
                }
            }
            Act::SendAgain => {
                if let (Some(pass), Some(seq)) = (self.pass, self.again.pop()) {
                    self.send(pass, seq);
                }
            }
            Act::Answer { pick, ask, fail } => self.answer(pick, ask, fail),
            Act::HostBreaks { pick } => {
                if let (Some(pass), Some(seq)) = (self.pass, self.pick(pick)) {
                    self.world.runtime.unknown(pass, Operation::call(seq).0);
                    let now = self.world.tick();
                    assert_eq!(
                        framed(&self.world.runtime.interrupt(pass, now))["code"],
                        "interrupted"
                    );
                    self.pass = None;
                }
            }
            Act::Flush => {
                self.world.runtime.flush();
            }
            Act::Crash => {
                self.world.crash();
                self.pass = None;
            }
            Act::Return => self.end(json!({ "end": "done" })),
            Act::Pause => self.end(json!({ "end": "paused" })),
            Act::Deadline => {
                if let Some(pass) = self.pass.take() {
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
                    self.approve(
                        json!({ "executionId": self.id, "seq": seq, "args": args }),
                        &[seq],
                    );
                }
            }
            Act::Reject { pick, throw } => {
                let pending = self.pending();
                let Some(seq) = pending.get(pick % pending.len().max(1)).copied() else {
                    return;
                };
                let mode = if throw { "throw" } else { "end" };
                let request = json!({ "executionId": self.id, "seq": seq, "mode": mode });
                if self.world.reject(request)["value"]["kind"] == "open" {
                    self.open();
                }
            }
            Act::Recover if self.pass.is_none() => {
                if self.world.recover(&self.id.clone())["kind"] == "open" {
                    self.open();
                }
            }
            Act::NewCall | Act::Recover => {}
        }
    }

    fn end(&mut self, head: Value) {
        if let Some(pass) = self.pass.take() {
            let status = self.world.close(pass, head, "1")["status"].clone();
            assert_eq!(self.world.execution(&self.id)["status"], status);
        }
    }

    fn pending(&self) -> Vec<u32> {
        let pending = self.world.pending();
        pending
            .as_array()
            .unwrap()
            .iter()
            .map(|action| u32::try_from(action["seq"].as_u64().unwrap()).unwrap())
            .collect()
    }

    fn approve(&mut self, request: Value, seqs: &[u32]) {
        if self.world.approve(request)["kind"] == "open" {
            self.approved.extend(seqs);
            self.open();
        }
    }

    fn pick(&self, pick: usize) -> Option<u32> {
        self.waiting
            .keys()
            .nth(pick % self.waiting.len().max(1))
            .copied()
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
        let reply = match (kind.as_str(), ask, fail) {
            (_, _, true) => {
                json!({ "kind": "failure", "code": "exception", "error": r#"@[[0],[["Error","Error",null,"no",{}]]]"# })
            }
            ("check", true, _) => json!({ "kind": "ask" }),
            ("check", false, _) => json!({ "kind": "allow" }),
            _ => json!({ "kind": "value", "value": seq.to_string() }),
        };
        let said = self.world.answer(pass, seq, reply);
        self.hear(seq, said);
    }

    /// Where a message to the host is seen, before the host does anything: the place of the invariants.
    fn hear(&mut self, seq: u32, said: Said) {
        let Said::Host(message) = said else {
            assert_ne!(
                said,
                Said::Closed,
                "an honest sandbox was closed at call {seq}"
            );
            return;
        };
        let kind = message["kind"].as_str().unwrap().to_owned();
        let (method, _) = planned(seq);
        if kind == "call" && ["send", "add", "ask"].contains(&method) {
            let recorded = self.world.recorded(&self.id);
            assert_eq!(
                recorded.entries[&Operation::call(seq)].stage,
                Stage::Executing,
                "call {seq} left unrecorded"
            );
            let times = self.acted.entry(seq).or_default();
            *times += 1;
            assert_eq!(*times, 1, "call {seq} ({method}) ran twice");
            if method == "add" {
                assert!(self.approved.contains(&seq), "call {seq} ran unapproved");
            }
        }
        self.waiting.insert(seq, kind);
    }

    /// What was on record stays there: no entry vanishes, and an outcome that is recorded never changes.
    fn check_record(&mut self) {
        let now = self.world.recorded(&self.id);
        assert!(now.order.starts_with(&self.record.order));
        for (operation, before) in &self.record.entries {
            let after = &now.entries[operation];
            assert_eq!(after.call, before.call);
            if matches!(before.stage, Stage::Settled(_)) {
                assert_eq!(
                    after.stage, before.stage,
                    "the outcome of {operation:?} changed"
                );
            }
        }
        self.record = now;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_no_effect_runs_twice_unrecorded_or_unapproved(acts in prop::collection::vec(act(), 1..60)) {
        let mut life = Life::new();
        for act in acts {
            life.step(act);
            life.check_record();
        }
    }
}
