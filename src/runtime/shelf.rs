//! The shelf of the catalogue: records and definitions as they are stored, read one by one.

use serde_json::Value;

use super::Runtime;
use super::json;
use crate::catalog::{Catalogue, MethodRecord, Shelf, closed, line};
use crate::error::{Code, Error};
use crate::store::Kept;
use crate::store::sql::Sql;

/// Steps of reference that the schema of a call may need; a longer chain is not checked to its end.
const CLOSED_DEPTH: usize = 64;

impl<S: Sql> Runtime<S> {
    /// What a host needs to make a call that it knows only by its source: the record, with a schema closed in itself and
    /// without what says nothing about the call.
    pub(super) fn record_for_call(
        &self,
        catalogue: &Catalogue,
        connector: &str,
        method: &str,
    ) -> Result<Option<String>, Error> {
        if !catalogue.connector(connector).is_some_and(|it| it.derived) {
            return Ok(None);
        }
        let Some(mut record) = Shelf::record(self, connector, method)? else {
            return Ok(None);
        };
        record.output_schema = None;
        record.tags = Vec::new();
        if let Some(schema) = record.input_schema {
            record.input_schema = Some(closed(connector, &schema, CLOSED_DEPTH, self)?);
        }
        Ok(Some(json(&record)))
    }

    pub(super) fn read<T: serde::de::DeserializeOwned>(
        &self,
        connector: &str,
        kept: Kept<'_>,
    ) -> Result<Option<T>, Error> {
        let text = self.store.catalogue_text(connector, kept)?;
        text.map(|text| from_json(connector, &text)).transpose()
    }

    /// A record as `shelved` made it.
    pub(super) fn read_record(
        &self,
        connector: &str,
        kept: Kept<'_>,
    ) -> Result<Option<MethodRecord>, Error> {
        let text = self.store.catalogue_text(connector, kept)?;
        let read = |text: String| {
            let record = text.split_once('\n').map_or(text.as_str(), |(_, it)| it);
            from_json(connector, record)
        };
        text.map(read).transpose()
    }
}

/// How a method is kept: what a search shows of it, and its record. JSON of ours has no line break.
pub(super) fn shelved(connector: &str, record: &MethodRecord) -> String {
    format!("{}\n{}", line(connector, record), json(record))
}

fn from_json<T: serde::de::DeserializeOwned>(connector: &str, text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| {
        Error::new(
            Code::Internal,
            format!("what is stored of {connector} cannot be read: {error}"),
        )
    })
}

impl<S: Sql> Shelf for Runtime<S> {
    fn record(&self, connector: &str, method: &str) -> Result<Option<MethodRecord>, Error> {
        self.read_record(connector, Kept::Method(method))
    }

    fn line(&self, connector: &str, method: &str) -> Result<Option<String>, Error> {
        Ok(self.store.catalogue_line(connector, Kept::Method(method))?)
    }

    fn definition(&self, connector: &str, key: &str) -> Result<Option<Value>, Error> {
        self.read(connector, Kept::Definition(key))
    }

    fn definitions(&self, connector: &str) -> Result<Vec<String>, Error> {
        Ok(self.store.definition_keys(connector)?)
    }
}
