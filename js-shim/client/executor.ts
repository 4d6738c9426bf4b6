/**
 * `DynamicWorkerExecutor`: how the sandbox is set up, beside its limits. Configuration only: the runtime loads the sandbox, in
 * its own Worker and with its own loader, and what is given here is told at each contact and never stored.
 */

import { encode, MAX_VALUE_LENGTH } from "../value/index.ts";
import type { Contact } from "../wire.ts";
import { CodemodeError } from "./errors.ts";
import { globalNameRefusal } from "./names.ts";

/** What answers the requests of steps: a service binding, `ctx.exports.Name()`, `allowOutbound(…)`, or any object with `fetch`. */
export interface Outbound {
  fetch(request: Request): Promise<Response>;
}

export type DynamicWorkerExecutorOptions = {
  /** Taken and not used: sandboxes are loaded by the Worker that exports `CodemodeRuntime`, with its own binding `LOADER`. */
  loader?: unknown;
  /** The same as `limits.passMs`, ms; only one of them can be given. */
  timeout?: number | undefined;
  /** Where `fetch` inside `codemode.step` goes. Left out, `undefined` or `null`: nowhere, there is no network. */
  globalOutbound?: Outbound | null | undefined;
  /** ES modules of the application: a text under a name, which is a global of every program and holds the module's exports. */
  modules?: Record<string, string> | undefined;
  /** What the function of a step is given as `{ env }`: plain values, and objects whose methods it can call. */
  bindings?: Record<string, unknown> | undefined;
};

/** What a contact is told, and what the host keeps at hand for it. */
export type Sandboxing = {
  outbound: Outbound | undefined;
  bindings: ReadonlyMap<string, object>;
  told: Pick<Contact, "reach" | "modules">;
};

export const CLOSED: Sandboxing = { outbound: undefined, bindings: new Map(), told: {} };

export class DynamicWorkerExecutor {
  readonly timeout: number | undefined;
  readonly sandboxing: Sandboxing;

  /** @throws {CodemodeError} `invalid_input` naming the option. */
  constructor(options: DynamicWorkerExecutorOptions = {}) {
    const { timeout, globalOutbound, modules = {}, bindings = {} } = options;
    this.timeout = timeout;
    const outbound = outboundOf(globalOutbound);
    const named = new Map<string, object>();
    const values: Record<string, string | null> = {};
    for (const [name, value] of Object.entries(bindings)) {
      if (!/^[A-Za-z_$][\w$]*$/.test(name)) throw wrong(`bindings has ${JSON.stringify(name)}; a name has to be an identifier, for example KV`);
      const text = plain(value);
      if (text !== undefined && text.length > MAX_VALUE_LENGTH) throw wrong(`bindings.${name} is ${text.length} units long, the limit is ${MAX_VALUE_LENGTH}`);
      values[name] = text ?? null;
      if (text === undefined) named.set(name, value as object);
    }
    const loaded = modulesOf(modules);
    this.sandboxing = {
      outbound,
      bindings: named,
      told: {
        reach: { egress: outbound !== undefined, bindings: values },
        ...(Object.keys(loaded).length > 0 && { modules: loaded }),
      },
    };
  }
}

/** @throws {CodemodeError} `invalid_input` when a module would hide a connector. */
export function sandboxingOf(executor: unknown, connectors: readonly string[]): { sandboxing: Sandboxing; timeout: number | undefined } {
  if (executor === undefined) return { sandboxing: CLOSED, timeout: undefined };
  if (!(executor instanceof DynamicWorkerExecutor)) throw wrong("executor has to be a DynamicWorkerExecutor; no other is known here yet");
  const { sandboxing, timeout } = executor;
  for (const name of Object.keys(sandboxing.told.modules ?? {})) {
    if (connectors.includes(name)) throw wrong(`module ${name} has the name of a connector; rename one of them`);
  }
  return { sandboxing, timeout };
}

function outboundOf(given: Outbound | null | undefined): Outbound | undefined {
  if (given === undefined || given === null) return undefined;
  // A stub of another Worker answers every name, so only what is plainly wrong is found here.
  if (typeof given.fetch !== "function") throw wrong("globalOutbound has no method fetch; give a Fetcher, for example allowOutbound({ hosts: [\"api.example.com\"] })");
  return given;
}

/** Value text of what is a plain value; nothing for an object that is there for its methods. */
function plain(value: unknown): string | undefined {
  try {
    return encode(value, "binding");
  } catch {
    if ((typeof value === "object" && value !== null) || typeof value === "function") return undefined;
    throw wrong(`a ${typeof value} cannot be a binding; give a plain value or an object with methods`);
  }
}

function modulesOf(given: Record<string, string>): Record<string, string> {
  const modules: Record<string, string> = {};
  for (const [key, text] of Object.entries(given)) {
    const name = key.replace(/\.m?js$/, "");
    const refusal = globalNameRefusal(name);
    if (refusal !== undefined) throw wrong(`module name ${JSON.stringify(key)} is not allowed: ${refusal}`);
    if (Object.hasOwn(modules, name)) throw wrong(`module ${name} is given twice`);
    if (typeof text !== "string") throw wrong(`modules[${JSON.stringify(key)}] has to be the text of an ES module`);
    if (text.length > MAX_VALUE_LENGTH) throw wrong(`module ${name} is ${text.length} units long, the limit is ${MAX_VALUE_LENGTH}`);
    modules[name] = text;
  }
  return modules;
}

function wrong(text: string): CodemodeError {
  return new CodemodeError("invalid_input", text);
}
