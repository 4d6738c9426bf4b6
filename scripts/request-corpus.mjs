// Compares the requests of derived methods with those of swagger-client, and sends some of them for real to a server on loopback.
//
//   npm run corpus -- --no-types --requests FILE
//   node scripts/request-corpus.mjs FILE [--seed 1] [--sample 80] [--show 3]
//
// FILE has one JSON line per method, { document, record }: the path of its OpenAPI document (JSON) below node_modules, and its record with its
// operation. Ends with 1 when fewer than 300 operations were compared, a difference has no explanation, swagger-client
// alone refuses a call, or one arrived wrong.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { fail, whole } from "./options.mjs";

const documents = join(import.meta.dirname, "../node_modules");
const LEAST = 300;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    sample: { type: "string", default: "80" },
    show: { type: "string", default: "3" },
  },
});
const seed = whole("seed", values.seed);
const sample = whole("sample", values.sample);
const show = whole("show", values.show);
const [file, ...others] = positionals;
if (file === undefined || others.length > 0) fail("name one file of JSON lines { document, record }");

const { compareRequests } = await import("../tests/corpus/requests.ts");
const { CLASSES } = await import("../tests/corpus/differences.ts");
const { sendSample } = await import("../tests/corpus/sample.ts");

/** @type {Map<string, import("../js-shim/wire.ts").MethodRecord[]>} */
const records = new Map();
for (const line of readFileSync(file, "utf8").split("\n")) {
  if (line.trim() === "") continue;
  const { document, record } = JSON.parse(line);
  const known = records.get(document);
  if (known === undefined) records.set(document, [record]);
  else known.push(record);
}

/** @type {import("../tests/corpus/requests.ts").Compared[]} */
const compared = [];
/** @type {Map<string, number>} */
const left = new Map();
for (const [document, methods] of records) {
  const report = await compareRequests(JSON.parse(readFileSync(join(documents, document), "utf8")), methods, seed);
  compared.push(...report.compared);
  for (const { operation, kind, why } of report.left) {
    left.set(kind, (left.get(kind) ?? 0) + 1);
    // What one side alone refuses may be a defect of ours, so each is shown.
    if (kind.startsWith("refused")) console.log(`  ${operation}: ${kind}: ${why}`);
  }
  const differing = report.compared.filter(({ differences }) => differences.length > 0).length;
  console.log(`${document}: ${report.compared.length} compared, ${differing} differ, ${report.left.length} left out`);
}

const differences = compared.flatMap(({ record, differences }) => differences.map((difference) => ({ record, ...difference })));
console.log(`\n${compared.length} operations compared, ${compared.filter((one) => one.differences.length === 0).length} the same`);
for (const [kind, count] of left) console.log(`left out, ${kind}: ${count}`);
console.log("\n| class | pieces | right | why |\n| --- | --- | --- | --- |");
for (const [name, { right, why }] of Object.entries(CLASSES)) {
  const count = differences.filter(({ because }) => because === name).length;
  if (count > 0) console.log(`| ${name} | ${count} | ${right} | ${why} |`);
}
const unexplained = differences.filter(({ because }) => because === "unexplained");
console.log(`| unexplained | ${unexplained.length} | | |`);
for (const { record, what, ours, theirs } of unexplained.slice(0, show)) {
  console.log(`\n${record.operation?.verb} ${record.operation?.path}, ${what}\n  ours   ${JSON.stringify(ours)}\n  theirs ${JSON.stringify(theirs)}`);
}

// Spread over all of them.
const step = Math.max(1, compared.length / Math.max(1, sample));
const chosen = Array.from({ length: Math.min(sample, compared.length) }, (_none, index) => compared[Math.floor(index * step)]).filter((one) => one !== undefined);
const { sent, wrong } = await sendSample(chosen);
console.log(`\n${sent} sent to a server on loopback, ${wrong.length === 0 ? "each arrived exactly as it was made" : `${wrong.length} wrong`}`);
for (const fault of wrong.slice(0, 20)) console.log(`  ${fault}`);

if (compared.length < LEAST) console.log(`too few: ${LEAST} are wanted`);
process.exit(compared.length >= LEAST && unexplained.length === 0 && wrong.length === 0 && !left.has("refused there") ? 0 : 1);
