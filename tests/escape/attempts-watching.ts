/** Attempts by watching everything at once: whatever the harness asks of the program's world would be seen. */

import { type Attempt } from "./attempt.ts";

const WATCH = `
  const hits = [], own = [lab, codemode, console, crypto, performance];
  const { defineProperty, getOwnPropertyDescriptor } = Reflect;
  let watching = false, replaced = 0;
  const note = (it) => defineProperty(hits, hits.length, { __proto__: null, value: it, writable: true, configurable: true, enumerable: true });`;

/** Puts an observer in the place of every function and getter that the language has. */
const FUNCTIONS = `
  const seen = new Set();
  const { construct, getPrototypeOf } = Reflect;
  const observer = (path, real) => function (...given) { if (watching) note(path); return new.target ? construct(real, given, new.target) : apply(real, this, given) };
  const walk = (holder, path) => {
    if (seen.has(holder) || own.includes(holder)) return;
    seen.add(holder);
    for (const key of ownKeys(holder)) {
      const slot = getOwnPropertyDescriptor(holder, key), at = path + "." + text(key.description ?? key);
      for (const part of ["value", "get", "set"]) {
        const found = slot[part];
        if ((typeof found !== "object" && typeof found !== "function") || found === null) continue;
        walk(found, at);
        if (typeof found !== "function" || !slot.configurable || key === "constructor" || key === "caller" || key === "arguments") continue;
        slot[part] = observer(at, found);
        for (const inner of ownKeys(found)) defineProperty(slot[part], inner, getOwnPropertyDescriptor(found, inner));
        if (defineProperty(holder, key, slot)) replaced++;
      }
    }
    const proto = getPrototypeOf(holder);
    if (proto !== null) walk(proto, path + ".__proto__");
  };
  for (const it of [globalThis, [][Symbol.iterator](), new Map().entries(), new Set().values(), function* () {}, async function* () {}, async () => {}, ""[Symbol.iterator]()]) walk(it, "");`;

/** Puts a getter and a setter behind every object, for each name that the harness may read, and for the first elements of lists. */
const PROPERTIES = `
  for (const holder of [Object, Array, Function, Promise, Map, Set, WeakMap, String, Number, Error, Date, RegExp, Uint8Array].map((it) => it.prototype)) {
    for (const name of [...HARNESS_NAMES, 0, 1, 2, 3, 4, 5, 6, 7]) {
      if (name in holder && holder !== Object.prototype) continue;
      if (Object.hasOwn(holder, name) || name === "then" || name === "toJSON") continue;
      const at = text(holder.constructor?.name) + ".prototype." + name;
      replaced++;
      defineProperty(holder, name, {
        __proto__: null, configurable: true,
        get() { if (watching) note(at); return undefined },
        set(value) { if (watching) note(at + " ="); defineProperty(this, name, { __proto__: null, value, writable: true, configurable: true, enumerable: true }) },
      });
    }
  }`;

/** One of everything that a program can have the harness do. */
const EVERYTHING = `
  const samples = { plain: { a: [1, "x", null, { b: true }] }, rich: [NaN, -0, 5n, undefined, new Date(5), /a/gi, new Map([[1, new Set([2])]]), new Uint8Array([1, 2]), new Error("e"), [, 1]], text: "t" };
  const bytes = new Uint8Array(3);
  watching = true;
  const first = lab.echo(samples.plain), second = lab.echo(samples.rich);
  await first; await second; await lab.echo(samples.text);
  let failed = 0; try { await lab.fail(samples.plain) } catch { failed++ } try { await lab.nothing(1) } catch { failed++ } try { await lab.echo(own) } catch { failed++ } try { await codemode.search(1) } catch { failed++ }
  await codemode.search("echo"); await codemode.step("s", () => samples.rich); await codemode.run("kept", samples.plain); await codemode.run("nothing"); await crypto.subtle.digest("SHA-256", bytes);
  const id = setTimeout(() => {}, 1), tick = setInterval(() => {}, 1); await lab.sleep(samples.plain); clearTimeout(id); clearInterval(tick);
  crypto.getRandomValues(bytes); crypto.randomUUID(); performance.now(); queueMicrotask(() => {});
  log(samples.plain, samples.rich, samples, lab, own); console.table(samples.plain); console.count(); console.time(); console.timeEnd(); console.group(); console.trace("t"); console.groupEnd();
  watching = false;
  loot = replaced > 600 && failed === 4 ? hits.length === 0 ? "nothing was asked" : "asked: " + [...new Set(hits)].join() : "too little: " + replaced + " " + failed;`;

const untouched = ({ told }: { told: readonly string[] }): boolean => told.includes("nothing was asked");

export const watching: Attempt[] = [
  {
    name: "anything that the harness asks, by an observer in the place of every built-in",
    body: `${WATCH}${FUNCTIONS}${EVERYTHING}`,
    obtained: (found) => !untouched(found),
    without: {
      defence: "built-ins are captured",
      patches: [{ file: "js-shim/value/primordials.ts", from: "export const objectKeys: (object: object) => string[] = Object.keys;", to: "export const objectKeys = (it: object): string[] => Object.keys(it);" }],
    },
  },
  {
    name: "anything that the harness reads or writes, by accessors behind every object",
    body: `${WATCH}${PROPERTIES}${EVERYTHING}`,
    obtained: (found) => !untouched(found),
    without: {
      defence: "only properties are read that are there",
      patches: [{ file: "js-shim/harness/pass.ts", from: "  kick(): void {", to: "  kick(): void {\n    if ((this as { readonly urgent?: boolean }).urgent) return this.pump();" }],
    },
  },
];
