// Runs generated programs beyond the fixed ones of `npm test`, or a broken harness, or one program again.
//
//   npm run replay-fuzz -- --seed 1 --n 500 --recoveries 2 [--variant "real clock"]

import { parseArgs } from "node:util";

import { campaign, explain } from "../tests/replay/campaign.ts";
import { VARIANTS } from "../tests/replay/variants.ts";
import { fail, whole } from "./options.mjs";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    n: { type: "string", default: "500" },
    recoveries: { type: "string", default: "2" },
    variant: { type: "string" },
  },
});
const seed = whole("seed", values.seed);
const programs = whole("n", values.n);
const recoveries = whole("recoveries", values.recoveries);
const variant = VARIANTS.find(({ name }) => name === values.variant);
if (values.variant !== undefined && variant === undefined) {
  fail(`there is no variant ${values.variant}; there are: ${VARIANTS.map(({ name }) => name).join(", ")}`);
}

let done = 0;
let shown = 0;
const { failed, late, ends, shapes, counts, seconds } = await campaign({
  seed,
  programs,
  recoveries,
  variant,
  finished(report) {
    done += 1;
    if (done % 100 === 0) console.log(`${done} of ${programs}`);
    if (report.problems.length === 0) return;
    shown += 1;
    // A broken harness fails all the time; its programs are of no interest.
    if (variant === undefined && shown <= 3) console.log(explain(report));
    else if (shown <= 20) console.log(`seed ${report.seed}: ${report.problems.join("; ").slice(0, 300)}`);
  },
});
console.log({ variant: variant?.name ?? "none", seeds: `${seed} to ${seed + programs - 1}`, ends, counts, shapes, seconds: Math.round(seconds) });
console.log(`${failed.length} of ${programs} went wrong, ${late} of them late`);
process.exit(variant === undefined && failed.length > 0 ? 1 : 0);
