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

/**
 * Functions that every pass runs. In parentheses the engine compiles them along with the module; else it reads them twice, once
 * to find their end and once to run them. One that is not in its file is an error.
 *
 * @type {Record<string, string>}
 */
const EAGER = {
  [`${HARNESS}/budget.ts`]: "createBudget",
  [`${HARNESS}/clock.ts`]: "createClock createDate createPerformance installDateTimeFormat",
  [`${HARNESS}/crossing.ts`]: "crossing",
  [`${HARNESS}/index.ts`]: "start loadModules placeGlobals placeTimers runProgram",
  [`${HARNESS}/inspect.ts`]: "showAs",
  [`${HARNESS}/messages.ts`]: "endFrame",
  [`${HARNESS}/names.ts`]: "registerNamespace watchNamespaces",
  [`${HARNESS}/namespaces.ts`]: "createNamespace",
  [`${HARNESS}/parts.ts`]: "openParts",
  [`${HARNESS}/past.ts`]: "hasPast goLive",
  [`${HARNESS}/primordials.ts`]: "list sort whenSettled whenReturned",
  [`${HARNESS}/pump.ts`]: "pump onlyTicks judge conclude",
  [`${HARNESS}/random.ts`]: "createStream",
  [`${HARNESS}/realm.ts`]: "closeRealm fixGlobal fixPromise",
  [`${HARNESS}/stacks.ts`]: "fixStacks",
  [`${HARNESS}/unhandled.ts`]: "watchRejections",
  "js-shim/value/encode.ts": "encode",
  "js-shim/value/table.ts": "newTable slot",
};

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
  const plugins = [changing((name, text) => eager(name, patched(name, text, patches, unused)))];
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
  // A call of this name is what the minifier leaves in place; only its parentheses are meant.
  return output.text.replaceAll("EAGER(", "(");
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
 * @param {string} name
 * @param {string} text
 */
function eager(name, text) {
  let changed = text;
  for (const it of EAGER[name]?.split(" ") ?? []) {
    const whole = new RegExp(`^(export )?(function ${it}\\b.*?\\n})$`, "ms");
    if (!whole.test(changed)) throw new Error(`there is no function ${it} in ${name}`);
    changed = changed.replace(whole, (_, exported = "", body) => `${exported}const ${it} = /* @__PURE__ */ EAGER(${body});`);
  }
  return changed;
}

/**
 * Changes sources as esbuild reads them.
 *
 * @param {readonly Patch[]} patches
 * @param {Set<Patch>} unused loses each patch that was applied
 */
export const patching = (patches, unused) => changing((name, text) => patched(name, text, patches, unused));

/**
 * @param {string} name
 * @param {string} text
 * @param {readonly Patch[]} patches
 * @param {Set<Patch>} unused
 */
function patched(name, text, patches, unused) {
  let contents = text;
  for (const patch of patches.filter(({ file }) => file === name)) {
    const [before, after, ...more] = contents.split(patch.from);
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error(`patch does not match exactly once in ${name}: ${patch.from}`);
    }
    contents = before + patch.to + after;
    unused.delete(patch);
  }
  return contents;
}

/**
 * @param {(name: string, text: string) => string} change
 * @returns {import("esbuild").Plugin}
 */
function changing(change) {
  return {
    name: "changing",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const contents = change(nameOf(path), text);
        return contents === text ? undefined : { contents, loader: "ts" };
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
