/** What the runtime is told of the connectors, and what a connector may not be. */

import { expect, test } from "vitest";
import { z } from "zod";

import { createCodemodeRuntime, type ConnectorTool, type ConnectorTools } from "../../../js-shim/client/index.ts";
import type { ContactConnector, HostFunction, MethodRecord } from "../../../js-shim/wire.ts";
import { ask, callMessage, completed, context, RuntimeDouble, Table, told } from "./double.ts";

class Contacts {
  readonly double = new RuntimeDouble();
  host: HostFunction | undefined;
  readonly #connectors: Table[];

  constructor(...connectors: Table[]) {
    this.#connectors = connectors;
    this.double.answers["execute"] = (_request, host) => {
      this.host = host;
      return completed();
    };
  }
  execute() {
    return createCodemodeRuntime({ ctx: context, binding: this.double.binding, connectors: this.#connectors }).execute({ code: "1" });
  }
  async introductions(): Promise<ContactConnector[]> {
    await this.execute();
    return this.double.last().request.contact?.connectors ?? [];
  }
  async records(connector: string): Promise<MethodRecord[]> {
    await this.execute();
    const reply = await ask(this.host, { kind: "catalogue", connector, part: 0 });
    if (reply.kind !== "catalogue") throw new Error(reply.kind);
    return JSON.parse(reply.text) as MethodRecord[];
  }
}

const execute = () => 1;

test("schemas of a library are told as JSON Schema, each side as itself, and the list is named by that", async () => {
  const size = z.object({ text: z.string().transform((text) => text.length) });
  const add = (): ConnectorTools => ({ add: { inputSchema: size, outputSchema: z.string().transform(Number).pipe(z.number()), execute } });
  const [record] = await new Contacts(new Table("notes", add)).records("notes");
  expect(record).toMatchObject({ inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] }, outputSchema: { type: "number" } });
  const [first] = await new Contacts(new Table("notes", add)).introductions();
  const [again] = await new Contacts(new Table("notes", add)).introductions();
  expect(first?.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(again?.digest).toBe(first?.digest);
});

test("a record says what a method is, and nothing it is not", async () => {
  const tools: ConnectorTools = {
    plain: { execute },
    whole: {
      description: "Adds.",
      inputSchema: { type: "object" },
      outputSchema: { type: "number" },
      requiresApproval: true,
      readOnly: false,
      idempotent: true,
      replay: "log",
      original: "the-whole",
      execute,
      revert: () => {},
    },
    asked: { requiresApproval: () => true, execute },
    read: { readOnly: true, replay: "reexecute", execute },
  };
  expect(await new Contacts(new Table("notes", tools)).records("notes")).toEqual([
    { name: "plain", requiresApproval: false },
    { name: "whole", original: "the-whole", description: "Adds.", inputSchema: { type: "object" }, outputSchema: { type: "number" }, requiresApproval: true, idempotent: true, revert: true },
    { name: "asked", requiresApproval: "ask" },
    { name: "read", requiresApproval: false, readOnly: true, replay: "reexecute" },
  ]);
});

test("the digest names the list: the same for the same, another for another", async () => {
  const digest = async (tools: ConnectorTools) => (await new Contacts(new Table("a", tools)).introductions())[0]?.digest;
  expect(await digest({ m: { execute } })).toBe(await digest({ m: { execute: () => 2 } }));
  expect(await digest({ m: { execute } })).not.toBe(await digest({ m: { execute, readOnly: true } }));
  expect(await digest({ m: { execute } })).not.toBe(await digest({ n: { execute } }));
});

test("a list that is the same object is read once, a new one again", async () => {
  let list: ConnectorTools = { m: { execute } };
  let decorated = 0;
  class Counting extends Table {
    protected override tool(_name: string, tool: ConnectorTool): ConnectorTool {
      decorated += 1;
      return tool;
    }
  }
  const contacts = new Contacts(new Counting("a", () => list));
  const first = await contacts.introductions();
  expect(await contacts.introductions()).toEqual(first);
  expect(decorated).toBe(1);
  list = { m: { execute }, n: { execute } };
  expect(await contacts.introductions()).not.toEqual(first);
  expect(decorated).toBe(3);
});

test("the decoration hook has the last word", async () => {
  class Careful extends Table {
    protected override tool(name: string, tool: ConnectorTool): ConnectorTool {
      return name === "drop" ? { ...tool, requiresApproval: true } : tool;
    }
  }
  const records = await new Contacts(new Careful("a", { drop: { execute }, list: { execute } })).records("a");
  expect(records.map((record) => record.requiresApproval)).toEqual([true, false]);
});

test("a connector that cannot be reached costs the others nothing and is tried again", async () => {
  let down = true;
  const flaky = new Table("flaky", () => {
    if (down) throw new Error("connect ECONNREFUSED");
    return { m: { execute } };
  });
  const contacts = new Contacts(flaky, new Table("notes", { m: { execute } }));
  expect(await contacts.introductions()).toEqual([
    { name: "flaky", digest: "", unavailable: "connect ECONNREFUSED" },
    { name: "notes", digest: expect.stringMatching(/./) },
  ]);
  expect(told(await ask(contacts.host, callMessage("notes", "m", {})))).toEqual({ value: 1 });
  expect(told(await ask(contacts.host, callMessage("flaky", "m", {})))).toMatchObject({ code: "missing_connector", error: { message: expect.stringContaining("ECONNREFUSED") } });
  down = false;
  expect((await contacts.introductions())[0]).toEqual({ name: "flaky", digest: expect.stringMatching(/./) });
});

test.each([
  ["approval with reexecute", { requiresApproval: true, replay: "reexecute" }, /a\.m: requiresApproval and replay: "reexecute" exclude each other/],
  ["an approval function with reexecute", { requiresApproval: () => false, replay: "reexecute" }, /exclude each other/],
  ["revert with reexecute", { revert: () => {}, replay: "reexecute" }, /a\.m: revert and replay: "reexecute" exclude each other/],
] satisfies [string, Partial<ConnectorTool>, RegExp][])("%s is refused before anything runs", async (_case, part, text) => {
  const contacts = new Contacts(new Table("a", { m: { execute, ...part } }));
  expect(await contacts.execute()).toMatchObject({ status: "error", code: "invalid_input", error: expect.stringMatching(text) });
  expect(contacts.double.asked).toEqual([]);
});

test.each(["then", "toJSON", "constructor", "toString", "a-b", "1a", ""])("the method name %j is refused", async (name) => {
  const contacts = new Contacts(new Table("a", { [name]: { execute } }));
  expect(await contacts.execute()).toMatchObject({ status: "error", code: "invalid_input", error: expect.stringContaining("method name") });
});

test("a method without execute and a schema that is not JSON are told by name", async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  for (const tool of [{} as ConnectorTool, { execute, inputSchema: cyclic }]) {
    expect(await new Contacts(new Table("a", { m: tool })).execute()).toMatchObject({ status: "error", error: expect.stringContaining("a.m") });
  }
});
