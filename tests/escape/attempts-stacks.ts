/** Attempts to see the harness from below: its frames, its call sites, what calls back into the program. */

import { type Attempt, holdsHarness, tells } from "./attempt.ts";

const STACKS = "js-shim/harness/stacks.ts";
const framesFiltered = {
  defence: "stacks show the program's frames only",
  patches: [{ file: STACKS, from: `mapGet(sources, frame.getFileName() ?? "");`, to: `(mapGet(sources, frame.getFileName() ?? "") ?? { name: "", positions: [] });` }],
};
const showsHarnessFrame = tells("at add (");
/** Asks for its stack from inside a method of the harness, which asks a delay for its number. */
const insideAdd = (body: string): string => `setTimeout(() => {}, { valueOf() { ${body}; return 1 } });`;

export const stacks: Attempt[] = [
  {
    name: "call sites, by taking the place of Error.prepareStackTrace",
    body: `refused(() => { Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName()).join() }); ${insideAdd("loot = text(new Error().stack)")}`,
    obtained: tells("harness.js"),
    without: {
      defence: "Error.prepareStackTrace cannot be replaced",
      patches: [{ file: STACKS, from: "{ value, writable: false, configurable: false", to: "{ value, writable: true, configurable: true" }],
    },
  },
  {
    name: "call sites, by defining Error.prepareStackTrace anew",
    body: `refused(() => Object.defineProperty(Error, "prepareStackTrace", { value: (_, sites) => sites.map((site) => text(site.getFunction?.() ?? site.getFileName())).join("|") })); ${insideAdd("loot = text(new Error().stack)")}`,
    obtained: tells("harness.js"),
    without: {
      defence: "Error.prepareStackTrace is fixed",
      patches: [{ file: STACKS, from: "{ value, writable: false, configurable: false", to: "{ value, writable: false, configurable: true" }],
    },
  },
  {
    name: "call sites, by a prepareStackTrace of a subclass or of the error itself",
    body: `class Own extends Error { static prepareStackTrace(_, sites) { return "sites" + sites.map((site) => site.getFileName()) } }
      Function.prototype.prepareStackTrace = Object.prototype.prepareStackTrace = Own.prepareStackTrace;
      ${insideAdd("loot = text(new Own().stack) + text(Object.assign(new Error(), { prepareStackTrace: Own.prepareStackTrace }).stack)")}`,
    obtained: tells("sites"),
  },
  {
    name: "the harness's frames in a stack text",
    body: insideAdd("loot = text(new Error().stack)"),
    obtained: showsHarnessFrame,
    without: framesFiltered,
  },
  {
    name: "the harness's frames by Error.captureStackTrace",
    body: insideAdd("const holder = {}; Error.captureStackTrace(holder); loot = text(holder.stack)"),
    obtained: showsHarnessFrame,
    without: framesFiltered,
  },
  {
    name: "the harness's frames from a trap, while arguments are read",
    body: `await lab.echo(new Proxy({}, { ownKeys() { loot = text(new Error().stack); return [] } }));`,
    obtained: ({ told }) => told.some((piece) => /at (?!ownKeys|default|<anonymous>)\S+ \(/.test(piece)),
    without: framesFiltered,
  },
  {
    name: "the harness's frames in an error of the harness",
    body: `loot = [() => setTimeout(), () => queueMicrotask(5), () => crypto.getRandomValues(5)].map((run) => text(refused(run).stack));`,
    obtained: tells("at add ("),
    without: framesFiltered,
  },
  {
    name: "the harness's file in the stack of a DOMException",
    body: `loot = [refused(() => crypto.getRandomValues({})), refused(() => structuredClone(() => {})), new DOMException("x"), refused(() => atob("é"))].map((error) => text(error.stack));`,
    obtained: tells("harness.js"),
  },
  {
    name: "the harness's frames where the stack overflows inside it",
    body: `loot = []; const acts = [() => lab.echo(1), () => codemode.search("x"), () => setTimeout(() => {}, 1), () => crypto.subtle.digest("SHA-256", new Uint8Array(1)), () => console.log({ a: [1] })];
      for (const act of acts) { let tries = 0; const down = () => { try { down() } catch (error) { if (tries++ < 40) { try { act()?.catch?.(() => {}) } catch (inner) { loot.push(text(inner.stack)) } } throw error } }; refused(down) }`,
    obtained: ({ told }) => told.some((piece) => /harness\.js|at (add|search|echo|digest|log) \(/.test(piece)),
  },
  {
    name: "an error without its place, by a stack limit of nothing",
    body: `refused(() => { Error.stackTraceLimit = 0 });`,
    end: `throw new Error("where?");`,
    obtained: ({ told }) => told.some((piece) => piece.includes("where?") && !/\d+:\d+/.test(piece)),
    without: { defence: "Error.stackTraceLimit is fixed", patches: [{ file: STACKS, from: `fix("stackTraceLimit", FRAMES);`, to: "" }] },
  },
  {
    name: "a function of the harness, by taking the place of Error.captureStackTrace",
    body: `Error.captureStackTrace = (_, above) => { loot = text(above) }; await lab.echo(1);`,
    obtained: holdsHarness,
    without: {
      defence: "Error.captureStackTrace is captured",
      patches: [{ file: STACKS, from: "  capture(site, above);", to: "  Error.captureStackTrace(site, above);" }],
    },
  },
  {
    name: "whoever called, by caller and arguments of functions",
    body: `loot = [];
      function named() { loot.push(text(refused(() => named.caller)), text(refused(() => named.arguments)), text(refused(() => arguments.callee))); return 1 }
      setTimeout(named, { valueOf: named }); await lab.echo({ get a() { return named() } });
      loot.push(text(refused(() => lab.echo.caller)), text(refused(() => Object.getOwnPropertyDescriptor(Function.prototype, "caller").get.call(lab.echo))));`,
    obtained: holdsHarness,
  },
  {
    name: "the object behind a timer, as the callback's this",
    body: `await new Promise((resolve) => setTimeout(function () { loot = text(this?.arm); resolve() }, 1));`,
    obtained: holdsHarness,
    without: {
      defence: "callbacks are called with no this",
      patches: [
        {
          file: "js-shim/harness/timers.ts",
          from: "try {\n        apply(callback as Callback, undefined, args);",
          to: "try {\n        apply(callback as Callback, this, args);",
        },
      ],
    },
  },
  {
    name: "the harness's functions, as what a thenable is given",
    body: `await codemode.step("s", () => ({ then(resolve) { loot = text(resolve); resolve(1) } }));`,
    obtained: holdsHarness,
    without: {
      defence: "a thenable meets functions of the engine only",
      patches: [
        {
          file: "js-shim/harness/primordials.ts",
          from: "whenSettled(new NativePromise((resolve) => resolve(result)), fulfilled, rejected);",
          to: "(result as Promise<unknown>).then(fulfilled, rejected);",
        },
      ],
    },
  },
];
