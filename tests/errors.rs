//! Errors as both languages know them: `tests/fixtures/values/errors.json`, read here and by
//! `tests/shim/value/errors.test.ts`.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use codemode::engine::failure::Failure;
use codemode::engine::text::{MAX_VALUE_UNITS, units};
use codemode::error::{Code, Error};
use serde::Deserialize;

#[derive(Deserialize)]
struct Fixture {
    thrown: Vec<Thrown>,
    decided: Vec<Decided>,
}

/// What TypeScript made of something thrown, and the message that is in it.
#[derive(Deserialize)]
struct Thrown {
    name: String,
    text: String,
    message: String,
}

/// A failure of the runtime's own, and the text that TypeScript would make of it.
#[derive(Deserialize)]
struct Decided {
    code: String,
    message: String,
    text: String,
}

fn fixture() -> Fixture {
    serde_json::from_str(include_str!("fixtures/values/errors.json")).unwrap()
}

#[test]
fn a_thrown_error_gives_its_message_and_keeps_its_text() {
    for Thrown {
        name,
        text,
        message,
    } in fixture().thrown
    {
        let failure = Failure::parse(Code::Exception, &text);
        assert_eq!(failure.message, message, "{name}");
        assert_eq!(failure.error, text, "{name}");
        assert_eq!(failure.reply(), format!("eexception {text}"), "{name}");
    }
}

#[test]
fn a_failure_of_the_runtime_is_written_as_typescript_would() {
    for Decided {
        code,
        message,
        text,
    } in fixture().decided
    {
        let code = Code::parse(&code).unwrap();
        let failure = Failure::of(&Error::new(code, &message));
        assert_eq!(failure.error, text);
        assert_eq!(failure.message, message);
        assert_eq!(Failure::parse(code, &text).error, text);
    }
}

#[test]
fn what_is_no_error_value_is_a_failure_with_a_text() {
    for text in [
        "",
        "5",
        "@",
        "@[[",
        "@[]",
        "@[[0],[]]",
        "@[[5],[[\"Error\",\"Error\",null,\"x\",{}]]]",
        "@[[0],[[\"Map\",[]]]]",
        "@[[-1],[[\"Error\"]]]",
        "@[\"Error\",\"Error\"]",
        "!too_large x",
        "{\"message\":\"x\"}",
    ] {
        let failure = Failure::parse(Code::Exception, text);
        assert_eq!(
            failure.message, "the call failed and gave no readable error",
            "{text}"
        );
        assert_ne!(failure.error, text);
    }
}

#[test]
fn an_error_value_beyond_the_limit_says_so_and_how_it_began() {
    let text = |length: usize| {
        format!(
            r#"@[[0],[["Error","Error",null,"{}",{{}}]]]"#,
            "漢".repeat(length)
        )
    };
    let around = usize::try_from(units(&text(0))).unwrap();
    let limit = usize::try_from(MAX_VALUE_UNITS).unwrap();
    let fits = Failure::parse(Code::Exception, &text(limit - around));
    assert_eq!(fits.clone().within_limit(), fits);

    let over = Failure::parse(Code::Exception, &text(limit - around + 1)).within_limit();
    assert_eq!(over.code, Code::TooLarge);
    assert!(
        over.message.contains("1000001 characters"),
        "{}",
        over.message
    );
    assert!(over.message.contains("It began: 漢漢"), "{}", over.message);
    assert!(over.error.len() < 10_000);
}
