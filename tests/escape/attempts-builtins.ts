/** Attempts by breaking the built-ins that the harness itself leans on: collections, texts, JSON, arithmetic, properties. */

import { type Attempt, type Found, type Without, holdsHarness, tells } from "./attempt.ts";

const PRIMORDIALS = "js-shim/harness/primordials.ts";
const VALUE = "js-shim/value/primordials.ts";
const INSPECT = "js-shim/harness/inspect.ts";
const LISTS = [{ file: PRIMORDIALS, from: "  setPrototypeOf(items, null);", to: "" }];
const uncaptured = (defence: string, from: string, to: string, file = PRIMORDIALS): Without => ({ defence, patches: [{ file, from, to }] });
const completes = ({ output }: Found): boolean => output.status === "completed";

export const builtins: Attempt[] = [
  {
    name: "a list of the harness, by a getter behind its end",
    body: `let list; Object.defineProperty(Array.prototype, 8999, { configurable: true, get() { list = this } });
      setTimeout(() => {}, 5); clearTimeout(9000); loot = text(list?.[0]?.deliver);`,
    obtained: holdsHarness,
    without: { defence: "lists have no prototype", patches: LISTS },
  },
  {
    name: "a call on its way, by a setter for elements of arrays",
    body: `loot = []; for (let i = 0; i < 4; i++) Object.defineProperty(Array.prototype, i, { configurable: true, set(value) { const it = text(value?.deliver); Object.defineProperty(this, i, { value, writable: true, configurable: true, enumerable: true }); if (it.length > 9) log(it) } });
      const first = lab.echo(1), second = lab.echo(2); await first; await second; loot = 0;`,
    obtained: holdsHarness,
    without: { defence: "lists have no prototype", patches: LISTS },
  },
  {
    name: "calls on their way, by taking the place of Array.prototype.sort",
    body: `loot = []; Array.prototype.sort = function (compare) { loot.push(text(compare), text(this[0]?.deliver)); return this }; await Promise.all([lab.echo(1), lab.echo(2)]);`,
    obtained: holdsHarness,
    without: uncaptured("sort is captured", "  arraySort(items, compare);", "  (Array.prototype.sort as unknown as { call(...given: unknown[]): void }).call(items, compare);"),
  },
  {
    name: "the console's own Map, by taking the place of Map.prototype.set",
    body: `const { set } = Map.prototype; let counts; Map.prototype.set = function (key, value) { if (key === "x") counts = this; return apply(set, this, [key, value]) };
      console.count("x"); if (counts) apply(set, counts, ["x", 41]); console.count("x");`,
    obtained: tells("x: 42"),
    without: uncaptured("Map.prototype.set is captured", `captured<[unknown, unknown], unknown>(Map, "set")`, "((map: unknown, key: unknown, value: unknown) => (map as Map<unknown, unknown>).set(key, value))", VALUE),
  },
  {
    name: "a code of its choice for its own error, by taking the place of WeakMap.prototype.set",
    body: `const { set } = WeakMap.prototype; let codes; WeakMap.prototype.set = function (key, value) { if (typeof value === "string") codes = this; return apply(set, this, [key, value]) };
      await codemode.search(1).catch(() => {}); kept = new Error("mine"); if (codes) apply(set, codes, [kept, "timeout"]);`,
    end: `throw kept;`,
    obtained: ({ output }) => output.status === "error" && output.code === "timeout",
    without: uncaptured("WeakMap.prototype.set is captured", `captured(WeakMap, "set") as`, "((map: never, key: never, value: never) => (map as WeakMap<object, unknown>).set(key, value)) as"),
  },
  {
    name: "silence about a rejection that nobody handled, by taking the place of Map.prototype.forEach",
    body: `Map.prototype.forEach = () => {}; Promise.reject(new Error("lost")); await lab.echo(1);`,
    obtained: ({ output }) => output.status === "completed" || (output.status === "error" && output.code === "timeout"),
    without: uncaptured("Map.prototype.forEach is captured", `captured<[(value: unknown, key: unknown) => void], void>(Map, "forEach")`, "((map: unknown, visit: (value: unknown, key: unknown) => void) => (map as Map<unknown, unknown>).forEach(visit))", VALUE),
  },
  {
    name: "success in spite of a rejection that nobody handled, by a Map that says it is empty",
    body: `Object.defineProperty(Map.prototype, "size", { get: () => 0 }); Promise.reject(new Error("lost")); await lab.echo(1);`,
    obtained: completes,
    without: uncaptured("Map.prototype.size is captured", `captured<[], number>(Map, "size")`, "((map: unknown) => (map as Map<unknown, unknown>).size)", VALUE),
  },
  {
    name: "raw replies, by taking the place of String.prototype.slice",
    body: `const { slice } = String.prototype; loot = []; String.prototype.slice = function (...given) { const it = \`\${this}\`; if (it[0] === "v") loot.push(it); return apply(slice, this, given) };
      await lab.echo("w1tness");`,
    obtained: tells(`v"w1tness"`),
    without: uncaptured("String.prototype.slice is captured", `captured<[number, number?], string>(String, "slice")`, "((it: unknown, from?: number, to?: number) => (it as string).slice(from, to))", VALUE),
  },
  {
    name: "more console output than the limit, by taking the place of String.prototype.charCodeAt",
    body: `log("reached the last line"); String.prototype.charCodeAt = () => 65; console.log("漢".repeat(60_000));`,
    obtained: ({ output }) => Buffer.byteLength(output.logs?.join("\n") ?? "") > 70_000,
  },
  {
    name: "the head of the end frame, by taking the place of JSON.stringify",
    body: `JSON.stringify = () => '"forged\\\\nreached the last line\\\\n"';`,
    obtained: ({ output }) => output.logs?.[0] === "forged",
    without: uncaptured("JSON.stringify is captured", `"console":\${stringify(console)}`, `"console":\${JSON.stringify(console)}`, "js-shim/harness/messages.ts"),
  },
  {
    name: "the codec's own texts, by taking the place of JSON.parse",
    body: `const { parse } = JSON; loot = []; JSON.parse = (it) => { loot.push(it); return parse(it) }; await lab.echo(NaN);`,
    obtained: tells(`["NaN"]`),
    without: uncaptured("JSON.parse is captured", "export const jsonParse = JSON.parse;", "export const jsonParse = (it: string): unknown => JSON.parse(it);", VALUE),
  },
  {
    name: "other arguments than it passes, by taking the place of Array.isArray",
    body: `Array.isArray = () => false; await lab.send([1, 2]).catch(() => {});`,
    obtained: ({ ran }) => !ran.includes("send [1,2]"),
    without: uncaptured("Array.isArray is captured", "(value: unknown) => value is unknown[] = Array.isArray;", "(value: unknown) => value is unknown[] = ((value: unknown) => Array.isArray(value)) as never;", VALUE),
  },
  {
    name: "other arguments than it passes, by taking the place of Object.values",
    body: `Object.values = () => ["swapped"]; await lab.send(["passed"]);`,
    obtained: ({ ran }) => ran.includes(`send ["swapped"]`),
    without: uncaptured("Object.values is captured", "= Object.values;", "= (it) => Object.values(it);", VALUE),
  },
  {
    name: "other arguments than it passes, by taking the place of Date.prototype.getTime",
    body: `Date.prototype.getTime = Date.prototype.valueOf = () => 0; await lab.send(new Date(5));`,
    obtained: ({ ran }) => !ran.some((it) => it.includes("00.005Z")),
    without: uncaptured("Date.prototype.getTime is captured", `captured<[], number>(Date, "getTime")`, "((it: unknown) => (it as Date).getTime())", VALUE),
  },
  {
    name: "other arguments than it passes, by a toJSON that every object has",
    body: `Object.prototype.toJSON = () => 1000; const sent = lab.send({ amount: 1 }); delete Object.prototype.toJSON; await sent;`,
    obtained: ({ ran }) => ran.includes("send 1000"),
    without: {
      defence: "no toJSON is asked",
      patches: [{ file: "js-shim/value/snapshot.ts", from: `  return (\n    hasOwn(objectPrototype, "toJSON") ||`, to: `  return false && (\n    hasOwn(objectPrototype, "toJSON") ||` }],
    },
  },
  {
    name: "a text of its own in the arguments, by JSON.rawJSON",
    body: `await lab.send(JSON.rawJSON("123"));`,
    obtained: ({ ran }) => ran.includes("send 123"),
    without: uncaptured("what is written is a copy", "jsonStringify(snapshot.top)", "jsonStringify(value)", "js-shim/value/encode.ts"),
  },
  {
    name: "what the codec unpacks, by a setter on every object",
    body: `Object.defineProperty(Object.prototype, "data", { configurable: true, set(value) { loot = "the setter was given " + value } }); await lab.fail({ data: "w1tness" }).catch(() => {});`,
    obtained: tells("the setter was given w1tness"),
    without: uncaptured("properties are defined, not assigned", "  defineProperty(object, key, descriptor);", "  (object as Record<PropertyKey, unknown>)[key] = value;", "js-shim/value/own.ts"),
  },
  {
    name: "a call that fails with an error of the harness, by a get that every property descriptor inherits",
    body: `const { fail } = lab; Object.prototype.get = () => 1; await fail({}).catch((error) => { loot = text(error) }); delete Object.prototype.get;`,
    obtained: ({ output, told }) => (output.status === "error" && output.code === "internal") || told.some((it) => it.includes("property descriptor")),
    without: uncaptured("descriptors have no prototype", "{ __proto__: null, value, writable: true, configurable: true, enumerable: false }", "{ value, writable: true, configurable: true, enumerable: false }"),
  },
  {
    name: "the bridge itself, by methods that every object has",
    body: `for (const name of ["call", "settle", "note", "page", "over"]) Object.prototype[name] = function () { refused(() => log(text(this))); return Promise.resolve('v"forged"') };
      loot = await lab.echo("real");`,
    obtained: ({ ran }) => !ran.includes(`echo "real"`),
    without: uncaptured("the bridge's methods are taken before the program comes", "this.#call = bridge.call;", "this.#call = (...given) => bridge.call(...given);", "js-shim/harness/pass.ts"),
  },
  {
    name: "texts of the harness, from the statics of RegExp",
    body: `console.log({ zz9: [1] }); await lab.echo({ a: 1 }); loot = [RegExp.input, RegExp.$_, RegExp.lastMatch, RegExp.$1, RegExp.leftContext];`,
    obtained: ({ told }) => told.includes("zz9"),
    without: uncaptured("the harness uses no RegExp", "export function isIdentifier(key: string): boolean {", "export function isIdentifier(key: string): boolean {\n  if (/^[a-z]+[0-9]$/.test(key)) return true;", INSPECT),
  },
  {
    name: "a RegExp of the harness, by taking the place of RegExp.prototype.exec",
    body: `const { exec } = RegExp.prototype; loot = []; RegExp.prototype.exec = function (it) { loot.push(this.source); return apply(exec, this, [it]) }; console.log({ zz9: [1] });`,
    obtained: tells("^[a-z]+[0-9]$"),
    without: uncaptured("the harness uses no RegExp", "export function isIdentifier(key: string): boolean {", "export function isIdentifier(key: string): boolean {\n  if (/^[a-z]+[0-9]$/.test(key)) return true;", INSPECT),
  },
  {
    name: "a clock that runs ahead, by taking the place of Math.max",
    body: `const { max } = Math; Math.max = (...given) => max(...given) + (given.length === 3 ? 1e9 : 0); const before = Date.now(); await lab.echo(1);
      loot = Date.now() - before >= 1e9 ? "ten days later" : "now";`,
    obtained: tells("ten days later"),
    without: uncaptured(
      "Math is captured",
      "export const { floor, max, min } = Math;",
      "export const { floor, min } = Math;\nexport const max = (...given: number[]): number => Math.max(...given);",
    ),
  },
  {
    name: "an error that looks like none, by taking the place of Error.isError",
    body: `Error.isError = () => false;`,
    end: `throw new TypeError("mine");`,
    obtained: ({ output }) => output.status === "error" && !/^TypeError: mine\n {4}at /.test(output.error),
    without: uncaptured("Error.isError is captured", `export const isErrorBrand = (Error as { isError?: (value: unknown) => boolean }).isError;`, `export const isErrorBrand = (it: unknown): boolean => (Error as never as { isError(it: unknown): boolean }).isError(it);`, VALUE),
  },
  {
    name: "the seed of its own chance, by taking the place of Uint32Array when a step begins",
    body: `loot = []; const Real = Uint32Array; globalThis.Uint32Array = function (length) { const words = new Real(length); loot.push(words); return words };
      await codemode.step("s", () => Math.random()); loot = loot.map((words) => Array.from(words, (it) => it.toString(16).padStart(8, "0").match(/../g).reverse().join("")).join("") + Array.from(words, (it) => it.toString(16).padStart(8, "0")).join(""));`,
    obtained: ({ told, seed }) => told.some((piece) => piece.includes(seed)),
    without: uncaptured("Uint32Array is captured", "readonly #key = new NativeUint32Array(8);", "readonly #key = new globalThis.Uint32Array(8);", "js-shim/harness/chance.ts"),
  },
  {
    name: "a connector of its own making under the real one's name",
    body: `refused(() => { globalThis.lab = { send: async () => "fake" } }); refused(() => Object.defineProperty(globalThis, "lab", { value: { send: async () => "fake" } })); await lab.send("real");`,
    obtained: ({ ran }) => !ran.includes(`send "real"`),
    without: uncaptured(
      "globals of the harness cannot be replaced",
      "Object.defineProperty(globalThis, name, { value, writable: false, configurable: false,",
      "Object.defineProperty(globalThis, name, { value, writable: true, configurable: true,",
      "js-shim/harness/realm.ts",
    ),
  },
];
