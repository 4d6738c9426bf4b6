/**
 * `OpenApiConnector`: one method per operation of an OpenAPI document. The runtime derives the methods; this makes a request of
 * each call and a value of its answer. The application says where the document is and who it is to the service.
 */

import { parseJson } from "../value/index.ts";
import type { MethodRecord } from "../wire.ts";
import type { ConnectorTool, ConnectorTools, JsonSchema, ToolExecuteContext } from "./connector.ts";
import { DerivedConnector, type Source } from "./derived.ts";
import { CodemodeError } from "./errors.ts";
import { contentOf } from "./openapi/body.ts";
import { OpenApiError, toldOf } from "./openapi/error.ts";
import { kindOf } from "./openapi/media.ts";
import { rawAsks, rawRequestOf } from "./openapi/raw.ts";
import { type OpenApiRequestOptions, requestOf } from "./openapi/request.ts";
import { answerOf } from "./openapi/response.ts";
import { delivered, type OpenApiCredentials, serverOf, unanswered } from "./openapi/send.ts";
import { pairsOf, strict } from "./openapi/style.ts";

const TIMEOUT_MS = 60_000;
/** JSON where a service has it, and otherwise what it has. */
const ACCEPT = "application/json, */*;q=0.5";

/**
 * Connector over an OpenAPI document (3.0, 3.1, Swagger 2.0).
 *
 * Contract for implementers: implement `spec()`; it is asked at each contact, so keep the document and return the same object (or
 * text) while nothing has changed. Give credentials by `credentials()`: they reach the server of the operation and no other
 * origin, whatever a redirect says. `request()` may be overridden to send in another way.
 */
export abstract class OpenApiConnector<Env = unknown, Props = unknown> extends DerivedConnector<Env, Props> {
  #read: { document: object | string; source: Source } | undefined;

  /** The document, as an object or as JSON text. */
  protected abstract spec(): object | string | Promise<object | string>;

  /**
   * Where the service is: what paths hang on, instead of `server`, the one that the document names for the operation. Needed where
   * that is relative or missing, and wise where the document comes over a network. It may be plain http; a document's may not.
   */
  protected baseUrl(_server: string | undefined): string | undefined | Promise<string | undefined> {
    return undefined;
  }

  /** Who the application is to the service: headers, API keys in the query, cookies. Asked for each request. */
  protected credentials(_request: OpenApiRequestOptions): OpenApiCredentials | Promise<OpenApiCredentials> {
    return {};
  }

  /** How long one call may take, redirects and body included, in milliseconds. */
  protected timeoutMs(_method: string): number {
    return TIMEOUT_MS;
  }

  /** Sends one hop. Override it to go through a service binding. */
  protected send(request: Request): Promise<Response> {
    return fetch(request);
  }

  /** Also offer the whole document as a method `spec`. */
  protected exposeSpec(): boolean {
    return false;
  }

  /**
   * Makes the request and gives its value. An override gets it ready to be sent, and may call this one with more in it. It can
   * be called with `{ method, path, params, body }` alone where `baseUrl()` says where to, in a `revert` for example.
   */
  protected async request(options: OpenApiRequestOptions): Promise<unknown> {
    const { path, method = "GET", headers = {}, cookies = "", accept = ACCEPT, signal } = options;
    const told = toldOf({ method, path });
    const chosen = await this.baseUrl(options.server);
    const server = serverOf(chosen ?? options.server, told);
    const query = options.query ?? Object.entries(options.params ?? {}).flatMap(([name, value]) => pairsOf(name, value, { style: "form", explode: true }, strict, `params.${name}`)).map((pair) => pair.join("=")).join("&");
    const content = options.content ?? contentOf({ type: "application/json" }, options.body, "body");
    const out = { server, chosen: chosen !== undefined, method, path, query, headers, cookies, content, accept, signal };
    const response = await delivered(out, await this.credentials(options), (request) => this.send(request));
    try {
      return await answerOf(response, { method, path });
    } catch (thrown) {
      if (thrown instanceof OpenApiError || thrown instanceof CodemodeError) throw thrown;
      throw unanswered(told, method, thrown);
    }
  }

  protected override async source(): Promise<Source> {
    const document = await this.spec();
    if (typeof document !== "string" && (typeof document !== "object" || document === null)) {
      throw new TypeError("spec() has to give the OpenAPI document, as an object or as JSON text");
    }
    if (this.#read?.document === document) return this.#read.source;
    const text = typeof document === "string" ? document : JSON.stringify(document);
    // A document that is parsed anew each time says the same.
    const source = this.#read?.source.text === text ? this.#read.source : ({ format: "openapi", text } satisfies Source);
    this.#read = { document, source };
    return source;
  }

  protected override tools(): ConnectorTools {
    if (!this.exposeSpec()) return {};
    return {
      spec: {
        description: "The OpenAPI document that the methods of this connector come from.",
        inputSchema: { type: "object", additionalProperties: false },
        readOnly: true,
        execute: async () => parseJson((await this.source()).text),
      },
    };
  }

  protected override toolFor(record: MethodRecord): ConnectorTool {
    const { operation } = record;
    const raw = operation?.raw === true;
    return {
      description: record.description,
      inputSchema: inputOf(record),
      outputSchema: record.outputSchema as JsonSchema | undefined,
      original: record.original,
      requiresApproval: raw ? rawAsks : record.requiresApproval !== false,
      readOnly: record.readOnly,
      idempotent: record.idempotent,
      replay: record.replay,
      execute: async (args, call) => this.#call(record.name, raw ? rawRequestOf(operation, args) : requestOf(record, args), call),
    };
  }

  /** The limit holds for an override that does not listen to `signal` as well. */
  async #call(name: string, request: OpenApiRequestOptions, call: ToolExecuteContext): Promise<unknown> {
    const ms = this.timeoutMs(name);
    const { path, method = "GET" } = request;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const error = unanswered(toldOf({ method, path }), method, new Error(`it took more than ${ms} ms`));
        reject(error);
        controller.abort(error);
      }, ms);
    });
    try {
      return await Promise.race([this.request({ ...request, call, signal }), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * The record's input, except that what a form or a file calls a binary text may be bytes, for which JSON Schema has no word; and
 * that XML and its kin are passed as one text, whatever tree the schema makes of them.
 */
function inputOf({ inputSchema, operation }: MethodRecord): JsonSchema {
  if (inputSchema === false) return false;
  if (typeof inputSchema !== "object" || inputSchema === null) return { type: "object" };
  const kind = operation?.body === undefined ? "json" : kindOf(operation.body.type);
  if (kind === "json") return inputSchema;
  if (kind === "text" && "properties" in inputSchema) return { ...inputSchema, properties: { ...(inputSchema.properties as object), body: true } };
  return JSON.parse(JSON.stringify(inputSchema), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !("format" in value) || value.format !== "binary" || !("type" in value)) return value;
    const { type: _type, ...rest } = value;
    return rest;
  }) as JsonSchema;
}
