/** The sequences of one placement, in parts that each are a test. A failure names its seed; `ONLY` lives that one again. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Sequence } from "./sequence.ts";

const PARTS = 10;
/** Sequences in one part. */
const SEEDS = 5;
const OPERATIONS = 9;
/** A seed to look into by itself. */
const ONLY: number | undefined = undefined;
/** What fifty sequences meet. */
const MET = [
  "abort", "aborted", "approve", "cancel", "cancelled", "delete", "deny", "evict", "execute", "expire", "panic", "panicked", "prune", "recover",
  "reject", "released", "repeat", "resolve", "rollback",
];

/** `first` is the first seed. */
export function sequences(placement: "bound" | "embedded", first: number): void {
  // Panics and deaths of machines are reported; here they are wanted.
  beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
  afterEach(() => void vi.restoreAllMocks());

  const met = new Set<string>();

  test.each(Array.from({ length: PARTS }, (_, part) => first + part * SEEDS))(
    "each run is what the model says, and nothing runs, is told or is undone otherwise (seeds from %i)",
    { timeout: 180_000 },
    async (from) => {
      for (let seed = from; seed < from + SEEDS; seed++) {
        if (ONLY !== undefined && ONLY !== seed) continue;
        for (const done of await live(seed, placement)) met.add(done);
      }
    },
  );

  test("everything was met", () => {
    if (ONLY === undefined) expect([...met].toSorted()).toEqual(MET);
  });
}

async function live(seed: number, placement: "bound" | "embedded"): Promise<string[]> {
  const sequence = new Sequence(seed, placement);
  try {
    await sequence.live(OPERATIONS);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`seed ${seed}, ${placement}: ${sequence.done.join("; ")}\n${why}`, { cause });
  }
  return sequence.done.map((done) => done.split(" ")[0] ?? "");
}
