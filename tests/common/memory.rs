//! An SQLite in memory in the place of that of a Durable Object.

use std::rc::Rc;

use codemode::store::StoreError;
use codemode::store::sql::{Cell, Sql};
use rusqlite::Connection;
use rusqlite::types::Value as SqlValue;

#[derive(Debug, Clone)]
pub(crate) struct Memory(pub(crate) Rc<Connection>);

impl Memory {
    pub(crate) fn new() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        connection.set_prepared_statement_cache_capacity(64);
        Self(Rc::new(connection))
    }
}

impl Sql for Memory {
    fn exec(&self, statement: &str, params: &[Cell]) -> Result<Vec<Vec<Cell>>, StoreError> {
        let sql = |error: rusqlite::Error| StoreError::Sql(error.to_string());
        let mut prepared = self.0.prepare_cached(statement).map_err(sql)?;
        let bound = params.iter().map(|cell| match cell {
            Cell::Null => SqlValue::Null,
            Cell::Integer(number) => SqlValue::Integer(*number),
            Cell::Text(text) => SqlValue::Text(text.clone()),
            Cell::Blob(bytes) => SqlValue::Blob(bytes.clone()),
            Cell::Other => panic!("nothing here stores any"),
        });
        let columns = prepared.column_count();
        let mut rows = prepared
            .query(rusqlite::params_from_iter(bound))
            .map_err(sql)?;
        let mut all = Vec::new();
        while let Some(row) = rows.next().map_err(sql)? {
            let cells = (0..columns).map(|column| match row.get::<_, SqlValue>(column) {
                Ok(SqlValue::Null) => Cell::Null,
                Ok(SqlValue::Integer(number)) => Cell::Integer(number),
                Ok(SqlValue::Text(text)) => Cell::Text(text),
                Ok(SqlValue::Blob(bytes)) => Cell::Blob(bytes),
                Ok(SqlValue::Real(_)) => Cell::Other,
                Err(error) => panic!("{error}"),
            });
            all.push(cells.collect());
        }
        Ok(all)
    }
}
