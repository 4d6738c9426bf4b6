/** The handle: what goes to the runtime, what comes back, and what is never thrown. */

import { describe, expect, test } from "vitest";

import { CodemodeConnector, createCodemodeRuntime, type CreateCodemodeRuntimeOptions } from "../../../js-shim/client/index.ts";
import { encode, MAX_VALUE_LENGTH } from "../../../js-shim/value/index.ts";
import type { WireLogEntry, WireOutput } from "../../../js-shim/wire.ts";
import { completed, context, framed, RuntimeDouble, Table } from "./double.ts";

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

describe("where the runtime is", () => {
  const where = async (options: Partial<CreateCodemodeRuntimeOptions>) => {
    const double = new RuntimeDouble();
    double.answers["pending"] = () => ({ ok: true, value: [] });
    await bound(double, options).pending();
    return double.objectNames;
  };

  test("one object per identity and name", async () => {
    expect(await where({})).toEqual(["agent/default"]);
    expect(await where({ name: "research-1.0_b" })).toEqual(["agent/research-1.0_b"]);
    expect(await where({ ctx: {}, id: "tenant/7" })).toEqual(["tenant/7/default"]);
  });

  test("a stateless Worker without an id is told so at construction", () => {
    const double = new RuntimeDouble();
    expect(() => bound(double, { ctx: {} })).toThrow(/`ctx` has no id.*Pass `id`/);
    expect(() => bound(double, { id: "" })).toThrow(/`id` is empty/);
  });

  test("embedded: a facet of the Agent, of the class that the Worker exports", async () => {
    const double = new RuntimeDouble();
    double.answers["pending"] = () => ({ ok: true, value: [] });
    const started: unknown[] = [];
    class CodemodeRuntime {}
    const facets = {
      get(name: string, start: () => unknown) {
        started.push(name, start());
        return double.stub();
      },
    };
    const ctx = { id: context.id, facets, exports: { CodemodeRuntime } };
    expect(await createCodemodeRuntime({ ctx, connectors: [], name: "a" }).pending()).toEqual([]);
    expect(started).toEqual(["codemode:a", { class: CodemodeRuntime }]);
  });

  test.each([
    ["ctx.facets", {}, /ctx\.facets is missing.*compatibility_date = "2026-06-11" or later, or pass `binding`/],
    ["ctx.exports", { facets: { get() {} } }, /ctx\.exports is missing. Set compatibility_date = "2026-06-11" or later/],
    ["the exported class", { facets: { get() {} }, exports: {} }, /ctx\.exports\.CodemodeRuntime is missing. Export the class CodemodeRuntime from the main module/],
  ])("embedded without %s: the missing setting is named at construction", (_what, ctx, text) => {
    expect(() => createCodemodeRuntime({ ctx: { id: context.id, ...ctx }, connectors: [] })).toThrow(text);
  });

  test("a binding of another kind is told so at construction", () => {
    const binding = { fetch() {} } as unknown as RuntimeDouble["binding"];
    expect(() => createCodemodeRuntime({ ctx: context, binding, connectors: [] })).toThrow(/script_name/);
  });
});

test.each(["", "a b", "a/b", "é", "a\n"])("the runtime name %j is refused", (name) => {
  expect(() => bound(new RuntimeDouble(), { name })).toThrow(/runtime name/);
});

test.each([
  ["limits", { limits: { passMS: 1 } as never }, /limits\.passMS is not a limit; there are passMs/],
  ["limits", { limits: { passMs: 0 } }, /limits\.passMs is 0/],
  ["limits", { limits: { calls: 1.5 } }, /limits\.calls is 1\.5/],
  ["maxExecutions", { maxExecutions: -1 }, /maxExecutions is -1/],
  ["approval", { approval: "always" as never }, /"as-declared" or "unless-read-only"/],
])("a wrong %s is refused at construction", (_what, options, text) => {
  expect(() => bound(new RuntimeDouble(), options)).toThrow(text);
});

describe("execute", () => {
  test("sends the program and the contact", async () => {
    const double = new RuntimeDouble();
    double.answers["execute"] = () => completed();
    const options = { connectors: [new Table("notes", {}, "Notes of the user.")], approval: "unless-read-only", limits: { calls: 5 }, maxExecutions: 3 } as const;
    await bound(double, options).execute({ code: "1", key: "k" });
    expect(double.last().request).toEqual({
      contact: {
        connectors: [{ name: "notes", instructions: "Notes of the user.", digest: expect.stringMatching(/^[0-9a-f]{64}$/) }],
        approval: "unless-read-only",
        limits: { calls: 5 },
        maxExecutions: 3,
        hears: ["pass_end", "dispose"],
      },
      code: "1",
      key: "k",
    });
  });

  test("says which ends its connectors have hooks for", async () => {
    class Deaf extends CodemodeConnector {
      override name = () => "deaf";
      override tools = () => ({});
    }
    class Closing extends Deaf {
      override name = () => "closing";
      protected override onPassEnd(): void {}
    }
    const heard = async (connectors: CodemodeConnector[]) => {
      const double = new RuntimeDouble();
      double.answers["execute"] = () => completed();
      await bound(double, { connectors }).execute({ code: "1" });
      return (double.last().request as { contact: { hears: unknown } }).contact.hears;
    };
    expect(await heard([new Deaf(context, {})])).toEqual([]);
    expect(await heard([new Deaf(context, {}), new Closing(context, {})])).toEqual(["pass_end"]);
  });

  test("a completed run: result and calls keep their types, and calls tell only what an output tells", async () => {
    const double = new RuntimeDouble();
    double.answers["execute"] = () => framed({ status: "completed", executionId: "e1", logs: ["a"], calls: [call] }, new Map([[1, new Date(5)]]));
    expect(await bound(double).execute({ code: "1" })).toEqual({
      status: "completed",
      executionId: "e1",
      result: new Map([[1, new Date(5)]]),
      logs: ["a"],
      calls: [{ seq: 0, connector: "notes", method: "add", args: { at: new Date(7) }, result: 10n, requiresApproval: true, state: "applied", startedAt: 1, endedAt: 2 }],
    });
  });

  test("a paused run: pending and in-doubt calls, also ones whose arguments are left out", async () => {
    const double = new RuntimeDouble();
    const omitted = { omitted: true as const, length: 20_000 };
    const pending = { executionId: "e1", seq: 0, connector: "notes", method: "add", args: omitted };
    const inDoubt = { ...pending, seq: 1, args: "[1]" };
    double.answers["execute"] = () => framed({ status: "paused", executionId: "e1", pending: [pending], inDoubt: [inDoubt], logs: [], calls: [] });
    expect(await bound(double).execute({ code: "1" })).toEqual({
      status: "paused",
      executionId: "e1",
      pending: [pending],
      inDoubt: [{ ...inDoubt, args: [1] }],
      logs: [],
      calls: [],
    });
  });

  test("an error: the code, also one of a newer runtime", async () => {
    const double = new RuntimeDouble();
    const error: WireOutput = { status: "error", executionId: "e1", error: "boom", code: "stuck", logs: [], calls: [] };
    double.answers["execute"] = () => framed(error);
    expect(await bound(double).execute({ code: "1" })).toEqual(error);
    double.answers["execute"] = () => framed({ ...error, code: "brand_new" });
    expect(await bound(double).execute({ code: "1" })).toEqual({ ...error, code: "internal" });
  });

  test("a result as large as a result may be comes whole, whatever it contains", async () => {
    const double = new RuntimeDouble();
    const large = `12\n{"ok":false}${"y".repeat(3_000_000)}`;
    double.answers["execute"] = () => completed(large);
    expect(await bound(double).execute({ code: "1" })).toMatchObject({ status: "completed", result: large });
  });

  test("a forged result is an error, a forged argument spoils only itself", async () => {
    const double = new RuntimeDouble();
    double.answers["execute"] = () => `${completed()}@forged`;
    expect(await bound(double).execute({ code: "1" })).toMatchObject({ status: "error", code: "internal", executionId: "e1" });
    const calls = [{ ...call, args: "@forged" }, { ...call, args: "!not_serializable args.f is a function" }];
    double.answers["execute"] = () => framed({ status: "completed", executionId: "e1", logs: [], calls }, 1);
    expect(await bound(double).execute({ code: "1" })).toMatchObject({
      status: "completed",
      calls: [{ args: { unreadable: expect.any(String) } }, { args: { refused: "not_serializable args.f is a function" } }],
    });
  });

  test("a runtime that cannot be reached is an outcome that says what to do", async () => {
    const double = new RuntimeDouble();
    double.answers["execute"] = () => Promise.reject(new Error("Network connection lost."));
    expect(await bound(double).execute({ code: "1" })).toMatchObject({ status: "error", executionId: "", code: "interrupted", error: expect.stringMatching(/Network connection lost\. What.*recover\(executionId\)/) });
    expect(await bound(double).execute({ code: "1", key: "k" })).toMatchObject({ code: "interrupted", error: expect.stringContaining("same key") });
    double.answers["execute"] = () => "<html>";
    expect(await bound(double).execute({ code: "1" })).toMatchObject({ status: "error", code: "interrupted" });
  });

  test("a runtime that refuses is an outcome with its code and text", async () => {
    const double = new RuntimeDouble();
    double.answers["execute"] = () => ({ ok: false, code: "syntax", error: "line 1" });
    expect(await bound(double).execute({ code: "1" })).toEqual({ status: "error", executionId: "", code: "syntax", error: "line 1", logs: [], calls: [] });
  });

  test("code that is no text, or too long, does not reach the runtime", async () => {
    const double = new RuntimeDouble();
    expect(await bound(double).execute({ code: 1 as never })).toMatchObject({ status: "error", code: "invalid_input" });
    expect(await bound(double).execute({ code: "x".repeat(MAX_VALUE_LENGTH + 1) })).toMatchObject({ status: "error", code: "too_large" });
    expect(double.asked).toEqual([]);
  });

  test("every stub is disposed of, also when the call fails", async () => {
    const double = new RuntimeDouble();
    double.answers["execute"] = () => completed();
    await bound(double).execute({ code: "1" });
    double.answers["execute"] = () => Promise.reject(new Error("gone"));
    await bound(double).execute({ code: "1" });
    await bound(double).pending().catch(() => undefined);
    expect([double.opened, double.disposed]).toEqual([3, 3]);
  });
});

describe("transformResult", () => {
  test("shapes a completed run, first pass or resumed", async () => {
    const double = new RuntimeDouble();
    double.answers = { execute: () => completed(1), approve: () => completed(2), recover: () => completed(3) };
    const runtime = bound(double, { transformResult: async (result) => `<${String(result)}>` });
    expect(await runtime.execute({ code: "1" })).toMatchObject({ result: "<1>" });
    expect(await runtime.approve({ executionId: "e1" })).toMatchObject({ result: "<2>" });
    expect(await runtime.recover("e1")).toMatchObject({ result: "<3>" });
  });

  test("gives way to the raw result when it throws, and is not asked about other outcomes", async () => {
    const double = new RuntimeDouble();
    let asked = 0;
    const transformResult = () => {
      asked += 1;
      throw new Error("formatter");
    };
    double.answers["execute"] = () => completed(1);
    expect(await bound(double, { transformResult }).execute({ code: "1" })).toMatchObject({ status: "completed", result: 1 });
    double.answers["execute"] = () => ({ ok: false, code: "stuck", error: "" });
    await bound(double, { transformResult }).execute({ code: "1" });
    expect(asked).toBe(1);
  });
});
