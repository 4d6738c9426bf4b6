/** The matrix for people: a row for each kill point, and all that is needed to look into a run that went wrong. */

import type { Verdict } from "./matrix.ts";
import { POINTS } from "./points.ts";
import type { Kind } from "./verdicts.ts";

export type Row = Record<"runs" | "in doubt" | "recovered" | "double effects" | "lost outcomes" | "stuck" | "owed" | "astray", number>;

export function table(verdicts: readonly Verdict[]): Record<string, Row> {
  const rows = POINTS.map(({ name }) => [name, verdicts.filter(({ plan }) => plan.point.name === name)] as const);
  return Object.fromEntries([...rows, ["all", verdicts] as const].flatMap(([name, of]) => (of.length === 0 ? [] : [[name, rowOf(of)]])));
}

export function explain({ plan, cell, lines, problems }: Verdict): string {
  const { journal, words, reports, taken, owed } = cell.findings;
  return [
    `${plan.cell}: "${plan.program.name}", ${plan.placement}, killed at "${plan.point.name}" (${plan.nth}), then ${plan.way}${plan.rerunsAnyway ? ", reruns anyway" : ""}`,
    ...problems.map(({ kind, text }) => `  ${kind}: ${text}`),
    `  taken ${taken.join(", ")}; said ${JSON.stringify(words)}; undone ${JSON.stringify(reports)}; owed ${owed.join(", ")}`,
    ...journal.map((line) => `  on disk ${line.slice(0, 300)}`),
    ...lines.map((line) => `  witness ${JSON.stringify(line)}`),
  ].join("\n");
}

function rowOf(verdicts: readonly Verdict[]): Row {
  const wrong = (kind: Kind): number => verdicts.filter(({ problems }) => problems.some((problem) => problem.kind === kind)).length;
  return {
    runs: verdicts.length,
    "in doubt": verdicts.filter(({ cell }) => cell.findings.words.length > 0).length,
    recovered: verdicts.filter(({ problems }) => problems.length === 0).length,
    "double effects": wrong("double"),
    "lost outcomes": wrong("lost"),
    stuck: wrong("stuck"),
    owed: wrong("owed"),
    astray: wrong("astray"),
  };
}
