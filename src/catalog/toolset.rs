//! Records under names that an application chose freely: an AI SDK toolset.

use super::names::identifiers;
use super::record::{MethodRecord, register};
use super::source::{Report, Sink};
use crate::error::{Code, Error};

pub(super) fn derive(text: &str, sink: &mut impl Sink) -> Result<Report, Error> {
    let mut records: Vec<MethodRecord> = serde_json::from_str(text).map_err(|error| {
        Error::new(
            Code::InvalidInput,
            format!("the toolset is not readable: {error}"),
        )
    })?;
    let names = identifiers(
        records
            .iter()
            .map(|record| (record.name.as_str(), record.name.as_str())),
    );
    for (record, name) in records.iter_mut().zip(names) {
        if record.name != name {
            record.original = Some(std::mem::replace(&mut record.name, name));
        }
    }
    register(&records)?;
    records
        .into_iter()
        .try_for_each(|record| sink.method(record))?;
    Ok(Report::default())
}
