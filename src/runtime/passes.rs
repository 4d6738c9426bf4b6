//! The passes of one object. A few at a time, so a list serves; what it is asked costs little code, and code is made anew
//! for each pass (`docs/design/performance.md`).

use super::pass::{Pass, PassId};

#[derive(Debug, Default)]
pub(super) struct Passes(Vec<(PassId, Box<Pass>)>);

impl Passes {
    pub(super) fn insert(&mut self, id: PassId, pass: Pass) {
        self.0.push((id, Box::new(pass)));
    }

    pub(super) fn get(&self, id: PassId) -> Option<&Pass> {
        let found = self.0.iter().find(|(known, _)| *known == id);
        found.map(|(_, pass)| &**pass)
    }

    pub(super) fn get_mut(&mut self, id: PassId) -> Option<&mut Pass> {
        let found = self.0.iter_mut().find(|(known, _)| *known == id);
        found.map(|(_, pass)| &mut **pass)
    }

    pub(super) fn remove(&mut self, id: PassId) -> Option<Box<Pass>> {
        let at = self.0.iter().position(|(known, _)| *known == id)?;
        Some(self.0.remove(at).1)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &Pass> {
        self.0.iter().map(|(_, pass)| &**pass)
    }

    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut Pass> {
        self.0.iter_mut().map(|(_, pass)| &mut **pass)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
