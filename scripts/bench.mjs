// `npm run bench`: builds, then measures ours beside the ancestor and the bare platform. bench/README.md says what and how.
//
//   npm run bench -- --quick --only empty_pass,call_read --storage tmpfs --json rows.json

import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const { status } = spawnSync("node", ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
await import("../bench/run.ts");
