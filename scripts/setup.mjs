// Makes a fresh clone ready, then runs a script of ours under the pinned Node.
//
//   node scripts/setup.mjs                      only make ready
//   node scripts/setup.mjs scripts/test.mjs …   make ready, then run that script
//
// This is the one file that runs under whatever Node is there (20 or later) and may import nothing that npm installs.
// The script is a child with a PATH of its own: the shell that npm started has looked up `node` before it was installed.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname, "..");
const bin = join(root, "node_modules", ".bin");
const node = join(bin, "node");
/** @type {NodeJS.ProcessEnv} */
const env = {
  ...process.env,
  PATH: bin + delimiter + process.env.PATH,
  // Nothing of ours asks the network for anything while it runs.
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  return spawnSync(command, args, { cwd: root, env, stdio: "inherit" }).status;
}

/**
 * What a command prints, or `undefined` when it fails.
 *
 * @param {string} command
 * @param {string[]} args
 */
function ask(command, args) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, env, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** @param {string} name */
function readJson(name) {
  const file = join(root, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** npm's own record of what it installed, against the lock file. Optional packages may be missing, others may not. */
function packagesAreCurrent() {
  const wanted = readJson("package-lock.json").packages;
  const installed = readJson("node_modules/.package-lock.json")?.packages;
  if (installed === undefined || !existsSync(node)) return false;
  return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
    const found = installed[path]?.version;
    return path === "" || found === version || (found === undefined && (optional || devOptional));
  });
}

function installPackages() {
  console.log("setup: npm ci");
  // Only errors are shown: npm warns of engines, because it is the system's Node that runs it and not the pinned one.
  const status = run("npm", ["ci", "--loglevel=error"]);
  if (status !== 0) process.exit(status ?? 1);
}

function cargoIsReady() {
  const sysroot = ask("rustc", ["--print", "sysroot"]);
  return (
    sysroot !== undefined &&
    existsSync(join(sysroot, "lib", "rustlib", "wasm32-unknown-unknown")) &&
    ["fmt", "clippy"].every((tool) => ask("cargo", [tool, "--version"]) !== undefined)
  );
}

function installRust() {
  console.log("setup: rustup toolchain install");
  // Without a name it installs what rust-toolchain.toml asks for, with components and target.
  if (run("rustup", ["toolchain", "install", "--no-self-update"]) === 0 && cargoIsReady()) return;
  // The compiler may be there under the name of its channel, and its own name out of reach.
  env.RUSTUP_TOOLCHAIN = "stable";
  run("rustup", ["target", "add", "--toolchain", "stable", "wasm32-unknown-unknown"]);
  if (cargoIsReady()) return;
  console.error("setup: no Rust toolchain. Install rustup (rustup.rs), then run `rustup toolchain install` here.");
  process.exit(1);
}

if (!packagesAreCurrent()) installPackages();
if (!cargoIsReady()) installRust();

const [script, ...args] = process.argv.slice(2);
if (script !== undefined) {
  const child = spawn(node, [script, ...args], { cwd: root, env, stdio: "inherit" });
  // A signal to this process alone is meant for the script, which ends what it has started. Then we end too.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => child.kill(signal));
  // npm passes a signal to its shell alone, and that ends without a word to us.
  const parent = process.ppid;
  const orphaned = () => process.ppid !== parent && child.kill("SIGTERM");
  if (process.env.npm_lifecycle_event !== undefined) setInterval(orphaned, 500).unref();
  child.on("error", (error) => console.error(error.message));
  child.on("close", (status) => process.exit(status ?? 1));
}
