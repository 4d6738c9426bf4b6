/** What the host answers when it is asked to undo a call, and when it is told of the end of one. */

import { expect, test, vi } from "vitest";

import { type ConnectorTools, createCodemodeRuntime } from "../../../js-shim/client/index.ts";
import { encode } from "../../../js-shim/value/index.ts";
import type { HostFunction, HostMessage } from "../../../js-shim/wire.ts";
import { ask, completed, context, RuntimeDouble, Table, told } from "./double.ts";

async function hostOf(...connectors: Table[]): Promise<HostFunction> {
  const double = new RuntimeDouble();
  let host: HostFunction | undefined;
  double.answers["execute"] = (_request, given) => {
    host = given;
    return completed();
  };
  await createCodemodeRuntime({ ctx: context, binding: double.binding, connectors }).execute({ code: "1" });
  if (host === undefined) throw new Error("no host was passed");
  return host;
}

const REVERT: HostMessage & { kind: "revert" } = {
  kind: "revert",
  connector: "notes",
  method: "add",
  args: encode({ at: new Date(1) }, "args"),
  result: encode({ id: 7n }, "result"),
  executionId: "e1",
  seq: 3,
  idempotencyKey: "e1/3",
};

async function undo(tools: ConnectorTools, message: HostMessage = REVERT) {
  return told(await ask(await hostOf(new Table("notes", tools)), message));
}

test("a call is undone with its arguments, its result and its place in the run", async () => {
  const revert = vi.fn();
  expect(await undo({ add: { execute: () => 1, revert } })).toEqual({ kind: "reverted" });
  expect(revert.mock.calls).toEqual([[{ at: new Date(1) }, { id: 7n }, { executionId: "e1", seq: 3, idempotencyKey: "e1/3", attempt: 1 }]]);
});

test("a schema that has changed since is no reason not to undo it", async () => {
  const revert = vi.fn();
  const inputSchema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  expect(await undo({ add: { inputSchema, execute: () => 1, revert } })).toEqual({ kind: "reverted" });
  await undo({ add: { inputSchema, execute: () => 1, revert } }, { ...REVERT, args: "", result: "" });
  expect(revert.mock.lastCall?.slice(0, 2)).toEqual([{}, undefined]);
});

test("a revert is called on its tool, as execute is", async () => {
  const tool = {
    undone: 0,
    execute: () => 1,
    revert() {
      this.undone += 1;
    },
  };
  await undo({ add: tool });
  expect(tool.undone).toBe(1);
});

test("a method without revert says so", async () => {
  expect(await undo({ add: { execute: () => 1 } })).toEqual({ kind: "no_revert" });
});

test("a revert that throws is a failure with its text", async () => {
  const revert = async () => Promise.reject(new Error("locked"));
  expect(await undo({ add: { execute: () => 1, revert } })).toMatchObject({ code: "exception", error: new Error("locked") });
});

test("a method and a connector that are gone are missing", async () => {
  expect(await undo({ list: { execute: () => 1 } })).toMatchObject({ code: "missing_connector", error: { message: expect.stringContaining("notes.add") } });
  expect(await undo({}, { ...REVERT, connector: "mail" })).toMatchObject({ code: "missing_connector", error: { message: expect.stringContaining("mail") } });
});

test.each([
  [{ kind: "pass_end", executionId: "e1", status: "paused" }, ["onPassEnd", "e1", "paused"]],
  [{ kind: "dispose", executionId: "e1", status: "completed" }, ["disposeExecution", "e1", "completed"]],
] satisfies [HostMessage, string[]][])("every connector hears %s, also one that fails or cannot be reached", async (message, told) => {
  const hook = vi.fn();
  const failing = new Table("failing", {});
  failing.hook = () => {
    throw new Error("broken");
  };
  const rejecting = new Table("rejecting", {});
  rejecting.hook = () => Promise.reject(new Error("broken"));
  const away = new Table("away", () => Promise.reject(new Error("no route")));
  const last = new Table("last", {});
  away.hook = last.hook = hook;
  expect(await ask(await hostOf(failing, rejecting, away, last), message)).toEqual({ kind: "done" });
  expect(hook.mock.calls).toEqual([told, told]);
});

test("only connectors with calls in flight hear that a run was cancelled", async () => {
  const [busy, idle] = [new Table("busy", {}), new Table("idle", {})];
  const [heard, silent] = [vi.fn(), vi.fn()];
  busy.hook = heard;
  idle.hook = silent;
  expect(await ask(await hostOf(busy, idle), { kind: "cancelled", executionId: "e1", connectors: ["busy", "gone"] })).toEqual({ kind: "done" });
  expect(heard.mock.calls).toEqual([["onCancel", "e1"]]);
  expect(silent).not.toHaveBeenCalled();
});
