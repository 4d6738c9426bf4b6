//! Rollbacks in a random life: no call is undone twice, none is asked for unrecorded.

use codemode::engine::execution::Stage;
use codemode::engine::ids::Operation;
use serde_json::{Value, json};

use super::Life;
use super::diagram::Undone;

impl Life {
    /// Where a rollback asks the host: the place of its invariants.
    pub(super) fn undo(&mut self, next: &Value) {
        self.undoing = None;
        if next["kind"] != "revert" {
            return;
        }
        let seq = u32::try_from(next["seq"].as_u64().unwrap()).unwrap();
        assert!(!self.undone.contains(&seq), "call {seq} was undone twice");
        let asked_before = !self.unsure.insert(seq);
        assert!(!asked_before || next["method"] == "keep", "{next}");
        let stage = &self.world.recorded(&self.id).entries[&Operation::call(seq)].stage;
        assert!(matches!(stage, Stage::Reverting(_)), "{stage:?}");
        self.undoing = Some(seq);
    }

    pub(super) fn undone(&mut self, said: Undone) {
        let Some(seq) = self.undoing else { return };
        let id = self.id.clone();
        let error = r#"@[[0],[["Error","Error",null,"no",{}]]]"#;
        let reply = match said {
            Undone::Reverted => json!({ "kind": "reverted" }),
            Undone::NoRevert => json!({ "kind": "no_revert" }),
            Undone::Failed => json!({ "kind": "failure", "code": "exception", "error": error }),
            Undone::Lost => json!({ "kind": "nonsense" }),
        };
        let next = self.world.undone(&id, seq, reply);
        let counted = next["reply"]["code"] != "not_found" && said != Undone::Lost;
        if counted {
            self.unsure.remove(&seq);
            if said == Undone::Reverted {
                self.undone.insert(seq);
                assert_eq!(self.status(), "rolled_back");
            }
        }
        self.undo(&next);
    }
}
