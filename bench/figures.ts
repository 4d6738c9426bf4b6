/**
 * What a pass and a call cost, beside the bare isolate, in one run: `npm run figures`. Each figure is the median of
 * several turns; a call's is the difference between a program with many and one with none. Prints, asserts nothing.
 */

import { startRuntime } from "../tests/support/miniflare.ts";

const TURNS = 15;
const CALLS = 1_000;

await using runtime = await startRuntime({ worker: "bench/agent.ts", agents: { AGENT: "BenchAgent" }, agentLoader: true });

async function ask<T>(method: string, argument = ""): Promise<T> {
  const response = await fetch(runtime.url, { method: "POST", body: JSON.stringify({ method, argument }) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

type Ran = { status: string; executionId: string };

async function run(code: string, status = "completed"): Promise<string> {
  const ran = await ask<Ran>("execute", code);
  if (ran.status !== status) throw new Error(`${code} ended as ${ran.status}`);
  return ran.executionId;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** In turns, so that a machine that slows down slows all of them. */
async function medians(works: Record<string, () => Promise<unknown>>, turns: number): Promise<Record<string, number>> {
  const times = new Map<string, number[]>(Object.keys(works).map((name) => [name, []]));
  for (let turn = -1; turn < turns; turn += 1) {
    for (const [name, work] of Object.entries(works)) {
      const time = await timed(work);
      if (turn >= 0) times.get(name)?.push(time);
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, all.sort((a, b) => a - b)[all.length >> 1] ?? 0]));
}

const many = (method: string): string => `async () => { for (let n = 0; n < ${CALLS}; n++) await t.${method}({ n }); return 1 }`;

const small = await medians(
  { nothing: () => ask("nothing"), bare: () => ask("bare"), empty: () => run("async () => 1") },
  TURNS * 3,
);
const calls = await medians(
  {
    reads: () => run(many("read")),
    writes: () => run(many("write")),
    all: () => run(`async () => { await Promise.all(Array.from({ length: ${CALLS} }, (_, n) => t.read({ n }))); return 1 }`),
  },
  TURNS,
);
const replays: number[] = [];
for (let turn = 0; turn < TURNS; turn += 1) {
  const id = await run(`async () => { for (let n = 0; n < ${CALLS}; n++) await t.read({ n, text: "${"x".repeat(80)}" }); await t.gate({}); return 1 }`, "paused");
  replays.push(await timed(() => ask("approve", id)));
}
const replay = replays.sort((a, b) => a - b)[replays.length >> 1] ?? 0;

const { nothing = 0, bare = 0, empty = 0 } = small;
const { reads = 0, writes = 0, all = 0 } = calls;
const perCall = (total: number): string => `${(((total - empty) * 1000) / CALLS).toFixed(0)} µs`;
console.table({
  "HTTP and one RPC to the Agent": `${nothing.toFixed(2)} ms`,
  "bare isolate, loaded and run": `${(bare - nothing).toFixed(2)} ms`,
  "empty pass": `${(empty - nothing).toFixed(2)} ms`,
  "empty pass / bare isolate": ((empty - nothing) / (bare - nothing)).toFixed(2),
  "one more readOnly call": perCall(reads),
  "one more other call": perCall(writes),
  [`one of ${CALLS} in Promise.all`]: perCall(all),
  "one replayed call": perCall(replay),
});
