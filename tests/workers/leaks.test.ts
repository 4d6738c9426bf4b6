/** Spec §4.10: on every path the isolate and its entrypoint are disposed of. */

import { env } from "cloudflare:workers";
import { evictAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { CodemodeRuntime } from "../../js-shim/runtime.ts";
import { type Agent, completed, newAgent } from "./story.ts";

const said: string[] = [];
beforeEach(() => {
  for (const method of ["warn", "error"] as const) vi.spyOn(console, method).mockImplementation((...values) => void said.push(values.join(" ")));
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(said.splice(0)).toEqual([]);
});

type Watch = { loaded: number; open: number };

function runtimeOf(agent: Agent): DurableObjectStub<CodemodeRuntime> {
  return env.CODEMODE.getByName(`${agent.stub.id.toString()}/default`);
}

/** Counts the isolates that an Agent's runtime loads, and those it has not disposed of. */
async function watch(agent: Agent): Promise<Watch> {
  const counts: Watch = { loaded: 0, open: 0 };
  await runInDurableObject(runtimeOf(agent), (runtime) => {
    const loader: WorkerLoader = Reflect.get(runtime, "env").LOADER;
    const watched = <T extends object>(stub: T, more: object): object => {
      counts.open += 1;
      const dispose = (): void => {
        counts.open -= 1;
        const end: unknown = Reflect.get(stub, Symbol.dispose);
        if (typeof end === "function") end.call(stub);
      };
      return { ...more, [Symbol.dispose]: dispose };
    };
    const load = (code: WorkerLoaderWorkerCode): object => {
      counts.loaded += 1;
      const worker = loader.load(code);
      const getEntrypoint = (): object => {
        const entrypoint = worker.getEntrypoint() as unknown as { run(bridge: unknown, manifest: string): Promise<string> };
        return watched(entrypoint, { run: (bridge: unknown, manifest: string) => entrypoint.run(bridge, manifest) });
      };
      return watched(worker, { getEntrypoint });
    };
    Reflect.set(runtime, "env", { LOADER: { load } });
  });
  return counts;
}

test.each([
  ["completes", `return 1`, "completed"],
  ["throws", `throw new Error("x")`, "error"],
  ["is stuck", `await new Promise(() => {})`, "error"],
  ["pauses", `await t.gate(1)`, "paused"],
  ["makes too many calls", `for (let n = 0; n < 9; n++) await t.echo(n)`, "error"],
  ["takes too long", `await t.sleep({ ms: 1500 })`, "error"],
  ["waits for a timer beyond its time", `await new Promise((resolve) => setTimeout(resolve, 60_000))`, "error"],
  ["runs an interval beyond its time", `setInterval(() => {}, 10); await new Promise(() => {})`, "error"],
  ["makes too many calls from an interval", `setInterval(() => void t.echo(1), 5); await new Promise(() => {})`, "error"],
  ["returns and leaves timers", `setInterval(() => {}, 10); setTimeout(() => {}, 60_000)`, "completed"],
  ["pauses and leaves an interval", `setInterval(() => {}, 10); await t.gate(1)`, "paused"],
  ["returns what cannot cross", `return () => {}`, "error"],
  ["computes through its stack", `const f = () => f(); f()`, "error"],
])("a program that %s leaves no isolate behind", async (_what, body, status) => {
  const agent = newAgent({ limits: { calls: 5, passMs: 700 } });
  const counts = await watch(agent);
  expect((await agent.execute(`async () => { ${body} }`)).status).toBe(status);
  expect(counts).toEqual({ loaded: 1, open: 0 });
  // Refused as long as anything of the pass is alive, also inside the isolate.
  await evictDurableObject(runtimeOf(agent));
});

test("a run that diverges, one that is refused and one that cannot be read leave none behind", async () => {
  const agent = newAgent();
  const counts = await watch(agent);
  const { executionId } = await agent.paused(`async () => t.gate(await t.reexec({}))`);
  expect((await agent.approve(executionId)).status).toBe("error");
  expect((await agent.approve(executionId)).status).toBe("error");
  expect((await agent.execute("const x = = 1")).status).toBe("error");
  expect(counts).toEqual({ loaded: 2, open: 0 });
});

test("each pass has an isolate of its own", async () => {
  const agent = newAgent();
  const counts = await watch(agent);
  const { executionId } = await agent.paused(`async () => { globalThis.seen = (globalThis.seen ?? 0) + 1; await t.gate(globalThis.seen); return globalThis.seen }`);
  expect(completed(await agent.approve(executionId)).result).toBe(1);
  expect(counts).toEqual({ loaded: 2, open: 0 });
});

test.each(["bound", "embedded"] as const)("%s: fifty executions one after the other, and the object can be evicted", async (placement) => {
  const agent = newAgent({ placement });
  for (let n = 0; n < 50; n++) expect(await agent.result(`async () => t.echo(${n})`)).toBe(n);
  expect(await agent.executions()).toHaveLength(50);
  await evictDurableObject(agent.stub);
  if (placement === "bound") await evictDurableObject(runtimeOf(agent));
  await evictAllDurableObjects();
  expect(await agent.result(`async () => t.echo("after")`)).toBe("after");
}, 60_000);
