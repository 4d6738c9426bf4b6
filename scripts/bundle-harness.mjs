// Bundles js-shim/harness into texts that the shim hands to the Worker Loader as one module: what every pass loads, and each
// part that only some passes need.
//
// Texts and not imports, because the harness runs in another isolate. The source of a part imports like any other; where it
// names what the rest of the harness has anyway, the part is handed that.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

import { build } from "esbuild";

const root = join(import.meta.dirname, "..");
const HARNESS = "js-shim/harness";
const KIT = `${HARNESS}/kit.ts`;
/** Captured built-ins are no state: a part takes its own, so that what it alone needs costs no other pass anything. */
const OWN = [`${HARNESS}/primordials.ts`, "js-shim/value/primordials.ts"];
/** What other hosts need and no sandbox does. */
const NO_DIGITS = "export const encodeDigits = undefined, decodeDigits = undefined;";
const ELSEWHERE = "js-shim/value/base64Digits.ts";

/** Of each part the file, and what is given of it. Their types are in `js-shim/harness/parts.ts`. */
const PARTS = {
  bindings: ["bindings.ts", "Bindings"],
  codemode: ["codemode.ts", "createCodemode"],
  console: ["console.ts", "createConsole"],
  crypto: ["crypto.ts", "createCrypto"],
  network: ["network.ts", "openNetwork"],
  replay: ["replay.ts", "Replay"],
  timers: ["timers.ts", "Timers"],
};

/**
 * A change of one source file, for tests that must see a broken harness fail.
 *
 * @typedef {object} Patch
 * @property {string} file path from the repository's root, with forward slashes
 * @property {string} from text that stands in the file exactly once
 * @property {string} to
 */

/** @typedef {{ text: string, parts: Record<string, string> }} Harness each part a property of the object `PARTS` */

/** @typedef {Map<string, Set<string>>} Names what parts ask for, by the file that exports it */

/**
 * @param {{ patches?: readonly Patch[], entry?: string }} [options]
 * @returns {Promise<Harness>}
 */
export async function bundleHarness({ patches = [], entry = `${HARNESS}/index.ts` } = {}) {
  const unused = new Set(patches);
  const plugins = patches.length === 0 ? [] : [patching(patches, unused)];
  const shared = await filesOf({ entryPoints: [entry] });
  for (const file of OWN) shared.delete(file);
  /** @type {Names} */
  const names = new Map();
  for (const [file] of Object.values(PARTS)) await gatherNames(`${HARNESS}/${file}`, shared, names);
  const numbered = [...names].flatMap(([file, all]) => [...all].map((name) => ({ file, name })));

  const whole = await bundle({ entryPoints: [entry], plugins: [replacing([KIT], () => kitOf(numbered)), ...plugins] });
  /** @type {Record<string, string>} */
  const parts = {};
  for (const [part, [file, name]] of Object.entries(PARTS)) {
    const handed = (/** @type {string} */ path) =>
      numbered.map((it, at) => (it.file === path ? `export const ${it.name} = kit[${at}];\n` : "")).join("");
    const contents = `import { ${name} } from "./${HARNESS}/${file}"; give(${name});`;
    const body = await bundle({ stdin: { contents, resolveDir: root }, plugins: [replacing([...shared], handed), ...plugins] });
    parts[part] = `${part}:((kit,give)=>{${body.trim()}}),`;
  }
  for (const patch of unused) throw new Error(`${patch.file} is not part of the harness`);
  return { text: whole, parts };
}

/** @param {Harness} harness */
export function wholeHarness({ text, parts }) {
  return `const PARTS={${Object.values(parts).join("")}};${text}`;
}

/** @param {import("esbuild").BuildOptions} options */
const built = ({ plugins = [], ...options }) =>
  build({
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: "esm",
    target: "esnext",
    external: ["cloudflare:workers", "node:async_hooks"],
    minify: true,
    legalComments: "none",
    logLevel: "silent",
    plugins: [replacing([ELSEWHERE], () => NO_DIGITS), ...plugins],
    ...options,
  });

/** @param {import("esbuild").BuildOptions} options */
async function bundle(options) {
  const [output] = (await built(options)).outputFiles ?? [];
  if (output === undefined) throw new Error("esbuild gave no output");
  return output.text;
}

/**
 * The files of which something is in a bundle.
 *
 * @param {import("esbuild").BuildOptions} options
 */
async function filesOf(options) {
  const { metafile } = await built({ ...options, metafile: true });
  const [output] = Object.values(metafile?.outputs ?? {});
  const inputs = Object.entries(output?.inputs ?? {});
  return new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path));
}

/**
 * What a file and those it imports, as far as they are not shared, ask of the shared ones.
 *
 * @param {string} file
 * @param {ReadonlySet<string>} shared
 * @param {Names} names
 * @param {Set<string>} seen
 */
async function gatherNames(file, shared, names, seen = new Set()) {
  if (seen.has(file)) return;
  seen.add(file);
  const text = await readFile(join(root, file), "utf8");
  for (const [, list = "", from = ""] of text.matchAll(/^import \{([^}]*)\} from "(\.[^"]*)";$/gm)) {
    const path = relative(root, resolve(root, dirname(file), from)).split(sep).join("/");
    if (!shared.has(path)) {
      await gatherNames(path, shared, names, seen);
      continue;
    }
    const all = names.get(path) ?? new Set();
    names.set(path, all);
    for (const name of list.split(",").map((it) => it.trim())) if (name !== "" && !name.startsWith("type ")) all.add(name);
  }
}

/** @param {readonly { file: string, name: string }[]} numbered */
function kitOf(numbered) {
  const imports = numbered.map(({ file, name }, at) => `import { ${name} as it${at} } from "${resolve(root, file)}";`);
  return `${imports.join("\n")}\nexport const kit = () => [${numbered.map((_, at) => `it${at}`).join()}];`;
}

/**
 * @param {readonly string[]} files
 * @param {(file: string) => string} contentsOf
 * @returns {import("esbuild").Plugin}
 */
function replacing(files, contentsOf) {
  return {
    name: "replacing",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const name = nameOf(path);
        return files.includes(name) ? { contents: contentsOf(name), loader: "js" } : undefined;
      });
    },
  };
}

/** @param {string} path */
const nameOf = (path) => relative(root, path).split(sep).join("/");

/**
 * Changes sources as esbuild reads them.
 *
 * @param {readonly Patch[]} patches
 * @param {Set<Patch>} unused loses each patch that was applied
 * @returns {import("esbuild").Plugin}
 */
export function patching(patches, unused) {
  return {
    name: "patching",
    setup(context) {
      context.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const name = nameOf(path);
        const own = patches.filter((patch) => patch.file === name);
        if (own.length === 0) return undefined;
        let contents = await readFile(path, "utf8");
        for (const patch of own) {
          const [before, after, ...more] = contents.split(patch.from);
          if (before === undefined || after === undefined || more.length > 0) {
            throw new Error(`patch does not match exactly once in ${name}: ${patch.from}`);
          }
          contents = before + patch.to + after;
          unused.delete(patch);
        }
        return { contents, loader: "ts" };
      });
    },
  };
}

/**
 * Files are written only when they changed: a watcher that sees a write builds again.
 *
 * @param {string} out folder from the repository's root
 */
export async function writeHarness(out) {
  const harness = await bundleHarness();
  await mkdir(join(root, out), { recursive: true });
  await writeIfChanged(join(root, out, "harness.ts"), harnessModule(harness));
}

/**
 * The module that the shim imports.
 *
 * @param {Harness} harness
 */
export function harnessModule({ text, parts }) {
  return [
    "// Made by scripts/bundle-harness.mjs from js-shim/harness. Do not edit.",
    `export const HARNESS = ${JSON.stringify(text)};`,
    `export const PARTS: Readonly<Record<string, string>> = ${JSON.stringify(parts, null, 2)};`,
    "",
  ].join("\n");
}

/**
 * @param {string} file
 * @param {string} text
 */
async function writeIfChanged(file, text) {
  const old = await readFile(file, "utf8").catch(() => undefined);
  if (old !== text) await writeFile(file, text);
}
