/** Many trials in a workerd of their own, several at a time, and what they came to. Runs in Node. */

import { bundleHarness } from "../../scripts/bundle-harness.mjs";
import { startRuntime, type Runtime } from "../support/miniflare.ts";
import type { LongReport, Order } from "./agent.ts";
import { generate } from "./generate.ts";
import type { Report } from "./trial.ts";
import type { Variant } from "./variants.ts";

export interface Campaign {
  /** Of the first program; the others have the seeds that follow. */
  readonly seed: number;
  readonly programs: number;
  readonly recoveries: number;
  /** The harness broken in one place. */
  readonly variant?: Variant | undefined;
  /** Ends the campaign when so many have gone wrong. */
  readonly enough?: number | undefined;
  readonly finished?: ((report: Report) => void) | undefined;
}

export interface Summary {
  readonly programs: number;
  readonly failed: readonly Report[];
  /** Of the failed ones those that merely took too long, which a busy machine can do as well. */
  readonly late: number;
  readonly ends: Readonly<Record<string, number>>;
  readonly shapes: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Trials mostly wait for timers; this many keep two cores busy. */
const LANES = 8;
/** A program that runs takes some tens of milliseconds; one that hangs has gone wrong. */
const PASS_MS = 30_000;
const BROKEN_PASS_MS = 10_000;
const ANSWER_MS = 120_000;

export async function campaign({ seed, programs, recoveries, variant, enough = Infinity, finished }: Campaign): Promise<Summary> {
  await using runtime = await start(variant);
  const began = performance.now();
  const failed: Report[] = [];
  const ends: Record<string, number> = {};
  const shapes: Record<string, number> = {};
  const counts: Record<string, number> = {};
  let next = seed;
  const lane = async (_: unknown, number: number): Promise<void> => {
    while (next < seed + programs && failed.length < enough) {
      const plan = { kind: "trial", seed: next, recoveries } as const;
      next += 1;
      const report = await ask<Report>(runtime, `lane ${number}`, plan).catch((error: unknown) => unanswered(plan.seed, error));
      if (report.problems.length > 0) failed.push(report);
      add(ends, { [report.end]: 1 });
      add(shapes, report.shapes);
      add(counts, report.counts);
      finished?.(report);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { programs: next - seed, failed, late: failed.filter(isLate).length, ends, shapes, counts, seconds: (performance.now() - began) / 1000 };
}

/** A program with so many calls, of which each answers with so many characters, and then a gate. */
export async function longProgram(calls: number, size: number): Promise<LongReport> {
  await using runtime = await start();
  return await ask<LongReport>(runtime, "long", { kind: "long", calls, size });
}

function isLate({ problems }: Report): boolean {
  return problems.some((problem) => problem.includes(": timeout: "));
}

/** What a person needs to look into a failure. */
export function explain({ seed, problems }: Report): string {
  return `seed ${seed}: ${problems.join("\n")}\nagain: npm run replay-fuzz -- --seed ${seed} --n 1\n${generate(seed).code}`;
}

async function start(variant?: Variant): Promise<Runtime> {
  return startRuntime({
    worker: "tests/replay/agent.ts",
    runtime: "tests/replay/runtime.ts",
    agents: { AGENT: "TrialAgent" },
    bindings: { PASS_MS: variant === undefined ? PASS_MS : BROKEN_PASS_MS },
    ...(variant !== undefined && { variant: { harness: await bundleHarness({ patches: [variant] }) } }),
  });
}

async function ask<T>({ url }: Runtime, lane: string, order: Order): Promise<T> {
  const response = await fetch(`${url.href}?lane=${encodeURIComponent(lane)}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(order),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text.slice(0, 2_000));
  return JSON.parse(text) as T;
}

function unanswered(seed: number, error: unknown): Report {
  const counts = { calls: 0, lookups: 0, deliveries: 0, timers: 0, locals: 0, passes: 0, deeds: 0, decisions: 0, audits: 0, recoveries: 0, inDoubt: 0 };
  return { seed, end: "no answer", problems: [`the Agent did not answer: ${String(error)}`], shapes: {}, counts };
}

function add(sums: Record<string, number>, more: Readonly<Record<string, number>> | Report["counts"]): void {
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count;
}
