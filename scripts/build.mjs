// Everything a Worker needs under gen/: the Rust core with its bindings, and the harness as text.
// `--panicking` builds the core that can be told to panic, into gen-test/; only tests load it.

import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { writeHarness } from "./bundle-harness.mjs";

const root = join(import.meta.dirname, "..");
const panicking = process.argv.includes("--panicking");
const args = panicking ? ["--features", "provoke_panic", "--out", "gen-test"] : [];

const { status } = spawnSync("cargo", ["xtask", "build", ...args], { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

// The harness goes beside either core, so that a core is exchanged by exchanging its folder.
await writeHarness(panicking ? "gen-test" : "gen");
