/**
 * What the platform alone costs, with nothing of either implementation: an isolate that is loaded, one that is warm, calls
 * from a sandbox, commits. No pass and no call of the same shape can be faster.
 */

import { DurableObject, RpcTarget } from "cloudflare:workers";

import { HARNESS } from "../../gen/harness.ts";

interface Env {
  LOADER: WorkerLoader;
  AGENT: DurableObjectNamespace<FloorAgent>;
  RELAY: DurableObjectNamespace<FloorRelay>;
}

/** How the calls of a sandbox go. `commit`: each has a row of its own on disk before it goes on to the Agent. */
export type Calls = { count: number; commit: boolean; together: boolean };

export type FloorQuestion =
  | { ask: "nothing" }
  /** A fresh isolate, loaded and run: what no pass can be faster than. */
  | { ask: "load" }
  /** A fresh isolate with our harness in it, which is read and not run: what no pass of ours can be faster than. */
  | { ask: "harness" }
  /** The same isolate each time. */
  | { ask: "warm" }
  /** A fresh isolate that calls the Agent directly: one hop. */
  | { ask: "hop"; count: number }
  /** A fresh isolate that calls the Agent through another object, as through a runtime: two hops. */
  | { ask: "calls"; calls: Calls }
  /** Rows, each with a commit that is waited for. */
  | { ask: "commits"; count: number };

const SANDBOX = `import { WorkerEntrypoint } from "cloudflare:workers";
export default class extends WorkerEntrypoint {
  async run(bridge, { count, together }) {
    if (together) await Promise.all(Array.from({ length: count }, (_, n) => bridge.call(JSON.stringify({ n }))));
    else for (let n = 0; n < count; n += 1) await bridge.call(JSON.stringify({ n }));
    return "1";
  }
}`;

interface Sandbox {
  run(bridge: Bridge, calls: { count: number; together: boolean }): Promise<string>;
}

const code: WorkerLoaderWorkerCode = {
  compatibilityDate: "2026-06-11",
  mainModule: "sandbox.js",
  modules: { "sandbox.js": SANDBOX },
  globalOutbound: null,
};

const ours: WorkerLoaderWorkerCode = {
  ...code,
  compatibilityFlags: ["nodejs_als", "disallow_eval_during_startup"],
  mainModule: "harness.js",
  modules: { "harness.js": HARNESS },
};

/** A manifest of a protocol that no harness speaks. */
const REFUSED = '{"protocol":0}';

class Bridge extends RpcTarget {
  readonly #call: (text: string) => Promise<string>;

  constructor(call: (text: string) => Promise<string>) {
    super();
    this.#call = call;
  }

  call(text: string): Promise<string> {
    return this.#call(text);
  }
}

const same = async (text: string): Promise<string> => text;

async function inSandbox(worker: WorkerStub, calls: { count: number; together: boolean }, call: (text: string) => Promise<string>): Promise<void> {
  const entrypoint = worker.getEntrypoint() as unknown as Sandbox;
  await entrypoint.run(new Bridge(call), calls);
}

const none = { count: 0, together: false };

export class FloorAgent extends DurableObject<Env> {
  async answer(question: FloorQuestion): Promise<void> {
    switch (question.ask) {
      case "nothing":
        return;
      case "load":
        return inSandbox(this.env.LOADER.load(code), none, same);
      case "harness": {
        const entrypoint = this.env.LOADER.load(ours).getEntrypoint() as unknown as { run(bridge: Bridge, manifest: string): Promise<string> };
        await entrypoint.run(new Bridge(same), REFUSED);
        return;
      }
      case "warm":
        return inSandbox(this.env.LOADER.get("warm", () => code), none, same);
      case "hop":
        return inSandbox(this.env.LOADER.load(code), { count: question.count, together: false }, same);
      case "calls": {
        const relay = this.env.RELAY.get(this.env.RELAY.idFromName("relay"));
        return relay.pass(question.calls, same);
      }
      case "commits":
        for (let n = 0; n < question.count; n += 1) {
          keepRow(this.ctx.storage.sql, `{"n":${n}}`);
          await this.ctx.storage.sync();
        }
        return;
      default: {
        const never: never = question;
        return never;
      }
    }
  }
}

/** In place of a runtime. */
export class FloorRelay extends DurableObject<Env> {
  async pass(calls: Calls, host: (text: string) => Promise<string>): Promise<void> {
    await inSandbox(this.env.LOADER.load(code), calls, (text) => {
      // Nothing leaves an object before what it wrote is on disk, so the call waits for the commit by itself.
      if (calls.commit) keepRow(this.ctx.storage.sql, text);
      return host(text);
    });
  }
}

function keepRow(sql: SqlStorage, text: string): void {
  sql.exec("CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)");
  sql.exec("INSERT INTO kept (text) VALUES (?)", text);
}

export default {
  async fetch(request, env) {
    const agent = env.AGENT.get(env.AGENT.idFromName("floor"));
    await agent.answer(await request.json<FloorQuestion>());
    return Response.json({ value: "" });
  },
} satisfies ExportedHandler<Env>;
