/** Every verdict of the matrix can fail: one honest run, and what is found when its evidence is forged. */

import { expect, test } from "vitest";

import type { ExecutionLogEntry } from "../../js-shim/client/index.ts";
import { PROGRAMS } from "./programs.ts";
import { type Evidence, judge } from "./verdicts.ts";
import type { Line } from "./witness.ts";

const ID = "exec_1";

/** Killed after the first of two effects; someone said that it had happened. */
function honest(): Evidence {
  const program = PROGRAMS[0];
  if (program === undefined) throw new Error("there are no programs");
  const called = (n: number, method: string, heard: [number, unknown][]): Line => {
    return { cell: "one", what: "call", executionId: ID, seq: n, attempt: 1, idempotencyKey: `${ID}:${n}`, method, n, heard };
  };
  const entry = (n: number, method: string): ExecutionLogEntry => {
    return { seq: n, connector: "service", method, args: { n }, result: `${method} ${n}`, requiresApproval: false, state: "applied", attempt: 1 };
  };
  const before = [`{"kind":"begin"}`, `{"kind":"pass","number":1}`, `{"kind":"intent","operation":0}`];
  const journal = [
    ...before, `{"kind":"in_doubt","operation":0}`, `{"kind":"resolved","operation":0}`, `{"kind":"outcome","operation":0}`,
    `{"kind":"intent","operation":4}`, `{"kind":"outcome","operation":4}`, `{"kind":"end"}`,
  ];
  const log = [entry(0, "send"), entry(1, "move")];
  const result = ["send 0", "move 1"];
  return {
    plan: {
      cell: "one", placement: "bound", program, nth: 1, way: "on", again: [], rerunsAnyway: false,
      point: { name: "after effect", stage: "execute", at: { service: "call" } },
    },
    findings: {
      executionId: ID, journals: [before], alarms: [1], journal, reports: [], taken: ["recover", "resolve"], owed: [],
      words: [{ seq: 0, n: 0, seen: 1, outcome: "applied" }],
      record: { id: ID, code: "", status: "completed", log, result, connectors: ["service"], createdAt: 1, updatedAt: 2 },
    },
    lines: [
      called(0, "send", []), called(1, "move", [[0, "send 0"]]),
      { cell: "one", what: "pass_end", executionId: ID, status: "completed" }, { cell: "one", what: "dispose", executionId: ID, status: "completed" },
    ],
    undisturbed: { result: JSON.stringify(result), happened: ["move 1", "send 0"], tally: {} },
  };
}

const kinds = (evidence: Evidence): string[] => [...new Set(judge(evidence).map(({ kind }) => kind))];

test("nothing is wrong with an honest run", () => {
  expect(judge(honest())).toEqual([]);
});

test("an effect that the witness counted once more than was decided", () => {
  const evidence = honest();
  const sent = evidence.lines.filter((line) => line.what === "call" && line.method === "send");
  expect(sent).toHaveLength(1);
  expect(kinds({ ...evidence, lines: [...evidence.lines, ...sent] })).toEqual(["double"]);
  const words = [{ seq: 0, n: 0, seen: 1, outcome: "rerun" as const }];
  const decided = { ...evidence, findings: { ...evidence.findings, words } };
  expect(kinds({ ...decided, lines: [...evidence.lines, ...sent] })).toEqual([]);
  expect(kinds({ ...decided, lines: [...evidence.lines, ...sent, ...sent] })).toEqual(["double"]);
});

test("an effect that came under two keys, and a revert that was carried out twice", () => {
  const evidence = honest();
  const another = evidence.lines.map((line) => (line.what === "call" && line.n === 1 ? { ...line, idempotencyKey: "another" } : line));
  expect(kinds({ ...evidence, lines: [...evidence.lines, ...another] })).toContain("double");
  const revert: Line = { cell: "one", what: "revert", executionId: ID, seq: 1, idempotencyKey: `${ID}:1:revert`, method: "move", n: 1 };
  expect(kinds({ ...evidence, lines: [...evidence.lines, revert] })).toEqual([]);
  expect(kinds({ ...evidence, lines: [...evidence.lines, revert, revert] })).toEqual(["double"]);
});

test("an event that was on disk before the kill and is not any more", () => {
  const evidence = honest();
  const { findings } = evidence;
  const changed = findings.journal.map((line, i) => (i === 1 ? line.replace("pass", "gone") : line));
  expect(kinds({ ...evidence, findings: { ...findings, journal: changed } })).toEqual(["lost"]);
});

test("a value that the program passed on and that is on record otherwise", () => {
  const evidence = honest();
  const { record } = evidence.findings;
  const log = record?.log.map((entry) => (entry.seq === 0 ? { ...entry, result: "another" } : entry));
  const findings = { ...evidence.findings, record: record && log && { ...record, log } };
  expect(kinds({ ...evidence, findings })).toEqual(["lost"]);
});

test("a call that was set in doubt although its outcome was on disk", () => {
  const evidence = honest();
  const journal = [...evidence.findings.journal, `{"at":0,"kind":"in_doubt","operation":0}`];
  expect(kinds({ ...evidence, findings: { ...evidence.findings, journal } })).toEqual(["lost"]);
});

test("a call that is recorded as undone and that nobody undid", () => {
  const evidence = honest();
  const { record } = evidence.findings;
  const log = record?.log.map((entry) => (entry.seq === 1 ? { ...entry, state: "reverted" as const } : entry));
  const findings = { ...evidence.findings, record: record && log && { ...record, log } };
  expect(kinds({ ...evidence, findings })).toEqual(["lost"]);
});

test("a run that did not end", () => {
  const evidence = honest();
  expect(kinds({ ...evidence, findings: { ...evidence.findings, stuck: "it is still running" } })).toEqual(["stuck"]);
  // Nor would it have, had nobody come.
  expect(kinds({ ...evidence, findings: { ...evidence.findings, alarms: [null] } })).toEqual(["stuck"]);
});

test("an end that a connector never heard of, and one that it is still to hear of", () => {
  const evidence = honest();
  expect(kinds({ ...evidence, lines: evidence.lines.filter(({ what }) => what !== "dispose") })).toEqual(["owed"]);
  expect(kinds({ ...evidence, lines: evidence.lines.filter(({ what }) => what !== "pass_end") })).toEqual(["owed"]);
  expect(kinds({ ...evidence, findings: { ...evidence.findings, owed: ["dispose completed"] } })).toEqual(["owed"]);
});

test("a kill that came elsewhere, a run that is gone, and a gate that nobody opened", () => {
  const evidence = honest();
  const { findings } = evidence;
  expect(kinds({ ...evidence, findings: { ...findings, missed: "it came to an end" } })).toEqual(["astray"]);
  expect(kinds({ ...evidence, findings: { ...findings, record: undefined } })).toEqual(["astray"]);
  const gate: Line = { cell: "one", what: "call", executionId: ID, seq: 2, attempt: 1, idempotencyKey: `${ID}:2`, method: "gate", n: 2, heard: [] };
  const { record } = findings;
  const open = record?.log[1] && { ...record.log[1], seq: 2, method: "gate", args: { n: 2 } };
  const passed = { ...findings, record: record && open && { ...record, log: [...record.log, open] } };
  const happened = ["gate 2", ...evidence.undisturbed.happened];
  const opened = { ...evidence, findings: passed, lines: [...evidence.lines, gate], undisturbed: { ...evidence.undisturbed, happened } };
  expect(judge(opened).map(({ text }) => text)).toEqual(["gate 2 happened and nobody had approved it"]);
});

test("another result, another end, an effect that is not on record", () => {
  const evidence = honest();
  const { findings, undisturbed } = evidence;
  expect(kinds({ ...evidence, undisturbed: { ...undisturbed, result: "[]" } })).toEqual(["astray"]);
  expect(kinds({ ...evidence, plan: { ...evidence.plan, way: "reject" } })).toEqual(["astray"]);
  const { record } = findings;
  const cut = { ...findings, record: record && { ...record, log: [] } };
  expect(kinds({ ...evidence, findings: cut })).toContain("astray");
});
