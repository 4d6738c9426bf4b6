//! A run whose pass is about to open, as it was just written: so its pass reads nothing back.

use std::rc::Rc;

use super::Runtime;
use crate::engine::execution::Execution;
use crate::engine::ids::ExecutionId;
use crate::program::Module;
use crate::store::sql::Sql;
use crate::wire::request::Contact;

#[derive(Debug)]
pub(super) struct Ready {
    pub(super) execution: Execution,
    /// Where it has just been read.
    pub(super) program: Option<Module>,
    contact: Rc<Contact>,
    /// Of the store when it was written.
    revision: u32,
}

impl<S: Sql> Runtime<S> {
    pub(super) fn keep_ready(
        &self,
        execution: Execution,
        program: Option<Module>,
        contact: &Rc<Contact>,
    ) {
        *self.ready.borrow_mut() = Some(Ready {
            execution,
            program,
            contact: Rc::clone(contact),
            revision: self.store.revision(),
        });
    }

    /// Nothing when anything at all was written since, also of another run.
    pub(super) fn take_ready(&self, id: &ExecutionId, contact: &Rc<Contact>) -> Option<Ready> {
        let ready = self.ready.borrow_mut().take()?;
        (ready.execution.id == *id
            && ready.revision == self.store.revision()
            && Rc::ptr_eq(&ready.contact, contact))
        .then_some(ready)
    }
}
