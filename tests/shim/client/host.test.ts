/** What the host answers when the runtime asks it: arguments checked, calls made, every failure a value. */

import { expect, test, vi } from "vitest";
import { z } from "zod";

import { createCodemodeRuntime, type ConnectorTools } from "../../../js-shim/client/index.ts";
import { encode, MAX_VALUE_LENGTH } from "../../../js-shim/value/index.ts";
import type { HostFunction, HostMessage } from "../../../js-shim/wire.ts";
import { ask, callMessage, completed, context, RuntimeDouble, Table, told } from "./double.ts";

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

async function answer(tools: ConnectorTools, message: HostMessage) {
  return told(await ask(await hostOf(new Table("notes", tools)), message));
}

const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false };

test("a call reaches the method with its arguments and its place in the run", async () => {
  const execute = vi.fn(async () => ({ id: 1 }));
  expect(await answer({ add: { inputSchema: text, execute } }, callMessage("notes", "add", { text: "a" }))).toEqual({ value: { id: 1 } });
  expect(execute.mock.calls).toEqual([[{ text: "a" }, { executionId: "e1", seq: 3, idempotencyKey: "e1/3", attempt: 1 }]]);
});

test.each([
  ["a missing argument", {}, "args.text is required"],
  ["a wrong type", { text: 1 }, "args.text must be string, not number"],
  ["a Date for a text", { text: new Date(0) }, "args.text must be string, not date"],
  ["an unknown argument", { text: "a", titel: 1 }, "args.titel is not accepted; accepted are text"],
  ["no arguments at all", undefined, "args.text is required"],
  ["another kind of value", "a", "args must be object, not string"],
])("%s is refused and nothing runs", async (_case, args, reason) => {
  const execute = vi.fn();
  const reply = await answer({ add: { inputSchema: text, execute } }, callMessage("notes", "add", args));
  expect(reply).toMatchObject({ code: "invalid_input", error: new Error(`notes.add was not called: ${reason}`) });
  expect(execute).not.toHaveBeenCalled();
});

test("a call without arguments is a call with an empty object where an object is taken", async () => {
  const execute = (args: unknown) => args;
  expect(await answer({ list: { inputSchema: { type: "object" }, execute } }, callMessage("notes", "list", undefined))).toEqual({ value: {} });
  expect(await answer({ list: { execute } }, callMessage("notes", "list", undefined))).toEqual({ value: undefined });
});

const undo = (args: unknown): HostMessage => ({
  kind: "revert",
  connector: "notes",
  method: "add",
  args: encode(args, "args"),
  result: encode(1, "result"),
  executionId: "e1",
  seq: 3,
  idempotencyKey: "e1/3:revert",
});

test("a method's own library checks its arguments, and every function of the method is given what it makes of them", async () => {
  const heard: unknown[] = [];
  const tools: ConnectorTools = {
    add: {
      inputSchema: z.object({ text: z.string().trim(), times: z.number().default(2) }),
      requiresApproval: (args) => heard.push(args) < 0,
      execute: (args: object) => args,
      revert: (args) => void heard.push(args),
    },
  };
  const given = { text: "a", times: 2 };
  expect(await answer(tools, callMessage("notes", "add", { text: " a " }))).toEqual({ value: given });
  expect(await answer(tools, check({ text: " a " }))).toEqual({ kind: "allow" });
  expect(await answer(tools, undo({ text: "a " }))).toEqual({ kind: "reverted" });
  expect(heard).toEqual([given, given]);
  expect(await answer(tools, callMessage("notes", "add", undefined))).toMatchObject({ code: "invalid_input", error: { message: "notes.add was not called: args.text is required" } });
});

test("a call whose arguments the schema no longer takes is undone with the program's own", async () => {
  const revert = vi.fn();
  expect(await answer({ add: { inputSchema: z.object({ text: z.string() }), execute: () => 1, revert } }, undo({ text: 1 }))).toEqual({ kind: "reverted" });
  expect(revert.mock.calls[0]?.[0]).toEqual({ text: 1 });
});

test("of a generator the last value is the result, and of a stream nothing is", async () => {
  const execute = async function* () {
    yield 1;
    yield { at: 2 };
    return 3;
  };
  expect(await answer({ count: { execute } }, callMessage("notes", "count", {}))).toEqual({ value: { at: 2 } });
  expect(await answer({ get: { execute: () => new Response("a").body } }, callMessage("notes", "get", {}))).toMatchObject({ code: "not_serializable" });
});

test("arguments that are no value text are refused", async () => {
  const message: HostMessage = { ...callMessage("notes", "list", {}), args: "@not a value" } as HostMessage;
  expect(await answer({ list: { execute: () => 1 } }, message)).toMatchObject({ code: "invalid_input" });
});

test.each([
  ["an Error", new Error("no such note"), "no such note"],
  ["an Error without a text", new TypeError(""), "TypeError"],
  ["a text", "boom", "boom"],
])("what a connector throws is a failure: %s", async (_case, thrown, message) => {
  const execute = () => Promise.reject(thrown);
  const reply = await answer({ get: { execute } }, callMessage("notes", "get", {}));
  expect(reply).toMatchObject({ code: "exception", error: expect.objectContaining({ message }) });
});

test("a method that throws before it returns a promise is a failure too", async () => {
  const execute = () => {
    throw new RangeError("at once");
  };
  expect(await answer({ get: { execute } }, callMessage("notes", "get", {}))).toMatchObject({ code: "exception", error: new RangeError("at once") });
});

test("a result that cannot cross says that the call did act, and where", async () => {
  const reply = await answer({ get: { execute: () => ({ a: { f: () => 1 } }) } }, callMessage("notes", "get", {}));
  expect(reply).toMatchObject({ code: "not_serializable", error: { message: expect.stringMatching(/^notes\.get did act, but .*result\.a\.f/) } });
});

test("a result that is too large says how large, the limit and what to do", async () => {
  const reply = await answer({ get: { execute: () => "x".repeat(MAX_VALUE_LENGTH) } }, callMessage("notes", "get", {}));
  expect(reply).toMatchObject({ code: "too_large", error: { message: expect.stringContaining("1,000,002 units, the limit is 1,000,000") } });
});

test("an error that is too large for a value is still an error", async () => {
  const execute = () => Promise.reject(new Error(`start ${"x".repeat(2_000_000)}`));
  const reply = await ask(await hostOf(new Table("notes", { get: { execute } })), callMessage("notes", "get", {}));
  if (reply.kind !== "failure") throw new Error(reply.kind);
  expect(reply.error.length).toBeLessThanOrEqual(MAX_VALUE_LENGTH);
  expect(told(reply)).toMatchObject({ code: "exception", error: { message: expect.stringContaining("start xxx") } });
});

const check = (args: unknown): HostMessage => ({ kind: "check", connector: "notes", method: "add", args: encode(args, "args") });

test.each([
  ["false", false, "allow"],
  ["left out", undefined, "allow"],
  ["true", true, "ask"],
  ["a function that says false", () => false, "allow"],
  ["a function that says true", async () => true, "ask"],
])("requiresApproval %s", async (_case, requiresApproval, kind) => {
  expect(await answer({ add: { requiresApproval, execute: () => 1 } }, check({}))).toEqual({ kind });
});

test("an approval function gets the arguments of the call and is not asked about ones that do not fit", async () => {
  const requiresApproval = vi.fn((args: unknown) => JSON.stringify(args) === '{"text":"b"}');
  const tools: ConnectorTools = { add: { inputSchema: text, requiresApproval, execute: () => 1 } };
  expect(await answer(tools, check({ text: "a" }))).toEqual({ kind: "allow" });
  expect(await answer(tools, check({ text: "b" }))).toEqual({ kind: "ask" });
  expect(await answer(tools, check({}))).toMatchObject({ code: "invalid_input" });
  expect(requiresApproval).toHaveBeenCalledTimes(2);
});

test("an approval function that answers nothing asks; one that throws lets nothing run", async () => {
  const silent = (() => undefined) as unknown as () => boolean;
  expect(await answer({ add: { requiresApproval: silent, execute: () => 1 } }, check({}))).toEqual({ kind: "ask" });
  const broken = () => {
    throw new Error("no policy");
  };
  expect(await answer({ add: { requiresApproval: broken, execute: () => 1 } }, check({}))).toMatchObject({ code: "exception" });
});

test("an approved call is not asked about again", async () => {
  const requiresApproval = vi.fn(() => true);
  expect(await answer({ add: { requiresApproval, execute: () => 1 } }, callMessage("notes", "add", {}))).toEqual({ value: 1 });
  expect(requiresApproval).not.toHaveBeenCalled();
});

test("an unknown connector and a method that is gone are failures, not silence", async () => {
  expect(await answer({}, callMessage("github", "list", {}))).toMatchObject({ code: "missing_connector" });
  expect(await answer({}, callMessage("notes", "toString", {}))).toMatchObject({ code: "invalid_input" });
});

test("a message that cannot be read is answered and not thrown", async () => {
  const host = await hostOf(new Table("notes", {}));
  for (const message of ["", "null", "{", '{"kind":"sing"}']) {
    expect(JSON.parse(await host(message))).toMatchObject({ kind: "failure", code: "internal" });
  }
});

test("what the catalogue lists is what can be called", async () => {
  const tools: ConnectorTools = Object.fromEntries(["a", "b", "delete"].map((name) => [name, { execute: () => name }]));
  const host = await hostOf(new Table("notes", tools));
  const reply = await ask(host, { kind: "catalogue", connector: "notes", part: 0 });
  if (reply.kind !== "catalogue") throw new Error(reply.kind);
  const methods = JSON.parse(reply.text) as { name: string }[];
  for (const { name } of methods) expect(told(await ask(host, callMessage("notes", name, {})))).toEqual({ value: name });
  expect(methods.length).toBe(3);
});
