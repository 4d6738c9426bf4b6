/**
 * From a connector's tools to what the runtime is told of them: the records, and the digest that names the list.
 * Here a method that contradicts itself is refused, before any program runs.
 */

import type { MethodRecord } from "../wire.ts";
import { type CodemodeConnector, type ConnectorTool, type ConnectorTools, decorated } from "./connector.ts";
import { CodemodeError, messageOf } from "./errors.ts";
import { methodNameRefusal } from "./names.ts";
import { jsonSchemaOf } from "./schema-of.ts";

/** The methods of one connector. `records` and `tools` come from the same table: what is listed can be called. */
export type Methods = {
  records: readonly MethodRecord[];
  tools: ReadonlyMap<string, ConnectorTool>;
  /** SHA-256 of the JSON of `records`, 64 hex digits. */
  digest: string;
};

/** A connector at one contact. */
export type Connected =
  | { kind: "ready"; name: string; instructions: string | undefined; methods: Methods }
  | { kind: "unavailable"; name: string; reason: string };

/** @throws {CodemodeError} `invalid_input` naming connector and method when a method contradicts itself. */
export async function methodsOf(connector: CodemodeConnector, offered: ConnectorTools): Promise<Methods> {
  const records: MethodRecord[] = [];
  const tools = new Map<string, ConnectorTool>();
  for (const [name, tool] of Object.entries(offered)) {
    const final = decorated(connector, name, tool);
    check(`${connector.name()}.${name}`, name, final);
    records.push(await recordOf(name, final));
    tools.set(name, final);
  }
  return { records, tools, digest: await digestOf(connector.name(), records) };
}

function check(path: string, name: string, tool: ConnectorTool): void {
  const refusal = methodNameRefusal(name);
  if (refusal !== undefined) throw misuse(path, `this method name is not allowed: ${refusal}`);
  if (tool === null || typeof tool !== "object" || typeof tool.execute !== "function") throw misuse(path, "it has no execute function");
  if (tool.replay !== "reexecute") return;
  if (tool.requiresApproval !== undefined && tool.requiresApproval !== false) {
    throw misuse(path, 'requiresApproval and replay: "reexecute" exclude each other: an approved effect is recorded, never run again');
  }
  if (tool.revert !== undefined) {
    throw misuse(path, 'revert and replay: "reexecute" exclude each other: what is run again at each replay cannot be undone once');
  }
}

function misuse(path: string, reason: string): CodemodeError {
  return new CodemodeError("invalid_input", `${path}: ${reason}. The application has to correct its connector; no program can run until then`);
}

/** The method as it is told: schemas of whatever library as JSON Schema, or left out where there is none to be had. */
export async function recordOf(name: string, tool: ConnectorTool): Promise<MethodRecord> {
  const { requiresApproval } = tool;
  const inputSchema = await jsonSchemaOf(tool.inputSchema, "input");
  const outputSchema = await jsonSchemaOf(tool.outputSchema, "output");
  return {
    name,
    ...(tool.original !== undefined && tool.original !== name && { original: tool.original }),
    ...(tool.description !== undefined && { description: tool.description }),
    ...(inputSchema !== undefined && { inputSchema }),
    ...(outputSchema !== undefined && { outputSchema }),
    requiresApproval: typeof requiresApproval === "function" ? "ask" : (requiresApproval ?? false),
    ...(tool.readOnly === true && { readOnly: true }),
    ...(tool.idempotent === true && { idempotent: true }),
    ...(tool.replay === "reexecute" && { replay: tool.replay }),
    ...(tool.revert !== undefined && { revert: true }),
  };
}

async function digestOf(connector: string, records: readonly MethodRecord[]): Promise<string> {
  const bytes = new TextEncoder().encode(jsonOf(connector, records));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The list as JSON. Asked of each record alone when the whole fails, so that the text can name the method. */
function jsonOf(connector: string, records: readonly MethodRecord[]): string {
  try {
    return JSON.stringify(records);
  } catch (thrown) {
    const bad = records.find((record) => !isJson(record));
    throw misuse(`${connector}.${bad?.name ?? "?"}`, `its schema is not JSON (${messageOf(thrown)})`);
  }
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
