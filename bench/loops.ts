/**
 * What the loop budget costs an honest program: each runs with and without it, in turns, and the times of whole runs are
 * compared after that of an empty one is taken off. `npm run loops`. Prints, asserts nothing.
 */

import { startRuntime } from "../tests/support/miniflare.ts";

const TURNS = 5;

const programs: Record<string, string> = {
  empty: "async () => 1",
  "empty counted loop (worst)": "async () => { for (let i = 0; i < 100_000_000; i++); return 1 }",
  "sum in a loop": "async () => { let s = 0; for (let i = 0; i < 100_000_000; i++) s = (s + i * 3) | 0; return s }",
  "small arrow called (worst)": "async () => { const add = (a, b) => a + b | 0; let s = 0; for (let i = 0; i < 50_000_000; i++) s = add(s, i); return s }",
  "recursion": "async () => { const fib = n => n < 2 ? n : fib(n - 1) + fib(n - 2); return fib(32) }",
  "array methods": "async () => { const a = Array.from({ length: 50_000 }, (_, i) => i); let s = 0; for (let k = 0; k < 200; k++) s += a.map(x => x * 2).filter(x => x % 3 === 0).reduce((x, y) => x + y, 0); return s }",
  "objects and sort": "async () => { const a = []; for (let i = 0; i < 100_000; i++) a.push({ id: i, key: 'k' + (i * 7919) % 100_000 }); a.sort((x, y) => x.key < y.key ? -1 : 1); return a[7].id }",
  "text building": "async () => { let n = 0; for (let k = 0; k < 50; k++) { let s = ''; for (let i = 0; i < 50_000; i++) s += i; n += s.length } return n }",
  "JSON": "async () => { let n = 0; for (let i = 0; i < 300_000; i++) n += JSON.stringify(JSON.parse('{\"a\":[1,2,3],\"b\":{\"c\":' + i + '}}')).length; return n }",
  "maps and words": "async () => { const m = new Map(); for (let i = 0; i < 3_000_000; i++) { const k = 'w' + i % 1000; m.set(k, (m.get(k) ?? 0) + 1) } return m.size }",
  "regular expressions": "async () => { let n = 0; for (let i = 0; i < 2_000_000; i++) n += /(\\d+)-(\\w+)/.exec('item ' + i + '-abc')[1].length; return n }",
};

await using runtime = await startRuntime({ worker: "bench/hosts/counting.ts", agents: { AGENT: "CountingAgent" } });

async function timed(method: "counted" | "uncounted", code: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(runtime.url, { method: "POST", body: JSON.stringify({ method, argument: code }) });
  const { status } = (await response.json()) as { status: string };
  if (status !== "completed") throw new Error(`${code} ended as ${status}`);
  return performance.now() - start;
}

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
let empty = 0;
for (const [name, code] of Object.entries(programs)) {
  const uncounted: number[] = [];
  const counted: number[] = [];
  for (let turn = -1; turn < TURNS; turn += 1) {
    const [without, counting] = [await timed("uncounted", code), await timed("counted", code)];
    if (turn < 0) continue;
    uncounted.push(without);
    counted.push(counting);
  }
  const [without, counting] = [median(uncounted) - empty, median(counted) - empty];
  if (name === "empty") empty = without;
  const ratio = (counting / without).toFixed(2);
  if (name !== "empty") console.log(`${name}: ${without.toFixed(0)} ms, counted ${counting.toFixed(0)} ms, ratio ${ratio}`);
}
