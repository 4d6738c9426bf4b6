//! What a host changed in methods that were derived here: its `tool()` hook sees each of them once, and what it answers is laid
//! over the record. The record as it was derived is kept beside it, so that another version of the host begins anew.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::catalogues::{Source, configured};
use super::shelf::shelved;
use super::{Runtime, json, parse};
use crate::catalog::{Lister, MethodRecord, register};
use crate::error::{Code, Error};
use crate::store::Kept;
use crate::store::sql::Sql;
use crate::wire::host::HostMessage;
use crate::wire::output::Reply;
use crate::wire::request::Contact;

/// Methods of one message.
const PAGE: usize = 200;

/// What a hook may change; how a call is made is the source's.
const CHANGEABLE: [&str; 8] = [
    "description",
    "inputSchema",
    "outputSchema",
    "requiresApproval",
    "readOnly",
    "idempotent",
    "replay",
    "revert",
];

/// By method: the fields that are otherwise, `null` for one that is gone.
type Changes = BTreeMap<String, Map<String, Value>>;

impl<S: Sql> Runtime<S> {
    /// Connectors whose host has a hook and did not say what it changes in the version that is kept; and how many pages of
    /// methods it is to see.
    pub(super) fn unchanged(
        &self,
        contact: &Contact,
        sources: &[Option<Source>],
    ) -> Result<Vec<(String, usize)>, Error> {
        let mut unchanged = Vec::new();
        for (connector, source) in contact.connectors.iter().zip(sources) {
            let Some(source) = source else { continue };
            if connector.unavailable.is_some() || source.changes == connector.changes {
                continue;
            }
            if connector.changes.is_none() {
                // The hook is gone.
                self.lay(&connector.name, None, &Changes::new())?;
                continue;
            }
            let methods = self.heads(&connector.name)?.len();
            unchanged.push((connector.name.clone(), methods.div_ceil(PAGE)));
        }
        Ok(unchanged)
    }

    /// The message that shows a host one page of what was derived.
    pub fn page_to_change(&self, connector: &str, page: u32) -> String {
        json(&Reply::from(self.try_page(connector, page)))
    }

    fn try_page(&self, connector: &str, page: u32) -> Result<String, Error> {
        let start = usize::try_from(page)
            .unwrap_or(usize::MAX)
            .saturating_mul(PAGE);
        let mut methods = Vec::new();
        for head in self.heads(connector)?.iter().skip(start).take(PAGE) {
            methods.extend(self.derived(connector, &head.name)?);
        }
        Ok(json(&HostMessage::Change { connector, methods }))
    }

    /// Takes in what the host's hook made of all pages; `digest` names it at the next contact.
    pub fn change(&self, request: &str, connector: &str, digest: &str, changes: &str) -> String {
        let laid = || {
            let contact = self.contact_of(request)?;
            configured(&contact, connector)?;
            self.lay(connector, Some(digest), &parse(changes)?)
        };
        json(&Reply::from(laid()))
    }

    fn lay(&self, connector: &str, digest: Option<&str>, changes: &Changes) -> Result<(), Error> {
        let Some(mut source) = self.source(connector)? else {
            return Ok(());
        };
        let mut changed = Vec::new();
        for (name, fields) in changes {
            if let Some(derived) = self.derived(connector, name)? {
                changed.push((changed_record(&derived, fields)?, derived));
            }
        }
        for name in self.store.changed_methods(connector)? {
            if let Some(text) = self
                .store
                .catalogue_text(connector, Kept::Unchanged(&name))?
            {
                self.store
                    .keep_catalogue_text(connector, Kept::Method(&name), &text)?;
            }
            self.store
                .drop_catalogue(connector, Kept::Unchanged(&name))?;
        }
        for (record, derived) in changed {
            let name = &derived.name;
            self.store.keep_catalogue_text(
                connector,
                Kept::Unchanged(name),
                &shelved(connector, &derived),
            )?;
            self.store.keep_catalogue_text(
                connector,
                Kept::Method(name),
                &shelved(connector, &record),
            )?;
        }
        let mut lister = Lister::default();
        for head in self.heads(connector)? {
            if let Some(record) = self.read_record(connector, Kept::Method(&head.name))? {
                lister.add(&record);
            }
        }
        self.keep_listing(connector, &lister.finish(self.report(connector)?))?;
        source.changes = digest.map(str::to_owned);
        self.keep_source(connector, &source)
    }

    /// The method as it was derived, whatever a hook made of it.
    fn derived(&self, connector: &str, name: &str) -> Result<Option<MethodRecord>, Error> {
        match self.read_record(connector, Kept::Unchanged(name))? {
            None => self.read_record(connector, Kept::Method(name)),
            unchanged => Ok(unchanged),
        }
    }
}

fn changed_record(
    derived: &MethodRecord,
    fields: &Map<String, Value>,
) -> Result<MethodRecord, Error> {
    let name = &derived.name;
    let bad = |why: String| {
        Error::new(
            Code::InvalidInput,
            format!("the tool() hook made of method {name} what no method can be: {why}"),
        )
    };
    let mut record = serde_json::to_value(derived).map_err(|error| bad(error.to_string()))?;
    if let Value::Object(all) = &mut record {
        for (field, value) in fields
            .iter()
            .filter(|(field, _)| CHANGEABLE.contains(&field.as_str()))
        {
            if value.is_null() {
                all.remove(field);
            } else {
                all.insert(field.clone(), value.clone());
            }
        }
    }
    let record: MethodRecord =
        serde_json::from_value(record).map_err(|error| bad(error.to_string()))?;
    register(std::slice::from_ref(&record))?;
    Ok(record)
}
