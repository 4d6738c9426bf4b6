import { describe, expect, it } from "vitest";

import { campaign, explain, longProgram } from "./campaign.ts";
import { VARIANTS } from "./variants.ts";

const MINUTE = 60_000;

describe("generated programs", () => {
  it("replay exactly, and recover from any prefix of their journal", { timeout: 10 * MINUTE }, async () => {
    const { failed, counts, ends, seconds } = await campaign({ seed: 1, programs: 500, recoveries: 1 });
    console.log(`500 programs in ${Math.round(seconds)} s`, counts, ends);
    expect(failed.slice(0, 3).map(explain).join("\n\n")).toBe("");
  });
});

// The same trials must notice a harness that breaks one rule, or they prove nothing: half of 100 programs at least go wrong.
describe("a broken harness is noticed", () => {
  it.each(VARIANTS)("$name", { timeout: 5 * MINUTE }, async (variant) => {
    const { programs, failed, late, seconds } = await campaign({ seed: 1, programs: 100, recoveries: 1, variant, enough: 50 });
    console.log(`${variant.name}: ${failed.length} of ${programs} went wrong, ${late} of them late, ${Math.round(seconds)} s`);
    expect(failed.length - late).toBeGreaterThanOrEqual(50);
  });
});

describe("a replay costs no message", () => {
  it("of 1,000 recorded calls", { timeout: MINUTE }, async () => {
    const { ends, passes } = await longProgram(1_000, 100);
    expect(ends).toEqual(["paused", "completed"]);
    const [first, second] = passes;
    expect(first).toMatchObject({ calls: 1_001, settles: 0, pages: 0, deeds: 1_000 });
    // The one call is the approved one.
    expect(second).toMatchObject({ calls: 1, settles: 0, pages: 0, deeds: 1 });
    console.log(`1,001 calls: first pass ${first?.ms} ms, second ${second?.ms} ms, ${second?.ms} µs per replayed call`);
  });

  it("but one for each further MiB of the record", { timeout: MINUTE }, async () => {
    const { ends, passes } = await longProgram(100, 50_000);
    expect(ends).toEqual(["paused", "completed"]);
    expect(passes[1]).toMatchObject({ calls: 1, settles: 0, pages: 4, deeds: 1 });
  });
});
