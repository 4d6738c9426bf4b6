//! A new execution: its program is read, and its beginning recorded, before anything runs.

use super::{Next, Runtime, json, parse};
use crate::engine::execution::Execution;
use crate::engine::ids::{EpochMs, ExecutionId};
use crate::engine::journal::{End, PROTOCOL, What, Writes};
use crate::engine::limits::check_size;
use crate::engine::text::{Slot, Spill, units};
use crate::error::{Code, Error};
use crate::program::{Budget, Options};
use crate::store::NewExecution;
use crate::store::sql::Sql;
use crate::wire::request::Execute;

/// Random bytes that a new execution needs: 16 for its id, 32 for its seed.
pub type Chance = [u8; 48];

impl<S: Sql> Runtime<S> {
    pub fn execute(&self, request: &str, chance: Option<Chance>, now: EpochMs) -> String {
        let Some(chance) = chance else {
            let error = Error::new(
                Code::Internal,
                "the platform gives no random bytes, so no execution can be named",
            );
            return json(&self.refuse("", &error));
        };
        let (id, seed) = split(chance);
        match self.try_execute(request, &id, seed, now) {
            Ok(next) => json(&next),
            Err(error) => json(&self.refuse(id.as_str(), &error)),
        }
    }

    fn try_execute(
        &self,
        request: &str,
        id: &ExecutionId,
        seed: String,
        now: EpochMs,
    ) -> Result<Next, Error> {
        let request: Execute = parse(request)?;
        if let Some(key) = &request.key
            && let Some(known) = self.known_by(key)?
        {
            return Ok(known);
        }
        check_size("the program", units(&request.code))?;
        let mut writes = Writes::default();
        writes.spills.push(Spill {
            slot: Slot::Code,
            text: request.code.clone(),
        });
        let contact = self.contact(&request.contact)?;
        let connectors = contact.names();
        // What is recorded is what every later pass runs, so this choice is made once.
        let budget = match contact.limits.loop_budget {
            0 => Budget::Uncounted,
            _ => Budget::Counted,
        };
        let options = Options {
            namespaces: &connectors,
            budget,
        };
        let mut execution = Execution::new(id.clone());
        let mut program = None;
        let (module, refused) = match self
            .known_programs
            .borrow_mut()
            .read(&request.code, &options)
        {
            Ok(module) => (Some(module), None),
            Err(error) => (None, Some(error)),
        };
        let begin = What::Begin {
            protocol: PROTOCOL,
            seed,
            connectors: connectors.clone(),
            runs: module.as_ref().map_or_else(Vec::new, |it| it.runs.clone()),
        };
        writes.push(now, begin);
        if let Some(module) = module {
            writes.spills.push(Spill {
                slot: Slot::Positions,
                text: json(&module.positions),
            });
            writes.spills.push(Spill {
                slot: Slot::Module,
                text: module.text.clone(),
            });
            program = Some(module);
        }
        if let Some(error) = &refused {
            let end = End::Error {
                code: error.code,
                error: error.text.clone(),
            };
            writes.push(now, What::End { end, console: None });
        }
        let new = NewExecution {
            id,
            at: now,
            key: request.key,
        };
        for event in &writes.events {
            execution.fold(event.clone());
        }
        self.store.insert(&new, &mut writes)?;
        if let Some(error) = refused {
            self.store.mark(&execution)?;
            return Err(error);
        }
        self.prune(contact.max_executions)?;
        let nested = request
            .parent
            .as_deref()
            .and_then(ExecutionId::parse)
            .is_some_and(|parent| self.is_open(&parent));
        self.keep_ready(execution, program, &contact);
        Ok(Next::Open {
            execution_id: id.as_str().to_owned(),
            places: contact.places(),
            nested,
        })
    }

    /// What became of the run that has this key, if there is one.
    #[cold]
    fn known_by(&self, key: &str) -> Result<Option<Next>, Error> {
        if key.is_empty() || units(key) > 200 {
            return Err(Error::new(
                Code::InvalidInput,
                "key must be a text of 1 to 200 characters",
            ));
        }
        let known = self.store.by_key(key)?;
        known
            .map(|id| {
                Ok(Next::Reply {
                    frame: self.outcome(&id)?,
                })
            })
            .transpose()
    }
}

fn split(chance: Chance) -> (ExecutionId, String) {
    let mut id = [0; 16];
    id.copy_from_slice(&chance[..16]);
    let seed = chance[16..]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    (ExecutionId::from_random(id), seed)
}
