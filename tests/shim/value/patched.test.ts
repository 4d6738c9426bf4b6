/**
 * The codec in a realm whose every intrinsic was patched after the codec had loaded: it works as before, and no patch is
 * called. The codec's real bundle runs in a context of its own, driven from outside, so only the codec can set off a trap.
 */
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { buildSync } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";

import type * as Codec from "../../../js-shim/value/index.ts";
import { refused, values } from "../../fixtures/values/table.ts";

let bundle = "";
beforeAll(() => {
  const entry = fileURLToPath(new URL("../../../js-shim/value/index.ts", import.meta.url));
  const { outputFiles } = buildSync({
    entryPoints: [entry], bundle: true, write: false, format: "iife", globalName: "codec", target: "esnext",
  });
  bundle = outputFiles[0]?.text ?? "";
});

type Realm = { codec: typeof Codec; run: (code: string) => unknown; traps: () => string[] };

function realm(): Realm {
  const context = createContext({});
  const run = (code: string): unknown => runInContext(code, context);
  const codec = run(`${bundle};codec`) as typeof Codec;
  return { codec, run, traps: () => JSON.parse(String(run("report()"))) as string[] };
}

/** Replaces every configurable property of every intrinsic by a trap, and sets traps where somebody might look in vain. */
const PATCH = `
  const sprung = new Set();
  const add = Function.prototype.call.bind(Set.prototype.add);
  const report = ((each, quote) => () => {
    let text = "";
    each(sprung, (name) => { text += (text === "" ? "" : ",") + quote(name); });
    return "[" + text + "]";
  })(Function.prototype.call.bind(Set.prototype.forEach), JSON.stringify);
  (() => {
    const { defineProperty, getPrototypeOf, getOwnPropertyDescriptor, ownKeys } = Reflect;
    const text = String;
    const scope = globalThis;
    const trap = (path) => ({
      __proto__: null,
      get() { add(sprung, "get " + path); return () => { add(sprung, "call " + path); }; },
      set() { add(sprung, "set " + path); },
      configurable: true,
      enumerable: ENUMERABLE,
    });
    // Everything is looked up and listed first: the patching itself runs in a realm that is patched more and more.
    const jobs = [];
    const addJob = (object, key, path) => { jobs.push({ __proto__: null, object, key, descriptor: trap(path) }); };
    const seen = new Set([scope]);
    const visit = (object, path) => {
      if ((typeof object !== "object" && typeof object !== "function") || object === null || seen.has(object)) return;
      seen.add(object);
      for (const key of ownKeys(object)) {
        const descriptor = getOwnPropertyDescriptor(object, key);
        if (descriptor.configurable) addJob(object, key, path + "." + text(key));
        for (const part of [descriptor.value, descriptor.get, descriptor.set]) visit(part, path + "." + text(key));
      }
      visit(getPrototypeOf(object), path + ".__proto__");
    };
    const globals = ownKeys(scope).filter((key) => !["codec", "made", "given", "report", "undefined", "NaN", "Infinity"].includes(key));
    for (const key of globals) visit(scope[key], text(key));
    const samples = [[].values(), new Map().entries(), new Set().values(), "".matchAll(/x/g), (function* () {})(), async () => {}];
    for (const sample of samples) visit(getPrototypeOf(sample), "sample");
    const extras = ["get", "set", "value", "writable", "enumerable", "configurable", "alphabet", "then", "a", "b", "n", "self",
      "cause", "errors", "code", "name", "message", "text", "", "parent", "step", "label", "next", EXTRA, ...Array(40).keys()];
    const homes = { Object: Object.prototype, Array: Array.prototype, String: String.prototype, Function: Function.prototype };
    for (const home of Object.keys(homes)) for (const key of extras) addJob(homes[home], key, "extra " + home + "." + key);
    // Globals go first: node answers for them itself, and not in a patched realm.
    for (const key of globals) {
      if (getOwnPropertyDescriptor(scope, key)?.configurable) defineProperty(scope, key, trap("global " + text(key)));
    }
    for (let i = 0, count = jobs.length; i < count; i++) defineProperty(jobs[i].object, jobs[i].key, jobs[i].descriptor);
  })();
`;
const patch = (enumerable: boolean, extra: string) =>
  PATCH.replace("ENUMERABLE", String(enumerable)).replace("EXTRA", JSON.stringify(extra));

/** Values of the fixture, made inside the realm before it is patched. */
function make(run: Realm["run"], list: readonly { make: () => unknown }[], as: string): unknown[] {
  const sources = list.map(({ make }) => `(${make.toString()})()`);
  return run(`var ${as} = [${sources.join(",")}]; ${as}`) as unknown[];
}

/** Holes and getters of one realm, read without its prototypes. */
const at = (list: unknown[], index: number): unknown => Reflect.get(list, index);

describe.each([
  ["with traps that are not enumerable", false],
  ["with traps that are enumerable", true],
])("%s", (_name, enumerable) => {
  test("every value crosses as before, unseen", () => {
    const { codec, run, traps } = realm();
    const before = make(run, values, "given").map((value) => codec.encode(value, "result"));
    const made = make(run, values, "made");
    run(patch(enumerable, "unused"));
    values.forEach(({ name }, i) => {
      const text = codec.encode(at(made, i), "result");
      expect(text, name).toBe(before[i]);
      expect(codec.encode(codec.decode(text), "result"), name).toBe(text);
      expect(codec.canonical(text)[0], name).toBe("@");
      codec.shown(at(made, i));
      codec.encodeError(at(made, i));
      expect(traps(), name).toEqual([]);
    });
  });

  test("every refusal is a refusal, unseen", () => {
    const { codec, run, traps } = realm();
    const made = make(run, refused, "made");
    run(patch(enumerable, "unused"));
    refused.forEach(({ name }, i) => {
      expect(() => codec.encode(at(made, i), "result"), name).toThrow(/^result/);
      codec.shown(at(made, i));
      codec.encodeError(at(made, i));
      // `Math` is itself one of the values, and its traps are then getters of that value.
      expect(traps().filter((trap) => !trap.startsWith("get Math.")), name).toEqual([]);
    });
  });

  test("a toJSON on Object.prototype is not asked", () => {
    const { codec, run, traps } = realm();
    const before = make(run, values, "given").map((value) => codec.canonical(codec.encode(value, "result")));
    const made = make(run, values, "made");
    run(patch(enumerable, "toJSON"));
    values.forEach(({ name }, i) => {
      expect(codec.canonical(codec.encode(at(made, i), "result")), name).toBe(before[i]);
      expect(traps(), name).toEqual([]);
    });
  });
});

test("the traps work: code that uses a method is seen", () => {
  const { run, traps } = realm();
  run("var careless = () => { const list = []; list[0] = 1; list.push(2); ({}).a; }; 0");
  const careless = run("codec.careless = careless; careless") as () => void;
  run(patch(false, "unused"));
  careless();
  expect(traps()).toEqual(expect.arrayContaining([expect.stringContaining("set extra Array.0"), expect.stringContaining("push"), expect.stringContaining("extra Object.a")]));
});

test("the legacy properties of RegExp show no trace", () => {
  const { codec, run } = realm();
  const made = make(run, values, "made");
  run("/mine/.exec('mine')");
  values.forEach((_, i) => codec.decode(codec.encode(at(made, i), "result")));
  expect(run("RegExp.lastMatch + RegExp.input")).toBe("minemine");
});
