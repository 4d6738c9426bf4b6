/**
 * Connectors whose methods the runtime derives: they hand over the text that they have (a list of tools, an OpenAPI document)
 * and make one call at a time from what comes back of it. Names, policies and types are made in one place for all languages.
 */

import type { MethodRecord, SourceFormat } from "../wire.ts";
import { CodemodeConnector, type ConnectorTool, type ConnectorTools } from "./connector.ts";

/** What a connector has to be derived from; `docs/design/catalogue.md` lists the formats. */
export type Source = { format: SourceFormat; text: string };

let readSource: (connector: DerivedConnector) => Promise<Derivable>;
let make: (connector: DerivedConnector, record: MethodRecord) => ConnectorTool;

/** What a connector has at one contact. */
export type Derivable = { instructions: string | undefined; source: Source; tools: ConnectorTools };

/**
 * Contract for implementers: `source()` is asked at each contact; return the same object while nothing has changed, and it is
 * not read again. A `source()` that rejects makes this connector unavailable for that contact; the others work.
 */
export abstract class DerivedConnector<Env = unknown, Props = unknown> extends CodemodeConnector<Env, Props> {
  // For the rest of this folder, and nobody else.
  static {
    readSource = async (connector) => {
      const source = await connector.source();
      // After source(): a connector often learns its guidance from the server it has just asked.
      return { instructions: connector.instructions(), source, tools: await connector.tools() };
    };
    make = (connector, record) => connector.toolFor(record);
  }

  protected abstract source(): Source | Promise<Source>;

  /** The method of this record, ready to be called; `tool(name, t)` is asked afterwards. Makes no request by itself. */
  protected abstract toolFor(record: MethodRecord): ConnectorTool;

  /** Methods of its own beside what is derived, under their final names. */
  protected override tools(): ConnectorTools {
    return {};
  }
}

/** Asks a connector what it has now. Rejects as its `source()` does. */
export function sourceOf(connector: DerivedConnector): Promise<Derivable> {
  return readSource(connector);
}

/** The tool of a record, before the `tool()` hook. */
export function toolOfRecord(connector: DerivedConnector, record: MethodRecord): ConnectorTool {
  return make(connector, record);
}
