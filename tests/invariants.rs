//! Random lives. Whatever the order, no effect runs twice unasked, none runs unrecorded or unapproved, none is undone
//! twice, the record only grows, and a run becomes only what the diagram of its life allows.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;
mod lives;

use lives::{Life, act};
use proptest::prelude::*;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn whatever_happens_no_effect_runs_twice_unrecorded_or_unapproved(acts in prop::collection::vec(act(1), 20..60)) {
        let mut life = Life::new();
        acts.into_iter().for_each(|act| life.live(act));
    }

    #[test]
    fn whoever_ends_a_run_it_becomes_what_the_diagram_allows(acts in prop::collection::vec(act(8), 20..60)) {
        let mut life = Life::new();
        acts.into_iter().for_each(|act| life.live(act));
    }
}
