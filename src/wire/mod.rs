//! Mirrors of what crosses (`docs/design/wire.md`; `js-shim/wire.ts` is the same in TypeScript). Types and conversions,
//! nothing that decides.

pub mod host;
pub mod output;
pub mod request;
pub mod sandbox;
