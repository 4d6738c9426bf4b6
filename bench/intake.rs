//! How long the program room takes over programs of 1, 10 and 100 KB: `cargo bench --bench intake`. Medians. Prints,
//! asserts nothing.

use std::time::Instant;

use codemode::program::{Budget, Options, intake};

const TURNS: usize = 31;

const JAVASCRIPT: &str = "  for (const repo of await t.read({ query: `stars > ${limit}` })) {
    if (repo.private || repo.name.startsWith('x')) continue;
    const issues = (await t.echo({ repo: repo.name })).filter(it => it.open && it.age < 30);
    found.push({ name: repo.name, open: issues.length, titles: issues.map(it => it.title).slice(0, 5) });
  }
";
const TYPESCRIPT: &str = "  for (const repo of (await t.read({ query: `stars > ${limit}` })) as Repo[]) {
    if (repo.private! || repo.name.startsWith('x')) continue;
    const issues: Issue[] = (await t.echo<Issue[]>({ repo: repo.name })).filter((it: Issue): boolean => it.open);
    found.push({ name: repo.name, open: issues.length, titles: issues.map((it) => it.title as string) });
  }
";

fn program(body: &str, bytes: usize) -> String {
    let body = body.repeat(bytes.div_ceil(body.len()));
    format!("async () => {{\n  const found = [], limit = 10;\n{body}  return found;\n}}\n")
}

#[expect(
    clippy::disallowed_methods,
    reason = "a native program may read the time"
)]
fn median(code: &str, budget: Budget) -> f64 {
    let namespaces = ["t".to_owned()];
    let options = Options {
        namespaces: &namespaces,
        budget,
    };
    let mut times: Vec<f64> = (0..TURNS)
        .map(|_| {
            let start = Instant::now();
            assert!(intake(code, &options).is_ok());
            start.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[TURNS / 2]
}

fn main() {
    for (name, body) in [("JavaScript", JAVASCRIPT), ("TypeScript", TYPESCRIPT)] {
        for bytes in [1_000, 10_000, 100_000] {
            let code = program(body, bytes);
            let [counted, uncounted] =
                [Budget::Counted, Budget::Uncounted].map(|it| median(&code, it));
            println!(
                "{name} {:>6} bytes: {counted:.2} ms, without the budget {uncounted:.2} ms",
                code.len()
            );
        }
    }
}
