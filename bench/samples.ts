/**
 * How something is measured: in turns, ours, the ancestor and the floor one after the other, so that a machine that slows
 * down slows all of them; what comes before the first turn is not counted. Medians, because a shared machine has outliers.
 */

/** Takes one sample: whatever number is measured. */
export type Sampler = () => Promise<number>;

export type Samples = { ours: number[]; ancestor: number[]; floor: number[] };

export async function alternate(samplers: Partial<Record<keyof Samples, Sampler>>, turns: number, warm: number): Promise<Samples> {
  const samples: Samples = { ours: [], ancestor: [], floor: [] };
  for (let turn = -warm; turn < turns; turn += 1) {
    for (const name of ["ours", "ancestor", "floor"] as const) {
      const sample = await samplers[name]?.();
      if (sample !== undefined && turn >= 0) samples[name].push(sample);
    }
  }
  return samples;
}

/** Milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** What one more costs: the same work with twice as many, less the work with that many, for each of them. */
export async function slope(count: number, work: (count: number) => Promise<unknown>): Promise<number> {
  const few = await timed(() => work(count));
  const many = await timed(() => work(2 * count));
  return (many - few) / count;
}

/** The value that this part of the samples does not exceed; `null` of none. */
export function quantile(samples: readonly number[], part: number): number | null {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null;
}
