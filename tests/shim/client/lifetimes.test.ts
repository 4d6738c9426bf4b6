/** What an application asks of a run's life: what is sent, and what comes back. */

import { expect, test } from "vitest";

import { createCodemodeRuntime, type CreateCodemodeRuntimeOptions } from "../../../js-shim/client/index.ts";
import { MAX_VALUE_LENGTH } from "../../../js-shim/value/index.ts";
import { completed, context, RuntimeDouble } from "./double.ts";

function bound(double: RuntimeDouble, options: Partial<CreateCodemodeRuntimeOptions> = {}) {
  return createCodemodeRuntime({ ctx: context, binding: double.binding, connectors: [], ...options });
}

function answering(method: string, value: unknown): RuntimeDouble {
  const double = new RuntimeDouble();
  double.answers[method] = () => ({ ok: true, value });
  return double;
}

test("resolve sends the outcome, and the result as a value", async () => {
  const double = new RuntimeDouble();
  double.answers["resolve"] = () => completed(5);
  const runtime = bound(double, { transformResult: (result) => [result] });
  const options = { executionId: "e1", seq: 2 };
  expect(await runtime.resolve({ ...options, outcome: "applied", result: 7n })).toMatchObject({ status: "completed", result: [5] });
  expect(double.last().request).toEqual({ contact: { connectors: [], hears: [] }, ...options, outcome: "applied", result: expect.stringContaining("7") });
  await runtime.resolve({ ...options, outcome: "rerun" });
  expect(double.last().request).toEqual({ contact: { connectors: [], hears: [] }, ...options, outcome: "rerun" });
});

test("a result that cannot be passed on resolves nothing", async () => {
  const double = new RuntimeDouble();
  const options = { executionId: "e1", seq: 2, outcome: "applied" } as const;
  expect(await bound(double).resolve({ ...options, result: { f: () => 1 } })).toMatchObject({ executionId: "e1", code: "not_serializable", error: expect.stringContaining("result.f") });
  expect(await bound(double).resolve({ ...options, result: "x".repeat(MAX_VALUE_LENGTH) })).toMatchObject({ code: "too_large" });
  expect(double.asked).toEqual([]);
});

test("cancel says whether it ended the run, and throws when nobody could be asked", async () => {
  const double = answering("cancel", { cancelled: true });
  expect(await bound(double).cancel("e1")).toBe(true);
  expect(double.last().request).toEqual({ contact: { connectors: [], hears: [] }, executionId: "e1" });
  double.answers["cancel"] = () => ({ ok: false, code: "not_found", error: "no such run" });
  await expect(bound(double).cancel("e1")).rejects.toMatchObject({ name: "CodemodeError", code: "not_found" });
});

test("rollback gives the report, and throws when the run is running", async () => {
  const report = { status: "rolled_back", report: [{ seq: 0, connector: "a", method: "b", outcome: "failed", error: "no" }], notReverted: [] };
  const double = answering("rollback", report);
  expect(await bound(double).rollback({ executionId: "e1" })).toEqual(report);
  expect(double.last().request).toEqual({ contact: { connectors: [], hears: [] }, executionId: "e1" });
  double.answers["rollback"] = () => ({ ok: false, code: "interrupted", error: "it is running" });
  await expect(bound(double).rollback({ executionId: "e1" })).rejects.toMatchObject({ code: "interrupted", message: "it is running" });
});

test("expirePaused, deleteExecution and pruneExecutions give what they did", async () => {
  const expired = answering("expirePaused", { expired: ["e1"] });
  expect(await bound(expired).expirePaused()).toEqual(["e1"]);
  expect(expired.last().request).toEqual({});
  await bound(expired).expirePaused({ maxAgeMs: 0 });
  expect(expired.last().request).toEqual({ maxAgeMs: 0 });
  const deleted = answering("deleteExecution", { deleted: false });
  expect(await bound(deleted).deleteExecution("e1")).toBe(false);
  expect(deleted.last().request).toEqual({ executionId: "e1" });
  const pruned = answering("pruneExecutions", { deleted: 3 });
  expect(await bound(pruned).pruneExecutions(2)).toBe(3);
  expect(pruned.last().request).toEqual({ keep: 2 });
});

test.each([
  ["maxAgeMs", (runtime: ReturnType<typeof bound>) => runtime.expirePaused({ maxAgeMs: Infinity })],
  ["keep", (runtime: ReturnType<typeof bound>) => runtime.pruneExecutions(-1)],
])("%s has to be a whole number, so that nothing is forgotten by mistake", async (name, ask) => {
  const double = new RuntimeDouble();
  await expect(ask(bound(double))).rejects.toMatchObject({ code: "invalid_input", message: expect.stringContaining(name) });
  expect(double.asked).toEqual([]);
});

test("executions with a cursor is a page, without one a list", async () => {
  const stored = { id: "e1", code: "1", status: "completed", log: [], result: "[1]", connectors: [], createdAt: 1, updatedAt: 2 };
  const double = new RuntimeDouble();
  double.answers["executions"] = ({ cursor }) => ({ ok: true, value: cursor === undefined ? [stored] : { executions: [stored], cursor: "next" } });
  expect(await bound(double).executions({ limit: 1, cursor: null })).toEqual({ executions: [{ ...stored, result: [1] }], cursor: "next" });
  expect(double.last().request).toEqual({ limit: 1, cursor: null });
  expect(await bound(double).executions()).toEqual([{ ...stored, result: [1] }]);
});
