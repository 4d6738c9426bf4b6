//! The runtime over an SQLite in memory, and a sandbox played by hand: what a test says is what the sandbox sends.

#![allow(dead_code, reason = "each test file uses its part of it")]

mod memory;

use codemode::engine::ids::{EpochMs, ExecutionId, Operation};
use codemode::runtime::Runtime;
use codemode::store::Store;
pub(crate) use memory::Memory;
use serde_json::{Value, json};

/// What the runtime said to the sandbox, or wants to say to the host first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Said {
    Host(Value),
    Value(Value),
    Failure { code: String, message: String },
    Pending,
    RunStep,
    Closed,
}

#[derive(Debug)]
pub(crate) struct World {
    pub(crate) sql: Memory,
    pub(crate) runtime: Runtime<Memory>,
    pub(crate) now: u64,
    pub(crate) contact: Value,
    random: u8,
}

pub(crate) fn methods() -> Value {
    json!([
        { "name": "list", "description": "List notes.", "requiresApproval": false, "readOnly": true },
        { "name": "put", "requiresApproval": false, "idempotent": true },
        { "name": "send", "requiresApproval": false },
        { "name": "add", "requiresApproval": true, "revert": true },
        { "name": "ask", "requiresApproval": "ask" },
        { "name": "save", "requiresApproval": false, "revert": true },
        { "name": "keep", "requiresApproval": false, "revert": true, "idempotent": true },
        { "name": "big", "requiresApproval": false, "readOnly": true, "replay": "reexecute" },
    ])
}

impl World {
    pub(crate) fn new() -> Self {
        let sql = Memory::new();
        let world = Self {
            runtime: Runtime::new(sql.clone()).unwrap(),
            sql,
            now: 1_000,
            contact: json!({ "connectors": [{ "name": "notes", "digest": "d1" }] }),
            random: 0,
        };
        let request = json!({ "contact": world.contact }).to_string();
        let source = methods().to_string().into_bytes();
        let learnt = world
            .runtime
            .learn(&request, "notes", "records", source, "[]");
        assert_eq!(value(&learnt), json!(null));
        world
    }

    /// Everything in memory is lost, as after an eviction or a crash.
    pub(crate) fn crash(&mut self) {
        self.runtime = Runtime::new(self.sql.clone()).unwrap();
    }

    pub(crate) fn tick(&mut self) -> EpochMs {
        self.now += 1;
        EpochMs(self.now)
    }

    pub(crate) fn contact_request(&self) -> String {
        json!({ "contact": self.contact }).to_string()
    }

    pub(crate) fn begin(&mut self, code: &str) -> String {
        let next = self.execute(json!({ "contact": self.contact, "code": code }));
        assert_eq!(next["kind"], "open", "{next}");
        next["executionId"].as_str().unwrap().to_owned()
    }

    pub(crate) fn execute(&mut self, request: Value) -> Value {
        self.random += 1;
        let now = self.tick();
        serde_json::from_str(&self.runtime.execute(
            &request.to_string(),
            Some([self.random; 48]),
            now,
        ))
        .unwrap()
    }

    pub(crate) fn open(&mut self, id: &str) -> u32 {
        let now = self.tick();
        let opened = value(&self.runtime.open(id, &self.contact_request(), now));
        u32::try_from(opened["pass"].as_u64().unwrap()).unwrap()
    }

    pub(crate) fn manifest(&self, pass: u32) -> Value {
        serde_json::from_str(&self.runtime.manifest(pass)).unwrap()
    }

    pub(crate) fn call(&mut self, pass: u32, seq: u32, method: &str, args: &str) -> Said {
        self.send(
            pass,
            Operation::call(seq).0,
            &format!("notes\0{method}\0{args}"),
            "",
        )
    }

    pub(crate) fn send(&mut self, pass: u32, operation: u32, key: &str, delivered: &str) -> Said {
        let now = self.tick();
        said(&self.runtime.call(pass, operation, key, delivered, "", now))
    }

    pub(crate) fn answer(&mut self, pass: u32, seq: u32, reply: Value) -> Said {
        let now = self.tick();
        said(
            &self
                .runtime
                .answer(pass, Operation::call(seq).0, &reply.to_string(), now),
        )
    }

    /// A call that the host carries out and answers.
    pub(crate) fn done(
        &mut self,
        pass: u32,
        seq: u32,
        method: &str,
        args: &str,
        result: &str,
    ) -> Said {
        let said = self.call(pass, seq, method, args);
        assert!(
            matches!(&said, Said::Host(message) if message["kind"] == "call"),
            "{said:?}"
        );
        self.answer(pass, seq, json!({ "kind": "value", "value": result }))
    }

    /// A gated call up to where it waits.
    pub(crate) fn gated(&mut self, pass: u32, seq: u32, args: &str) {
        let said = self.call(pass, seq, "add", args);
        assert!(
            matches!(&said, Said::Host(message) if message["kind"] == "check"),
            "{said:?}"
        );
        assert_eq!(
            self.answer(pass, seq, json!({ "kind": "ask" })),
            Said::Pending
        );
    }

    pub(crate) fn close(&mut self, pass: u32, head: Value, result: &str) -> Value {
        let now = self.tick();
        let length = u32::try_from(result.len()).unwrap();
        framed(
            &self
                .runtime
                .close(pass, &head.to_string(), result.to_owned(), length, now),
        )
    }

    pub(crate) fn pause(&mut self, pass: u32) -> Value {
        self.close(pass, json!({ "end": "paused" }), "")
    }

    pub(crate) fn approve(&mut self, request: Value) -> Value {
        let now = self.tick();
        self.next(request, |world, request| {
            world.runtime.approve(request, now)
        })
    }

    pub(crate) fn recover(&mut self, id: &str) -> Value {
        let now = self.tick();
        self.next(json!({ "executionId": id }), |world, request| {
            world.runtime.recover(request, now)
        })
    }

    pub(crate) fn reject(&mut self, request: Value) -> Value {
        let now = self.tick();
        let request = self.with_contact(request);
        serde_json::from_str(&self.runtime.reject(&request, now)).unwrap()
    }

    pub(crate) fn resolve(&mut self, request: Value) -> Value {
        let now = self.tick();
        self.next(request, |world, request| {
            world.runtime.resolve(request, now)
        })
    }

    pub(crate) fn cancel(&mut self, id: &str) -> Value {
        let now = self.tick();
        let request = self.with_contact(json!({ "executionId": id }));
        value(&self.runtime.cancel(&request, now))
    }

    /// The next message for the host, or the whole reply under `reply`.
    pub(crate) fn rollback(&mut self, id: &str) -> Value {
        let now = self.tick();
        let request = self.with_contact(json!({ "executionId": id }));
        undoing(&self.runtime.rollback(&request, now))
    }

    pub(crate) fn undone(&mut self, id: &str, seq: u32, reply: Value) -> Value {
        let now = self.tick();
        undoing(
            &self
                .runtime
                .rollback_answer(id, seq, &reply.to_string(), now),
        )
    }

    /// A whole rollback with a host that answers each message; with nothing it broke.
    pub(crate) fn roll_back(
        &mut self,
        id: &str,
        mut host: impl FnMut(&Value) -> Option<Value>,
    ) -> Value {
        let mut next = self.rollback(id);
        while next["kind"] == "revert" {
            let seq = u32::try_from(next["seq"].as_u64().unwrap()).unwrap();
            next = match host(&next) {
                Some(reply) => self.undone(id, seq, reply),
                None => {
                    let now = self.tick();
                    undoing(&self.runtime.rollback_lost(id, seq, now))
                }
            };
        }
        next["reply"].clone()
    }

    pub(crate) fn expire(&mut self, age: u64) -> Value {
        let now = self.tick();
        let request = json!({ "maxAgeMs": age }).to_string();
        value(&self.runtime.expire_paused(&request, now))["expired"].clone()
    }

    pub(crate) fn delete(&mut self, id: &str) -> bool {
        let now = self.tick();
        let request = json!({ "executionId": id }).to_string();
        value(&self.runtime.delete_execution(&request, now))["deleted"] == true
    }

    /// What connectors are to hear: pairs of kind and status.
    pub(crate) fn owed(&self) -> Vec<(String, String)> {
        let owed: Value = serde_json::from_str(&self.runtime.owed()).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let owed = owed.as_array().unwrap().iter();
        owed.map(|owing| (text(&owing["kind"]), text(&owing["status"])))
            .collect()
    }

    /// How many rows of all tables but what is owed know this run.
    pub(crate) fn rows(&self, id: &str) -> i64 {
        let count = |table: &str, column: &str| -> i64 {
            let query = format!("SELECT count(*) FROM codemode_{table} WHERE {column} = ?");
            self.sql
                .0
                .query_row(&query, [id], |row| row.get(0))
                .unwrap()
        };
        count("executions", "id")
            + count("journal", "execution_id")
            + count("values", "execution_id")
    }

    fn next(&mut self, request: Value, ask: impl FnOnce(&Self, &str) -> String) -> Value {
        let request = self.with_contact(request);
        let next: Value = serde_json::from_str(&ask(self, &request)).unwrap();
        match next["frame"].as_str() {
            Some(frame) => framed(frame),
            None => next,
        }
    }

    fn with_contact(&self, mut request: Value) -> String {
        request["contact"] = self.contact.clone();
        request.to_string()
    }

    pub(crate) fn execution(&self, id: &str) -> Value {
        value(
            &self
                .runtime
                .execution(&json!({ "executionId": id }).to_string()),
        )
    }

    pub(crate) fn pending(&self) -> Value {
        value(&self.runtime.pending("{}"))
    }

    /// What is durable of a run, read past the runtime's memory.
    pub(crate) fn recorded(&self, id: &str) -> codemode::engine::execution::Execution {
        Store::open(self.sql.clone())
            .unwrap()
            .load(&ExecutionId::parse(id).unwrap())
            .unwrap()
            .unwrap()
    }
}

pub(crate) fn value(reply: &str) -> Value {
    let reply: Value = serde_json::from_str(reply).unwrap();
    assert_eq!(reply["ok"], true, "{reply}");
    reply["value"].clone()
}

/// The output in a frame, with the result behind it as `result`.
pub(crate) fn framed(frame: &str) -> Value {
    let (length, rest) = frame.split_once('\n').unwrap();
    let units: Vec<u16> = rest.encode_utf16().collect();
    let head = String::from_utf16(&units[..length.parse().unwrap()]).unwrap();
    let mut output = value(&head);
    output["result"] =
        Value::String(String::from_utf16(&units[length.parse().unwrap()..]).unwrap());
    output
}

fn undoing(step: &str) -> Value {
    let step: Value = serde_json::from_str(step).unwrap();
    match step["kind"].as_str() {
        Some("next") => serde_json::from_str(step["message"].as_str().unwrap()).unwrap(),
        Some("reply") => {
            let reply: Value = serde_json::from_str(step["reply"].as_str().unwrap()).unwrap();
            json!({ "kind": "reply", "reply": reply })
        }
        _ => panic!("{step}"),
    }
}

pub(crate) fn said(reply: &str) -> Said {
    let rest = reply.get(1..).unwrap_or("");
    match reply.chars().next() {
        Some('h') => Said::Host(serde_json::from_str(rest).unwrap()),
        Some('v') if rest.is_empty() => Said::Value(Value::Null),
        Some('v') => Said::Value(serde_json::from_str(rest).unwrap()),
        Some('e') => {
            let (code, error) = rest.split_once(' ').unwrap();
            let table: Value = serde_json::from_str(error.strip_prefix('@').unwrap()).unwrap();
            Said::Failure {
                code: code.to_owned(),
                message: table[1][0][3].as_str().unwrap().to_owned(),
            }
        }
        Some('p') => Said::Pending,
        Some('s') => Said::RunStep,
        Some('x') => Said::Closed,
        other => panic!("{other:?}"),
    }
}
