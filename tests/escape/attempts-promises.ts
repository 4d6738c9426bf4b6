/** Attempts on what the harness waits with: promises, their species, and the functions that call functions. */

import { type Attempt, holdsHarness, tells } from "./attempt.ts";

const PRIMORDIALS = "js-shim/harness/primordials.ts";
const WAIT = "apply(promiseThen, promise, [fulfilled, rejected]);";
/** A reply as it comes over the bridge, before it is decoded. */
const holdsReply = tells(`v"w1tness"`);

export const promises: Attempt[] = [
  {
    name: "what the platform answers, before its turn, by a getter in place of Promise.prototype.constructor",
    body: `const { then } = Promise.prototype; let busy = false; const seen = [], Real = Promise;
      refused(() => Object.defineProperty(Promise.prototype, "constructor", { configurable: true, get() {
        if (!busy) { busy = true; apply(then, this, [(value) => seen.push(text(value)), () => {}]); busy = false }
        return Real;
      } }));
      await crypto.subtle.digest("SHA-256", new Uint8Array(1)); loot = seen.filter((it) => it.includes("ArrayBuffer")).length + " promises of one digest";`,
    obtained: tells("2 promises of one digest"),
    without: { defence: "Promise.prototype.constructor is fixed", patches: [{ file: "js-shim/harness/index.ts", from: "\n  fixPromise();", to: "" }] },
  },
  {
    name: "raw replies, by a species of promises",
    body: `loot = []; class Spy { constructor(run) { run((value) => loot.push(text(value)), () => {}) } }
      refused(() => Object.defineProperty(Promise, Symbol.species, { get: () => Spy })); refused(() => { Promise.prototype.constructor = { [Symbol.species]: Spy } });
      await lab.echo("w1tness"); await lab.echo(2);`,
    obtained: ({ told }) => told.some((piece) => /^[ve]./.test(piece) && piece.includes("w1tness")),
  },
  {
    name: "the harness's callbacks, by taking the place of Promise.prototype.then",
    body: `const { then } = Promise.prototype; loot = [];
      Promise.prototype.then = function (...given) { loot.push(...given.map(text)); return apply(then, this, given) };
      await lab.echo(1);`,
    obtained: holdsHarness,
    without: { defence: "then is captured", patches: [{ file: PRIMORDIALS, from: WAIT, to: "promise.then(fulfilled, rejected);" }] },
  },
  {
    name: "the harness's callbacks, by taking the place of Function.prototype.call",
    body: `loot = []; Function.prototype.call = function (self, ...given) { for (const it of given) loot[loot.length] = text(it); return apply(this, self, given) }; await lab.echo(1);`,
    obtained: holdsHarness,
    without: { defence: "call is bound before", patches: [{ file: PRIMORDIALS, from: WAIT, to: "promiseThen.call(promise, fulfilled, rejected);" }] },
  },
  {
    name: "the harness's callbacks, by taking the place of Function.prototype.apply",
    body: `loot = []; Function.prototype.apply = function (self, given) { for (const it of given) loot[loot.length] = text(it); return apply(this, self, given) }; await lab.echo(1);`,
    obtained: holdsHarness,
    without: { defence: "apply is Reflect's", patches: [{ file: PRIMORDIALS, from: WAIT, to: "promiseThen.apply(promise, [fulfilled, rejected]);" }] },
  },
  {
    name: "the harness's callbacks, by taking the place of Reflect.apply",
    body: `loot = []; Reflect.apply = (run, self, given) => { for (let i = 0; i < given.length; i++) loot[loot.length] = text(given[i]); return apply(run, self, given) }; await lab.echo(1);`,
    obtained: holdsHarness,
    without: { defence: "Reflect.apply is captured", patches: [{ file: PRIMORDIALS, from: WAIT, to: "Reflect.apply(promiseThen, promise, [fulfilled, rejected]);" }] },
  },
  {
    name: "who settles a call, by taking the place of Promise",
    body: `const Real = Promise; loot = []; globalThis.Promise = function (run) { loot.push(text(run)); return new Real(run) }; await lab.echo(1);`,
    obtained: holdsHarness,
    without: {
      defence: "Promise is captured",
      patches: [
        {
          file: PRIMORDIALS,
          from: "export const NativePromise = Promise;",
          to: "export const NativePromise = function (run: never) { return new globalThis.Promise(run) } as unknown as PromiseConstructor;",
        },
      ],
    },
  },
  {
    name: "objects of the harness, by a getter then on every object",
    body: `const seen = []; Object.defineProperty(Object.prototype, "then", { configurable: true, get() { seen[seen.length] = this; return undefined } });
      await lab.echo({ a: 1 }); await codemode.search("x"); await codemode.step("s", () => ({ b: 1 }));
      delete Object.prototype.then; loot = seen.flatMap((it) => refused(() => ownKeys(it)));`,
    obtained: ({ told }) => ["operation", "resolve", "promise", "manifest", "default"].some((name) => told.includes(name)),
  },
  {
    name: "objects of the harness, by a promise of its own species that is returned",
    body: `loot = []; kept = class extends Promise { static get [Symbol.species]() { return function (run) { loot.push(text(run)); log(text(run)); run((it) => log(text(it)), (it) => log(text(it))) } } };`,
    end: `return new kept((resolve) => resolve("own"));`,
    obtained: holdsHarness,
  },
  {
    name: "objects of the harness, by iterators and generators that tell what passes through them",
    body: `let busy = false; loot = [];
      const spy = (holder, key) => { const real = holder[key]; holder[key] = function (a) {
        if (busy) return apply(real, this, [a]);
        busy = true; loot[loot.length] = text(this?.[0]?.deliver ?? this?.[0]); loot[loot.length] = text(a); busy = false;
        return apply(real, this, [a]);
      } };
      for (const key of [Symbol.iterator, "values", "entries", "keys", "map", "push", "shift", "forEach"]) spy(Array.prototype, key);
      for (const it of [[][Symbol.iterator](), new Map().entries(), new Set().values(), Object.getPrototypeOf(function* () {}).prototype, Object.getPrototypeOf(async function* () {}).prototype]) spy(Object.hasOwn(it, "next") ? it : Object.getPrototypeOf(it), "next");
      await lab.echo([1, 2]); await lab.echo(new Map([[1, 2]])); await lab.echo(NaN); console.table([{ a: 1 }]);`,
    obtained: holdsHarness,
    without: {
      defence: "the harness asks no iterator",
      patches: [{ file: "js-shim/harness/timers.ts", from: "if (this.#pass.phase !== \"live\") return;", to: "for (const it of [this.#pass.kick, this.#pass.kick]) void it;\n    if (this.#pass.phase !== \"live\") return;" }],
    },
  },
  {
    name: "another call's outcome, by settling promises that are not its own",
    body: `const { then } = Promise.prototype; const seen = [];
      for (const name of ["resolve", "reject", "withResolvers", "try"]) { const real = Promise[name]; Promise[name] = function (...given) { seen.push(text(given[0])); return apply(real, this, given) } }
      const slow = lab.echo("mine"); slow.then = () => {}; slow.constructor = class { constructor(run) { run(() => {}, () => {}) } };
      loot = [await apply(then, lab.echo("w1tness"), [(it) => it]), ...seen];`,
    obtained: ({ told, execution }) => holdsReply({ told } as never) || execution.log.some(({ state }) => state !== "applied"),
  },
];
