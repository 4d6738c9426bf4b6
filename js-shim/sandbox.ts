/**
 * The only file that touches the Worker Loader. One fresh isolate per pass: no network, no bindings, no Node.js; it gets
 * one RPC target and texts. Loaded once and never by a name, so that no tenant can meet another's isolate.
 */

import type { Bridge } from "./bridge.ts";
import { harnessFor } from "./parts.ts";

export type SandboxRequest = { modules: Record<string, string>; manifest: string; cpuMs: number };

export interface Sandbox {
  /** The end frame (`docs/design/wire.md`). Rejects when the isolate broke or was stopped by the platform. */
  run(bridge: Bridge): Promise<string>;
  /** Drops the isolate. What it was doing is not waited for. */
  [Symbol.dispose](): void;
}

const COMPATIBILITY_DATE = "2026-06-11";

/** The caller owns the sandbox and disposes of it on every path. */
export function loadSandbox(loader: WorkerLoader, request: SandboxRequest): Sandbox {
  const worker = loader.load({
    compatibilityDate: COMPATIBILITY_DATE,
    compatibilityFlags: ["nodejs_als", "disallow_eval_during_startup"],
    mainModule: "harness.js",
    modules: { ...request.modules, "harness.js": harnessFor(request.modules, request.manifest) },
    // Never left out: without it the isolate would have the network of its parent.
    globalOutbound: null,
    limits: { cpuMs: request.cpuMs },
  } as WorkerLoaderWorkerCode);
  const entrypoint = worker.getEntrypoint() as unknown as { run(bridge: Bridge, manifest: string): Promise<string> };
  return {
    run: (bridge) => entrypoint.run(bridge, request.manifest),
    [Symbol.dispose]: () => {
      dispose(entrypoint);
      dispose(worker);
    },
  };
}

function dispose(stub: object): void {
  try {
    const end: unknown = Reflect.get(stub, Symbol.dispose);
    if (typeof end === "function") end.call(stub);
  } catch {
    // An isolate that broke has nothing left to close.
  }
}
