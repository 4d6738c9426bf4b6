/** A connector that hands its source over: what crosses, which tool a call finds, and what a hook changes. */

import { expect, test } from "vitest";

import { createCodemodeRuntime, type ConnectorTool } from "../../../js-shim/client/index.ts";
import { DerivedConnector, type Source } from "../../../js-shim/client/derived.ts";
import type { ContactConnector, HostFunction, MethodRecord } from "../../../js-shim/wire.ts";
import { ask, callMessage, completed, context, RuntimeDouble, told } from "./double.ts";

class Remote extends DerivedConnector {
  offered: Source = { format: "toolset", text: "[]" };
  made = 0;
  constructor() {
    super(context, undefined);
  }
  override name() {
    return "remote";
  }
  protected override source() {
    return this.offered;
  }
  protected override toolFor(record: MethodRecord): ConnectorTool {
    this.made += 1;
    const { requiresApproval } = record;
    return {
      description: record.description,
      inputSchema: record.inputSchema as object,
      requiresApproval: requiresApproval === true,
      execute: (args) => [record.original, args],
    };
  }
}

class Hooked extends Remote {
  protected override tool(name: string, tool: ConnectorTool): ConnectorTool {
    return name.startsWith("drop") ? { ...tool, requiresApproval: true, revert: () => {} } : tool;
  }
}

function contacts(connector: Remote) {
  const double = new RuntimeDouble();
  let host: HostFunction | undefined;
  double.answers["execute"] = (_request, given) => {
    host = given;
    return completed();
  };
  const runtime = createCodemodeRuntime({ ctx: context, binding: double.binding, connectors: [connector] });
  return {
    async introduction(): Promise<ContactConnector | undefined> {
      await runtime.execute({ code: "1" });
      return double.last().request.contact?.connectors[0];
    },
    async host(): Promise<HostFunction | undefined> {
      await this.introduction();
      return host;
    },
  };
}

const record = (name: string, more: Partial<MethodRecord> = {}): MethodRecord => ({ name, requiresApproval: false, ...more });

test("a long source crosses in parts, and they are the text", async () => {
  const connector = new Remote();
  const text = JSON.stringify(["x".repeat(1_999_990), "😀".repeat(20), "漢".repeat(1_500_000)]);
  connector.offered = { format: "openapi", text };
  const host = await contacts(connector).host();
  const parts: string[] = [];
  for (let part = 0, count = 1; part < count; part += 1) {
    const reply = await ask(host, { kind: "catalogue", connector: "remote", part });
    if (reply.kind !== "catalogue") throw new Error(reply.kind);
    expect([reply.format, reply.parts]).toEqual(["openapi", 2]);
    expect(new TextEncoder().encode(reply.text).length).toBeLessThan(8 << 20);
    parts.push(reply.text);
    count = reply.parts;
  }
  expect(parts.join("") === text).toBe(true);
});

test("the digest names format and text", async () => {
  const connector = new Remote();
  const life = contacts(connector);
  const first = await life.introduction();
  expect(first).toEqual({ name: "remote", digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  connector.offered = { format: "mcp", text: "[]" };
  expect((await life.introduction())?.digest).not.toBe(first?.digest);
});

test("a call finds the tool of the record that came with it, made once", async () => {
  const connector = new Remote();
  const host = await contacts(connector).host();
  const sent = JSON.stringify(record("get_user", { original: "get-user", inputSchema: { type: "object", required: ["id"] } }));
  for (let time = 0; time < 2; time += 1) {
    const reply = await ask(host, { ...callMessage("remote", "get_user", { id: 1 }), record: sent });
    expect(told(reply)).toEqual({ value: ["get-user", { id: 1 }] });
  }
  expect(connector.made).toBe(1);
  expect(told(await ask(host, { ...callMessage("remote", "get_user", {}), record: sent }))).toMatchObject({ code: "invalid_input", error: { message: expect.stringContaining("args.id is required") } });
});

test("a call without a record is of a method that is not there any more", async () => {
  const host = await contacts(new Remote()).host();
  expect(told(await ask(host, callMessage("remote", "gone", {})))).toMatchObject({ code: "invalid_input", error: { message: expect.stringContaining("does not exist any more") } });
});

test("a hook says what it changes of each page, and the contact names it from then on", async () => {
  const connector = new Hooked();
  const life = contacts(connector);
  expect((await life.introduction())?.changes).toBe("");
  const host = await life.host();
  const reply = await ask(host, { kind: "change", connector: "remote", methods: [record("drop_user", { readOnly: true }), record("get_user")] });
  expect(reply).toEqual({ kind: "changed", changes: { drop_user: { requiresApproval: true, revert: true } }, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const { changes } = (await life.introduction()) ?? {};
  expect(reply).toMatchObject({ digest: changes });
  // Another source is another list to see.
  connector.offered = { format: "toolset", text: "[1]" };
  expect((await life.introduction())?.changes).toBe("");
});

test("a hook that makes a contradiction is the application's mistake, and names the method", async () => {
  class Wrong extends Remote {
    protected override tool(_name: string, tool: ConnectorTool): ConnectorTool {
      return { ...tool, replay: "reexecute", revert: () => {} };
    }
  }
  const host = await contacts(new Wrong()).host();
  const reply = await ask(host, { kind: "change", connector: "remote", methods: [record("drop_user")] });
  expect(told(reply)).toMatchObject({ code: "invalid_input", error: { message: expect.stringContaining("remote.drop_user") } });
});
