// `npm run loops`: builds, then measures what the loop budget costs. See bench/loops.ts for what and how.

import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const { status } = spawnSync("node", ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
await import("../bench/loops.ts");
