//! What someone who watches is told, and that nothing is lost to them: not by pages, by rows that cannot be read, nor by
//! runs that are deleted.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use codemode::engine::ids::EpochMs;
use codemode::engine::journal::{Event, What};
use common::World;
use serde_json::{Value, json};

const CODE: &str = "async () => 1";

fn ask(world: &World, request: &Value) -> Value {
    serde_json::from_str(&world.runtime.events(&request.to_string())).unwrap()
}

/// The answer to a watcher of one run, or of all.
fn watch(world: &World, id: Option<&str>, cursor: Option<&str>) -> Value {
    let reply = ask(world, &json!({ "executionId": id, "cursor": cursor }));
    assert_eq!(reply["ok"], true, "{reply}");
    reply["value"].clone()
}

fn code_of(world: &World, request: &Value) -> Value {
    ask(world, request)["code"].clone()
}

/// Kind and number of each event, such as `intent 0`.
fn kinds(answer: &Value) -> Vec<String> {
    let events = answer["events"].as_array().unwrap().iter();
    events
        .map(|event| {
            let seq = event["seq"].as_u64().map(|seq| format!(" {seq}"));
            event["kind"].as_str().unwrap().to_owned() + &seq.unwrap_or_default()
        })
        .collect()
}

fn cursor(answer: &Value) -> &str {
    answer["cursor"].as_str().unwrap()
}

/// All that is recorded, answer by answer. `more` says when to ask again.
fn all(world: &World, id: Option<&str>) -> (Vec<Value>, usize) {
    let (mut events, mut answers, mut from) = (Vec::new(), 0, None);
    loop {
        let answer = watch(world, id, from.as_deref());
        events.extend(answer["events"].as_array().unwrap().clone());
        answers += 1;
        from = Some(cursor(&answer).to_owned());
        if answer["more"] != true {
            return (events, answers);
        }
    }
}

/// A run that ends at once.
fn ended(world: &mut World) -> String {
    let id = world.begin(CODE);
    let pass = world.open(&id);
    world.close(pass, json!({ "end": "done" }), "1");
    id
}

fn paused(world: &mut World) -> String {
    let id = world.begin(CODE);
    let pass = world.open(&id);
    world.gated(pass, 0, "{}");
    world.pause(pass);
    id
}

fn sql(world: &World, statement: &str, id: &str) {
    assert!(world.sql.0.execute(statement, [id]).unwrap() > 0);
}

#[test]
fn a_watcher_of_one_run_is_told_in_order_and_the_stream_is_over_with_the_run() {
    let mut world = World::new();
    let id = world.begin(CODE);
    let answer = watch(&world, Some(&id), None);
    let begun = json!([{ "executionId": id, "at": world.now, "kind": "begin" }]);
    assert_eq!(answer["events"], begun);
    let pass = world.open(&id);
    world.done(pass, 0, "send", "{}", "1");
    world.gated(pass, 1, "{}");
    world.pause(pass);
    let answer = watch(&world, Some(&id), Some(cursor(&answer)));
    let called = ["intent 0", "outcome 0", "intent 1", "pending 1", "end"];
    assert_eq!(kinds(&answer), called);
    assert_eq!(answer["over"], json!(null));
    world.approve(json!({ "executionId": id, "seq": 1 }));
    let pass = world.open(&id);
    world.done(pass, 1, "add", "{}", "2");
    world.close(pass, json!({ "end": "done" }), "3");
    let answer = watch(&world, Some(&id), Some(cursor(&answer)));
    assert_eq!(kinds(&answer), ["decision 1", "outcome 1", "end"]);
    assert_eq!(answer["over"], true);
    // It was over for those who read all of it; whoever asks later is told the whole story.
    assert_eq!(all(&world, Some(&id)).0.len(), 9);
}

#[test]
fn who_rejects_is_on_record_before_the_end() {
    let mut world = World::new();
    let id = paused(&mut world);
    let seen = watch(&world, Some(&id), None);
    world.reject(json!({ "executionId": id, "seq": 0, "mode": "end" }));
    let answer = watch(&world, Some(&id), Some(cursor(&seen)));
    assert_eq!(kinds(&answer), ["decision 0", "outcome 0", "end"]);
    assert_eq!(answer["over"], true);
}

#[test]
fn a_run_that_failed_to_begin_is_told_of() {
    let mut world = World::new();
    world.execute(json!({ "contact": world.contact, "code": "const x = = 1" }));
    let answer = watch(&world, None, None);
    assert_eq!(kinds(&answer), ["begin", "end"]);
}

#[test]
fn all_runs_are_told_in_the_order_in_which_they_were_written() {
    let mut world = World::new();
    let (first, second) = (world.begin(CODE), world.begin(CODE));
    for id in [&second, &first] {
        let pass = world.open(id);
        world.close(pass, json!({ "end": "done" }), "1");
    }
    let answer = watch(&world, None, None);
    let events = answer["events"].as_array().unwrap().iter();
    let told: Vec<_> = events
        .map(|event| (event["kind"].as_str().unwrap(), &event["executionId"]))
        .collect();
    let (first, second) = (json!(first), json!(second));
    let expected = [
        ("begin", &first),
        ("begin", &second),
        ("end", &second),
        ("end", &first),
    ];
    assert_eq!(told, expected);
    // Of all there is no end: more may begin.
    assert_eq!(answer["over"], json!(null));
}

#[test]
fn a_long_record_comes_in_answers_of_a_bounded_size_and_whole() {
    let mut world = World::new();
    let id = world.begin(CODE);
    let pass = world.open(&id);
    // Reads share their rows, writes have rows of their own.
    for seq in 0..1_100 {
        let method = if seq < 700 { "list" } else { "send" };
        world.done(pass, seq, method, "{}", "1");
    }
    world.close(pass, json!({ "end": "done" }), "1");
    for scope in [Some(id.as_str()), None] {
        let first = watch(&world, scope, None);
        assert_eq!(first["events"].as_array().unwrap().len(), 1_000);
        assert_eq!(
            (&first["more"], &first["over"]),
            (&json!(true), &json!(null))
        );
        let (events, answers) = all(&world, scope);
        assert_eq!(answers, 3);
        let calls: Vec<_> = events
            .iter()
            .filter(|event| event["kind"] == "outcome")
            .collect();
        let numbers: Vec<_> = calls
            .iter()
            .map(|event| event["seq"].as_u64().unwrap())
            .collect();
        assert_eq!(numbers, (0..1_100).collect::<Vec<_>>());
        assert_eq!(events.len(), 2_202);
    }
    // A reader stopped in the middle of a row; that is gone, and what comes behind it is read from its first line.
    let first = watch(&world, None, None);
    assert!(!cursor(&first).ends_with(":0"));
    assert!(world.delete(&id));
    ended(&mut world);
    assert_eq!(
        kinds(&watch(&world, None, Some(cursor(&first)))),
        ["begin", "end"]
    );
}

#[test]
fn much_that_tells_nothing_is_read_in_parts() {
    let mut world = World::new();
    let id = world.begin(CODE);
    let deliveries = What::Deliver {
        order: vec![1_000_000; 10_000],
    };
    let event = Event {
        at: EpochMs(1),
        what: deliveries,
    };
    let line = serde_json::to_string(&event).unwrap();
    let insert = "INSERT INTO codemode_journal (execution_id, position, events) VALUES (?, ?, ?)";
    for position in 1..=40 {
        world.sql.0.execute(insert, (&id, position, &line)).unwrap();
    }
    let first = watch(&world, None, None);
    assert_eq!((kinds(&first).len(), &first["more"]), (1, &json!(true)));
    let second = watch(&world, None, Some(cursor(&first)));
    assert_eq!((kinds(&second).len(), &second["more"]), (0, &json!(true)));
    ended(&mut world);
    assert_eq!(all(&world, None).0.len(), 3);
}

#[test]
fn a_row_that_cannot_be_read_silences_neither_its_run_nor_others() {
    let mut world = World::new();
    let broken = paused(&mut world);
    let statement = r#"UPDATE codemode_journal SET events = replace(events, '"intent"', '"x"')
        WHERE execution_id = ? AND position = 1"#;
    sql(&world, statement, &broken);
    ended(&mut world);
    // Of that row only what cannot be read is lost.
    let expected = ["begin", "pending 0", "end", "begin", "end"];
    assert_eq!(kinds(&watch(&world, None, None)), expected);
    assert_eq!(kinds(&watch(&world, Some(&broken), None)), expected[..3]);
}

#[test]
fn a_run_that_was_deleted_is_over_and_its_place_is_given_to_no_other() {
    let mut world = World::new();
    let kept = ended(&mut world);
    let id = paused(&mut world);
    let (of_one, of_all) = (watch(&world, Some(&id), None), watch(&world, None, None));
    assert!(world.delete(&id));
    let after = watch(&world, Some(&id), Some(cursor(&of_one)));
    assert_eq!((kinds(&after).len(), &after["over"]), (0, &json!(true)));
    assert_eq!(code_of(&world, &json!({ "executionId": id })), "not_found");
    // The newest rows are gone, and those that follow have greater numbers all the same.
    let next = ended(&mut world);
    let answer = watch(&world, None, Some(cursor(&of_all)));
    assert_eq!(kinds(&answer), ["begin", "end"]);
    assert_eq!(answer["events"][0]["executionId"], json!(next));
    let events = all(&world, None).0;
    assert!(events.iter().all(|event| event["executionId"] == json!(kept) || event["executionId"] == json!(next)));
}

#[test]
fn an_unknown_run_and_a_cursor_of_nobody_are_refused() {
    let mut world = World::new();
    let id = ended(&mut world);
    for unknown in ["exec_0", "", "no id at all"] {
        let request = json!({ "executionId": unknown });
        assert_eq!(code_of(&world, &request), "not_found");
    }
    let of_all = watch(&world, None, None)["cursor"].clone();
    let of_one = watch(&world, Some(&id), None)["cursor"].clone();
    assert_eq!(
        code_of(&world, &json!({ "executionId": id, "cursor": of_all })),
        "invalid_input"
    );
    assert_eq!(
        code_of(&world, &json!({ "cursor": of_one })),
        "invalid_input"
    );
    for wrong in [
        "",
        "all:",
        "all:1",
        "all:-1:0",
        "all:1:x",
        "all:9007199254740992:0",
        "0:0",
    ] {
        let request = json!({ "cursor": wrong });
        assert_eq!(code_of(&world, &request), "invalid_input", "{wrong}");
    }
    assert_eq!(
        code_of(&world, &json!({ "waitMs": "long" })),
        "invalid_input"
    );
}

#[test]
fn a_watcher_goes_on_where_it_was_after_a_crash() {
    let mut world = World::new();
    let id = paused(&mut world);
    let seen = watch(&world, Some(&id), None);
    world.crash();
    world.approve(json!({ "executionId": id }));
    let answer = watch(&world, Some(&id), Some(cursor(&seen)));
    assert_eq!(kinds(&answer), ["decision 0"]);
}

#[test]
fn the_revision_changes_with_the_journal_alone() {
    let mut world = World::new();
    let (mut seen, id) = (world.runtime.revision(), ended(&mut world));
    let mut changed = |world: &World| {
        let before = std::mem::replace(&mut seen, world.runtime.revision());
        before != seen
    };
    assert!(changed(&world));
    watch(&world, Some(&id), None);
    world.pending();
    world.execution(&id);
    assert!(!changed(&world));
    assert!(world.delete(&id));
    assert!(changed(&world));
}
