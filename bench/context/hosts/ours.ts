/** Ours, bound, with a connector for each document. */

import { createCodemodeRuntime, OpenApiConnector } from "../../../js-shim/client/index.ts";
import type { CodemodeRuntimeHandle } from "../../../js-shim/client/index.ts";
import type { RuntimeBinding } from "../../../js-shim/client/placement.ts";
import type { Definition, Env as CommonEnv, Ran, Service } from "./agent.ts";
import { ContextAgent, serve, SERVICES } from "./agent.ts";

interface Env extends CommonEnv {
  CODEMODE: RuntimeBinding;
}

class Documented extends OpenApiConnector<Env> {
  readonly #service: Service;
  #document: Promise<string> | undefined;

  constructor(ctx: DurableObjectState, env: Env, service: Service) {
    super(ctx, env);
    this.#service = service;
  }

  override name(): string {
    return this.#service;
  }

  protected override spec(): Promise<string> {
    this.#document ??= fetch(`${this.env.SERVICE}/documents/${this.#service}`).then((response) => response.text());
    return this.#document;
  }

  protected override baseUrl(): string {
    return `${this.env.SERVICE}/${this.#service}`;
  }
}

export class OursAgent extends ContextAgent<Env> {
  readonly #runtime: CodemodeRuntimeHandle = createCodemodeRuntime({
    ctx: this.ctx,
    binding: this.env.CODEMODE,
    connectors: SERVICES.map((service) => new Documented(this.ctx, this.env, service)),
  });
  readonly #tool = this.#runtime.tool();

  protected override tool(): Definition {
    const { description, inputSchema } = this.#tool;
    return { name: "codemode", description, inputSchema: inputSchema["~standard"].jsonSchema.input({ target: "draft-07" }) };
  }

  protected override async run(code: string): Promise<Ran> {
    const output = await this.#tool.execute({ code });
    return { status: output.status, value: this.#tool.toModelOutput({ output }).value };
  }

  protected override async operations(): Promise<Definition[]> {
    throw new Error("operations as tools are the ancestor's to tell");
  }
}

export default { fetch: serve } satisfies ExportedHandler<Env>;
