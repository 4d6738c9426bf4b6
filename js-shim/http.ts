/**
 * What a person can read of a runtime over HTTP: pending calls and executions, in shown form. Reads only: to decide needs
 * the connectors, and those are with the Agent, whose own doors do it.
 *
 * `GET /pending`, `GET /executions?limit=`, `GET /executions/ID[?seq=]`, each with `?runtime=<identity>/<name>`.
 */

import { httpDoor } from "./client/door.ts";
import { entryOf, executionOf, pendingOf } from "./client/output.ts";
import type { RuntimeEnv } from "./runtime.ts";
import { shown } from "./value/index.ts";
import type { Reply, WireExecution, WireLogEntry, WirePending } from "./wire.ts";

export async function serve(request: Request, env: RuntimeEnv): Promise<Response> {
  const closed = httpDoor(request, env.CODEMODE_TOKEN);
  if (closed !== null) return closed;
  if (request.method !== "GET") return refusal(405, `${request.method} is not served here; GET is`);
  const url = new URL(request.url);
  const [, collection, id, ...rest] = url.pathname.split("/");
  const known = (collection === "pending" && id === undefined) || (collection === "executions" && rest.length === 0);
  if (!known) return refusal(404, `there is no ${url.pathname}; there are /pending, /executions and /executions/ID`);
  const runtime = url.searchParams.get("runtime");
  if (runtime === null || !/^[^/]+\/[A-Za-z0-9_.-]+$/.test(runtime)) {
    return refusal(400, "name the runtime: ?runtime=<identity>/<runtime name>, such as ?runtime=3f…/default");
  }
  if (env.CODEMODE === undefined) return refusal(500, "this Worker has no binding CODEMODE to its own class");
  using stub = disposable(env.CODEMODE.get(env.CODEMODE.idFromName(runtime)));
  if (collection === "pending") {
    return answer<WirePending[]>(await stub.pending("{}"), (actions) => actions.map(pendingOf));
  }
  if (id === undefined || id === "") {
    const limit = numberOf(url.searchParams.get("limit"));
    return answer<WireExecution[]>(await stub.executions(JSON.stringify({ limit })), (all) => all.map(executionOf));
  }
  const seq = numberOf(url.searchParams.get("seq"));
  const reply = await stub.execution(JSON.stringify({ executionId: id, seq }));
  return seq === undefined ? answer<WireExecution>(reply, executionOf) : answer<WireLogEntry>(reply, entryOf);
}

function answer<T>(json: string, convert: (value: T) => unknown): Response {
  const reply = JSON.parse(json) as Reply<T>;
  if (reply.ok) return Response.json(shown(convert(reply.value)));
  const status = reply.code === "not_found" ? 404 : reply.code === "invalid_input" ? 400 : 500;
  return refusal(status, reply.error);
}

/** `undefined` when it is not given; what is no number is left to the runtime to refuse. */
function numberOf(text: string | null): number | string | undefined {
  if (text === null) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function refusal(status: number, error: string): Response {
  return Response.json({ error }, { status });
}

/** A stub whose class lives in another isolate can be disposed of; types do not say so everywhere. */
function disposable<T extends object>(stub: T): T & Disposable {
  if (!(Symbol.dispose in stub)) Object.defineProperty(stub, Symbol.dispose, { value: () => undefined });
  return stub as T & Disposable;
}
