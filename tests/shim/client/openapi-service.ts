/** A service on loopback that writes down what it got, byte for byte, and answers as it is told; and a connector to it. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll } from "vitest";

import { OpenApiConnector, type OpenApiCredentials, type OpenApiRequestOptions } from "../../../js-shim/client/index.ts";
import type { ConnectorTool, ToolExecuteContext } from "../../../js-shim/client/connector.ts";
import type { MethodRecord, Operation } from "../../../js-shim/wire.ts";
import { context } from "./double.ts";

/** As it stood on the line. */
export type Seen = { method: string; url: string; headers: Record<string, string>; body: string; bytes: Buffer };
export type Answer = { status?: number; headers?: Record<string, string>; body?: string | Uint8Array; hang?: true; cut?: true };

export class Service {
  readonly seen: Seen[] = [];
  answer: (seen: Seen) => Answer = () => ({ body: "{}", headers: { "content-type": "application/json" } });
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  origin = "";

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
  last(): Seen {
    const seen = this.seen.at(-1);
    if (seen === undefined) throw new Error("nothing was received");
    return seen;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const seen: Seen = { method: request.method ?? "", url: request.url ?? "", headers, body: bytes.toString("utf8"), bytes };
    this.seen.push(seen);
    const { status = 200, headers: said = {}, body, hang, cut } = this.answer(seen);
    if (hang) return;
    response.writeHead(status, cut ? { ...said, "content-length": "1000" } : said);
    if (cut) {
      response.write("{");
      setTimeout(() => response.destroy(), 20);
      return;
    }
    response.end(body ?? "");
  }
}

/** One for the tests of a file. */
export function service(): Service {
  const one = new Service();
  beforeAll(() => one.start());
  afterAll(() => one.stop());
  return one;
}

export class Client extends OpenApiConnector {
  document: object | string = { openapi: "3.1.0", paths: {} };
  base: string | undefined;
  own: OpenApiCredentials = {};
  limit = 10_000;

  constructor(base?: string) {
    super(context, undefined);
    this.base = base;
  }
  name(): string {
    return "api";
  }
  protected spec(): object | string {
    return this.document;
  }
  protected override baseUrl(): string | undefined {
    return this.base;
  }
  protected override credentials(): OpenApiCredentials {
    return this.own;
  }
  protected override timeoutMs(): number {
    return this.limit;
  }
  source_() {
    return this.source();
  }
  tools_() {
    return this.tools();
  }
  request_(options: OpenApiRequestOptions) {
    return this.request(options);
  }
  tool_(record: MethodRecord): ConnectorTool {
    return this.toolFor(record);
  }
  /** Calls a method as the host does. */
  async call(operation: Operation, args: unknown = {}, record: Partial<MethodRecord> = {}): Promise<unknown> {
    return this.toolFor({ name: "m", requiresApproval: false, operation, ...record }).execute(args, CALL);
  }
}

export const CALL: ToolExecuteContext = { executionId: "e1", seq: 0, idempotencyKey: "e1/0", attempt: 1 };

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) };
}

/** What a call was refused with. */
export async function thrownBy(work: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await work;
  } catch (thrown) {
    return thrown as Error & Record<string, unknown>;
  }
  throw new Error("nothing was thrown");
}
