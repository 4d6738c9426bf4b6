// Feeds the program room changed programs and made-up texts for as long as you like; a find is printed with its text.
//
//   npm run intake-fuzz -- --seconds 600 [--seed 7]

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" }, seed: { type: "string", default: "1" } } });
const { status } = spawnSync("cargo", ["test", "--locked", "--lib", "program::tests::fuzz", "--", "--nocapture"], {
  cwd: join(import.meta.dirname, ".."),
  env: { ...process.env, INTAKE_FUZZ_SECONDS: values.seconds, INTAKE_FUZZ_SEED: values.seed },
  stdio: "inherit",
});
process.exit(status ?? 1);
