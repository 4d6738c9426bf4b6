/**
 * The harness: what runs inside the sandbox isolate and makes one pass of a program exactly repeatable.
 *
 * The module exports the entry class and nothing else, for the program could import it. The order of work is the safety:
 * built-ins are captured when this module loads, the realm is closed, the globals are put in place, and only then the
 * program's module is loaded. `docs/design/wire.md` has the messages, ARCHITECTURE.md the rules.
 */

import { WorkerEntrypoint } from "cloudflare:workers";

import { Bindings } from "./bindings.ts";
import { createBudget } from "./budget.ts";
import { createClock, createDate, createPerformance, installDateTimeFormat } from "./clock.ts";
import { createCodemode } from "./codemode.ts";
import { createConsole } from "./console.ts";
import { crossing } from "./crossing.ts";
import { codeOf, failureText, rejected } from "./failures.ts";
import { Issuer } from "./issue.ts";
import type { Bridge, Manifest } from "./messages.ts";
import { endFrame } from "./messages.ts";
import { createNamespace } from "./namespaces.ts";
import { openNetwork } from "./network.ts";
import { Outbox } from "./outbox.ts";
import { Pass } from "./pass.ts";
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
import { pump, type Rooms } from "./pump.ts";
import { createRandom } from "./random.ts";
import { closeRealm, fixGlobal, fixPromise } from "./realm.ts";
import { Replay } from "./replay.ts";
import { Snippets, type Entry } from "./snippets.ts";
import { fixStacks } from "./stacks.ts";
import { currentStep, outsideSteps } from "./steps.ts";
import { createSubtle } from "./subtle.ts";
import { Timers } from "./timers.ts";
import { watchRejections } from "./unhandled.ts";

const PROTOCOL = 1;
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
        start(new Pass(bridge, manifest, finish), (name) => import(name));
      } catch (error) {
        refuse(`the sandbox harness could not start: ${textOr(() => (error as Error).message, "no text")}`);
      }
    });
  }
}

/** Its name is an argument, so that no bundler takes a module of the program for a part of the harness. */
type Load = (module: string) => Promise<{ default: Entry }>;

function start(pass: Pass, load: Load): void {
  const replay = new Replay(pass);
  const outbox = new Outbox(pass, (operation) => replay.hasPlace(operation));
  const timers = new Timers(pass);
  const rooms: Rooms = { pass, replay, outbox, timers };
  const guarded = (): void => pass.guard(turn);
  const turn = (): void => pump(rooms);
  pass.pump = () => outsideSteps(guarded);
  pass.listen();
  watchRejections(pass);
  closeRealm();
  const more = createBudget(pass);
  const snippets = new Snippets(pass.manifest, more);
  placeGlobals(pass, timers, new Issuer(pass, replay, outbox), snippets);
  fixStacks(pass.manifest);
  fixPromise();
  loadModules(pass, load, snippets, (entry) => runProgram(pass, timers, () => entry(undefined, more)));
}

/** The application's modules, then snippets, so that what a program finds does not depend on when it looks. */
function loadModules(pass: Pass, load: Load, snippets: Snippets, loaded: (entry: Entry) => void): void {
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
          snippets.add(snippet.name, module.default);
          next(number + 1);
        }),
      (error) => pass.end("error", { code: "syntax", text: failureText(error, manifest.namespaces) }),
    );
  };
  library(0);
}

function placeGlobals(pass: Pass, timers: Timers, issuer: Issuer, snippets: Snippets): void {
  const { seed, namespaces, startedAt } = pass.manifest;
  const now = createClock(pass);
  const chance = createRandom(seed);
  Object.defineProperty(Math, "random", { value: chance.random, writable: true, configurable: true, enumerable: false });
  installDateTimeFormat(now);
  fixGlobal("Date", createDate(now));
  fixGlobal("performance", createPerformance(now, startedAt));
  fixGlobal("crypto", {
    getRandomValues: chance.getRandomValues,
    randomUUID: chance.randomUUID,
    subtle: createSubtle(pass),
  });
  fixGlobal("console", createConsole(pass));
  fixGlobal("setTimeout", (run?: unknown, ms?: unknown, ...args: unknown[]) => timers.add(run, ms, args, false));
  fixGlobal("setInterval", (run?: unknown, ms?: unknown, ...args: unknown[]) => timers.add(run, ms, args, true));
  fixGlobal("clearTimeout", (id?: unknown) => timers.clear(id));
  fixGlobal("clearInterval", (id?: unknown) => timers.clear(id));
  fixGlobal("queueMicrotask", (run?: unknown) => queueMicrotaskFor(pass, run));
  const available = namespaces.length === 0 ? "there is none in this run" : `available: ${namespaces.join(", ")}`;
  const closed = (what: string) => (): Promise<never> =>
    rejected(new NativeError(`${what}; call a connector instead (${available})`));
  fixGlobal("connect", closed("connect: there is no network here"));
  if (pass.manifest.egress) openNetwork(pass);
  else fixGlobal("fetch", closed("fetch: there is no network here, nor in any step while the application gives none (globalOutbound)"));
  for (const name of namespaces) fixGlobal(name, createNamespace(name, issuer));
  fixGlobal("codemode", createCodemode(issuer, snippets, new Bindings(pass)));
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

function runProgram(pass: Pass, timers: Timers, entry: () => unknown): void {
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
