// Kills workerd at every point of every program, starts it again on the same disk, and judges from outside what came of it.
//
//   npm run chaos -- --runs 282 --seed 1 [--only "rollback"]
//
// Ends with 1 when anything was lost, happened twice, got stuck or was forgotten.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { fail, whole } from "./options.mjs";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "282" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
  },
});
const runs = whole("runs", values.runs);
const seed = whole("seed", values.seed);

const { status } = spawnSync("node", ["scripts/build.mjs"], { cwd: join(import.meta.dirname, ".."), stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
const { matrix } = await import("../tests/chaos/matrix.ts");
const { explain, table } = await import("../tests/chaos/table.ts");
const { POINTS } = await import("../tests/chaos/points.ts");

const { only } = values;
if (only !== undefined && !POINTS.some(({ name }) => name.includes(only))) {
  fail(`no kill point has "${only}" in its name; there are: ${POINTS.map(({ name }) => name).join(", ")}`);
}

const began = performance.now();
let done = 0;
const verdicts = await matrix({
  runs,
  seed,
  wants: (name) => name.includes(only ?? ""),
  finished(judged) {
    done += judged.length;
    console.log(`${done} of ${runs}`);
    for (const verdict of judged.filter(({ problems }) => problems.length > 0)) console.log(explain(verdict));
  },
});
console.table(table(verdicts));
const wrong = verdicts.filter(({ problems }) => problems.length > 0).length;
console.log(`${verdicts.length} runs, ${wrong} went wrong, ${Math.round((performance.now() - began) / 1000)} s (seed ${seed})`);
process.exit(wrong > 0 || verdicts.length === 0 ? 1 : 0);
