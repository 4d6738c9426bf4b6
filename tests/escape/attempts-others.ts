/** Attempts to meet somebody else: another pass, another run, the Agent's environment, the sandbox's own entrypoint. */

import { type Attempt, tells } from "./attempt.ts";

/** Walks over everything that can be reached, and calls `visit` for each text on the way. */
const crawl = (wanted: string): string => `
  const seen = new Set(), found = new Set(), todo = [globalThis, codemode, lab, lab.echo, console, refused(() => null.x), this, (() => {}).constructor];
  todo.push(await lab.echo({ a: [1] }), await codemode.search("echo").catch((it) => it), await codemode.describe("lab").catch((it) => it), await codemode.run("x").catch((it) => it), await lab.fail({}).catch((it) => it), await fetch("x").catch((it) => it), await codemode.step("s", () => 1).catch((it) => it), crypto.subtle, new Intl.DateTimeFormat());
  while (todo.length > 0) {
    const it = todo.pop();
    if (typeof it === "string" || typeof it === "symbol") found.add(text(it.description ?? it));
    if ((typeof it !== "object" && typeof it !== "function") || it === null || seen.has(it)) continue;
    seen.add(it);
    found.add(text(it));
    for (const key of refused(() => ownKeys(it)) ?? []) { todo.push(key); const slot = refused(() => Object.getOwnPropertyDescriptor(it, key)); if (slot) todo.push(slot.value, slot.get, slot.set); todo.push(refused(() => it[key])) }
    todo.push(refused(() => Object.getPrototypeOf(it)));
  }
  loot = [...found].filter((it) => ${wanted}); log("saw " + (seen.size > 500 ? "much" : "little: " + seen.size));`;

export const others: Attempt[] = [
  {
    name: "the seed of its own chance, wherever it may lie",
    body: crawl(`/[0-9a-f]{64}/.test(it)`),
    obtained: ({ told, seed }) => told.some((piece) => piece.includes(seed)),
    without: {
      defence: "nothing that a program reaches leads to the pass",
      patches: [{ file: "js-shim/harness/index.ts", from: `fixGlobal("codemode", codemode?.global);`, to: `fixGlobal("codemode", Object.assign({ pass }, codemode?.global));` }],
    },
  },
  { name: "what another run left behind, wherever it may lie", body: crawl(`it.includes("-of-another-run")`), obtained: tells("secret-of-another-run") },
  { name: "what is in the environment of the Agent", body: `${crawl(`it.includes("-of-the-environment")`)} loot.push(text(refused(() => env.SECRET)), text(refused(() => process.env)), text(refused(() => this.env)), text(refused(() => globalThis.env)));`, obtained: tells("secret-of-the-environment") },
  {
    name: "what another run recorded, by asking the runtime",
    body: `loot = []; for (const query of ["secret", "another run", "", "gate"]) loot.push(JSON.stringify(await codemode.search(query).catch((error) => error.message)));
      for (const target of ["lab", "other", "executions", "codemode", "default", "../other", "lab.gate"]) loot.push(JSON.stringify(await codemode.describe(target).catch((error) => error.message)));
      for (const name of ["left", "../other", ""]) loot.push(JSON.stringify(await codemode.run(name).catch((error) => error.message)));`,
    obtained: tells("secret-of-another-run"),
  },
  {
    name: "a pass inside its pass, by the harness's own entrypoint",
    isModule: true,
    body: `
      const { default: Harness } = await import("./harness.js");
      const bridge = { call: async () => "v1", settle: async () => "v1", note: async () => "", page: async () => "[]", over: () => new Promise(() => {}) };
      const manifest = JSON.stringify({ protocol: 1, startedAt: 0, seed: "00".repeat(32), order: [], rows: [], pages: 1, calls: 0, lookups: 0, namespaces: ["forged"], inflight: 1, logBytes: 100, positions: [], audit: false });
      loot = text(await Harness.prototype.run.call({}, bridge, manifest));`,
    // Begun is enough: without its globals a second one does not come far.
    obtained: ({ told }) => told.some((piece) => piece.includes('"end":') && !piece.includes("has had its pass")),
    without: {
      defence: "a sandbox has one pass",
      patches: [{ file: "js-shim/harness/index.ts", from: `if (entered) return refuse("this sandbox has had its pass");`, to: "" }],
    },
  },
  {
    name: "a call inside a step, by taking the place of what knows of steps",
    isModule: true,
    body: `
      const { AsyncLocalStorage } = await import("node:async_hooks");
      AsyncLocalStorage.prototype.getStore = () => undefined; AsyncLocalStorage.prototype.run = (_, run) => run();
      await codemode.step("s", () => lab.send("from a step")).catch((error) => log(text(error)));`,
    obtained: ({ ran }) => ran.length > 0,
    without: {
      defence: "getStore is captured",
      patches: [{ file: "js-shim/harness/context.ts", from: "(apply(getStore, this.#storage, []) as T | undefined)", to: "this.#storage.getStore()" }],
    },
  },
  {
    name: "a pass inside its pass, by what the platform exports",
    isModule: true,
    body: `
      const platform = await import("cloudflare:workers"); loot = [];
      const bridge = { call: async () => "v1", settle: async () => "v1", note: async () => "", page: async () => "[]", over: () => new Promise(() => {}) };
      for (const entry of [platform.exports?.default, platform.exports?.Harness, platform.env?.SELF]) loot.push(text(await refused(() => entry.run(bridge, "{}"))?.catch?.((error) => error)));
      loot.push(text(Object.keys(platform.env ?? {})), text(Object.keys(platform.exports ?? {})));`,
    obtained: ({ told }) => told.some((piece) => (piece.includes('"end":') && !piece.includes("has had its pass")) || piece.includes("secret")),
    without: {
      defence: "a sandbox has one pass",
      patches: [{ file: "js-shim/harness/index.ts", from: `if (entered) return refuse("this sandbox has had its pass");`, to: "" }],
    },
  },
];
