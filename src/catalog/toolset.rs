//! Records under names that an application chose freely: an AI SDK toolset.

use super::names::identifiers;
use super::source::{Report, Sink, handed_on, records};
use crate::error::Error;

pub(super) fn derive(text: &str, sink: &mut impl Sink) -> Result<Report, Error> {
    let mut records = records("toolset", text)?;
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
    handed_on(records, sink)
}
