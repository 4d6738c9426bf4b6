//! Programs of the fixtures, changed at random: every text is answered, soon, and what is accepted is one exported
//! function. A short run with each test; `npm run intake-fuzz` makes it as long as you like.

use std::time::{Duration, Instant};
use std::{env, thread};

use super::properties::{PIECES, check};
use super::{cases, intake};

/// What any text of this size must be answered in, by an unoptimised build on a busy machine.
const SOON: Duration = Duration::from_secs(20);
const ROUNDS: u32 = 1_000;
const STACK: usize = 8 << 20;

/// Texts that only mean something around others.
const WRAPPINGS: [(&str, &str); 12] = [
    ("```js\n", "\n```"),
    ("Text:\n```\n", "\n```\nmore"),
    ("~~~ts\n", "\n~~~"),
    ("  ```tsx\n", ""),
    ("<code>\n", "\n</code>"),
    ("export default ", ""),
    ("export ", ""),
    ("async (t, { side }) => {", "}"),
    ("namespace N {", "}"),
    ("enum E { A = ", " }"),
    ("class A<T> { constructor(private x = ", ") {} }"),
    ("const a: Map<string, ", "> = b!"),
];

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % (end.max(1) as u64)) as usize
    }

    fn place(&mut self, text: &str) -> usize {
        let at = self.below(text.len() + 1);
        text.floor_char_boundary(at)
    }

    fn range(&mut self, text: &str) -> (usize, usize) {
        let (one, other) = (self.place(text), self.place(text));
        (one.min(other), one.max(other))
    }

    fn changed(&mut self, text: &str, other: &str) -> String {
        let at = self.place(text);
        let (before, after) = text.split_at(at);
        let (from, to) = self.range(text);
        let (first, last) = self.range(other);
        match self.below(9) {
            0 | 1 => [before, PIECES[self.below(PIECES.len())], after].concat(),
            2 => [&text[..from], &text[to..]].concat(),
            3 => [before, &text[from..to], after].concat(),
            4 => [before, &other[first..last], after].concat(),
            5 => serde_json::Value::from(text).to_string(),
            6 => text.replace('\n', "\\n"),
            7 => [text, PIECES[self.below(PIECES.len())], other].concat(),
            _ => {
                let (begin, end) = WRAPPINGS[self.below(WRAPPINGS.len())];
                [begin, text, end].concat()
            }
        }
    }
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

#[expect(clippy::disallowed_methods, reason = "a native test may read the time")]
fn campaign() {
    let programs = cases();
    let seconds = number("INTAKE_FUZZ_SECONDS").map(Duration::from_secs);
    let mut random = Random(
        number("INTAKE_FUZZ_SEED")
            .unwrap_or(1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            | 1,
    );
    let (begin, mut rounds, mut accepted) = (Instant::now(), 0, 0);
    while seconds.map_or(rounds < ROUNDS, |it| begin.elapsed() < it) {
        let (_, program, _) = &programs[random.below(programs.len())];
        let mut code = program.clone();
        for _ in 0..=random.below(6) {
            let (_, other, _) = &programs[random.below(programs.len())];
            code = random.changed(&code, other);
        }
        let started = Instant::now();
        check(&code).unwrap_or_else(|error| panic!("{error}\n{code:?}"));
        assert!(
            started.elapsed() < SOON,
            "{:?} for {code:?}",
            started.elapsed()
        );
        accepted += u32::from(intake(&code).is_ok());
        rounds += 1;
    }
    println!("{rounds} texts, {accepted} of them programs");
}

#[test]
fn changed_programs_are_answered() {
    thread::Builder::new()
        .stack_size(STACK)
        .spawn(campaign)
        .unwrap()
        .join()
        .unwrap();
}
