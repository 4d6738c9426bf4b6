/**
 * The Agent whose catalogue is searched for figures: connectors made of documents that it is sent. It measures nothing
 * itself; the clock of a Durable Object stands still while it works.
 */

import { DurableObject } from "cloudflare:workers";

import { createCodemodeRuntime, type CodemodeRuntimeHandle, type ConnectorTool } from "../js-shim/client/index.ts";
import { DerivedConnector, type Source } from "../js-shim/client/derived.ts";
import type { RuntimeBinding } from "../js-shim/client/placement.ts";
import type { MethodRecord } from "../js-shim/wire.ts";

interface Env {
  CODEMODE: RuntimeBinding;
  AGENT: DurableObjectNamespace<SearchAgent>;
}

class Document extends DerivedConnector<Env> {
  /** The document's own names, by ours. */
  readonly originals: Record<string, string> = {};
  readonly #name: string;
  readonly #source: Source;

  constructor(ctx: DurableObjectState, env: Env, name: string, text: string) {
    super(ctx, env);
    this.#name = name;
    this.#source = { format: "openapi", text };
  }

  override name(): string {
    return this.#name;
  }

  protected override source(): Source {
    return this.#source;
  }

  protected override toolFor(record: MethodRecord): ConnectorTool {
    this.originals[record.name] = record.original ?? record.name;
    return { execute: () => undefined };
  }

  /** Changes nothing, and has each record shown to `toolFor` when the document is learnt. */
  override tool(_name: string, tool: ConnectorTool): ConnectorTool {
    return tool;
  }
}

export class SearchAgent extends DurableObject<Env> {
  #connectors: Document[] = [];
  #runtime: CodemodeRuntimeHandle | undefined;

  learn(name: string, text: string): void {
    this.#connectors.push(new Document(this.ctx, this.env, name, text));
    this.#runtime = createCodemodeRuntime({ ctx: this.ctx, binding: this.env.CODEMODE, connectors: this.#connectors });
  }

  /** All queries one after the other; of the last round's pages the paths, and the first page as a model sees it. */
  async search(queries: readonly string[], rounds: number): Promise<{ paths: string[][]; lowConfidence: boolean[]; pages: unknown[] }> {
    const runtime = this.#runtime;
    if (runtime === undefined) throw new Error("no document was sent");
    const pages = [];
    for (let round = 0; round < rounds; round += 1) {
      pages.length = 0;
      for (const query of queries) pages.push(await runtime.search(query));
    }
    return {
      paths: pages.map(({ results }) => results.map(({ path }) => path)),
      lowConfidence: pages.map(({ lowConfidence }) => lowConfidence === true),
      pages,
    };
  }

  originals(): Record<string, Record<string, string>> {
    return Object.fromEntries(this.#connectors.map((connector) => [connector.name(), connector.originals]));
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const agent = env.AGENT.getByName("search");
    const url = new URL(request.url);
    if (url.pathname === "/learn") {
      await agent.learn(url.searchParams.get("name") ?? "", await request.text());
      return Response.json(null);
    }
    if (url.pathname === "/originals") return Response.json(await agent.originals());
    const { queries, rounds } = (await request.json()) as { queries: string[]; rounds: number };
    return Response.json(await agent.search(queries, rounds));
  },
};
