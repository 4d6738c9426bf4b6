/**
 * The host's half of connectors whose methods the runtime derives (`derived.ts`): the tool of a record that comes with a call,
 * and what the connector's `tool()` hook makes of what was derived.
 */

import type { MethodChange, MethodRecord } from "../wire.ts";
import { type ConnectorTool, type ConnectorTools, decorated, isDecorated } from "./connector.ts";
import { type DerivedConnector, type Source, toolOfRecord } from "./derived.ts";
import { checkTool, digestOf, type Methods, methodsOf, recordOf, sha256 } from "./methods.ts";

/** Tools that are kept between calls: a schema is compiled once for as long as its tool lives. */
const MAX_KEPT = 1_000;

const CHANGEABLE = ["description", "inputSchema", "outputSchema", "requiresApproval", "readOnly", "idempotent", "replay", "revert"] as const;

export async function derivation(connector: DerivedConnector, source: Source, tools: ConnectorTools): Promise<Methods> {
  const digest = await digestOf(source);
  if (Object.keys(tools).length === 0) return new Derivation(connector, source, digest);
  const own = await methodsOf(connector, tools);
  return new Derivation(connector, source, await sha256(`${digest}\n${own.digest}`), own);
}

class Derivation implements Methods {
  readonly source: Source;
  readonly digest: string;
  readonly own: string | undefined;
  changes: string | undefined;
  readonly #connector: DerivedConnector;
  readonly #own: Methods | undefined;
  readonly #kept = new Map<string, ConnectorTool>();
  // Of all pages that the hook has seen; two contacts at once find the same.
  readonly #changed = new Map<string, MethodChange>();

  constructor(connector: DerivedConnector, source: Source, digest: string, own?: Methods) {
    this.#own = own;
    this.own = own?.source.text;
    this.#connector = connector;
    this.source = source;
    this.digest = digest;
    this.changes = isDecorated(connector) ? "" : undefined;
  }

  tool(name: string, record: string | undefined): ConnectorTool | undefined {
    const own = this.#own?.tool(name, undefined);
    if (own !== undefined || record === undefined) return own;
    const known = this.#kept.get(record);
    if (known !== undefined) return known;
    const made = this.#make(JSON.parse(record) as MethodRecord).tool;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(record, made);
    return made;
  }

  async change(records: readonly MethodRecord[]): Promise<Record<string, MethodChange>> {
    const page: Record<string, MethodChange> = {};
    for (const record of records) {
      // Its own were shown to the hook as they were listed.
      if (this.#own?.tool(record.name, undefined) !== undefined) continue;
      const { base, tool } = this.#make(record);
      const change = await changeOf(record.name, base, tool);
      if (change === undefined) continue;
      page[record.name] = change;
      this.#changed.set(record.name, change);
    }
    const all = [...this.#changed].sort(([left], [right]) => (left < right ? -1 : 1));
    this.changes = await sha256(JSON.stringify(all));
    return page;
  }

  #make(record: MethodRecord): { base: ConnectorTool; tool: ConnectorTool } {
    const base = toolOfRecord(this.#connector, record);
    const tool = decorated(this.#connector, record.name, base);
    checkTool(`${this.#connector.name()}.${record.name}`, tool);
    return { base, tool };
  }
}

/** What the hook made otherwise, or nothing. */
async function changeOf(name: string, base: ConnectorTool, tool: ConnectorTool): Promise<MethodChange | undefined> {
  if (base === tool) return undefined;
  const [before, after] = await Promise.all([recordOf(name, base), recordOf(name, tool)]);
  const fields = CHANGEABLE.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return fields.length === 0 ? undefined : Object.fromEntries(fields.map((field) => [field, after[field] ?? null]));
}
