//! Which method lists are wanted of the host, and the catalogue made of them.

use std::rc::Rc;

use super::{Runtime, json, parse};
use crate::catalog::{Catalogue, Connector, Lister, MethodRecord, Report, Shelf, register};
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
        let known = contact
            .connectors
            .iter()
            .filter(|connector| connector.unavailable.is_none());
        let mut wanted = Vec::new();
        for connector in known.clone() {
            let digest = self.store.catalogue_digest(&connector.name)?;
            if digest.as_deref() != Some(connector.digest.as_str()) {
                wanted.push(connector);
            }
        }
        // A list that cannot be read any more is asked for again, as if it had never been told. Where all are known this
        // builds the catalogue that the pass needs anyway.
        if !wanted.is_empty() || self.catalogue(&contact).is_err() {
            wanted = known
                .filter(|connector| {
                    wanted.iter().any(|one| one.name == connector.name)
                        || self.methods(&connector.name).is_err()
                })
                .collect();
        }
        let message = |connector: &str| json(&HostMessage::Catalogue { connector });
        Ok(wanted
            .into_iter()
            .map(|connector| (connector.name.clone(), message(&connector.name)))
            .collect())
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
            let methods = match self.methods(&connector.name) {
                // It cannot be asked for again now, and is no reason to do without the others.
                Err(_) if connector.unavailable.is_some() => Vec::new(),
                methods => methods?,
            };
            connectors.push(Connector {
                name: connector.name.clone(),
                instructions: connector.instructions.clone(),
                unavailable: connector.unavailable.clone(),
                listing: {
                    let mut lister = Lister::default();
                    methods.iter().for_each(|record| lister.add(record));
                    lister.finish(Report::default())
                },
            });
        }
        let catalogue = Rc::new(Catalogue::new(connectors, self.snippet_records()?));
        *self.catalogue.borrow_mut() = Some((built_from, Rc::clone(&catalogue)));
        Ok(catalogue)
    }

    /// The methods of a connector as it last told them.
    fn methods(&self, connector: &str) -> Result<Vec<MethodRecord>, Error> {
        let Some(text) = self.store.catalogue(connector)? else {
            return Ok(Vec::new());
        };
        serde_json::from_str(&text).map_err(|error| {
            Error::new(
                Code::Internal,
                format!("the methods of {connector} cannot be read: {error}"),
            )
        })
    }
}

impl<S: Sql> Shelf for Runtime<S> {
    fn record(&self, connector: &str, method: &str) -> Result<Option<MethodRecord>, Error> {
        let all = self.methods(connector)?;
        Ok(all.into_iter().find(|record| record.name == method))
    }

    fn definition(&self, _: &str, _: &str) -> Result<Option<serde_json::Value>, Error> {
        Ok(None)
    }
}
