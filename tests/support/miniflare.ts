// The runtime Worker and an Agent's Worker in a workerd of their own, for what the vitest pool cannot do: restarts on the
// same disk, SIGKILL in the middle of a pass, a sandbox that never yields, measurements.
//
//   await using runtime = await startRuntime({ worker: "examples/agent/src/index.ts", agents: { AGENT: "Agent" } });
//   await fetch(runtime.url);
//   await runtime.crash();      // workerd is killed and started again on the same storage
//
// Loopback only, nothing is downloaded, nothing is reported.

import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Log, LogLevel, Miniflare } from "miniflare";
import type { Json, WorkerOptions } from "miniflare";

import { bundleWorker } from "./bundle-worker.ts";
import type { Variant } from "./bundle-worker.ts";
import { COMPATIBILITY_DATE, RUNTIME_MAIN, RUNTIME_NAME } from "./wrangler-config.ts";

export interface RuntimeOptions {
  /** The Agent's main file, from the repository's root. Left out, the runtime Worker is alone and answers `url`. */
  readonly worker?: string;
  /** The Agent's Durable Objects: binding to class. */
  readonly agents?: Readonly<Record<string, string>>;
  /** The runtime Worker's main file when bound, from the repository's root. Left out, the shipped one. */
  readonly runtime?: string;
  /** Plain values in the Agent's environment. */
  readonly bindings?: Readonly<Record<string, Json>>;
  /**
   * `bound` (the default) is two Workers; `embedded` is the Agent's alone, which exports the runtime's class itself; `none`
   * is a Worker without a runtime, to measure beside.
   */
  readonly placement?: "bound" | "embedded" | "none";
  /** Where storage lies. Left out, it is a temporary folder that `stop` removes. */
  readonly persist?: string;
  /** Left out, a free one. */
  readonly port?: number;
  /** How the runtime Worker (embedded: the Agent's) differs from the shipped one. */
  readonly variant?: Variant;
}

export interface Runtime extends AsyncDisposable {
  readonly mf: Miniflare;
  /** Of the Agent's Worker. The port stays the same after a crash. */
  readonly url: URL;
  /** Of the present workerd. */
  readonly pid: number;
  /** Kills workerd as a power cut would, and waits until miniflare has started another on the same storage. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

const loader = { LOADER: {} };

export async function startRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const persist = options.persist ?? (await mkdtemp(join(tmpdir(), "codemode-")));
  let restarted = Promise.withResolvers<void>();
  const workers = await workersOf(options);
  const started = await withPid(async () => {
    const mf = new Miniflare({
      workers,
      host: "127.0.0.1",
      port: options.port ?? 0,
      cf: false,
      telemetry: { enabled: false },
      log: new Log(LogLevel.ERROR),
      defaultPersistRoot: persist,
      durableObjectsPersist: true,
      unsafeHandleRuntimeRestart: () => restarted.resolve(),
    });
    return { mf, url: await mf.ready };
  });
  const { mf } = started.value;
  let { url } = started.value;
  let { pid } = started;

  const stop = async (): Promise<void> => {
    await mf.dispose();
    if (options.persist === undefined) await rm(persist, { recursive: true, force: true });
  };
  return {
    mf,
    get url() {
      return url;
    },
    get pid() {
      return pid;
    },
    async crash() {
      restarted = Promise.withResolvers();
      const next = await withPid(async () => {
        process.kill(pid, "SIGKILL");
        await restarted.promise;
        return await mf.ready;
      });
      ({ pid, value: url } = next);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function workersOf(options: RuntimeOptions): Promise<WorkerOptions[]> {
  const { placement = "bound" } = options;
  const bound = placement === "bound";
  const workers: WorkerOptions[] = [];
  if (options.worker !== undefined) {
    // First, because the first Worker answers the url.
    workers.push({
      name: "agent",
      modules: await bundleWorker(options.worker, bound ? {} : options.variant),
      compatibilityDate: COMPATIBILITY_DATE,
      bindings: { ...options.bindings },
      ...(bound ? {} : { workerLoaders: loader }),
      durableObjects: {
        ...Object.fromEntries(
          Object.entries(options.agents ?? {}).map(([binding, className]) => [binding, { className, useSQLite: true }]),
        ),
        // A class that is only ever a facet must be named here all the same, or `ctx.exports` does not give it.
        ...(placement === "bound" && { CODEMODE: { className: "CodemodeRuntime", scriptName: RUNTIME_NAME, useSQLite: true } }),
        ...(placement === "embedded" && { CODEMODE_CLASS: { className: "CodemodeRuntime", useSQLite: true } }),
      },
    });
  }
  if (bound) {
    workers.push({
      name: RUNTIME_NAME,
      modules: await bundleWorker(options.runtime ?? RUNTIME_MAIN, options.variant),
      compatibilityDate: COMPATIBILITY_DATE,
      workerLoaders: loader,
      durableObjects: { CODEMODE: { className: "CodemodeRuntime", useSQLite: true } },
    });
  }
  return workers;
}

let turn: Promise<unknown> = Promise.resolve();

/** Runs `start` and tells which workerd it started. One at a time: it is known by being new among our children. */
function withPid<T>(start: () => Promise<T>): Promise<{ value: T; pid: number }> {
  const result = turn.then(async () => {
    const before = new Set(await workerdChildren());
    const value = await start();
    const pid = (await workerdChildren()).find((child) => !before.has(child));
    if (pid === undefined) throw new Error("no new workerd among the children of this process");
    return { value, pid };
  });
  turn = result.catch(() => undefined);
  return result;
}

/** From /proc, because `ps` is not everywhere that tests run. */
async function workerdChildren(): Promise<number[]> {
  const entries = await readdir("/proc");
  const found = await Promise.all(
    entries.filter((entry) => /^\d+$/.test(entry)).map(async (entry) => {
      // A process may end while we look.
      const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
      const [, name, state, parent] = /^\d+ \((.*)\) (\S) (\d+) /s.exec(stat) ?? [];
      return name === "workerd" && state !== "Z" && Number(parent) === process.pid ? [Number(entry)] : [];
    }),
  );
  return found.flat();
}
