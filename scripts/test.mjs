// Every check there is, in the order of speed; CI runs this and nothing else. Stops at the first failure.
// `--fast` leaves out what needs the built module; that is `npm run verify`.
// Started through setup.mjs, which puts the pinned Node and the tools of node_modules first in PATH.

import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const xtask = ["--manifest-path", "xtask/Cargo.toml"];
const wasm = ["--target", "wasm32-unknown-unknown"];

/** @type {readonly [name: string, command: string, args: readonly string[]][]} */
const fast = [
  ["format of the library", "cargo", ["fmt", "--check"]],
  ["format of xtask", "cargo", ["fmt", "--check", ...xtask]],
  ["format of the corpus", "cargo", ["fmt", "--check", "--manifest-path", "bench/corpus/Cargo.toml"]],
  ["clippy, as the Worker", "cargo", ["clippy", "--locked", "--lib", ...wasm, "--", "-D", "warnings"]],
  ["clippy, native with tests", "cargo", ["clippy", "--locked", "--all-targets", "--", "-D", "warnings"]],
  ["check of the corpus", "cargo", ["check", "--manifest-path", "bench/corpus/Cargo.toml", "--target-dir", "target/corpus/build"]],
  ["cargo test", "cargo", ["test", "--locked"]],
  // The types of the bindings and the text of the harness are built files, and tsc reads them.
  ["build", "node", ["scripts/build.mjs"]],
  ["types of the Worker", "tsc", ["-p", "tsconfig.json"]],
  ["types of tests in workerd", "tsc", ["-p", "tsconfig.workers.json"]],
  ["types of tests and scripts in Node", "tsc", ["-p", "tsconfig.node.json"]],
  ["lint", "oxlint", ["--deny-warnings"]],
];

/** @type {typeof fast} */
const slow = [
  ["build that can panic", "node", ["scripts/build.mjs", "--panicking"]],
  ["vitest", "vitest", ["run"]],
  ["demo", "node", ["scripts/demo.mjs"]],
  // Only whether it runs, and gives each row with a number.
  ["benchmark runs", "node", ["bench/run.ts", "--quick", "--storage", "disk"]],
];

const steps = process.argv.includes("--fast") ? fast : [...fast, ...slow];
let passed = 0;
let failed = 0;
for (const [name, command, args] of steps) {
  console.log(`\n=== ${name}: ${command} ${args.join(" ")}`);
  const start = performance.now();
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (error !== undefined) console.error(error.message);
  if (status !== 0) {
    console.log(`=== ${name}: FAILED after ${seconds} s`);
    failed += 1;
    break;
  }
  console.log(`=== ${name}: ok, ${seconds} s`);
  passed += 1;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
