/**
 * What a connector offers at a contact, as the runtime is told of it: a source, the digest that names it, and the way from a
 * method's name to the tool that is called. Here a method that contradicts itself is refused, before any program runs.
 */

import type { MethodChange, MethodRecord } from "../wire.ts";
import { type CodemodeConnector, type ConnectorTool, type ConnectorTools, decorated } from "./connector.ts";
import type { Source } from "./derived.ts";
import { CodemodeError, messageOf } from "./errors.ts";
import { methodNameRefusal } from "./names.ts";
import { jsonSchemaOf } from "./schema-of.ts";

/** The methods of one connector. What `source` lists is what `tool` finds. */
export interface Methods {
  readonly source: Source;
  /** Methods that the host names itself, beside a source that others are derived of. JSON of their records. */
  readonly own?: string | undefined;
  /** SHA-256 of all that: names it at the next contact, 64 hex digits. */
  readonly digest: string;
  /** Of what the connector's `tool()` hook changes; empty while it has not seen the methods; none: nothing is derived, or there is no hook. */
  readonly changes?: string | undefined;
  /** `record` comes with a call of a method that was derived. */
  tool(name: string, record: string | undefined): ConnectorTool | undefined;
  /** Shows the hook some of what was derived; `changes` is new afterwards. */
  change?(records: readonly MethodRecord[]): Promise<Record<string, MethodChange>>;
}

/** A connector at one contact. */
export type Connected =
  | { kind: "ready"; name: string; instructions: string | undefined; methods: Methods }
  | { kind: "unavailable"; name: string; reason: string };

/** The methods of a connector that names them itself. @throws {CodemodeError} `invalid_input` naming connector and method when a method contradicts itself. */
export async function methodsOf(connector: CodemodeConnector, offered: ConnectorTools): Promise<Methods> {
  const records: MethodRecord[] = [];
  const tools = new Map<string, ConnectorTool>();
  for (const [name, tool] of Object.entries(offered)) {
    const path = `${connector.name()}.${name}`;
    const refusal = methodNameRefusal(name);
    if (refusal !== undefined) throw misuse(path, `this method name is not allowed: ${refusal}`);
    const final = decorated(connector, name, tool);
    checkTool(path, final);
    records.push(await recordOf(name, final));
    tools.set(name, final);
  }
  const source: Source = { format: "records", text: jsonOf(connector.name(), records) };
  return { source, digest: await digestOf(source), tool: (name) => tools.get(name) };
}

/** @throws {CodemodeError} `invalid_input` when the tool contradicts itself. */
export function checkTool(path: string, tool: ConnectorTool): void {
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

/** What the runtime is told of a tool: schemas of whatever library as JSON Schema, or left out where there is none to be had. */
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

export async function digestOf({ format, text }: Source): Promise<string> {
  return sha256(`${format}\n${text}`);
}

export async function sha256(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
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
