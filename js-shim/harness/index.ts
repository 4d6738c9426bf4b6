/**
 * The harness: what runs inside the sandbox isolate and makes one pass of a program exactly repeatable.
 *
 * The module exports the entry class and nothing else, for the program could import it. The order of work is the safety:
 * built-ins are captured when this module loads, the realm is closed, the globals are put in place, and only then the
 * program's module is loaded. `docs/design/wire.md` has the messages, ARCHITECTURE.md the rules.
 */

import { WorkerEntrypoint } from "cloudflare:workers";

import { createBudget } from "./budget.ts";
import { createClock, createDate, createPerformance, installDateTimeFormat } from "./clock.ts";
import { currentStep, steps } from "./context.ts";
import { crossing } from "./crossing.ts";
import { codeOf, failureText, rejected } from "./failures.ts";
import { Issuer } from "./issue.ts";
import type { Bridge, Manifest } from "./messages.ts";
import { endFrame } from "./messages.ts";
import { createNamespace } from "./namespaces.ts";
import { Outbox } from "./outbox.ts";
import { openParts, type Parts } from "./parts.ts";
import { Pass } from "./pass.ts";
import { NoPast } from "./past.ts";
import {
  mapSet,
  NativeError,
  NativePromise,
  NativeTypeError,
  realQueueMicrotask,
  textOr,
  whenReturned,
  whenSettled,
} from "./primordials.ts";
import { NO_TIMERS, pump, type Rooms } from "./pump.ts";
import { createStream } from "./random.ts";
import { closeRealm, fixGlobal, fixPromise } from "./realm.ts";
import type { Entry } from "./snippets.ts";
import { fixStacks } from "./stacks.ts";
import type { Timers } from "./timers.ts";
import { watchRejections } from "./unhandled.ts";

const PROTOCOL = 1;
const TIMERS = ["setTimeout", "setInterval", "clearTimeout", "clearInterval"];
let entered = false;

export default class Harness extends WorkerEntrypoint {
  /** Runs the one pass of this isolate. Owns neither stub beyond the pass; always resolves, with an end frame. */
  run(bridge: Bridge, manifestText: string): Promise<string> {
    return new NativePromise((finish) => {
      const refuse = (text: string): void => {
        finish(endFrame("error", 0, "", "", { code: "internal", text }, ""));
      };
      if (entered) return refuse("this sandbox has had its pass");
      entered = true;
      try {
        const manifest = JSON.parse(manifestText) as Manifest;
        if (manifest.protocol !== PROTOCOL) {
          return refuse(`this sandbox speaks protocol ${PROTOCOL}, the runtime ${manifest.protocol}`);
        }
        start(new Pass(bridge, manifest, finish), openParts(manifest), (name) => import(name));
      } catch (error) {
        refuse(`the sandbox harness could not start: ${textOr(() => (error as Error).message, "no text")}`);
      }
    });
  }
}

/** Its name is an argument, so that no bundler takes a module of the program for a part of the harness. */
type Load = (module: string) => Promise<{ default: Entry }>;
type AddSnippet = (name: string, entry: Entry) => void;

function start(pass: Pass, parts: Parts, load: Load): void {
  const { manifest } = pass;
  const past = parts.replay === undefined ? new NoPast(pass) : new parts.replay(pass);
  const outbox = new Outbox(pass, (operation) => past.hasPlace(operation));
  const timers = parts.timers === undefined ? undefined : new parts.timers(pass);
  const rooms: Rooms = { pass, past, outbox, timers: timers ?? NO_TIMERS };
  const guarded = (): void => pass.guard(turn);
  const turn = (): void => pump(rooms);
  pass.pump = () => steps.without(guarded);
  pass.listen();
  watchRejections(pass);
  closeRealm();
  const more = createBudget(pass);
  const issuer = new Issuer(pass, past, outbox);
  placeGlobals(pass, parts, issuer);
  placeTimers(timers);
  const codemode = parts.codemode?.(pass, issuer, more, parts.bindings);
  fixGlobal("codemode", codemode?.global);
  fixStacks(manifest);
  fixPromise();
  const addSnippet: AddSnippet = codemode === undefined ? () => {} : codemode.addSnippet;
  loadModules(pass, load, addSnippet, (entry) => runProgram(rooms, () => entry(undefined, more)));
}

/** The application's modules, then snippets, so that what a program finds does not depend on when it looks. */
function loadModules(pass: Pass, load: Load, addSnippet: AddSnippet, loaded: (entry: Entry) => void): void {
  const { manifest } = pass;
  const library = (number: number): void => {
    const name = manifest.modules[number];
    if (name === undefined) return next(0);
    whenSettled(
      load(`./modules/${name}.js`),
      (module) =>
        pass.guard(() => {
          fixGlobal(name, module);
          library(number + 1);
        }),
      (error) => {
        const text = `module ${name} of the application could not be loaded, and no line of the program ran: ${failureText(error, manifest.namespaces)}`;
        pass.end("error", { code: "invalid_input", text });
      },
    );
  };
  // Their modules only export a function.
  const next = (number: number): void => {
    const snippet = manifest.snippets[number];
    whenSettled(
      load(snippet === undefined ? "./program.js" : `./snippet-${number}.js`),
      (module) =>
        pass.guard(() => {
          if (snippet === undefined) return loaded(module.default);
          addSnippet(snippet.name, module.default);
          next(number + 1);
        }),
      (error) => pass.end("error", { code: "syntax", text: failureText(error, manifest.namespaces) }),
    );
  };
  library(0);
}

/** What the program's text cannot ask for is `undefined`: the platform's own must not stay in its place. */
function placeGlobals(pass: Pass, parts: Parts, issuer: Issuer): void {
  const { seed, namespaces, startedAt } = pass.manifest;
  const now = createClock(pass);
  const chance = createStream(seed);
  const random = (): number => chance().random();
  Object.defineProperty(Math, "random", { value: random, writable: true, configurable: true, enumerable: false });
  installDateTimeFormat(now);
  fixGlobal("Date", createDate(now));
  fixGlobal("performance", createPerformance(now, startedAt));
  fixGlobal("crypto", parts.crypto?.(pass, chance));
  fixGlobal("console", parts.console?.(pass));
  fixGlobal("queueMicrotask", (run?: unknown) => queueMicrotaskFor(pass, run));
  const available = namespaces.length === 0 ? "there is none in this run" : `available: ${namespaces.join(", ")}`;
  const closed = (what: string) => (): Promise<never> =>
    rejected(new NativeError(`${what}; call a connector instead (${available})`));
  fixGlobal("connect", closed("connect: there is no network here"));
  if (pass.manifest.egress) parts.network?.(pass);
  else fixGlobal("fetch", closed("fetch: there is no network here, nor in any step while the application gives none (globalOutbound)"));
  for (const name of namespaces) fixGlobal(name, createNamespace(name, issuer));
}

function placeTimers(timers: Timers | undefined): void {
  if (timers === undefined) {
    for (const name of TIMERS) fixGlobal(name, undefined);
    return;
  }
  fixGlobal("setTimeout", (run?: unknown, ms?: unknown, ...args: unknown[]) => timers.add(run, ms, args, false));
  fixGlobal("setInterval", (run?: unknown, ms?: unknown, ...args: unknown[]) => timers.add(run, ms, args, true));
  fixGlobal("clearTimeout", (id?: unknown) => timers.clear(id));
  fixGlobal("clearInterval", (id?: unknown) => timers.clear(id));
}

/** What the callback throws has no one to catch it: it counts as an unhandled rejection. */
function queueMicrotaskFor(pass: Pass, run: unknown): void {
  if (typeof run !== "function") throw new NativeTypeError(`queueMicrotask takes a function, not a ${typeof run}`);
  realQueueMicrotask(() => {
    try {
      (run as () => void)();
    } catch (error) {
      mapSet(currentStep()?.unhandled ?? pass.unhandled, {}, error);
    }
  });
}

function runProgram({ pass, timers }: Rooms, entry: () => unknown): void {
  const settled = (main: Pass["main"]): void => {
    pass.main = main;
    timers.void();
    pass.kick();
  };
  whenReturned(
    entry,
    (value) =>
      pass.guard(() => {
        const text = crossing(value, "result");
        if (text.refused === undefined) settled({ state: "returned", result: text.value });
        else settled({ state: "threw", code: text.refused.code, text: text.refused.message });
      }),
    (reason) =>
      pass.guard(() => settled({ state: "threw", code: codeOf(reason), text: failureText(reason, pass.manifest.namespaces) })),
  );
  pass.kick();
}
