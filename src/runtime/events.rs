//! What is recorded, for someone who watches: in order, from wherever they are. Reads only, and never much at once, so
//! that a reader may be as slow as it likes: the journal is its buffer.

use std::fmt;

use super::{Runtime, json, parse, parse_id};
use crate::engine::ids::ExecutionId;
use crate::engine::line;
use crate::engine::notice::Notice;
use crate::error::{Code, Error};
use crate::store::history::Row;
use crate::store::sql::Sql;
use crate::wire::output::{Events, Reply, RuntimeEvent};
use crate::wire::request;

/// Most events of one reply: some 150 KiB of JSON.
const MOST_EVENTS: usize = 1_000;
/// How many rows are held at once. A row has a few KiB as a rule, and 512 at the most.
const ROWS: u32 = 16;
/// How much of the journal is read for one reply, in bytes: much of it may tell a watcher nothing.
const READ_BYTES: usize = 1024 * 1024;

/// A number beyond JavaScript's safe integers is none of a row.
const MAX_ROW: u64 = (1 << 53) - 1;

/// What is watched. The numbers of rows are others in each.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Scope {
    All,
    One(ExecutionId),
}

/// The next thing to read: a line of a row. The row may be gone by now; then it is the first line of the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    row: u64,
    line: usize,
}

const BEGINNING: Place = Place { row: 0, line: 0 };

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.row, self.line)
    }
}

impl Scope {
    const fn prefix(&self) -> &'static str {
        match self {
            Self::All => "all:",
            Self::One(_) => "one:",
        }
    }

    fn cursor(&self, place: Place) -> String {
        format!("{}{place}", self.prefix())
    }

    fn place(&self, cursor: &str) -> Result<Place, Error> {
        let parsed = cursor
            .strip_prefix(self.prefix())
            .and_then(|place| place.split_once(':'))
            .and_then(|(row, line)| {
                Some(Place {
                    row: row.parse().ok()?,
                    line: line.parse().ok()?,
                })
            })
            .filter(|place| place.row <= MAX_ROW);
        parsed.ok_or_else(|| {
            Error::new(
                Code::InvalidInput,
                "the cursor is none that events() gave for these executions; leave it out to read from the beginning",
            )
        })
    }
}

impl<S: Sql> Runtime<S> {
    /// The next events behind a cursor, as far as they are recorded. js-shim does the waiting for more.
    pub fn events(&self, request: &str) -> String {
        json(&Reply::from(self.try_events(request)))
    }

    fn try_events(&self, request: &str) -> Result<Events, Error> {
        let request: request::Events = parse(request)?;
        let scope = match &request.execution_id {
            Some(id) => Scope::One(parse_id(id)?),
            None => Scope::All,
        };
        let from = match &request.cursor {
            Some(cursor) => scope.place(cursor)?,
            None => BEGINNING,
        };
        let ended = match &scope {
            Scope::All => false,
            Scope::One(id) => match self.store.has_ended(id)? {
                Some(ended) => ended,
                // Whoever has a cursor has read of it before: it was deleted meanwhile, and no more will come.
                None if request.cursor.is_some() => true,
                None => return Err(super::unknown_execution(id.as_str())),
            },
        };
        let mut reply = self.batch(&scope, from)?;
        reply.over = ended && !reply.more;
        Ok(reply)
    }

    fn batch(&self, scope: &Scope, from: Place) -> Result<Events, Error> {
        let mut place = from;
        let mut events = Vec::new();
        let mut read = 0;
        let more = 'reading: loop {
            let rows = match scope {
                Scope::All => self.store.history(place.row, ROWS)?,
                Scope::One(id) => self.store.history_of(id, place.row, ROWS)?,
            };
            for row in &rows {
                place = place.through(row, &mut events);
                read += row.lines.len();
                if place.row == row.number {
                    break 'reading true;
                }
            }
            if rows.len() < ROWS as usize {
                break false;
            }
            if read >= READ_BYTES {
                break true;
            }
        };
        Ok(Events {
            events,
            cursor: scope.cursor(place),
            more,
            over: false,
        })
    }

    /// Another number than before when the journal has changed.
    pub const fn revision(&self) -> u32 {
        self.store.revision()
    }
}

impl Place {
    /// Takes what a row tells, from here on, as far as there is room: then the place is still in that row.
    fn through(self, row: &Row, events: &mut Vec<RuntimeEvent>) -> Self {
        let given = if row.number == self.row { self.line } else { 0 };
        for (line, text) in row.lines.lines().enumerate().skip(given) {
            if events.len() == MOST_EVENTS {
                return Self {
                    row: row.number,
                    line,
                };
            }
            events.extend(told(row, text));
        }
        Self {
            row: row.number.saturating_add(1),
            line: 0,
        }
    }
}

/// `None` also for a line that cannot be read: it must not end the stream of all others.
fn told(row: &Row, line: &str) -> Option<RuntimeEvent> {
    let event = line::read(line).ok()?;
    let notice = Notice::of(&event.what)?;
    Some(RuntimeEvent {
        execution_id: row.execution_id.clone(),
        at: event.at.0,
        kind: notice.kind(),
        seq: notice.seq(),
    })
}
