//! What the store needs of a database: one synchronous statement. In a Durable Object it is the object's own SQLite
//! (`host/sql.rs`), in native tests an SQLite in memory.

use super::StoreError;

/// A value that may cross. Nothing here stores a real; one that is read all the same is not looked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    Null,
    Integer(i64),
    Text(String),
    Blob(Vec<u8>),
    Other,
}

pub trait Sql {
    /// Runs one statement and returns all its rows. Statements without an `await` between them are one commit.
    fn exec(&self, statement: &str, params: &[Cell]) -> Result<Vec<Vec<Cell>>, StoreError>;
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Integer(i64::from(number))
    }
}

impl From<Option<String>> for Cell {
    fn from(text: Option<String>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }
}

impl TryFrom<u64> for Cell {
    type Error = StoreError;

    /// Beyond JavaScript's safe integers a number would come back as another one.
    fn try_from(number: u64) -> Result<Self, StoreError> {
        const MAX_SAFE: u64 = (1 << 53) - 1;
        match i64::try_from(number) {
            Ok(integer) if number <= MAX_SAFE => Ok(Self::Integer(integer)),
            _ => Err(StoreError::Number(number)),
        }
    }
}
