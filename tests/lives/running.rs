//! Snippets in a random life: saved anew and deleted at any moment, run by an honest sandbox, which asks for another pass
//! when one is not at hand. What a run has once run stays what it was.

use std::collections::BTreeMap;

use codemode::engine::ids::{Kind, Operation};
use serde_json::{Value, json};

use super::Life;
use crate::common::{Said, World, said, value};

/// The program: its n-th lookup is always the same. The last one is never there.
const NAMES: [&str; 4] = ["s0", "s1", "s2", "none"];
const PROGRAMS: [&str; 2] = ["async () => 'old'", "async () => codemode.run('s1')"];

/// What the sandbox of a life knows of its lookups.
pub(super) struct Running {
    /// Finished runs of the programs, to save from.
    sources: Vec<String>,
    next: u32,
    /// Recorded lookups that the sandbox must send again.
    unsent: Vec<u32>,
    /// Another pass is wanted.
    pub(super) again: bool,
    /// The program that is saved under each name now, the one that went along with this pass, and the one that the run has
    /// first run.
    saved: BTreeMap<&'static str, &'static str>,
    along: BTreeMap<&'static str, &'static str>,
    first: BTreeMap<&'static str, &'static str>,
}

impl Running {
    pub(super) fn new(world: &mut World) -> Self {
        let sources: Vec<String> = PROGRAMS
            .iter()
            .map(|code| {
                let id = world.begin(code);
                let pass = world.open(&id);
                world.close(pass, json!({ "end": "done" }), "1");
                for kind in ["pass_end", "dispose"] {
                    world.runtime.paid(&id, kind, None);
                }
                id
            })
            .collect();
        let mut running = Self {
            sources,
            next: 0,
            unsent: Vec::new(),
            again: false,
            saved: BTreeMap::new(),
            along: BTreeMap::new(),
            first: BTreeMap::new(),
        };
        running.save(world, 0);
        running
    }

    /// Under one of the names, one of the programs.
    fn save(&mut self, world: &World, pick: usize) {
        let (name, id) = (NAMES[pick % 3], &self.sources[pick % 2]);
        let request = json!({ "contact": world.contact, "name": name, "executionId": id });
        let now = codemode::engine::ids::EpochMs(world.now);
        value(&world.runtime.save_snippet(&request.to_string(), now));
        self.saved.insert(name, PROGRAMS[pick % 2]);
    }
}

impl Running {
    /// The one that goes along, or else the one that is saved at this moment.
    fn runs(&mut self, name: &'static str) {
        let program = self.along.get(name).or_else(|| self.saved.get(name));
        let program = *program.unwrap();
        self.first.entry(name).or_insert(program);
    }
}

impl Life {
    /// A pass begins with the rows of the record and the modules that go along.
    pub(super) fn meet_snippets(&mut self, pass: u32, manifest: &Value, lookups: Vec<u32>) {
        let running = &mut self.running;
        running.next = u32::try_from(manifest["lookups"].as_u64().unwrap()).unwrap();
        running.unsent = lookups;
        running.again = false;
        let modules: Value = serde_json::from_str(&self.world.runtime.modules(pass)).unwrap();
        running.along.clear();
        for (number, snippet) in manifest["snippets"].as_array().unwrap().iter().enumerate() {
            let text = modules[format!("snippet-{number}.js")].as_str().unwrap();
            let name = NAMES.iter().find(|name| snippet["name"] == **name).unwrap();
            let program = PROGRAMS
                .iter()
                .find(|code| text.contains(&code[12..]))
                .unwrap();
            running.along.insert(name, program);
        }
        for name in self.world.recorded(&self.id).snippets {
            let (first, now) = (&running.first[&*name], running.along.get(&*name));
            assert_eq!(Some(first), now, "{name} is another one");
        }
    }

    pub(super) fn run_snippet(&mut self) {
        let Some(pass) = self.pass.filter(|_| self.again.is_empty()) else {
            return;
        };
        let lookup = self.running.unsent.pop().unwrap_or_else(|| {
            self.running.next += 1;
            self.running.next - 1
        });
        let name = NAMES[lookup as usize % NAMES.len()];
        let key = format!("codemode\0run\0[\"{name}\"]");
        let now = self.world.tick();
        let operation = Operation::new(Kind::Lookup, lookup).0;
        let reply = self.world.runtime.call(pass, operation, &key, "", "", now);
        match said(&reply) {
            Said::Pending => {
                self.running.again = true;
                self.running.runs(name);
            }
            Said::Value(answer) if answer["snippet"] == name => self.running.runs(name),
            Said::Value(answer) => assert!(answer["error"].is_string(), "{answer}"),
            other => panic!("an honest sandbox heard {other:?} of {name}"),
        }
    }

    pub(super) fn save_snippet(&mut self, pick: usize) {
        self.running.save(&self.world, pick);
    }

    pub(super) fn delete_snippet(&mut self, pick: usize) {
        let request = json!({ "name": NAMES[pick % 3] }).to_string();
        value(&self.world.runtime.delete_snippet(&request));
        self.running.saved.remove(NAMES[pick % 3]);
    }

    /// All else has come to rest: the pass ends, the run does not, and the next pass goes on.
    pub(super) fn another_pass(&mut self, pass: u32) {
        let now = self.world.tick();
        let head = json!({ "end": "paused" }).to_string();
        let frame = self.world.runtime.close(pass, &head, String::new(), 0, now);
        assert_eq!(frame, "", "no other pass was asked for");
        self.open();
    }
}
