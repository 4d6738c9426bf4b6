//! DOORWAY: what js-shim calls. One line each; every entry is synchronous and answers with text.
//!
//! A call that was recorded as an intent and has no outcome may have happened: that is the crash window, and what it
//! means is in `engine::recovery`.

#![allow(
    clippy::disallowed_types,
    reason = "the export macros expand to JavaScript values"
)]

use wasm_bindgen::prelude::wasm_bindgen;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

use crate::host::sql::DurableSql;
use crate::host::{chance, clock};
use crate::runtime::Runtime;

#[durable_object(fetch)]
#[derive(Debug)]
pub struct RuntimeCore {
    runtime: Result<Runtime<DurableSql>, String>,
}

impl DurableObject for RuntimeCore {
    fn new(state: State, _env: Env) -> Self {
        console_error_panic_hook::set_once();
        let runtime =
            Runtime::new(DurableSql(state.storage().sql())).map_err(|error| error.to_string());
        Self { runtime }
    }

    async fn fetch(&self, _request: Request) -> worker::Result<Response> {
        Response::error("CodemodeRuntime is called over RPC; it serves no HTTP", 404)
    }
}

impl RuntimeCore {
    fn with(&self, act: impl FnOnce(&Runtime<DurableSql>) -> String) -> String {
        // js-shim asks `fault` before anything else, so the empty text is never read as a reply.
        self.runtime.as_ref().map_or_else(|_| String::new(), act)
    }
}

#[wasm_bindgen]
impl RuntimeCore {
    /// Why this object cannot be used: its database could not be opened.
    pub fn fault(&self) -> Option<String> {
        self.runtime.as_ref().err().cloned()
    }

    /// Once for a database that something else wrote before: what was taken over, and what was left.
    pub fn adopt(&self) -> Option<String> {
        self.runtime.as_ref().ok()?.adopt()
    }

    pub fn wanted(&self, request: &str) -> String {
        self.with(|runtime| runtime.wanted(request))
    }

    pub fn learn(
        &self,
        request: &str,
        connector: &str,
        format: &str,
        text: Vec<u8>,
        own: &str,
    ) -> String {
        self.with(|runtime| runtime.learn(request, connector, format, text, own))
    }

    #[wasm_bindgen(js_name = pageToChange)]
    pub fn page_to_change(&self, connector: &str, page: u32) -> String {
        self.with(|runtime| runtime.page_to_change(connector, page))
    }

    pub fn change(&self, request: &str, connector: &str, digest: &str, changes: &str) -> String {
        self.with(|runtime| runtime.change(request, connector, digest, changes))
    }

    pub fn execute(&self, request: &str) -> String {
        self.with(|runtime| runtime.execute(request, chance::bytes(), clock::now()))
    }

    #[wasm_bindgen(js_name = checkEdited)]
    pub fn check_edited(&self, request: &str) -> String {
        self.with(|runtime| runtime.check_edited(request, clock::now()))
    }

    #[wasm_bindgen(js_name = editedVerdict)]
    pub fn edited_verdict(&self, reply: &str) -> String {
        self.with(|runtime| runtime.edited_verdict(reply))
    }

    pub fn approve(&self, request: &str) -> String {
        self.with(|runtime| runtime.approve(request, clock::now()))
    }

    pub fn reject(&self, request: &str) -> String {
        self.with(|runtime| runtime.reject(request, clock::now()))
    }

    pub fn recover(&self, request: &str) -> String {
        self.with(|runtime| runtime.recover(request, clock::now()))
    }

    pub fn resolve(&self, request: &str) -> String {
        self.with(|runtime| runtime.resolve(request, clock::now()))
    }

    pub fn cancel(&self, request: &str) -> String {
        self.with(|runtime| runtime.cancel(request, clock::now()))
    }

    pub fn rollback(&self, request: &str) -> String {
        self.with(|runtime| runtime.rollback(request, clock::now()))
    }

    #[wasm_bindgen(js_name = rollbackAnswer)]
    pub fn rollback_answer(&self, execution_id: &str, seq: u32, reply: &str) -> String {
        self.with(|runtime| runtime.rollback_answer(execution_id, seq, reply, clock::now()))
    }

    #[wasm_bindgen(js_name = rollbackLost)]
    pub fn rollback_lost(&self, execution_id: &str, seq: u32) -> String {
        self.with(|runtime| runtime.rollback_lost(execution_id, seq, clock::now()))
    }

    #[wasm_bindgen(js_name = expirePaused)]
    pub fn expire_paused(&self, request: &str) -> String {
        self.with(|runtime| runtime.expire_paused(request, clock::now()))
    }

    #[wasm_bindgen(js_name = nextExpiry)]
    pub fn next_expiry(&self) -> f64 {
        self.runtime
            .as_ref()
            .map_or(0.0, |runtime| runtime.next_expiry() as f64)
    }

    #[wasm_bindgen(js_name = deleteExecution)]
    pub fn delete_execution(&self, request: &str) -> String {
        self.with(|runtime| runtime.delete_execution(request, clock::now()))
    }

    #[wasm_bindgen(js_name = pruneExecutions)]
    pub fn prune_executions(&self, request: &str) -> String {
        self.with(|runtime| runtime.prune_executions(request))
    }

    /// Whether `owed` may have anything.
    pub fn owes(&self) -> bool {
        self.runtime.as_ref().is_ok_and(Runtime::owes)
    }

    pub fn owed(&self) -> String {
        self.with(Runtime::owed)
    }

    pub fn paid(&self, execution_id: &str, kind: &str, status: Option<String>) -> String {
        self.with(|runtime| runtime.paid(execution_id, kind, status.as_deref()))
    }

    pub fn outcome(&self, execution_id: &str) -> String {
        self.with(|runtime| runtime.outcome_frame(execution_id))
    }

    pub fn places(&self, request: &str) -> u32 {
        self.runtime
            .as_ref()
            .map_or(1, |runtime| runtime.places(request))
    }

    pub fn open(&self, execution_id: &str, request: &str) -> String {
        self.with(|runtime| runtime.open(execution_id, request, clock::now()))
    }

    #[wasm_bindgen(js_name = openAudit)]
    pub fn open_audit(&self, execution_id: &str, request: &str) -> String {
        self.with(|runtime| runtime.open_audit(execution_id, request, clock::now()))
    }

    pub fn modules(&self, pass: u32) -> String {
        self.with(|runtime| runtime.modules(pass))
    }

    pub fn manifest(&self, pass: u32) -> String {
        self.with(|runtime| runtime.manifest(pass))
    }

    pub fn page(&self, pass: u32, number: u32) -> String {
        self.with(|runtime| runtime.page(pass, number as usize))
    }

    pub fn call(
        &self,
        pass: u32,
        operation: u32,
        key: &str,
        delivered: &str,
        console: &str,
    ) -> String {
        self.with(|runtime| runtime.call(pass, operation, key, delivered, console, clock::now()))
    }

    pub fn settle(
        &self,
        pass: u32,
        operation: u32,
        outcome: &str,
        delivered: &str,
        console: &str,
    ) -> String {
        self.with(|runtime| {
            runtime.settle(pass, operation, outcome, delivered, console, clock::now())
        })
    }

    pub fn reach(&self, pass: u32, operation: u32, what: &str) -> String {
        self.with(|runtime| runtime.reach(pass, operation, what, clock::now()))
    }

    pub fn note(&self, pass: u32, delivered: &str, console: &str) -> String {
        self.with(|runtime| runtime.note(pass, delivered, console, clock::now()))
    }

    pub fn answer(&self, pass: u32, operation: u32, reply: &str) -> String {
        self.with(|runtime| runtime.answer(pass, operation, reply, clock::now()))
    }

    #[wasm_bindgen(js_name = answerTooLong)]
    pub fn answer_too_long(&self, pass: u32, operation: u32, length: u32) -> String {
        self.with(|runtime| runtime.answer_too_long(pass, operation, length, clock::now()))
    }

    pub fn close(&self, pass: u32, head: &str, result: String, length: u32) -> String {
        self.with(|runtime| runtime.close(pass, head, result, length, clock::now()))
    }

    #[wasm_bindgen(js_name = closeLate)]
    pub fn close_late(&self, pass: u32) -> String {
        self.with(|runtime| runtime.close_late(pass, clock::now()))
    }

    #[wasm_bindgen(js_name = closeBroken)]
    pub fn close_broken(&self, pass: u32, text: &str) -> String {
        self.with(|runtime| runtime.close_broken(pass, text, clock::now()))
    }

    #[wasm_bindgen(js_name = closeTooLong)]
    pub fn close_too_long(&self, pass: u32, head: &str, length: u32) -> String {
        self.with(|runtime| runtime.close_too_long(pass, head, length, clock::now()))
    }

    #[wasm_bindgen(js_name = noPlace)]
    pub fn no_place(&self, execution_id: &str) -> String {
        self.with(|runtime| runtime.no_place(execution_id, clock::now()))
    }

    pub fn unknown(&self, pass: u32, operation: u32) -> String {
        self.with(|runtime| runtime.unknown(pass, operation))
    }

    pub fn interrupt(&self, pass: u32) -> String {
        self.with(|runtime| runtime.interrupt(pass, clock::now()))
    }

    pub fn flush(&self) -> String {
        self.with(Runtime::flush)
    }

    /// What was said of a snippet's input: the empty text when it fits.
    pub fn checked(&self, pass: u32, operation: u32, complaint: &str) -> String {
        self.with(|runtime| runtime.checked(pass, operation, complaint, clock::now()))
    }

    #[wasm_bindgen(js_name = saveSnippet)]
    pub fn save_snippet(&self, request: &str) -> String {
        self.with(|runtime| runtime.save_snippet(request, clock::now()))
    }

    pub fn snippets(&self) -> String {
        self.with(Runtime::snippets)
    }

    #[wasm_bindgen(js_name = deleteSnippet)]
    pub fn delete_snippet(&self, request: &str) -> String {
        self.with(|runtime| runtime.delete_snippet(request))
    }

    pub fn pending(&self, request: &str) -> String {
        self.with(|runtime| runtime.pending(request))
    }

    pub fn executions(&self, request: &str) -> String {
        self.with(|runtime| runtime.executions(request))
    }

    pub fn execution(&self, request: &str) -> String {
        self.with(|runtime| runtime.execution(request))
    }

    pub fn events(&self, request: &str) -> String {
        self.with(|runtime| runtime.events(request))
    }

    /// Another number than before: what `events` reads has changed.
    pub fn revision(&self) -> u32 {
        self.runtime.as_ref().map_or(0, Runtime::revision)
    }

    pub fn search(&self, request: &str) -> String {
        self.with(|runtime| runtime.search(request))
    }

    pub fn describe(&self, request: &str) -> String {
        self.with(|runtime| runtime.describe(request))
    }

    /// Panics. Only in the test build: shows that a panic costs the passes in flight and nothing that is recorded.
    #[cfg(feature = "provoke_panic")]
    #[wasm_bindgen(js_name = provokePanic)]
    #[allow(clippy::panic, reason = "the test build's purpose")]
    pub fn provoke_panic(&self) -> String {
        panic!("provoked")
    }

    /// How large the module's memory has become, in bytes; it never shrinks. Only in the test build.
    #[cfg(feature = "provoke_panic")]
    #[wasm_bindgen(js_name = memoryBytes)]
    pub fn memory_bytes(&self) -> f64 {
        core::arch::wasm32::memory_size::<0>() as f64 * 65_536.0
    }
}
