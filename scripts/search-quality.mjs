// `npm run search-quality -- FILE [--json OUT]`: builds, then measures. See bench/search-quality.ts for what and how.

import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { fail } from "./options.mjs";

const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({ options: { json: { type: "string" } }, allowPositionals: true });
const [file] = positionals;
if (file === undefined || positionals.length > 1) {
  fail("say which queries: npm run search-quality -- tests/fixtures/search/dev.json [--json OUT]");
}
// npm runs its commands in the repository, whatever folder they were called from.
const from = process.env.INIT_CWD ?? process.cwd();
const { status } = spawnSync("node", ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
const { searchQuality } = await import("../bench/search-quality.ts");
await searchQuality(resolve(from, file), values.json === undefined ? undefined : resolve(from, values.json));
