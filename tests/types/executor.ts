/** What the sandbox's options take: the bindings of a Worker as they are, and an allow-list. */

import { allowOutbound, DynamicWorkerExecutor, createCodemodeRuntime, type Outbound } from "../../js-shim/client/index.ts";

export function options(loader: WorkerLoader, service: Fetcher, kv: KVNamespace, ctx: DurableObjectState): void {
  const allowed: Outbound = allowOutbound({ hosts: ["a.example"], methods: ["GET"], headers: { "a.example": { authorization: "x" } }, via: service });
  const executor = new DynamicWorkerExecutor({ loader, timeout: 1000, globalOutbound: service, modules: { math: "export {}" }, bindings: { kv, region: "eu" } });
  createCodemodeRuntime({ ctx, connectors: [], executor });
  createCodemodeRuntime({ ctx, connectors: [], executor: new DynamicWorkerExecutor({ globalOutbound: allowed }) });
  new DynamicWorkerExecutor({ globalOutbound: null });
  // @ts-expect-error: a URL is no Fetcher.
  new DynamicWorkerExecutor({ globalOutbound: "https://a.example" });
  // @ts-expect-error: a module is a text.
  new DynamicWorkerExecutor({ modules: { math: { two: 2 } } });
  // @ts-expect-error: a list names hosts.
  allowOutbound({ methods: ["GET"] });
}
