/** Decisions of a person, and questions: what is sent, and what comes back. */

import { describe, expect, test } from "vitest";
import { z } from "zod";

import { createCodemodeRuntime, type CreateCodemodeRuntimeOptions } from "../../../js-shim/client/index.ts";
import { encode, MAX_VALUE_LENGTH } from "../../../js-shim/value/index.ts";
import type { WireLogEntry, WireOutput } from "../../../js-shim/wire.ts";
import { completed, context, RuntimeDouble } from "./double.ts";

function bound(double: RuntimeDouble, options: Partial<CreateCodemodeRuntimeOptions> = {}) {
  return createCodemodeRuntime({ ctx: context, binding: double.binding, connectors: [], ...options });
}

const call: WireLogEntry = {
  seq: 0,
  connector: "notes",
  method: "add",
  args: encode({ at: new Date(7) }, "args"),
  result: encode(10n, "result"),
  requiresApproval: true,
  state: "applied",
  startedAt: 1,
  endedAt: 2,
  attempt: 2,
  editedArgs: "{}",
};

describe("approve and reject", () => {
  test("approve of all, of one, and with other arguments", async () => {
    const double = new RuntimeDouble();
    double.answers["approve"] = () => completed();
    const sent = async (options: Parameters<ReturnType<typeof bound>["approve"]>[0]) => {
      await bound(double).approve(options);
      const { contact: _contact, ...request } = double.last().request;
      return request;
    };
    expect(await sent({ executionId: "e1" })).toEqual({ executionId: "e1" });
    expect(await sent({ executionId: "e1", seq: 0 })).toEqual({ executionId: "e1", seq: 0 });
    expect(await sent({ executionId: "e1", seq: 0, args: { n: 1 } })).toEqual({ executionId: "e1", seq: 0, args: '{"n":1}' });
  });

  test("edited arguments that cannot be passed on, or belong to no call, approve nothing", async () => {
    const double = new RuntimeDouble();
    const runtime = bound(double);
    expect(await runtime.approve({ executionId: "e1", args: {} })).toMatchObject({ status: "error", code: "invalid_input", executionId: "e1" });
    expect(await runtime.approve({ executionId: "e1", seq: 0, args: { f: () => 1 } })).toMatchObject({ status: "error", code: "not_serializable" });
    expect(await runtime.approve({ executionId: "e1", seq: 0, args: "x".repeat(MAX_VALUE_LENGTH) })).toMatchObject({ status: "error", code: "too_large" });
    expect(double.asked).toEqual([]);
  });

  test("an interrupted approve keeps the execution's id", async () => {
    const double = new RuntimeDouble();
    double.answers["approve"] = () => Promise.reject(new Error("gone"));
    expect(await bound(double).approve({ executionId: "e1" })).toMatchObject({ executionId: "e1", code: "interrupted", error: expect.stringContaining('recover("e1")') });
  });

  test("reject says whether it ended the run", async () => {
    const double = new RuntimeDouble();
    const runtime = bound(double);
    double.answers["reject"] = () => ({ ok: true, value: { ended: true } });
    expect(await runtime.reject({ executionId: "e1", seq: 0, reason: "no" })).toBe(true);
    expect(double.last().request).toMatchObject({ executionId: "e1", seq: 0, reason: "no", mode: "end" });
    double.answers["reject"] = () => ({ ok: true, value: { ended: false } });
    expect(await runtime.reject({ executionId: "e1", seq: 0 })).toBe(false);
    double.answers["reject"] = () => ({ ok: false, code: "not_found", error: "" });
    expect(await runtime.reject({ executionId: "e9", seq: 0 })).toBe(false);
    double.answers["reject"] = () => Promise.reject(new Error("gone"));
    await expect(runtime.reject({ executionId: "e1", seq: 0 })).rejects.toMatchObject({ name: "CodemodeError", code: "interrupted" });
  });

  test("reject with mode throw returns how the program went on", async () => {
    const double = new RuntimeDouble();
    const runtime = bound(double, { transformResult: (result) => [result] });
    const output: WireOutput = { status: "completed", executionId: "e1", logs: [], calls: [] };
    const options = { executionId: "e1", seq: 0, mode: "throw" } as const;
    const json = JSON.stringify({ ok: true, value: { ended: false, output } });
    double.answers["reject"] = () => `${json.length}\n${json}7`;
    expect(await runtime.reject(options)).toMatchObject({ status: "completed", result: [7] });
    double.answers["reject"] = () => ({ ok: true, value: { ended: false } });
    expect(await runtime.reject(options)).toMatchObject({ status: "error", code: "not_paused" });
    double.answers["reject"] = () => Promise.reject(new Error("gone"));
    expect(await runtime.reject(options)).toMatchObject({ status: "error", code: "interrupted" });
  });
});

describe("questions", () => {
  test("pending, executions and execution have values, not texts", async () => {
    const double = new RuntimeDouble();
    const runtime = bound(double);
    double.answers["pending"] = () => ({ ok: true, value: [{ executionId: "e1", seq: 0, connector: "a", method: "b", args: "[1]" }] });
    expect(await runtime.pending("e1")).toEqual([{ executionId: "e1", seq: 0, connector: "a", method: "b", args: [1] }]);
    expect(double.last().request).toEqual({ executionId: "e1" });

    const stored = { id: "e1", code: "1", status: "error", log: [call], error: "x", errorCode: "stuck", logs: [], connectors: ["notes"], createdAt: 1, updatedAt: 2 };
    double.answers["executions"] = () => ({ ok: true, value: [stored] });
    double.answers["execution"] = ({ seq }) => ({ ok: true, value: seq === undefined ? stored : call });
    const entry = { seq: 0, connector: "notes", method: "add", args: { at: new Date(7) }, result: 10n, requiresApproval: true, state: "applied", startedAt: 1, endedAt: 2, attempt: 2, editedArgs: {} };
    expect(await runtime.executions(5)).toEqual([{ ...stored, log: [entry] }]);
    expect(double.last().request).toEqual({ limit: 5 });
    expect(await runtime.execution("e1")).toEqual({ ...stored, log: [entry] });
    expect(await runtime.execution("e1", { seq: 0 })).toEqual(entry);
    expect(double.last().request).toEqual({ executionId: "e1", seq: 0 });
  });

  test("search and describe bring the contact", async () => {
    const double = new RuntimeDouble();
    const found = { results: [], total: 0, truncated: false };
    double.answers = { search: () => ({ ok: true, value: found }), describe: () => ({ ok: true, value: { path: "notes", types: "", kind: "connector" } }) };
    expect(await bound(double).search("add", { limit: 2 })).toEqual(found);
    expect(double.last().request).toEqual({ contact: { connectors: [], hears: [] }, query: "add", limit: 2 });
    expect(await bound(double).describe("notes")).toMatchObject({ kind: "connector" });
    expect(double.last().request).toEqual({ contact: { connectors: [], hears: [] }, target: "notes" });
  });

  test("one that cannot be answered is thrown with its code", async () => {
    const double = new RuntimeDouble();
    double.answers = { execution: () => ({ ok: false, code: "not_found", error: "no execution e9" }), pending: () => Promise.reject(new Error("gone")) };
    await expect(bound(double).execution("e9")).rejects.toMatchObject({ code: "not_found", message: "no execution e9" });
    await expect(bound(double).pending()).rejects.toMatchObject({ code: "interrupted" });
  });
});

test("a snippet's input schema may be a library's; what is kept is its JSON Schema, and what has none is refused", async () => {
  const double = new RuntimeDouble();
  double.answers["saveSnippet"] = ({ name, inputSchema }) => ({ ok: true, value: { name, description: "", code: "1", savedAt: 1, connectors: [], inputSchema } });
  const saved = await bound(double).saveSnippet("report", { executionId: "e1", inputSchema: z.object({ team: z.string() }) });
  expect(saved.inputSchema).toMatchObject({ type: "object", properties: { team: { type: "string" } }, required: ["team"] });
  const silent = { "~standard": { version: 1, vendor: "by-hand", validate: (value: unknown) => ({ value }) } };
  for (const inputSchema of [silent, "text", null]) {
    await expect(bound(double).saveSnippet("report", { executionId: "e1", inputSchema })).rejects.toMatchObject({ code: "invalid_input" });
  }
  expect(double.asked.length).toBe(1);
});
