//! The Durable Object's own SQLite as the store sees it. Rows are taken over as JavaScript has them, with as few questions
//! as can be: each is a way out of the module and back.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use worker::SqlStorage;

use crate::store::StoreError;
use crate::store::sql::{Cell, Sql};

const MAX_SAFE: u64 = 9_007_199_254_740_991;

#[wasm_bindgen]
extern "C" {
    type Storage;
    #[wasm_bindgen(method, catch, variadic)]
    fn exec(this: &Storage, statement: &str, bindings: &Array) -> Result<Cursor, JsValue>;

    type Cursor;
    #[wasm_bindgen(method, catch)]
    fn raw(this: &Cursor) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_namespace = Array, js_name = from)]
    fn all(rows: &JsValue) -> Result<Array, JsValue>;
}

pub(crate) struct DurableSql(pub(crate) SqlStorage);

impl std::fmt::Debug for DurableSql {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("DurableSql")
    }
}

impl Sql for DurableSql {
    fn exec(&self, statement: &str, params: &[Cell]) -> Result<Vec<Vec<Cell>>, StoreError> {
        let bindings = params.iter().map(to_sql).collect::<Result<Array, _>>()?;
        let storage: &Storage = self.0.as_ref().unchecked_ref();
        let rows = storage
            .exec(statement, &bindings)
            .and_then(|cursor| all(&cursor.raw()?))
            .map_err(|error| StoreError::Sql(worker::Error::from(error).to_string()))?;
        let cells = |row: JsValue| row.unchecked_ref::<Array>().iter().map(from_sql).collect();
        Ok(rows.iter().map(cells).collect())
    }
}

fn to_sql(cell: &Cell) -> Result<JsValue, StoreError> {
    Ok(match cell {
        Cell::Null => JsValue::NULL,
        Cell::Integer(number) if number.unsigned_abs() <= MAX_SAFE => {
            JsValue::from_f64(*number as f64)
        }
        Cell::Integer(number) => return Err(StoreError::Number(number.unsigned_abs())),
        Cell::Text(text) => JsValue::from_str(text),
        Cell::Blob(bytes) => Uint8Array::from(bytes.as_slice()).into(),
        Cell::Other => return Err(StoreError::Row("null, a whole number, a text or bytes")),
    })
}

/// JavaScript has one kind of number: a whole one within the safe range is the integer that was stored.
fn from_sql(value: JsValue) -> Cell {
    if let Some(text) = value.as_string() {
        return Cell::Text(text);
    }
    match value.as_f64() {
        Some(number) if number.fract() == 0.0 && number.abs() <= MAX_SAFE as f64 => {
            Cell::Integer(number as i64)
        }
        Some(_) => Cell::Other,
        None if value.is_null() => Cell::Null,
        // The bytes of a buffer, or of a view of one.
        None if value.is_object() => Cell::Blob(Uint8Array::new(&value).to_vec()),
        None => Cell::Other,
    }
}
