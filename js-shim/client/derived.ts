/**
 * Connectors whose methods the runtime derives: they hand over the text that they have (a list of tools, an OpenAPI document)
 * and make one call at a time from what comes back of it. Names, policies and types are made in one place for all languages.
 */

import type { MethodRecord, SourceFormat } from "../wire.ts";
import { CodemodeConnector, type ConnectorTool, type ConnectorTools } from "./connector.ts";

/** What a connector has to be derived from; `docs/design/catalogue.md` lists the formats. */
export type Source = { format: SourceFormat; text: string };

/**
 * Contract for implementers: `source()` is asked at each contact; return the same object while nothing has changed, and it is
 * not read again. A `source()` that rejects makes this connector unavailable for that contact; the others work.
 */
export abstract class DerivedConnector<Env = unknown, Props = unknown> extends CodemodeConnector<Env, Props> {
  protected abstract source(): Source | Promise<Source>;

  /** The method of this record, ready to be called; `tool(name, t)` is asked afterwards. Makes no request by itself. */
  protected abstract toolFor(record: MethodRecord): ConnectorTool;

  /** Nothing beside what is derived. */
  protected override tools(): ConnectorTools {
    return {};
  }
}
