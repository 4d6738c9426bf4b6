/**
 * A little web for the tests of steps that reach out: every request that arrives is recorded at the Agent, and answered by its
 * path. No byte leaves the machine.
 */

import { WorkerEntrypoint } from "cloudflare:workers";

import { allowOutbound, type AllowOutboundOptions, DynamicWorkerExecutor, type Outbound } from "../../js-shim/client/index.ts";
import type { HostRecord } from "./test-record.ts";

/** How the sandbox is set up at a contact. */
export type Sandbox = {
  timeout?: number;
  /** `little`: the recording web. `stub`: an entrypoint of a Worker. `nothing`: the option is there and undefined. */
  outbound?: "little" | "stub" | "nothing" | "null";
  /** In front of it. */
  allow?: Omit<AllowOutboundOptions, "via">;
  modules?: Record<string, string>;
  /** `kv`: an object with methods, as `env.KV`; plain values as themselves. */
  bindings?: { kv?: boolean; values?: Record<string, unknown> };
};

export function executorOf(sandbox: Sandbox, record: HostRecord, exports: unknown): DynamicWorkerExecutor {
  const { timeout, outbound, allow, modules, bindings } = sandbox;
  const web = outbound === "stub" ? (exports as { StubNet(options: object): Outbound }).StubNet({ props: { secret: "props stay here" } }) : new LittleWeb(record);
  const given = outbound === "nothing" ? undefined : outbound === "null" ? null : allow === undefined ? web : allowOutbound({ ...allow, via: web });
  return new DynamicWorkerExecutor({
    loader: {},
    timeout,
    ...(outbound !== undefined && { globalOutbound: given }),
    modules,
    bindings: { ...(bindings?.kv === true && { KV: kv(record) }), ...bindings?.values },
  });
}

/** A service stub, as a binding to another Worker is. */
export class StubNet extends WorkerEntrypoint<Cloudflare.Env, { secret: string }> {
  override fetch(request: Request): Response {
    return Response.json({ by: "stub", url: request.url, secret: this.ctx.props.secret.length });
  }
}

class LittleWeb implements Outbound {
  readonly #record: HostRecord;

  constructor(record: HostRecord) {
    this.#record = record;
  }

  async fetch(request: Request): Promise<Response> {
    const { hostname, pathname, searchParams } = new URL(request.url);
    const body = await request.text();
    const headers = Object.fromEntries(request.headers);
    this.#record.bump("net");
    this.#record.hear({ connector: "net", what: `${request.method} ${request.url}`, executionId: "", detail: JSON.stringify({ headers, body: body.slice(0, 100) }) });
    switch (pathname) {
      case "/to":
        return new Response("on the way", { status: Number(searchParams.get("status") ?? 302), headers: { location: searchParams.get("at") ?? "" } });
      case "/slow":
        await new Promise((resolve) => setTimeout(resolve, 100));
        return new Response("late");
      case "/cookies":
        return new Response("two", { headers: [["set-cookie", "a=1, 2"], ["set-cookie", "b=2"], ["content-encoding", "identity"], ["content-length", "99"]] });
      case "/empty":
        return new Response(null, { status: 204 });
      case "/long":
        return new Response(new Uint8Array(Number(searchParams.get("bytes"))));
      case "/throws":
        throw new Error("the wire is cut");
      case "/bytes":
        return new Response(new Uint8Array([0, 255, 10]), { status: 201, statusText: "Made", headers: { "x-one": "1", "content-type": "application/octet-stream" } });
      default:
        return Response.json({ host: hostname, method: request.method, body, headers, cf: request.cf !== undefined });
    }
  }
}

function kv(record: HostRecord): object {
  const kept = new Map<string, unknown>();
  return {
    put: (key: string, value: unknown) => {
      record.bump("kv.put");
      kept.set(key, value);
    },
    get: (key: string) => kept.get(key) ?? null,
    fails: () => {
      throw new RangeError("no room");
    },
    odd: () => () => 1,
  };
}
