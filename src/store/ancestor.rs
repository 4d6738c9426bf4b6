//! A database that `@cloudflare/codemode` wrote before, as a facet of the same name: its tables begin with `cm_`. They are
//! read once and never written to.

use super::sql::{Cell, Sql};
use super::{Store, StoreError, texts};

const READ: &str = "ancestor";
/// What could not be stored by us is left there.
const MAX_SNIPPETS: u32 = 1_000;

/// What was found of it.
#[derive(Debug, Default)]
pub struct Ancestor {
    pub snippets: Vec<AncestorSnippet>,
    pub executions: i64,
    /// Of these, the ones that wait for a person; nothing can resume them.
    pub paused: i64,
}

#[derive(Debug)]
pub struct AncestorSnippet {
    pub name: String,
    pub description: String,
    pub code: String,
    pub saved_at: i64,
    /// JSON, where there is one.
    pub input_schema: Option<String>,
    pub connectors: Option<String>,
}

impl<S: Sql> Store<S> {
    /// `None` when there is nothing of it, or when it was read before.
    pub fn ancestor(&self) -> Result<Option<Ancestor>, StoreError> {
        let read = "SELECT key FROM codemode_meta WHERE key = ?";
        if !self.sql.exec(read, &[READ.into()])?.is_empty() {
            return Ok(None);
        }
        let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('cm_snippets', 'cm_executions')";
        let tables: Vec<String> = texts(self.sql.exec(tables, &[])?).collect::<Result<_, _>>()?;
        if tables.is_empty() {
            self.ancestor_read()?;
            return Ok(None);
        }
        let has = |table: &str| tables.iter().any(|name| name == table);
        let mut found = Ancestor::default();
        if has("cm_snippets") {
            found.snippets = self.ancestor_snippets()?;
        }
        if has("cm_executions") {
            found.executions = self.count("SELECT count(*) FROM cm_executions")?;
            found.paused =
                self.count("SELECT count(*) FROM cm_executions WHERE status = 'paused'")?;
        }
        Ok(Some(found))
    }

    /// From here on it is left alone.
    pub fn ancestor_read(&self) -> Result<(), StoreError> {
        self.sql.exec(
            "INSERT OR REPLACE INTO codemode_meta (key, value) VALUES (?, 1)",
            &[READ.into()],
        )?;
        Ok(())
    }

    fn ancestor_snippets(&self) -> Result<Vec<AncestorSnippet>, StoreError> {
        let rows = self.sql.exec(
            "SELECT name, description, code, saved_at, input_schema, connectors FROM cm_snippets ORDER BY name LIMIT ?",
            &[MAX_SNIPPETS.into()],
        )?;
        // A row of another form is none of its own.
        Ok(rows.into_iter().filter_map(snippet).collect())
    }

    fn count(&self, query: &str) -> Result<i64, StoreError> {
        match self
            .sql
            .exec(query, &[])?
            .first()
            .and_then(|row| row.first())
        {
            Some(Cell::Integer(count)) => Ok(*count),
            _ => Err(StoreError::Row("a count")),
        }
    }
}

fn snippet(row: Vec<Cell>) -> Option<AncestorSnippet> {
    let [name, description, code, saved_at, input_schema, connectors] =
        <[Cell; 6]>::try_from(row).ok()?;
    Some(AncestorSnippet {
        name: text(name)?,
        description: text(description).unwrap_or_default(),
        code: text(code)?,
        saved_at: match saved_at {
            Cell::Integer(at) => at,
            Cell::Null | Cell::Text(_) | Cell::Blob(_) | Cell::Other => 0,
        },
        input_schema: text(input_schema),
        connectors: text(connectors),
    })
}

fn text(cell: Cell) -> Option<String> {
    match cell {
        Cell::Text(text) => Some(text),
        Cell::Null | Cell::Integer(_) | Cell::Blob(_) | Cell::Other => None,
    }
}
