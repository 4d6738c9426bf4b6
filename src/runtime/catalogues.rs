//! Which sources are wanted of the host, what is derived of them, and the catalogue of a contact.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::shelf::shelved;
use super::{Runtime, json, parse};
use crate::catalog::{
    Catalogue, Connector, Format, Head, Lister, Listing, MethodRecord, Report, Segment, Sink,
    Skipped, derive, register,
};
use crate::engine::surrogates::mended;
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::store::{Kept, Store};
use crate::wire::host::HostMessage;
use crate::wire::output::Reply;
use crate::wire::request::{Contact, ContactConnector};

/// How a catalogue is kept; a change of this number has every source asked for again.
const VERSION: u32 = 2;

/// Which version of a connector is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Source {
    version: u32,
    pub(super) digest: String,
    pub(super) format: Format,
    /// Of what the host changed in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) changes: Option<String>,
    /// Why nothing could be derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

/// What a host is to be asked before a contact.
#[derive(Debug, Serialize)]
struct Wanted {
    /// Connectors whose sources this runtime does not have, and the message that asks for the first part.
    sources: Vec<(String, String)>,
    /// Connectors whose hook is to see what was derived, and how many pages of it there are.
    changes: Vec<(String, usize)>,
}

/// The empty text: the host has nothing to be asked for.
const NOTHING: &str = "";

/// The catalogue of the last contact.
#[derive(Debug)]
pub(super) struct Built {
    contact: Rc<Contact>,
    /// What it was built from, which another contact may have as well.
    from: String,
    catalogue: Rc<Catalogue>,
    /// This contact's host has nothing to be asked for.
    is_all: bool,
}

impl<S: Sql> Runtime<S> {
    /// What the host is to be asked, as JSON; the empty text when it is nothing. Hooks of a source that is still wanted are
    /// not in it: ask again.
    pub fn wanted(&self, request: &str) -> String {
        match self.contact_of(request) {
            Ok(contact) if self.has_all(&contact) => NOTHING.to_owned(),
            contact => self.wanted_by(contact),
        }
    }

    #[cold]
    fn wanted_by(&self, contact: Result<Rc<Contact>, Error>) -> String {
        let wanted = || {
            let contact = contact?;
            let sources = self.sources(&contact)?;
            let wanted = Wanted {
                sources: self.wanted_sources(&contact, &sources)?,
                changes: self.unchanged(&contact, &sources)?,
            };
            if wanted.sources.is_empty()
                && wanted.changes.is_empty()
                && let Some(built) = &mut *self.built.borrow_mut()
            {
                built.is_all = Rc::ptr_eq(&built.contact, &contact);
            }
            Ok(wanted)
        };
        json(&Reply::from(wanted()))
    }

    fn wanted_sources(
        &self,
        contact: &Rc<Contact>,
        sources: &[Option<Source>],
    ) -> Result<Vec<(String, String)>, Error> {
        let mut wanted = Vec::new();
        let known = |connector: &&ContactConnector| connector.unavailable.is_none();
        for (connector, source) in contact.connectors.iter().zip(sources) {
            let kept = source.as_ref().map(|source| &source.digest);
            if known(&connector) && kept != Some(&connector.digest) {
                wanted.push(connector);
            }
        }
        // A list that cannot be read any more is asked for again, as if it had never been told. Where all are known this
        // builds the catalogue that the pass needs anyway.
        if !wanted.is_empty() || self.catalogue(contact).is_err() {
            wanted = contact
                .connectors
                .iter()
                .filter(known)
                .filter(|connector| {
                    wanted.iter().any(|one| one.name == connector.name)
                        || self.listing(&connector.name).is_err()
                })
                .collect();
        }
        let message = |connector: &str| json(&HostMessage::Catalogue { connector, part: 0 });
        Ok(wanted
            .into_iter()
            .map(|connector| (connector.name.clone(), message(&connector.name)))
            .collect())
    }

    /// Takes in a source, and the records of methods that the host names itself beside it. A method that contradicts itself is
    /// refused, naming it; a foreign source of which nothing can be derived makes its connector unavailable and costs the
    /// others nothing.
    pub fn learn(
        &self,
        request: &str,
        connector: &str,
        format: &str,
        text: Vec<u8>,
        own: &str,
    ) -> String {
        json(&Reply::from(
            self.try_learn(request, connector, format, text, own),
        ))
    }

    fn try_learn(
        &self,
        request: &str,
        name: &str,
        format: &str,
        text: Vec<u8>,
        own: &str,
    ) -> Result<(), Error> {
        let contact = self.contact_of(request)?;
        let connector = configured(&contact, name)?;
        let format: Format = serde_json::from_value(format.into()).map_err(|_| {
            Error::new(
                Code::InvalidInput,
                format!("connector {name} gave its methods as {format:?}, which this runtime does not read"),
            )
        })?;
        let text = String::from_utf8(text).map_err(|_| {
            Error::new(
                Code::InvalidInput,
                format!("what connector {name} offers is no text"),
            )
        })?;
        let text = mended(&text).unwrap_or(text);
        let own: Vec<MethodRecord> = parse(own)?;
        register(&own)?;
        let mut source = Source {
            version: VERSION,
            digest: connector.digest.clone(),
            format,
            changes: None,
            fault: None,
        };
        self.store.forget_catalogue(name)?;
        self.forget_built();
        let mut keeper = Keeper {
            store: &self.store,
            connector: name,
            lister: Lister::default(),
            taken: own.iter().map(|record| record.name.clone()).collect(),
            skipped: Vec::new(),
        };
        match derive(format, &text, &mut keeper) {
            Ok(mut report) => {
                for record in own {
                    keeper.keep(&record)?;
                }
                report.skipped.append(&mut keeper.skipped);
                self.keep_listing(name, &keeper.lister.finish(report))?;
            }
            Err(error) if error.code == Code::InvalidInput && format != Format::Records => {
                self.store.forget_catalogue(name)?;
                source.fault = Some(error.text);
            }
            Err(error) => return Err(error),
        }
        self.keep_source(name, &source)
    }

    pub(super) fn keep_listing(&self, connector: &str, listing: &Listing) -> Result<(), Error> {
        let Listing {
            report,
            heads,
            segment,
        } = listing;
        let store = &self.store;
        store.keep_catalogue_text(connector, Kept::Report, &json(report))?;
        store.keep_catalogue_text(connector, Kept::Heads, &json(heads))?;
        store.keep_catalogue_bytes(connector, Kept::Words, &segment.bytes())?;
        Ok(())
    }

    pub(super) fn keep_source(&self, connector: &str, source: &Source) -> Result<(), Error> {
        self.store
            .keep_catalogue_text(connector, Kept::Source, &json(source))?;
        self.forget_built();
        Ok(())
    }

    /// What was built before is out of date.
    pub(super) fn forget_built(&self) {
        *self.built.borrow_mut() = None;
    }

    /// Whether the host of this contact was asked for all that it has, and nothing has changed since.
    fn has_all(&self, contact: &Rc<Contact>) -> bool {
        let built = self.built.borrow();
        built
            .as_ref()
            .is_some_and(|built| built.is_all && Rc::ptr_eq(&built.contact, contact))
    }

    /// Which versions are kept, in the order of the contact.
    fn sources(&self, contact: &Contact) -> Result<Vec<Option<Source>>, Error> {
        let all = contact.connectors.iter();
        all.map(|connector| self.source(&connector.name)).collect()
    }

    /// Which version is kept; one that cannot be read is as good as none.
    pub(super) fn source(&self, connector: &str) -> Result<Option<Source>, Error> {
        match self.store.catalogue_text(connector, Kept::Source) {
            Ok(text) => Ok(text
                .and_then(|text| serde_json::from_str(&text).ok())
                .filter(|source: &Source| source.version == VERSION)),
            Err(error) if error.is_of_one_record() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// What the connectors of this contact offer, as far as it was ever told.
    pub(super) fn catalogue(&self, contact: &Rc<Contact>) -> Result<Rc<Catalogue>, Error> {
        if let Some(built) = &*self.built.borrow()
            && Rc::ptr_eq(&built.contact, contact)
        {
            return Ok(Rc::clone(&built.catalogue));
        }
        self.build(contact)
    }

    #[cold]
    fn build(&self, contact: &Rc<Contact>) -> Result<Rc<Catalogue>, Error> {
        let sources = self.sources(contact)?;
        let listed: Vec<_> = contact
            .connectors
            .iter()
            .zip(&sources)
            .map(|(connector, source)| {
                (
                    &connector.name,
                    source,
                    &connector.instructions,
                    &connector.unavailable,
                )
            })
            .collect();
        let from = json(&listed);
        if let Some(built) = &mut *self.built.borrow_mut()
            && built.from == from
        {
            built.contact = Rc::clone(contact);
            built.is_all = false;
            return Ok(Rc::clone(&built.catalogue));
        }
        let mut connectors = Vec::new();
        for (connector, source) in contact.connectors.iter().zip(sources) {
            let listing = match self.listing(&connector.name) {
                // It cannot be asked for again now, and is no reason to do without the others.
                Err(_) if connector.unavailable.is_some() => Listing::default(),
                listing => listing?,
            };
            let fault = source.as_ref().and_then(|source| source.fault.clone());
            connectors.push(Connector {
                name: connector.name.clone(),
                instructions: connector.instructions.clone(),
                unavailable: connector.unavailable.clone().or(fault),
                derived: source.is_some_and(|source| source.format != Format::Records),
                listing,
            });
        }
        let catalogue = Rc::new(Catalogue::new(connectors, self.snippet_records()?));
        *self.built.borrow_mut() = Some(Built {
            contact: Rc::clone(contact),
            from,
            catalogue: Rc::clone(&catalogue),
            is_all: false,
        });
        Ok(catalogue)
    }

    /// The methods of a connector as it last told them.
    fn listing(&self, connector: &str) -> Result<Listing, Error> {
        let unreadable = |why: String| {
            Error::new(
                Code::Internal,
                format!("the methods of {connector} cannot be read: {why}"),
            )
        };
        let Some(words) = self.store.catalogue_bytes(connector, Kept::Words)? else {
            return match self.source(connector)? {
                Some(source) if source.fault.is_none() => Err(unreadable("a part is gone".into())),
                _ => Ok(Listing::default()),
            };
        };
        Ok(Listing {
            report: self.report(connector)?,
            heads: self.heads(connector)?,
            segment: Segment::load(&words).map_err(|error| unreadable(error.text))?,
        })
    }

    pub(super) fn report(&self, connector: &str) -> Result<Report, Error> {
        Ok(self.read(connector, Kept::Report)?.unwrap_or_default())
    }

    pub(super) fn heads(&self, connector: &str) -> Result<Vec<Head>, Error> {
        Ok(self.read(connector, Kept::Heads)?.unwrap_or_default())
    }
}

pub(super) fn configured<'c>(
    contact: &'c Contact,
    name: &str,
) -> Result<&'c ContactConnector, Error> {
    let mut all = contact.connectors.iter();
    all.find(|connector| connector.name == name).ok_or_else(|| {
        Error::new(
            Code::MissingConnector,
            format!("connector {name} is not configured"),
        )
    })
}

/// Writes what is derived as it comes.
struct Keeper<'s, S> {
    store: &'s Store<S>,
    connector: &'s str,
    lister: Lister,
    /// Names that the host gives to methods of its own.
    taken: BTreeSet<String>,
    skipped: Vec<Skipped>,
}

impl<S: Sql> Keeper<'_, S> {
    fn keep(&mut self, record: &MethodRecord) -> Result<(), Error> {
        self.lister.add(record);
        let text = shelved(self.connector, record);
        self.store
            .add_catalogue_text(self.connector, Kept::Method(&record.name), &text)?;
        Ok(())
    }
}

impl<S: Sql> Sink for Keeper<'_, S> {
    fn method(&mut self, record: MethodRecord) -> Result<(), Error> {
        if self.taken.contains(&record.name) {
            self.skipped.push(Skipped {
                what: record.original.unwrap_or_else(|| record.name.clone()),
                why: format!("the connector has a method {} of its own", record.name),
            });
            return Ok(());
        }
        self.keep(&record)
    }

    fn definition(&mut self, key: &str, schema: &str) -> Result<(), Error> {
        self.store
            .add_catalogue_text(self.connector, Kept::Definition(key), schema)?;
        Ok(())
    }
}
