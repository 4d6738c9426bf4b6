//! The texts of one run, wherever they are kept. Long ones that are about to be asked for can be read together, by one
//! statement; whoever asks says how many fit into memory.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::sql::{Cell, Sql};
use super::{Store, StoreError};
use crate::engine::ids::ExecutionId;
use crate::engine::text::{Slot, Text};

#[derive(Debug)]
pub struct Texts<'s, S> {
    store: &'s Store<S>,
    id: &'s ExecutionId,
    ahead: BTreeMap<String, String>,
}

impl<S: Sql> Store<S> {
    pub const fn texts<'s>(&'s self, id: &'s ExecutionId) -> Texts<'s, S> {
        Texts {
            store: self,
            id,
            ahead: BTreeMap::new(),
        }
    }
}

impl<S: Sql> Texts<'_, S> {
    /// Each that is read is given once. What cannot be read together is read by itself, when it is asked for, and only
    /// then said to be wrong.
    pub fn read_ahead(&mut self, slots: &[Slot]) {
        if slots.len() < 2 {
            return;
        }
        let names: Vec<String> = slots.iter().map(|slot| slot.name()).collect();
        let Ok(names) = serde_json::to_string(&names) else {
            return;
        };
        let rows = self.store.sql.exec(
            // From the names to the texts, so that the other texts of the run are not looked at.
            "SELECT slot, text FROM json_each(?2) CROSS JOIN codemode_values
             ON execution_id = ?1 AND slot = json_each.value ORDER BY chunk",
            &[self.id.as_str().into(), names.into()],
        );
        let mut ahead = BTreeMap::<String, String>::new();
        for row in rows.unwrap_or_default() {
            let Ok([Cell::Text(slot), Cell::Text(text)]) = <[Cell; 2]>::try_from(row) else {
                return;
            };
            ahead
                .entry(slot)
                .and_modify(|whole| whole.push_str(&text))
                .or_insert(text);
        }
        self.ahead = ahead;
    }

    pub fn get<'t>(&mut self, slot: Slot, text: &'t Text) -> Result<Cow<'t, str>, StoreError> {
        match text {
            Text::Inline(text) => Ok(Cow::Borrowed(text)),
            Text::Stored { .. } => match self.ahead.remove(&slot.name()) {
                Some(text) => Ok(Cow::Owned(text)),
                None => self.store.long(self.id, slot).map(Cow::Owned),
            },
        }
    }
}
