// `npm run context-cost`: builds, then counts what a model reads in three tasks on real documents. bench/README.md says how.
//
//   npm run context-cost -- --json lines.json

import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const { status } = spawnSync("node", ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
await import("../bench/context/run.ts");
