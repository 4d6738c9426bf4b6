// A Worker as the list of modules that miniflare takes, with the bundler that wrangler uses.
//
// Bundled here and not by `wrangler deploy --dry-run`, because that starts a process per Worker, and because a test may
// ask for a variant: the core that can panic, or a harness that is broken on purpose.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";

import { build } from "esbuild";
import type { Plugin } from "esbuild";
import type { ModuleDefinition } from "miniflare";

import { harnessModule, patching } from "../../scripts/bundle-harness.mjs";
import type { Harness, Patch } from "../../scripts/bundle-harness.mjs";
import { ROOT } from "./wrangler-config.ts";

/** What is not as shipped. */
export interface Variant {
  /** `panicking` takes the core from gen-test/, which `scripts/build.mjs --panicking` makes. */
  readonly core?: "panicking";
  /** The texts of another harness, as `bundleHarness({ patches })` gives them. */
  readonly harness?: Harness;
  /** Source changes of the shim, each of which must match exactly once. */
  readonly shim?: readonly Patch[];
}

/** @param entry the Worker's main file, from the repository's root or absolute */
export async function bundleWorker(entry: string, variant: Variant = {}): Promise<ModuleDefinition[]> {
  const wasm = new Map<string, ModuleDefinition>();
  const unused = new Set(variant.shim);
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: [resolve(ROOT, entry)],
    bundle: true,
    write: false,
    format: "esm",
    target: "esnext",
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["module", "main"],
    external: ["cloudflare:*", "node:*"],
    sourcemap: "inline",
    logLevel: "silent",
    plugins: [variants(variant), wasmModules(wasm), ...(unused.size === 0 ? [] : [patching([...unused], unused)])],
  });
  for (const patch of unused) throw new Error(`${patch.file} is not part of ${entry}`);
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error("esbuild gave no output");
  return [{ type: "ESModule", path: "main.js", contents: output.text }, ...wasm.values()];
}

/** Leaves imports of wasm as they are and collects the modules under names that cannot clash. */
function wasmModules(found: Map<string, ModuleDefinition>): Plugin {
  return {
    name: "wasm-modules",
    setup({ onResolve }) {
      onResolve({ filter: /\.wasm$/ }, async ({ path, resolveDir }) => {
        const contents = await readFile(join(resolveDir, path));
        const digest = createHash("sha256").update(contents).digest("hex").slice(0, 8);
        const name = `${digest}-${basename(path)}`;
        found.set(name, { type: "CompiledWasm", path: name, contents: new Uint8Array(contents) });
        return { path: `./${name}`, external: true };
      });
    },
  };
}

function variants({ core, harness }: Variant): Plugin {
  const shipped = join(ROOT, "gen", "/");
  return {
    name: "variants",
    setup({ onLoad, onResolve }) {
      if (core === "panicking") {
        onResolve({ filter: /(^|\/)gen\// }, ({ path, resolveDir }) => {
          const target = resolve(resolveDir, path);
          return target.startsWith(shipped) ? { path: join(ROOT, "gen-test", target.slice(shipped.length)) } : undefined;
        });
      }
      if (harness !== undefined) {
        onLoad({ filter: /[\\/]gen(-test)?[\\/]harness\.ts$/ }, () => ({ contents: harnessModule(harness), loader: "ts" }));
      }
    },
  };
}
