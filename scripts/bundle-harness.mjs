// Bundles js-shim/harness into one module, and that module into a string that the shim hands to the Worker Loader.
//
// A text and not an import, because the harness runs in another isolate. The digest names the isolate's code, so that
// a changed harness is never served from the loader's cache.

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

import { build } from "esbuild";

const root = join(import.meta.dirname, "..");

/**
 * A change of one source file, for tests that must see a broken harness fail.
 *
 * @typedef {object} Patch
 * @property {string} file path from the repository's root, with forward slashes
 * @property {string} from text that stands in the file exactly once
 * @property {string} to
 */

/**
 * @param {{ patches?: readonly Patch[], entry?: string }} [options]
 * @returns {Promise<string>} the text of the bundled module
 */
export async function bundleHarness({ patches = [], entry = "js-shim/harness/index.ts" } = {}) {
  const unused = new Set(patches);
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    target: "esnext",
    external: ["cloudflare:workers", "node:async_hooks"],
    minify: true,
    legalComments: "none",
    logLevel: "silent",
    plugins: patches.length === 0 ? [] : [patching(patches, unused)],
  });
  for (const patch of unused) throw new Error(`${patch.file} is not part of the harness`);
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error("esbuild gave no output");
  return output.text;
}

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
        const name = relative(root, path).split(sep).join("/");
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
  const text = await bundleHarness();
  await mkdir(join(root, out), { recursive: true });
  await writeIfChanged(join(root, out, "harness.js"), text);
  await writeIfChanged(join(root, out, "harness.ts"), harnessModule(text));
}

/**
 * The module that the shim imports.
 *
 * @param {string} text of the bundle
 */
export function harnessModule(text) {
  const digest = createHash("sha256").update(text).digest("hex");
  return [
    "// Made by scripts/bundle-harness.mjs from js-shim/harness. Do not edit.",
    `export const HARNESS = ${JSON.stringify(text)};`,
    `export const HARNESS_DIGEST = ${JSON.stringify(digest)};`,
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
