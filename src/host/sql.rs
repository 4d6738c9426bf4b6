//! The Durable Object's own SQLite as the store sees it.

use worker::{SqlStorage, SqlStorageValue};

use crate::store::StoreError;
use crate::store::sql::{Cell, Sql};

pub(crate) struct DurableSql(pub(crate) SqlStorage);

impl std::fmt::Debug for DurableSql {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("DurableSql")
    }
}

impl Sql for DurableSql {
    fn exec(&self, statement: &str, params: &[Cell]) -> Result<Vec<Vec<Cell>>, StoreError> {
        let bindings = params.iter().map(to_sql).collect::<Result<Vec<_>, _>>()?;
        let cursor = self
            .0
            .exec(statement, Some(bindings))
            .map_err(|error| StoreError::Sql(error.to_string()))?;
        cursor
            .raw()
            .map(|row| {
                row.map_err(|error| StoreError::Sql(error.to_string()))?
                    .into_iter()
                    .map(|value| Ok(from_sql(value)))
                    .collect()
            })
            .collect()
    }
}

fn to_sql(cell: &Cell) -> Result<SqlStorageValue, StoreError> {
    Ok(match cell {
        Cell::Null => SqlStorageValue::Null,
        Cell::Integer(number) => SqlStorageValue::try_from_i64(*number)
            .map_err(|error| StoreError::Sql(error.to_string()))?,
        Cell::Text(text) => SqlStorageValue::String(text.clone()),
        Cell::Blob(bytes) => SqlStorageValue::Blob(bytes.clone()),
        Cell::Other => return Err(StoreError::Row("null, a whole number, a text or bytes")),
    })
}

/// JavaScript has one kind of number: a whole one within the safe range is the integer that was stored.
fn from_sql(value: SqlStorageValue) -> Cell {
    const MAX_SAFE: f64 = 9_007_199_254_740_991.0;
    match value {
        SqlStorageValue::Null => Cell::Null,
        SqlStorageValue::Integer(number) => Cell::Integer(number),
        SqlStorageValue::Float(number) if number.fract() == 0.0 && number.abs() <= MAX_SAFE => {
            Cell::Integer(number as i64)
        }
        SqlStorageValue::String(text) => Cell::Text(text),
        SqlStorageValue::Blob(bytes) => Cell::Blob(bytes),
        SqlStorageValue::Boolean(_) | SqlStorageValue::Float(_) => Cell::Other,
    }
}
