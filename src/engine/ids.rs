//! Names of things, as types that cannot be mixed up. What cannot be named badly need not be checked twice.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970, UTC. Always an argument: this room reads no clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EpochMs(pub u64);

/// One execution, unique for ever: an id from before a restart never names another run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ExecutionId(String);

impl ExecutionId {
    pub fn from_random(bytes: [u8; 16]) -> Self {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Self(format!("exec_{hex}"))
    }

    /// `None` for what cannot be an id, so that a long or odd text never reaches a query.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (1..=64).contains(&text.len());
        let plain = text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        (fits && plain).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ExecutionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What a program starts and later hears of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A connector's method or a step; its id is the public `seq`.
    Call,
    Timer,
    /// Search, describe or run of a snippet.
    Lookup,
    /// Asynchronous work of the sandbox's own platform.
    Local,
}

/// `id * 4 + kind`: the number under which an operation travels and is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Operation(pub u32);

impl Operation {
    pub const fn new(kind: Kind, id: u32) -> Self {
        let kind = match kind {
            Kind::Call => 0,
            Kind::Timer => 1,
            Kind::Lookup => 2,
            Kind::Local => 3,
        };
        Self(id.saturating_mul(4).saturating_add(kind))
    }

    pub const fn call(seq: u32) -> Self {
        Self::new(Kind::Call, seq)
    }

    pub const fn kind(self) -> Kind {
        match self.0 % 4 {
            0 => Kind::Call,
            1 => Kind::Timer,
            2 => Kind::Lookup,
            _ => Kind::Local,
        }
    }

    pub const fn id(self) -> u32 {
        self.0 / 4
    }
}
