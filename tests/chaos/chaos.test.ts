/** A slice of the crash matrix (`npm run chaos` is all of it), and whether it finds out runtimes that are broken on purpose. */

import { afterAll, beforeAll, expect, test } from "vitest";

import { matrix, type Verdict } from "./matrix.ts";
import { LATE_INTENT, SILENT } from "./places.ts";
import { explain, table } from "./table.ts";

const MINUTE = 60_000;

/** At least one of each kind of moment. */
const SLICE = [
  "before intent", "after intent", "after effect", "after reply, in memory", "after outcome", "in a step", "any moment", "pause: not recorded",
  "pause: told, unpaid", "pause: at rest", "end: recorded", "approve: not recorded", "approve: recorded", "approve: after effect",
  "rollback: first revert", "rollback: between two", "rollback: after effect", "expiry: not recorded", "expiry: recorded",
  "delete: before erasing", "recover: effect again", "resolve: recorded", "again: after effect", "again: in rollback",
];

let verdicts: readonly Verdict[];

beforeAll(async () => {
  verdicts = await matrix({ runs: SLICE.length, seed: 5, wants: (name) => SLICE.includes(name) });
}, 5 * MINUTE);

afterAll(() => console.table(table(verdicts)));

test("wherever workerd is killed, nothing is lost, repeated, stuck or forgotten", () => {
  expect(verdicts.map(({ plan }) => plan.point.name).toSorted()).toEqual(SLICE.toSorted());
  expect(verdicts.filter(({ problems }) => problems.length > 0).map(explain)).toEqual([]);
  // Some of the kills left something in doubt, or the kill points are not where they seem.
  expect(verdicts.filter(({ cell }) => cell.findings.words.length > 0).length).toBeGreaterThanOrEqual(3);
});

test("a runtime that tells connectors nothing is found out", { timeout: 3 * MINUTE }, async () => {
  const silent = await matrix({ runs: 2, seed: 1, wants: (name) => name.startsWith("end: "), shim: SILENT });
  for (const { problems } of silent) expect(problems.map(({ kind }) => kind)).toContain("owed");
});

test("a runtime that writes intents late repeats effects, and the matrix finds it", { timeout: 3 * MINUTE }, async () => {
  const late = await matrix({ runs: 4, seed: 1, wants: (name) => name === "after effect", shim: LATE_INTENT });
  const kinds = late.flatMap(({ problems }) => problems.map(({ kind }) => kind));
  expect(kinds).toContain("double");
});
