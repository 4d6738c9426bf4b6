/**
 * An Agent with a door: runs programs, shows what waits, takes decisions. A person's interface would stand in front of it;
 * here it is curl (README.md). Who may knock is decided before an Agent is reached.
 */

import { DurableObject } from "cloudflare:workers";

import {
  CodemodeError,
  type CodemodeRuntimeHandle,
  createCodemodeRuntime,
  type ErrorCode,
  httpDoor,
  shown,
} from "../../js-shim/client/index.ts";
import { Counters } from "./counters.ts";
import { EverythingConnector } from "./everything.ts";
import { LabConnector } from "./lab.ts";
import { NotesConnector } from "./notes.ts";

interface Env {
  AGENT: DurableObjectNamespace<ExampleAgent>;
  CODEMODE: DurableObjectNamespace;
  MCP_URL: string;
  CODEMODE_TOKEN?: string;
}

export default {
  async fetch(request, env): Promise<Response> {
    const refused = httpDoor(request, env.CODEMODE_TOKEN);
    if (refused !== null) return refused;
    const agent = new URL(request.url).searchParams.get("agent") ?? "default";
    return env.AGENT.getByName(agent).fetch(request);
  },
} satisfies ExportedHandler<Env>;

export class ExampleAgent extends DurableObject<Env> {
  readonly #counters = new Counters(this.ctx.storage.sql);
  readonly #connectors = [
    new NotesConnector(this.ctx, this.env, this.#counters),
    new LabConnector(this.ctx, this.env, this.#counters),
    new EverythingConnector(this.ctx, this.env, this.#counters),
  ];

  override async fetch(request: Request): Promise<Response> {
    try {
      return Response.json(shown(await this.#answer(request)));
    } catch (thrown) {
      if (thrown instanceof Refusal) return Response.json({ error: thrown.message }, { status: thrown.status });
      if (thrown instanceof CodemodeError) return Response.json({ error: thrown.message, code: thrown.code }, { status: statusOf(thrown.code) });
      console.error(thrown);
      return Response.json({ error: "the Agent failed; its log says why" }, { status: 500 });
    }
  }

  async #answer(request: Request): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url);
    const [, place = "", id, ...rest] = pathname.split("/");
    if (rest.length > 0 || (id !== undefined && place !== "executions")) throw new Refusal(404, `no such path: ${pathname}. ${PATHS}`);
    const runtime = this.#runtime(searchParams.get("name") ?? undefined);
    switch (place) {
      case "run":
        return runtime.execute(await bodyOf(request, { code: "string", key: "string?" }));
      case "approve":
        return runtime.approve(await bodyOf(request, { executionId: "string", seq: "number?", args: "any?" }));
      case "reject":
        return reject(runtime, await bodyOf(request, { executionId: "string", seq: "number", reason: "string?", mode: "string?" }));
      case "recover":
        return runtime.recover((await bodyOf(request, RUN)).executionId);
      case "resolve":
        return resolve(runtime, await bodyOf(request, { executionId: "string", seq: "number", outcome: "string", result: "any?" }));
      case "cancel":
        return { cancelled: await runtime.cancel((await bodyOf(request, RUN)).executionId) };
      case "rollback":
        return runtime.rollback(await bodyOf(request, RUN));
      case "delete":
        return { deleted: await runtime.deleteExecution((await bodyOf(request, RUN)).executionId) };
      case "pending":
        onlyGet(request);
        return runtime.pending(searchParams.get("executionId") ?? undefined);
      case "executions": {
        onlyGet(request);
        if (id === undefined || id === "") {
          const limit = wholeNumber(searchParams, "limit");
          const cursor = searchParams.get("cursor");
          return cursor === null ? runtime.executions(limit) : runtime.executions({ limit: limit ?? 50, cursor: cursor || null });
        }
        const seq = wholeNumber(searchParams, "seq");
        return seq === undefined ? runtime.execution(id) : runtime.execution(id, { seq });
      }
      case "snippets": {
        if (request.method === "GET") return runtime.snippets();
        const { name, ...options } = await bodyOf(request, { name: "string", executionId: "string", description: "string?", inputSchema: "any?" });
        return runtime.saveSnippet(name, options);
      }
      case "counters":
        onlyGet(request);
        return this.#counters.all();
      default:
        throw new Refusal(404, `no such path: ${pathname}. ${PATHS}`);
    }
  }

  /** A handle is cheap and keeps nothing; the state is in the runtime's own object. */
  #runtime(name: string | undefined): CodemodeRuntimeHandle {
    return createCodemodeRuntime({ ctx: this.ctx, binding: this.env.CODEMODE, connectors: this.#connectors, name });
  }
}

const PATHS = "POST /run, /approve, /reject, /recover, /resolve, /cancel, /rollback, /delete, /snippets; GET /pending, /executions, /executions/ID, /snippets, /counters";
const RUN = { executionId: "string" } as const;

async function reject(
  runtime: CodemodeRuntimeHandle,
  { mode, ...options }: { executionId: string; seq: number; reason?: string; mode?: string },
): Promise<unknown> {
  if (mode === "throw") return runtime.reject({ ...options, mode });
  if (mode !== undefined && mode !== "end") throw new Refusal(400, 'mode can be "end" or "throw"');
  return { ended: await runtime.reject(options) };
}

async function resolve(
  runtime: CodemodeRuntimeHandle,
  { outcome, result, ...call }: { executionId: string; seq: number; outcome: string; result?: unknown },
): Promise<unknown> {
  if (outcome === "applied") return runtime.resolve({ ...call, outcome, result });
  if (result !== undefined) throw new Refusal(400, 'only outcome "applied" has a result');
  if (outcome === "failed" || outcome === "rerun") return runtime.resolve({ ...call, outcome });
  throw new Refusal(400, 'outcome can be "applied", "failed" or "rerun"');
}

/** An answer that is no result: a wrong request. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function statusOf(code: ErrorCode): number {
  if (code === "not_found") return 404;
  if (code === "invalid_input") return 400;
  return code === "interrupted" ? 503 : 500;
}

function onlyGet(request: Request): void {
  if (request.method !== "GET") throw new Refusal(405, `${request.method} is not for this path; use GET`);
}

function wholeNumber(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Refusal(400, `${name} has to be a whole number, not ${JSON.stringify(text)}`);
  return Number(text);
}

type Kinds = { string: string; number: number; any: unknown };
type Field = keyof Kinds | `${keyof Kinds}?`;
type Body<Fields extends Record<string, Field>> = {
  [Name in keyof Fields as Fields[Name] extends keyof Kinds ? Name : never]: Fields[Name] extends keyof Kinds ? Kinds[Fields[Name]] : never;
} & {
  [Name in keyof Fields as Fields[Name] extends keyof Kinds ? never : Name]?: Fields[Name] extends `${infer Kind extends keyof Kinds}?` ? Kinds[Kind] : never;
};

/** The JSON object in a POST. Checks names and kinds; a misspelt field must not be taken for one that was left out. */
async function bodyOf<const Fields extends Record<string, Field>>(request: Request, fields: Fields): Promise<Body<Fields>> {
  if (request.method !== "POST") throw new Refusal(405, `${request.method} is not for this path; use POST`);
  let body: unknown;
  try {
    body = await request.json();
  } catch {
    throw new Refusal(400, "the body has to be JSON");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw new Refusal(400, "the body has to be a JSON object");
  for (const name of Object.keys(body)) {
    if (!Object.hasOwn(fields, name)) throw new Refusal(400, `${name} is unknown here; there are ${Object.keys(fields).join(", ")}`);
  }
  for (const [name, field] of Object.entries(fields)) {
    const value: unknown = Reflect.get(body, name);
    if (value === undefined && field.endsWith("?")) continue;
    const kind = field.replace("?", "");
    if (kind !== "any" && typeof value !== kind) throw new Refusal(400, `${name} has to be a ${kind}`);
  }
  return body as Body<Fields>;
}
