/** A toolset as the runtime meets it: its source read, each method called through a host by the key that the application gave it. */

import { jsonSchema as jsonSchema6, tool as tool6 } from "ai-v6";
import { jsonSchema as jsonSchema7, tool as tool7 } from "ai";

import { type ConnectorTool, ToolSetConnector, type ToolSetConnectorOptions } from "../../../js-shim/client/index.ts";
import { openContact } from "../../../js-shim/client/contact.ts";
import type { Source } from "../../../js-shim/client/derived.ts";
import type { HostFunction, HostReply, MethodRecord } from "../../../js-shim/wire.ts";
import { ask, callMessage, context, Table, told } from "./double.ts";
import { encode } from "../../../js-shim/value/index.ts";

/** Both versions of the SDK; what they share is called alike. */
export const SDKS = [
  { version: "ai 7", tool: tool7, jsonSchema: jsonSchema7 },
  { version: "ai 6", tool: tool6 as unknown as typeof tool7, jsonSchema: jsonSchema6 as unknown as typeof jsonSchema7 },
] as const;

export class Opened extends ToolSetConnector {
  override source(): Promise<Source> {
    return super.source();
  }
  override toolFor(record: MethodRecord): ConnectorTool {
    return super.toolFor(record);
  }
  override instructions(): string | undefined {
    return super.instructions();
  }
  override onCancel(executionId: string): void {
    super.onCancel(executionId);
  }
}

export function opened(tools: ToolSetConnectorOptions["tools"], options: Partial<ToolSetConnectorOptions> = {}): Opened {
  return new Opened(context, { ...options, tools });
}

export async function recordsOf(connector: Opened): Promise<MethodRecord[]> {
  const { format, text } = await connector.source();
  if (format !== "toolset") throw new Error(format);
  return JSON.parse(text) as MethodRecord[];
}

/** A host with the methods of a toolset; keys have to be identifiers here. */
export async function hostOf(connector: Opened): Promise<HostFunction> {
  const methods = (await recordsOf(connector)).map((record) => [record.name, connector.toolFor(record)] as const);
  return (await openContact([new Table("tools", Object.fromEntries(methods))], {})).host;
}

/** What a call comes to: `{ value }`, or `{ code, error }`. */
export async function call(connector: Opened, key: string, args: unknown): Promise<{ value?: unknown; code?: string; error?: unknown }> {
  return told(await ask(await hostOf(connector), callMessage("tools", key, args))) as { value?: unknown; code?: string; error?: unknown };
}

/** The text of a refusal, without what all of them begin with. */
export async function refusal(connector: Opened, key: string, args: unknown): Promise<string> {
  const { code, error } = await call(connector, key, args);
  if (code !== "invalid_input" || !(error instanceof Error)) throw new Error(`not refused: ${String(code)}`);
  return error.message.replace(`tools.${key} was not called: `, "");
}

export async function check(connector: Opened, key: string, args: unknown): Promise<HostReply["kind"]> {
  return (await ask(await hostOf(connector), { kind: "check", connector: "tools", method: key, args: encode(args, "args") })).kind;
}
