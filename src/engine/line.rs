//! A line of the journal, read as it is written. Most lines are intents, outcomes and deliveries, with the same keys in the
//! same order: they are read here, without what a reader of any JSON has to keep in mind. Every other line is left to
//! `serde`, which knows all events and says what is wrong with one.
//!
//! **Invariant:** what is read here, `serde` reads as the same event.

use super::call::{Call, Outcome, Policy, Safety};
use super::ids::{EpochMs, Operation};
use super::journal::{Event, What};
use super::text::Text;

const POLICIES: [(&str, Policy); 10] = [
    (
        r#"{"record":"read_only"}"#,
        Policy::Record(Safety::ReadOnly),
    ),
    (r#"{"record":"effect"}"#, Policy::Record(Safety::Effect)),
    (
        r#"{"record":"idempotent"}"#,
        Policy::Record(Safety::Idempotent),
    ),
    (r#""reexecute""#, Policy::Reexecute),
    (r#"{"approve":"effect"}"#, Policy::Approve(Safety::Effect)),
    (
        r#"{"approve":"idempotent"}"#,
        Policy::Approve(Safety::Idempotent),
    ),
    (
        r#"{"approve":"read_only"}"#,
        Policy::Approve(Safety::ReadOnly),
    ),
    (r#"{"ask":"effect"}"#, Policy::Ask(Safety::Effect)),
    (r#"{"ask":"idempotent"}"#, Policy::Ask(Safety::Idempotent)),
    (r#"{"ask":"read_only"}"#, Policy::Ask(Safety::ReadOnly)),
];

pub fn read(line: &str) -> serde_json::Result<Event> {
    match (Line { rest: line }).event() {
        Some(event) => Ok(event),
        None => serde_json::from_str(line),
    }
}

struct Line<'a> {
    rest: &'a str,
}

impl Line<'_> {
    fn event(mut self) -> Option<Event> {
        self.skip(r#"{"at":"#)?;
        let at = EpochMs(self.number()?);
        self.skip(r#","kind":""#)?;
        let what = if self.has(r#"deliver","order":["#) {
            What::Deliver {
                order: self.order()?,
            }
        } else if self.has(r#"intent","operation":"#) {
            let operation = Operation(self.small()?);
            let call = self.call()?;
            let policy = self.policy()?;
            What::Intent {
                operation,
                call,
                policy,
            }
        } else if self.has(r#"outcome","operation":"#) {
            What::Outcome {
                operation: Operation(self.small()?),
                outcome: self.outcome()?,
            }
        } else if self.has(r#"attempt","operation":"#) {
            What::Attempt {
                operation: Operation(self.small()?),
                policy: self.policy()?,
            }
        } else {
            return None;
        };
        (self.rest == "}").then_some(Event { at, what })
    }

    fn order(&mut self) -> Option<Vec<u32>> {
        let mut order = Vec::new();
        if self.has("]") {
            return Some(order);
        }
        loop {
            order.push(self.small()?);
            if self.has("]") {
                return Some(order);
            }
            self.skip(",")?;
        }
    }

    fn call(&mut self) -> Option<Call> {
        self.skip(r#","call":{"connector":"#)?;
        let connector = self.string()?;
        self.skip(r#","method":"#)?;
        let method = self.string()?;
        self.skip(r#","args":"#)?;
        let args = self.text()?;
        self.skip("}")?;
        Some(Call {
            connector,
            method,
            args,
        })
    }

    fn policy(&mut self) -> Option<Policy> {
        self.skip(r#","policy":"#)?;
        let mut known = POLICIES.iter();
        known.find_map(|(text, policy)| self.has(text).then_some(*policy))
    }

    /// One that is no failure.
    fn outcome(&mut self) -> Option<Outcome> {
        self.skip(r#","outcome":"#)?;
        if self.has(r#""reexecute""#) {
            return Some(Outcome::Reexecute);
        }
        self.skip(r#"{"value":"#)?;
        let text = self.text()?;
        self.skip("}")?;
        Some(Outcome::Value(text))
    }

    fn text(&mut self) -> Option<Text> {
        if self.has(r#"{"length":"#) {
            let length = self.number()?;
            self.skip("}")?;
            return Some(Text::Stored { length });
        }
        self.string().map(Text::Inline)
    }

    fn string(&mut self) -> Option<String> {
        let inside = self.rest.strip_prefix('"')?;
        let bytes = inside.as_bytes();
        let mut end = 0;
        let mut first_escape = None;
        loop {
            match bytes.get(end)? {
                b'"' => break,
                b'\\' => {
                    first_escape.get_or_insert(end);
                    end += 2;
                }
                0..b' ' => return None,
                _ => end += 1,
            }
        }
        let written = inside.get(..end)?;
        self.rest = inside.get(end + 1..)?;
        first_escape.map_or_else(|| Some(written.to_owned()), |at| unescaped(written, at))
    }

    fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    /// Whole and plain. What follows it is looked at by whoever reads on.
    fn number(&mut self) -> Option<u64> {
        let end = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let digits = self.rest.get(..end)?;
        if end > 1 && digits.starts_with('0') {
            return None;
        }
        self.rest = self.rest.get(end..)?;
        digits.parse().ok()
    }

    fn has(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn skip(&mut self, text: &str) -> Option<()> {
        self.has(text).then_some(())
    }
}

/// A text with escapes, the first of them at this place. `None` when one of them is a number.
fn unescaped(written: &str, first: usize) -> Option<String> {
    let mut text = String::with_capacity(written.len());
    let mut rest = written;
    let mut next = Some(first);
    while let Some(at) = next {
        text.push_str(rest.get(..at)?);
        text.push(match rest.as_bytes().get(at + 1)? {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            _ => return None,
        });
        rest = rest.get(at + 2..)?;
        next = rest.bytes().position(|byte| byte == b'\\');
    }
    text.push_str(rest);
    Some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::{Line, POLICIES, read};
    use crate::engine::call::{Call, Outcome, Policy};
    use crate::engine::ids::{EpochMs, Operation};
    use crate::engine::journal::{End, Event, What};
    use crate::engine::text::Text;
    use crate::error::Code;

    fn any_string() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            r#"[a-z"\\/{}:,\n\t\r\x00-\x1f\x7fé漢😀]{0,12}"#
        ]
    }

    fn any_text() -> impl Strategy<Value = Text> {
        prop_oneof![
            3 => any_string().prop_map(Text::Inline),
            1 => any::<u64>().prop_map(|length| Text::Stored { length }),
        ]
    }

    fn any_policy() -> impl Strategy<Value = Policy> {
        prop::sample::select(POLICIES.to_vec()).prop_map(|(_, policy)| policy)
    }

    fn any_operation() -> impl Strategy<Value = Operation> {
        any::<u32>().prop_map(Operation)
    }

    fn any_outcome() -> impl Strategy<Value = Outcome> {
        let failure = (any_string(), any_text()).prop_map(|(message, error)| Outcome::Failure {
            code: Code::Exception,
            message,
            error,
        });
        prop_oneof![4 => any_text().prop_map(Outcome::Value), 1 => Just(Outcome::Reexecute), 1 => failure]
    }

    /// The kinds that are read here, and one that is not.
    fn any_what() -> impl Strategy<Value = What> {
        let call =
            (any_string(), any_string(), any_text()).prop_map(|(connector, method, args)| Call {
                connector,
                method,
                args,
            });
        prop_oneof![
            prop::collection::vec(any::<u32>(), 0..6).prop_map(|order| What::Deliver { order }),
            (any_operation(), call, any_policy()).prop_map(|(operation, call, policy)| {
                What::Intent {
                    operation,
                    call,
                    policy,
                }
            }),
            (any_operation(), any_outcome())
                .prop_map(|(operation, outcome)| What::Outcome { operation, outcome }),
            (any_operation(), any_policy())
                .prop_map(|(operation, policy)| What::Attempt { operation, policy }),
            prop::option::of(any_text()).prop_map(|console| What::End {
                end: End::Paused {},
                console,
            }),
        ]
    }

    fn any_event() -> impl Strategy<Value = Event> {
        (any::<u64>(), any_what()).prop_map(|(at, what)| Event {
            at: EpochMs(at),
            what,
        })
    }

    fn by_hand(line: &str) -> Option<Event> {
        Line { rest: line }.event()
    }

    /// The same JSON with the keys of every object in the opposite order.
    fn turned(value: Value) -> Value {
        match value {
            Value::Object(members) => {
                let turned = members.into_iter().rev();
                turned
                    .map(|(key, value)| (key, self::turned(value)))
                    .collect()
            }
            Value::Array(_)
            | Value::String(_)
            | Value::Number(_)
            | Value::Bool(_)
            | Value::Null => value,
        }
    }

    #[test]
    fn the_lines_that_journals_are_made_of_are_read_by_hand() {
        for line in [
            r#"{"at":1,"kind":"deliver","order":[4,0,8,17]}"#,
            r#"{"at":1,"kind":"intent","operation":4,"call":{"connector":"t","method":"list","args":"{\"n\":\"\\n\"}"},"policy":{"record":"read_only"}}"#,
            r#"{"at":1,"kind":"intent","operation":4,"call":{"connector":"t","method":"list","args":{"length":2000}},"policy":{"approve":"effect"}}"#,
            r#"{"at":1,"kind":"attempt","operation":4,"policy":{"record":"effect"}}"#,
            r#"{"at":1,"kind":"outcome","operation":4,"outcome":{"value":"[\"漢字\"]"}}"#,
            r#"{"at":1,"kind":"outcome","operation":4,"outcome":{"value":{"length":2000}}}"#,
            r#"{"at":1,"kind":"outcome","operation":4,"outcome":"reexecute"}"#,
        ] {
            assert!(by_hand(line).is_some(), "{line}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_was_written_is_read(event in any_event()) {
            let line = serde_json::to_string(&event).unwrap();
            prop_assert_eq!(read(&line).unwrap(), event);
        }

        #[test]
        fn keys_in_another_order_are_read_as_before(event in any_event()) {
            let line = turned(serde_json::to_value(&event).unwrap()).to_string();
            prop_assert_eq!(read(&line).unwrap(), event);
        }

        #[test]
        fn of_a_line_that_is_damaged_nothing_else_is_read_than_serde_reads(
            event in any_event(),
            at in any::<prop::sample::Index>(),
            instead in r#"["\\{}\[\]:,0-9a-z\-+. \n\x01é]{0,2}"#,
            taken in 0..3_usize,
        ) {
            let line: Vec<char> = serde_json::to_string(&event).unwrap().chars().collect();
            let (before, behind) = line.split_at(at.index(line.len()));
            let behind = behind.iter().skip(taken);
            let line: String = before.iter().copied().chain(instead.chars()).chain(behind.copied()).collect();
            if let Some(event) = by_hand(&line) {
                prop_assert_eq!(serde_json::from_str::<Event>(&line).ok(), Some(event), "{}", line);
            }
        }
    }
}
