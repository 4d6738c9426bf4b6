//! Which method lists are wanted of the host, and the catalogue made of them.

use std::rc::Rc;

use super::{Runtime, json, parse};
use crate::catalog::{Catalogue, Connector, MethodRecord, register};
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::wire::host::{HostMessage, HostReply};
use crate::wire::output::Reply;
use crate::wire::request::{Contact, WithContact};

impl<S: Sql> Runtime<S> {
    /// The messages that ask for method lists this runtime does not have: pairs of connector and message, as JSON.
    pub fn wanted(&self, request: &str) -> String {
        json(&Reply::from(self.try_wanted(request)))
    }

    fn try_wanted(&self, request: &str) -> Result<Vec<(String, String)>, Error> {
        let WithContact { contact } = parse(request)?;
        let mut wanted = Vec::new();
        for connector in contact
            .connectors
            .iter()
            .filter(|connector| connector.unavailable.is_none())
        {
            if self.store.catalogue_digest(&connector.name)?.as_deref()
                != Some(connector.digest.as_str())
            {
                let message = json(&HostMessage::Catalogue {
                    connector: &connector.name,
                });
                wanted.push((connector.name.clone(), message));
            }
        }
        Ok(wanted)
    }

    /// Takes in a method list. One that cannot be registered is refused, naming the method.
    pub fn learn(&self, request: &str, connector: &str, reply: &str) -> String {
        json(&Reply::from(self.try_learn(request, connector, reply)))
    }

    fn try_learn(&self, request: &str, name: &str, reply: &str) -> Result<(), Error> {
        let WithContact { contact } = parse(request)?;
        let Some(connector) = contact
            .connectors
            .iter()
            .find(|connector| connector.name == name)
        else {
            return Err(Error::new(
                Code::MissingConnector,
                format!("connector {name} is not configured"),
            ));
        };
        let methods = match parse::<HostReply>(reply)? {
            HostReply::Catalogue { methods } => methods,
            HostReply::Failure { code, error } => {
                let failure = crate::engine::failure::Failure::parse(code, &error);
                return Err(Error::new(
                    code,
                    format!("connector {name} gave no method list: {}", failure.message),
                ));
            }
            HostReply::Allow {}
            | HostReply::Ask {}
            | HostReply::Value { .. }
            | HostReply::Reverted {}
            | HostReply::NoRevert {} => {
                return Err(Error::new(
                    Code::Internal,
                    format!("the host did not answer with the methods of {name}"),
                ));
            }
        };
        register(&methods)?;
        self.store
            .keep_catalogue(name, &connector.digest, &json(&methods))?;
        Ok(())
    }

    /// What the connectors of this contact offer, as far as it was ever told.
    pub(super) fn catalogue(&self, contact: &Contact) -> Result<Rc<Catalogue>, Error> {
        let listed = json(
            &contact
                .connectors
                .iter()
                .map(|connector| {
                    (
                        &connector.name,
                        &connector.digest,
                        &connector.instructions,
                        &connector.unavailable,
                    )
                })
                .collect::<Vec<_>>(),
        );
        let built_from = format!("{}{listed}", self.saved.get());
        if let Some((source, catalogue)) = &*self.catalogue.borrow()
            && *source == built_from
        {
            return Ok(Rc::clone(catalogue));
        }
        let mut connectors = Vec::new();
        for connector in &contact.connectors {
            let methods: Vec<MethodRecord> = match self.store.catalogue(&connector.name)? {
                Some(text) => serde_json::from_str(&text).map_err(|error| {
                    Error::new(
                        Code::Internal,
                        format!("the methods of {}: {error}", connector.name),
                    )
                })?,
                None => Vec::new(),
            };
            connectors.push(Connector {
                name: connector.name.clone(),
                instructions: connector.instructions.clone(),
                unavailable: connector.unavailable.clone(),
                methods,
            });
        }
        let catalogue = Rc::new(Catalogue::new(connectors, self.snippet_records()?));
        *self.catalogue.borrow_mut() = Some((built_from, Rc::clone(&catalogue)));
        Ok(catalogue)
    }
}
