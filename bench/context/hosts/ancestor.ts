/**
 * The ancestor, as a facet, with a connector for each document. Of GitHub it is given the dereferenced one, which is
 * published beside the other: it does not follow references of parameters.
 */

import type { CodemodeRuntimeHandle, ConnectorDescription, OpenApiRequestOptions } from "@cloudflare/codemode";
import { createCodemodeRuntime, DynamicWorkerExecutor, OpenApiConnector } from "@cloudflare/codemode";

import type { Definition, Env as CommonEnv, Ran, Service } from "./agent.ts";
import { ContextAgent, serve, SERVICES } from "./agent.ts";

export { CodemodeRuntime } from "@cloudflare/codemode";

interface Env extends CommonEnv {
  LOADER: WorkerLoader;
}

class Documented extends OpenApiConnector<Env> {
  readonly #service: Service;
  #document: Promise<Record<string, unknown>> | undefined;

  constructor(ctx: DurableObjectState, env: Env, service: Service) {
    super(ctx, env);
    this.#service = service;
  }

  override name(): string {
    return this.#service;
  }

  protected override spec(): Promise<Record<string, unknown>> {
    this.#document ??= fetch(`${this.env.SERVICE}/documents/${this.#service}?dereferenced`).then((response) => response.json());
    return this.#document;
  }

  /** As its documentation has an application write it. */
  protected override async request({ path, method = "GET", params = {}, body }: OpenApiRequestOptions): Promise<unknown> {
    const url = new URL(`${this.env.SERVICE}/${this.#service}${path}`);
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, String(value));
    const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const response = await fetch(url, { method, ...content });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return await response.json();
  }
}

export class AncestorAgent extends ContextAgent<Env> {
  readonly #connectors = SERVICES.map((service) => new Documented(this.ctx, this.env, service));
  readonly #runtime: CodemodeRuntimeHandle = createCodemodeRuntime({
    ctx: this.ctx,
    executor: new DynamicWorkerExecutor({ loader: this.env.LOADER }),
    connectors: this.#connectors,
  });
  readonly #tool = this.#runtime.tool();

  protected override tool(): Definition {
    const { description, inputSchema } = this.#tool;
    return { name: "codemode", description, inputSchema: inputSchema["~standard"].jsonSchema.input({ target: "draft-07" }) };
  }

  protected override async run(code: string): Promise<Ran> {
    const output = await this.#tool.execute({ code }, {});
    return { status: output.status, value: this.#tool.toModelOutput({ output }).value };
  }

  protected override async operations(service: Service): Promise<Definition[]> {
    const connector = this.#connectors.find((it) => it.name() === service);
    const { descriptors }: Partial<ConnectorDescription> = (await connector?.describe()) ?? {};
    return Object.entries(descriptors ?? {}).map(([name, { description = "", inputSchema }]) => ({ name, description, inputSchema }));
  }
}

export default { fetch: serve } satisfies ExportedHandler<Env>;
