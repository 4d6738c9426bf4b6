/** What generated programs are made of: promises, statements around them, and calls that wait for a person. */

import type { Dice } from "./dice.ts";

/** What a shape is written with. Every call of `id` or `args` gives something new. */
export interface Writer {
  readonly dice: Dice;
  id(): number;
  args(): string;
  /** A call of a connector. */
  call(): string;
  /** A promise. */
  expression(depth: number): string;
  /** One to four promises, separated by commas. */
  expressions(depth: number): string;
  statement(depth: number): string;
  block(depth: number): string;
}

export interface Shape {
  readonly name: string;
  readonly weight: number;
  write(writer: Writer, depth: number): string;
}

/** What `connector.ts` offers, less what waits for a person. */
export const METHODS: readonly { readonly name: string; readonly weight: number }[] = [
  { name: "get", weight: 6 },
  { name: "list", weight: 3 },
  { name: "flaky", weight: 5 },
  { name: "nothing", weight: 2 },
  { name: "rich", weight: 1 },
  { name: "put", weight: 1 },
  { name: "absent", weight: 0.3 },
];

const shape = (name: string, weight: number, write: Shape["write"]): Shape => ({ name, weight, write });
const literal = (w: Writer): string => w.dice.of(["1", '"s"', "{ a: 1 }", "[1, 2]", "null"]);
const number = (w: Writer, low: number, high: number): number => w.dice.between(low, high);
const caughtCall = (w: Writer): string => `${w.call()}.catch((e) => T(${w.id()}, e.message));`;

/** Each is a promise. Some of them reject. */
export const EXPRESSIONS: readonly Shape[] = [
  shape("call", 3, (w) => w.call()),
  shape("all", 1, (w, d) => `Promise.all([${w.expressions(d - 1)}, ${literal(w)}])`),
  shape("race", 1, (w, d) => `Promise.race([${w.expressions(d - 1)}])`),
  shape("any", 1, (w, d) => `Promise.any([${w.expressions(d - 1)}])`),
  shape("allSettled", 1, (w, d) => `Promise.allSettled([${w.expressions(d - 1)}])`),
  shape("iife", 2, (w, d) => `(async () => {\n${w.block(d - 1)}\nreturn ${w.dice.of([() => "ctr", () => literal(w), () => `await ${w.expression(d - 1)}`])()};\n})()`),
  shape("then", 1, (w, d) => `${w.call()}.then(async (v) => { T(${w.id()}, v); ${w.block(d - 2)} return v; })`),
  shape("catch and finally", 1, (w) => `t.flaky(${w.args()}).catch((e) => (T(${w.id()}, e.stack), ${literal(w)})).finally(() => { T(${w.id()}); })`),
  shape("thenable", 1, (w, d) => `Promise.resolve({ then(resolve, reject) { T(${w.id()}); ${w.expression(d - 1)}.then(resolve, reject); } })`),
  shape("sleep", 1, (w) => `sleep(${number(w, 0, 11)})`),
  shape("call after a timer", 1, (w) => `new Promise((resolve, reject) => setTimeout(() => { T(${w.id()}); ${w.call()}.then(resolve, reject); }, ${number(w, 0, 9)}))`),
  shape(
    "interval",
    1,
    (w) =>
      `new Promise((resolve) => { let k = 0; const h = setInterval(() => { T(${w.id()}, k); if (++k >= ${number(w, 1, 3)}) { clearInterval(h); resolve(k); } }, ${number(w, 1, 5)}); })`,
  ),
  shape("timeout", 1, (w) => `Promise.race([${w.call()}, sleep(${number(w, 0, 7)}).then(() => "timeout")])`),
  shape("race with microtasks", 1, (w) => `Promise.race([${w.call()}, hop(${number(w, 0, 12)})])`),
  shape("withResolvers", 1, (w, d) => `(() => { const { promise, resolve, reject } = Promise.withResolvers(); ${w.expression(d - 1)}.then(resolve, reject); return promise; })()`),
  shape("fromAsync", 1, (w) => `Array.fromAsync(pages(${number(w, 1, 3)}, ${w.id()}))`),
  shape("pool", 1, (w) => `pool([${Array.from({ length: number(w, 2, 5) }, () => w.id()).join()}], ${number(w, 1, 3)})`),
  shape("retry", 1, (w) => `retry(() => t.flaky({ i: ${w.id()}, c: ctr++, r: Math.random() }), ${number(w, 2, 3)})`),
  shape("digest", 1, (w) => `crypto.subtle.digest("SHA-256", new Uint8Array([${number(w, 0, 200)}])).then((b) => T(${w.id()}, new Uint8Array(b)[0]))`),
  shape("step", 1, (w) => step(w)),
  shape("failing step", 0.5, (w) => `codemode.step("s${w.id()}", () => { throw new TypeError("step " + Math.random()); }).catch((e) => T(${w.id()}, e.stack))`),
  // More than a page of the record: a replay meets calls whose rows it has not got yet.
  shape("pages", 0.4, (w) => `Promise.all([600, 600, 10].map((k) => t.blob({ i: ${w.id()}, size: k * 1000, c: ctr++ }).then((v) => T(${w.id()}, v.slice(0, 12)))))`),
  shape("never settles", 0.3, (w, d) => `Promise.race([new Promise(() => {}), ${w.expression(d - 1)}])`),
  shape("search", 0.7, (w) => `codemode.search(${w.dice.of(['"get list"', '"approval " + ctr++'])}).then((found) => T(${w.id()}, found.results.map((r) => r.path)))`),
  shape("describe", 0.3, (w) => `codemode.describe("t.${w.dice.of(["get", "gate", "absent"])}").then((d) => d.types.length, (e) => T(${w.id()}, e.message))`),
  shape("snippet", 1, (w) => `codemode.run("${w.dice.of(["pair", "nest"])}", ${w.args()})`),
  // Its text is fetched by another pass, unless the run has it already.
  shape("computed snippet", 0.5, (w) => `codemode.run(["pair", "nest", "late", "none"][ctr % 4], ${w.args()})`),
  shape("refused arguments", 0.3, (w) => `t.get({ f: () => ${w.id()} }).catch((e) => T(${w.id()}, e.message))`),
];

/** Its own time, chance, timers and platform work; a replay shows what it returned the first time. */
function step(w: Writer): string {
  const work = [
    `await sleep(${number(w, 0, 4)});`,
    `await hop(${number(w, 0, 5)});`,
    'await crypto.subtle.digest("SHA-256", new Uint8Array([1]));',
    "await t.get({}).catch(() => 0);",
    "crypto.getRandomValues(new Uint8Array(40));",
    "",
  ];
  return `codemode.step("s${w.id()}", async () => { ${w.dice.of(work)} ${w.dice.of(work)} return { r: Math.random(), d: Date.now() }; })`;
}

export const STATEMENTS: readonly Shape[] = [
  shape("await", 4, (w, d) => `{ const v = await ${w.expression(d)}; T(${w.id()}, v); }`),
  shape("await later", 1, (w, d) => {
    const name = `v${w.id()}`;
    return `const ${name} = ${w.expression(d)};\n${name}.catch(() => T(${w.id()}));\n${d > 0 ? w.statement(d - 1) : ""}\nT(${w.id()});\nawait ${name};`;
  }),
  shape("unawaited", 1, (w, d) => `${w.expression(d)}.then((v) => T(${w.id()}, v), () => T(${w.id()}));`),
  shape("unawaited, unhandled", 0.3, (w) => `${w.call()};`),
  shape("try", 1, (w, d) => `try {\n${w.block(d - 1)}\n} catch (e) { T(${w.id()}, e.stack); ${w.dice.of([() => "", () => w.block(d - 2)])()} } finally { T(${w.id()}); ${w.dice.of([() => "", () => `await hop(${w.dice.whole(12)});`, () => `await ${w.call()}.catch(() => 0);`])()} }`),
  shape("for await", 1, (w, d) => `for await (const x of pages(${number(w, 1, 4)}, ${w.id()})) { T(${w.id()}, x); ${w.dice.of([() => "", () => w.block(d - 2), () => "break;"])()} }`),
  shape("for await of promises", 0.5, (w, d) => `for await (const x of [${w.expressions(d - 1)}]) T(${w.id()}, x);`),
  shape("loop", 1, (w, d) => `for (let k = 0; k < ${number(w, 1, 3)}; k++) {\n${w.block(d - 2)}\nT(${w.id()}, k);\n}`),
  shape("if", 1, (w, d) => `if (${w.dice.of(["Math.random() < 0.5", "ctr % 2", "Date.now() % 2", "new Date().getMilliseconds() < 500"])}) {\n${w.block(d - 1)}\n} else {\n${w.block(d - 1)}\n}`),
  shape("queueMicrotask", 1, (w) => `queueMicrotask(() => { T(${w.id()}); ${w.dice.of([() => "", () => caughtCall(w)])()} });`),
  shape("setTimeout", 1, (w) => `setTimeout(() => { T(${w.id()}); ${w.dice.of([() => "", () => caughtCall(w)])()} }, ${number(w, 0, 5)});`),
  shape("cleared timer", 1, (w) => `{ const h = setTimeout(() => { T(${w.id()}); }, ${number(w, 0, 6)}); T(${w.id()}, await ${w.call()}.catch((e) => e.stack)); clearTimeout(h); }`),
  shape("interval meanwhile", 0.5, (w, d) => `{ const h = setInterval(() => { T(${w.id()}); }, ${number(w, 2, 5)}); try {\n${w.block(d - 1)}\n} finally { clearInterval(h); } }`),
  shape("throw", 0.5, (w) => `if (${w.dice.of(["Math.random() < 0.5", "ctr % 2"])}) throw Object.assign(new Error("thrown at " + ctr), { id: ${w.id()} });`),
  shape("destructure", 1, (w, d) => `{ const [p, q] = await Promise.all([${w.expression(d - 1)}, ${w.expression(d - 1)}]); T(${w.id()}, p); T(${w.id()}, q); }`),
  shape("many at once", 0.5, (w) => `T(${w.id()}, await Promise.all(Array.from({ length: ${number(w, 3, 40)} }, (_, k) => t.get({ i: ${w.id()}, k, c: ctr++ }).then((v) => T(${w.id()}, k))))); `),
  shape("gate", 1, (w) => w.dice.weighted(GATES).write(w, 1)),
];

/** What waits for a person, who may say no, yes, or yes to something else. */
export const GATES: readonly Shape[] = [
  shape("gate awaited", 1, (w) => `T(${w.id()}, await t.gate(${w.args()}));`),
  shape("gate in try", 1.5, (w) => `try { T(${w.id()}, await t.gate(${w.args()})); } catch (e) { T(${w.id()}, e.stack); } finally { T(${w.id()}); }`),
  shape("gates in all", 1, (w, d) => `await Promise.all([t.gate(${w.args()}), ${w.expression(d)}.catch(() => 0), t.maybe(${w.args()})]).then((v) => T(${w.id()}, v));`),
  shape("gates in allSettled", 1, (w) => `T(${w.id()}, await Promise.allSettled([t.gate(${w.args()}), t.maybe(${w.args()}), t.gate(${w.args()})]));`),
  shape("gate in race", 1, (w, d) => `T(${w.id()}, await Promise.race([t.gate(${w.args()}), ${w.expression(d)}]));`),
  shape("gate in any", 0.5, (w) => `T(${w.id()}, await Promise.any([t.gate(${w.args()}), t.maybe(${w.args()})]));`),
  shape("gate with a timeout", 0.5, (w) => `T(${w.id()}, await Promise.race([t.gate(${w.args()}), sleep(${number(w, 0, 6)})]));`),
  shape("gate unawaited", 0.5, (w) => `t.gate(${w.args()}).then((v) => T(${w.id()}, v), (e) => T(${w.id()}, e.message));`),
  shape("gate and interval", 0.5, (w) => `{ const h = setInterval(() => { T(${w.id()}); }, ${number(w, 2, 5)}); try { T(${w.id()}, await t.gate(${w.args()})); } finally { clearInterval(h); } }`),
  shape("maybe a gate", 1, (w) => `T(${w.id()}, await t.maybe(${w.args()}));`),
];
